import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { listeningUrl, startProgram } from '../helpers/program.ts';
import { runHere } from '../helpers/run-here.ts';
import { runMain } from '../helpers/run-main.ts';
import { SECRET, withoutSecrets } from '../helpers/scene.ts';

const NO_FLAG = /^No flag takes a secret/;

describe('a secret given as a flag', () => {
  it.each([
    [['--secret=', SECRET], 'Unknown flag --secret.'],
    [['--password=', SECRET], 'Unknown flag --password.'],
    [['--api-secret', '=', SECRET], 'Unknown flag --api-secret.'],
    [['--key=', SECRET, '\n(Did you mean ', SECRET, '?)'], 'Unknown flag --key.'],
    [['--private_key=', SECRET], 'Unknown flag --private.'],
    [['--with-secret=', SECRET], '--with-secret takes no value.'],
  ])('is not repeated, and the hint says that no flag takes a secret: %j', async (parts, message) => {
    const home = await temporaryFolder();
    for (const words of [
      ['auth', 'login', parts.join('')],
      ['auth', 'login', parts.join(''), '--json', '--debug'],
    ]) {
      const { error, stderr } = await runHere(words, { home });
      expect(error).toMatchObject({ code: 'usage', message, hint: expect.stringMatching(NO_FLAG) });
      expect(`${stderr}${error?.stack}${JSON.stringify(error?.details)}`).not.toContain(SECRET);
    }
  });

  it('is not repeated if it is a separate argument, comes before the command or is attached to a short flag', async () => {
    const home = await temporaryFolder();
    for (const words of [
      ['auth', 'login', '--secret', SECRET],
      ['--secret', SECRET, 'quote', 'BTC', 'ETH', '1'],
      ['quote', `-s${SECRET}`, 'BTC', 'ETH', '1'],
      [`-s=${SECRET}`],
    ]) {
      for (const flags of [[], ['--debug'], ['--json']]) {
        const run = withoutSecrets(await runMain([...words, ...flags], { home }));
        expect([run.code, run.stdout]).toEqual([2, '']);
        expect(run.stderr).toMatch(/Unknown flag (?:--secret|-s)/);
      }
    }
  });
});

it('SIGUSR1 does not open the debugger of Node', async () => {
  const run = startProgram(['sandbox', 'start', '--port', '0'], { home: await temporaryFolder() });
  const url = await listeningUrl(run);
  for (let times = 0; times < 3; times += 1) run.child.kill('SIGUSR1');
  // Node reports a debugger before it continues with anything else.
  for (let times = 0; times < 3; times += 1) expect((await fetch(url)).status).toBeGreaterThan(0);
  expect(await inspectorSockets(run.child.pid ?? 0)).toEqual([]);
  run.child.kill('SIGTERM');
  const ended = await run.ended;
  expect(ended.stderr).not.toContain('Debugger');
  expect(ended.stdout).toMatch(/^listening on /);
});

/** The addresses at which a process listens for a debugger, from its open files. */
async function inspectorSockets(processId: number): Promise<readonly string[]> {
  const { readdir, readFile, readlink } = await import('node:fs/promises');
  const folder = `/proc/${processId}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((file) => readlink(`${folder}/${file}`).catch(() => '')),
  );
  const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const INSPECTOR = `:${(9229).toString(16).toUpperCase()}`;
  return (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => own.has(cells[9] ?? '') && cells[1]?.endsWith(INSPECTOR) === true)
    .map((cells) => cells[1] ?? '');
}
