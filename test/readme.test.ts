import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/command-list.ts';
import { buildProgram } from '../src/program.ts';
import { temporaryFolder } from './helpers/home.ts';
import { listeningUrl, PROGRAM, startProgram } from './helpers/program.ts';

const run = promisify(execFile);
const README = await readFile(join(import.meta.dirname, '..', 'README.md'), 'utf8');

describe('the README', () => {
  it('talks to the sandbox with curl and openssl exactly as it is printed', async () => {
    const home = await temporaryFolder();
    const bin = join(home, 'bin');
    await mkdir(bin);
    await symlink(PROGRAM, join(bin, 'swapctl'));
    const server = startProgram(['sandbox', 'start', '--port', '0'], { home });
    const url = await listeningUrl(server);
    try {
      const script = /<!-- curl -->\n```sh\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
      const env = { HOME: home, PATH: `${bin}${delimiter}${process.env['PATH']}` };
      const { stdout } = await run('bash', ['-euc', script.replace('http://127.0.0.1:4010', url)], { env });
      const [quote = '', order = ''] = stdout.trim().split('\n');
      expect(quote).toMatch(/^\{"pair":"BTC_ETH","amount":0\.1,/);
      expect(JSON.parse(order)).toMatchObject({
        status: 9,
        pairs: { receive: { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' } },
      });
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });

  it('has every command in its table, in the words of the help', () => {
    const rows = COMMANDS.map(
      ({ name, usage, summary }) => `| \`${`swapctl ${name} ${usage}`.trim()}\` | ${summary} |`,
    );
    expect(README).toContain(`\n|---|---|\n${rows.join('\n')}\n`);
  });

  it('names only commands and flags that exist', async () => {
    const program = await buildProgram(() => {
      throw new Error('no command is run');
    });
    for (const [, line = ''] of README.matchAll(/^swapctl ([a-z].*?)(?:\s+#.*)?$/gm)) {
      const words = line.replace(/[<|>].*$/, '').split(/\s+/);
      let command = program;
      for (const word of words) command = command.commands.find((child) => child.name() === word) ?? command;
      const known = [...program.options, ...command.options].flatMap(({ long, short }) => [long, short]);
      const unknown = words.filter((word) => /^-{1,2}[a-z]/i.test(word) && !known.includes(word));
      expect({ line, command: command.name(), unknown }).toEqual({
        line,
        command: expect.not.stringMatching(/^swapctl$/),
        unknown: [],
      });
    }
  });
});
