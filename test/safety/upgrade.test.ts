import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { PROGRAM, runProgram } from '../helpers/program.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { CREATE, inScene, profileAt, type Scene, withoutSecrets } from '../helpers/scene.ts';
import type { Answer, WireSwap } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, createdAs, ORDER, wireSwap } from '../helpers/swap-service.ts';
import { startAtTerminal } from '../helpers/terminal.ts';

const ROOT = dirname(dirname(PROGRAM));
const folder = await mkdtemp(join(tmpdir(), 'swapctl-upgrade-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of the program that can be removed while it runs. */
async function copyOfProgram(): Promise<{ readonly program: string; remove(): void }> {
  const root = await mkdtemp(join(folder, 'copy-'));
  await Promise.all([
    ...['bin', 'dist', 'package.json'].map((part) =>
      cp(join(ROOT, part), join(root, part), { recursive: true }),
    ),
    symlink(join(ROOT, 'node_modules'), join(root, 'node_modules')),
  ]);
  return {
    program: join(root, 'bin', 'swapctl.js'),
    remove: () => rmSync(join(root, 'dist'), { recursive: true }),
  };
}

/** Removes the whole program before a create is answered, as an upgrade does. */
async function duringUpgrade(answer: Answer, act: (scene: Scene, program: string) => Promise<void>) {
  const { program, remove } = await copyOfProgram();
  const plan = {
    'create-transaction': (...[seen, response, request]: Parameters<Answer>) => {
      remove();
      answer(seen, response, request);
    },
    'get-transaction': (...[, response]: Parameters<Answer>) =>
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), status: 4, createdAt: '2026-01-31T12:00:00.000Z' }),
  };
  await inScene(plan, (scene) => act(scene, program));
}

const answering = (change: (swap: WireSwap) => unknown = () => undefined): Answer => createdAs(change);

async function created(
  answer: Answer,
  args: readonly string[],
  expected: Record<string, unknown>,
  says: RegExp[] = [],
) {
  await duringUpgrade(answer, async (scene, program) => {
    const { home, service } = scene;
    const run = withoutSecrets(
      await runProgram([...CREATE, ...args], { home, env: profileAt(service.url), program }),
    );
    expect({ exit: run.code, posts: service.posts() }, run.stderr).toEqual({
      exit: expected['exit'],
      posts: 1,
    });
    for (const words of says) expect(`${run.stdout}${run.stderr}`).toMatch(words);
    expect(await scene.history()).toMatchObject([{ outcome: expected['ledger'] }]);
  });
}

describe.concurrent('a create during which the program is replaced', () => {
  it('shows and records the swap', () =>
    created(answering(), [], { exit: 0, ledger: 'created' }, [/"order":"KQWZPA"/]));

  it('follows the swap with --watch', () =>
    created(answering(), ['--watch', '--exit-status'], { exit: 0, ledger: 'created' }, [
      /"type":"end".*"success"/,
    ]));

  it('reports a payout address that does not match the request', () =>
    created(
      answering((swap) => (swap.pairs.receive.address = ADDRESSES.xrp)),
      [],
      { exit: 7, ledger: 'unknown' },
      [/Order KQWZPA exists, but does not match the request/],
    ));

  it('warns about a deposit address of another network', () =>
    created(
      answering((swap) => (swap.pairs.deposit.address = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L')),
      [],
      { exit: 0, ledger: 'created' },
      [/not valid on BTC/],
    ));

  it.each<[string, Answer, number, string, RegExp]>([
    ['a refusal', (_seen, response) => sendJson(response, 422, { message: 'No.' }), 5, 'refused', /No\./],
    ['a 502', (_seen, response) => sendJson(response, 502, '<html>'), 7, 'unknown', /an order may exist/],
    ['no JSON', (_seen, response) => sendJson(response, 201, '{'), 7, 'unknown', /it is not JSON/],
    ['a cut connection', (_seen, response) => response.destroy(), 7, 'unknown', /an order may exist/],
  ])('exits with its usual code for %s', (_name, answer, exit, ledger, says) =>
    created(answer, [], { exit, ledger }, [says]),
  );

  it('shows the swap with its QR code and color at a terminal', () =>
    duringUpgrade(answering(), async (scene, program) => {
      const env = { ...profileAt(scene.service.url), NO_COLOR: '', FORCE_COLOR: '1' };
      const args = CREATE.filter((arg) => !['--yes', '--json', '--debug'].includes(arg));
      const run = startAtTerminal(args, scene.home, { env, program });
      await run.shows('Create this swap?');
      run.type('y\r');
      const { code, screen } = await run.ended;
      expect(code, screen).toBe(0);
      for (const part of [
        ORDER,
        'Send exactly',
        ADDRESSES.btcDeposit,
        '▀',
        'Scan for the address',
        '--watch',
      ])
        expect(screen).toContain(part);
    }));

  it('reports an unknown outcome when it is interrupted', () => {
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    return duringUpgrade(
      () => reach(),
      async (scene, program) => {
        const run = startAtTerminal(CREATE, scene.home, { env: profileAt(scene.service.url), program });
        await reached;
        run.signal('SIGINT');
        const { code, screen } = await run.ended;
        expect(code, screen).toBe(7);
        expect(screen).toContain('an order may exist');
      },
    );
  });
});

it.concurrent('a bug in the program after the response to a create exits with 7 and names the order', () =>
  inScene({}, async (scene) => {
    const hook = join(scene.home, 'fault.cjs');
    await writeFile(
      hook,
      `const { ClientRequest } = require('node:http');
         const { emit } = ClientRequest.prototype;
         ClientRequest.prototype.emit = function (event, ...rest) {
           if (event === 'response' && this.method === 'POST')
             String.prototype.padEnd = () => { throw new TypeError('padEnd is broken'); };
           return emit.call(this, event, ...rest);
         };`,
    );
    const run = await scene.startCreate([], { NODE_OPTIONS: `--require=${hook}` }).ended;
    const says = [/Order KQWZPA exists.*TypeError: padEnd is broken/];
    await expectCreate(scene, run, { ...UNKNOWN, says });
    expect(run.error()).toMatchObject({ details: { order: ORDER } });
    expect(await scene.history()).toMatchObject([{ order: ORDER }]);
  }));
