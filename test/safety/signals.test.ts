import { describe, expect, it } from 'vitest';
import { type CreateOutcome, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import type { Run } from '../helpers/run.ts';
import { CREATE, inScene, type Scene } from '../helpers/scene.ts';
import { ADDRESSES, type Plan, swapText } from '../helpers/swap-service.ts';

/** A promise, and the function that fulfils it. */
function moment(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach: () => reach() };
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;

/** Starts a create, waits for the moment, sends the signal and waits for the end. */
async function signalled(scene: Scene, reached: Promise<void>, signal: Signal, args: readonly string[] = []) {
  const started = scene.start([...CREATE, ...args]);
  await reached;
  started.child.kill(signal);
  return started.ended;
}

/** Checks the outcome of a create after a signal; a killed process prints nothing. */
async function expectEnd(scene: Scene, run: Run, signal: Signal, expected: CreateOutcome): Promise<void> {
  if (signal !== 'SIGKILL') return expectCreate(scene, run, expected);
  expect(run).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  expect(scene.service.posts()).toBe(expected.posts);
  const outcomes = (await scene.history()).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(expected.ledger === null ? [] : [expected.ledger]);
}

it.concurrent.each(SIGNALS)('%s during a create leaves its outcome unknown, its key taken', (signal) => {
  const { reached, reach } = moment();
  return inScene({ 'create-transaction': () => reach() }, async (scene) => {
    const run = await signalled(scene, reached, signal, ['--idempotency-key', 'one']);
    await expectEnd(scene, run, signal, { ...UNKNOWN, says: [/interrupted/] });
    await expectCreate(scene, await scene.create(['--idempotency-key', 'one']), UNKNOWN);
  });
});

describe.concurrent.each(['SIGINT', 'SIGKILL'] as const)('a create ended by %s', (signal) => {
  const interrupted = { exit: 130, code: 'interrupted' };

  it('before its POST sends and records nothing', () => {
    const { reached, reach } = moment();
    return inScene({ 'exchange-coin': () => reach() }, async (scene) => {
      const run = await signalled(scene, reached, signal);
      const says = [/nothing was sent/];
      await expectEnd(scene, run, signal, { ...interrupted, posts: 0, ledger: null, says });
    });
  });

  it('in the middle of the response has an unknown outcome', () => {
    const { reached, reach } = moment();
    const plan: Plan = {
      'create-transaction': (seen, response) => {
        response.writeHead(201).write(swapText(seen).slice(0, 300), () => reach());
      },
    };
    return inScene(plan, async (scene) => {
      await expectEnd(scene, await signalled(scene, reached, signal), signal, UNKNOWN);
    });
  });

  it('after the response has shown and recorded the swap', () =>
    inScene({ 'get-transaction': () => undefined }, async (scene) => {
      const started = scene.start([...CREATE.filter((flag) => flag !== '--json'), '--watch']);
      await new Promise<void>((resolve) => started.child.stdout?.once('data', () => resolve()));
      started.child.kill(signal);
      const run = await started.ended;
      expect(run.stdout).toContain(ADDRESSES.btcDeposit);
      if (signal !== 'SIGKILL') {
        expect(run.code).toBe(interrupted.exit);
        expect(run.stderr).toContain('Order KQWZPA was created and continues without swapctl');
        expect(run.stderr).not.toContain('nothing was sent');
      }
      expect(await scene.history()).toMatchObject([{ outcome: 'created', order: 'KQWZPA' }]);
      expect(scene.service.posts()).toBe(1);
    }));
});

it.concurrent('SIGHUP sent repeatedly leaves the outcome of a create unknown once', () => {
  const { reached, reach } = moment();
  return inScene({ 'create-transaction': () => reach() }, async (scene) => {
    const started = scene.start(CREATE);
    await reached;
    for (let times = 0; times < 3; times += 1) started.child.kill('SIGHUP');
    await expectCreate(scene, await started.ended, { ...UNKNOWN, says: [/interrupted/] });
  });
});
