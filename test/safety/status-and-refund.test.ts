import { describe, expect, it } from 'vitest';
import { NO_MORE_ROOM, tamper } from '../helpers/ledger-damage.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import { inScene, profileAt, type Scene } from '../helpers/scene.ts';
import type { Answer, Plan, WireSwap } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, ORDER, wireSwap } from '../helpers/swap-service.ts';

/** A service that returns the swap with `change` applied. */
const describing = (change: (swap: WireSwap) => unknown): Plan => ({
  'get-transaction': (_seen, response) => {
    const swap = wireSwap(BTC_TO_ETH);
    change(swap);
    sendJson(response, 200, swap);
  },
});

const showStatus = (scene: Scene) => scene.run(['status', ORDER, '--json', '--debug']);

describe.concurrent('the status of an order', () => {
  it('is not taken from a response whose order number differs in letter case', () =>
    inScene(
      describing((swap) => {
        swap.orderNumber = ORDER.toLowerCase();
        swap.pairs.deposit.address = ADDRESSES.otherBtcDeposit;
      }),
      async (scene) => {
        await scene.create();
        const run = await showStatus(scene);
        expect([run.code, run.stdout]).toEqual([6, '']);
        expect(run.error().message).toContain('about a different order');
      },
    ));

  it('with another deposit than was agreed shows the agreed amounts', () =>
    inScene(
      describing((swap) => {
        Object.assign(swap, { status: 1, txId: 'f00d' });
        swap.pairs.deposit.coin.value = 0.2;
        swap.pairs.receive.coin.value = 5;
      }),
      async (scene) => {
        await scene.create();
        expect((await showStatus(scene)).json()).toMatchObject({
          deposit: { amount: '0.2' },
          receive: { amount: '5' },
          doubts: ['amount_changed'],
          asked: { deposit: '0.1', receive: '2.5' },
        });
        const options = { home: scene.home, env: profileAt(scene.service.url), terminals: AT_TERMINAL };
        expect((await runHere(['status', ORDER], options)).stdout).toContain('   agreed       0.1 BTC\n');
        const { stdout } = await runHere(['history'], options);
        for (const words of ['0.2 BTC (0.1 agreed)', '5 ETH (2.5 agreed)']) expect(stdout).toContain(words);
      },
    ));
});

const refund = (scene: Scene, address: string = ADDRESSES.btcRefund) =>
  scene.run(['refund', ORDER, address, '--yes', '--json', '--debug']);

const answered =
  (changes: Record<string, unknown>): Answer =>
  ({ body }, response) => {
    const { id, refundAddress } = JSON.parse(body) as { id: string; refundAddress: string };
    sendJson(response, 200, { message: 'ok', orderNumber: id, newRefundAddress: refundAddress, ...changes });
  };

describe.concurrent('a refund address', () => {
  it('is printed as set even if the ledger cannot record it', () => {
    let file = '';
    const plan: Plan = {
      'update-refund-address': (seen, response, request) => {
        tamper(file, NO_MORE_ROOM);
        answered({})(seen, response, request);
      },
    };
    return inScene(plan, async (scene) => {
      file = scene.ledgerFile;
      await scene.create();
      const run = await refund(scene);
      expect(run.json()).toMatchObject({ refundAddress: ADDRESSES.btcRefund });
      expect(run.error()).toMatchObject({ code: 'storage_failed', exitCode: 11, outcome: 'done' });
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('interrupted by %s is reported as possibly set', (signal) => {
    let reach: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    return inScene({ 'update-refund-address': () => reach() }, async (scene) => {
      const started = scene.start(['refund', ORDER, ADDRESSES.btcRefund, '--yes', '--json']);
      await reached;
      started.child.kill(signal);
      const run = await started.ended;
      expect(run.code).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(run.error()).toMatchObject({ code: 'interrupted', outcome: 'unknown' });
      expect(run.error().message).toContain('may or may not have been set');
    });
  });
});
