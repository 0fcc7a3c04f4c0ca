import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';
import { freePort } from './helpers/free-port.ts';
import { temporaryFolder } from './helpers/home.ts';
import { listeningUrl, PROGRAM, startProgram } from './helpers/program.ts';
import { runHere } from './helpers/run-here.ts';
import { onEachService } from './helpers/services.ts';
import { ADDRESSES } from './helpers/swap-service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Waits for a server that is being started. */
async function untilAnswered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(url, { method: 'POST' }).catch(() => null);
    if (answer !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The receiver did not start.');
}

describe('the documentation', () => {
  it('has a curl script in docs/sandbox.md that creates an order', async () => {
    const home = await temporaryFolder();
    const bin = join(home, 'bin');
    await mkdir(bin);
    await symlink(PROGRAM, join(bin, 'swapctl'));
    const server = startProgram(['sandbox', 'start', '--port', '0'], { home });
    const url = await listeningUrl(server);
    try {
      const script = /<!-- curl -->\n```sh\n([\s\S]*?)```/.exec(page('docs/sandbox.md'))?.[1] ?? '';
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

  onEachService({}, () => {
    it('has a receiver in docs/recipes.md that accepts only webhooks signed by listen', async () => {
      const home = await temporaryFolder();
      await symlink(join(import.meta.dirname, 'node_modules'), join(home, 'node_modules'));
      const secret = (await runHere(['listen', '--print-secret'], { home })).stdout.trimEnd();
      const port = await freePort();
      const code = /<!-- receiver -->\n```js\n([\s\S]*?)```/.exec(page('docs/recipes.md'))?.[1] ?? '';
      expect(code.trimEnd().split('\n')).toHaveLength(10);
      await writeFile(join(home, 'receiver.mjs'), code.replace('8080', String(port)));
      const receiver = spawn(process.execPath, ['receiver.mjs'], {
        cwd: home,
        env: { WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      receiver.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
      try {
        const url = `http://127.0.0.1:${port}`;
        await untilAnswered(url);
        expect((await fetch(url, { method: 'POST', body: '{"type":"forged"}' })).status).toBe(401);
        const listen = ['listen', '--once', '--json', '--forward-to', url];
        await runHere(listen, { home });
        const create = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESSES.eth, '--yes', '--no-qr'];
        expect((await runHere(create, { home })).error).toBeNull();
        await runHere(listen, { home });
        const { stdout } = await runHere(['events', 'list', '--json'], { home });
        expect([JSON.parse(stdout)[0].delivery, printed]).toEqual(['delivered', 'swap.new\n']);
      } finally {
        receiver.kill();
      }
    });
  });

  it('has a README of at most 160 lines', () => {
    expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(160);
  });

  it('contains only existing commands and flags', async () => {
    const guides = ['first-live-swap', 'recipes', 'sandbox', 'troubleshooting'];
    const pages = ['README.md', ...guides.map((name) => join('docs', `${name}.md`))].map(page);
    const program = await buildProgram(() => {
      throw new Error('no command is run');
    });
    for (const [, line = ''] of pages
      .join('\n')
      .matchAll(/^ *(?:\S*=\$\()?swapctl ([a-z].*?)(?:\s+#.*)?$/gm)) {
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
