import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { listeningUrl, runProgram, startProgram } from '../helpers/program.ts';
import { runHere } from '../helpers/run-here.ts';
import { runMain } from '../helpers/run-main.ts';
import { CREATE, inScene, profileAt, SECRET, withoutSecrets } from '../helpers/scene.ts';

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

describe('a secret in SWAPCTL_SECRET_FILE instead of a path', () => {
  it('is not repeated by the error about the file', async () => {
    const { SWAPCTL_SECRET, ...rest } = profileAt('http://127.0.0.1:9');
    const env = { ...rest, SWAPCTL_SECRET_FILE: SWAPCTL_SECRET ?? '' };
    for (const [flags, start] of [
      [[], runProgram],
      [['--json', '--debug'], runMain],
    ] as const) {
      const args = ['quote', 'BTC', 'ETH', '1', ...flags];
      const run = withoutSecrets(await start(args, { home: await temporaryFolder(), env }));
      expect([run.code, run.stdout]).toEqual([11, '']);
      expect(run.stderr).toContain('The file of SWAPCTL_SECRET_FILE could not be read (ENOENT).');
    }
  });
});

describe.concurrent('NODE_DEBUG', () => {
  it.each([
    ['http', 'http'],
    ['NET', 'net'],
    ['timer,Http*', 'http, https, http2'],
    ['*', 'http, https, http2, net, tls, stream, undici, fetch'],
  ])('set to %s, which makes Node print signatures, is an error before any request', (value, parts) =>
    inScene({}, async (scene) => {
      const [create, quote] = [CREATE, ['quote', 'BTC', 'ETH', '0.1', '--json']];
      for (const run of [
        await scene.start(create, { NODE_DEBUG: value }).ended,
        await scene.run(quote, { NODE_DEBUG: value }),
      ]) {
        expect([run.code, run.stdout]).toEqual([2, '']);
        expect(run.error()).toMatchObject({
          code: 'invalid_config',
          outcome: 'nothing-sent',
          message: `NODE_DEBUG makes Node print ${parts}, including the signature of each request. Nothing was sent.`,
        });
      }
      expect(scene.service.requests).toEqual([]);
      expect(await scene.history()).toEqual([]);
    }),
  );

  it('set to modules that print no request is accepted', () =>
    inScene({}, async (scene) => {
      const quote = ['quote', 'BTC', 'ETH', '0.1', '--json'];
      const run = await scene.start(quote, { NODE_DEBUG: 'timers,httpx' }).ended;
      expect(run.code).toBe(0);
      expect(scene.service.requests).toHaveLength(1);
    }));
});

describe('SIGUSR1', () => {
  it('does not open the debugger of Node', async () => {
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
