import { describe, expect, it } from 'vitest';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import type { CreateBody, Plan } from '../helpers/swap-service.ts';
import { BTC_TO_ETH, ORDER, swapText, wireSwap } from '../helpers/swap-service.ts';
import { type Change, createOf, here, jsonOf } from './commands.ts';

/** A service that responds correctly to a create, and with `change` applied to every later poll. */
function later(change: Change): Plan {
  let made: CreateBody = BTC_TO_ETH;
  return {
    'create-transaction': (seen, response) => {
      made = JSON.parse(seen.body) as CreateBody;
      sendJson(response, 201, swapText(seen));
    },
    'get-transaction': (_seen, response) => {
      const swap = wireSwap(made);
      change(swap);
      sendJson(response, 200, swap);
    },
  };
}

describe.concurrent('an order that waits for its deposit', () => {
  it('with another deposit than was agreed is shown with the agreed amounts', () =>
    inScene(
      later((swap) => {
        Object.assign(swap, { status: 1, txId: 'f00d' });
        swap.pairs.deposit.coin.value = 0.2;
        swap.pairs.receive.coin.value = 5;
      }),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        expect(jsonOf(await here(scene, ['status', ORDER, '--json']))).toMatchObject({
          deposit: { amount: '0.2' },
          receive: { amount: '5' },
          doubts: ['amount_changed'],
          asked: { deposit: '0.1', receive: '2.5' },
        });
        const screen = await here(scene, ['status', ORDER], true);
        expect(screen.stdout).toContain('   agreed       0.1 BTC\n');
        const list = await here(scene, ['history'], true);
        expect(list.stdout).toContain('0.2 BTC (0.1 agreed)');
        expect(list.stdout).toContain('5 ETH (2.5 agreed)');
      },
    ));
});
