import { describe, expect, it } from 'vitest';
import { scriptedPrompter } from '../helpers/prompter.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import { inScene, profileAt } from '../helpers/scene.ts';
import type { CreateBody, Plan } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, ORDER, swapText, wireSwap } from '../helpers/swap-service.ts';
import type { Change } from './lies.ts';
import { createOf, here, jsonOf } from './lies.ts';

/** A service that tells the truth at the create, and `change` afterwards. */
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

const _FIXED = createOf('BTC', 'ETH', ['--fixed']);

describe.concurrent('a swap that waits for its deposit and', () => {
  it('is in doubt has its refund address set only by a yes at the terminal, or --yes without one', () =>
    inScene(
      later(({ pairs }) => (pairs.receive.address = ADDRESSES.otherEth)),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const patches = () => scene.service.count('update-refund-address');
        const refund = ['refund', ORDER, ADDRESSES.btcRefund];
        const atTerminal = (answer: boolean) =>
          runHere([...refund, '--yes'], {
            ...{ home: scene.home, env: profileAt(scene.service.url), terminals: AT_TERMINAL },
            prompter: scriptedPrompter([{ confirm: 'Set this refund address?', answer }]),
          });
        expect((await atTerminal(false)).error).toMatchObject({ code: 'declined' });
        expect((await here(scene, refund)).error).toMatchObject({ code: 'usage' });
        expect(patches()).toBe(0);
        const printed = await atTerminal(true);
        expect(printed.error).toBeNull();
        expect(printed.stdout.replace(/\s+/g, ' ')).toContain('Mismatches its payout address is 0x');
        const piped = await here(scene, [...refund, '--yes']);
        expect(piped.stdout).toContain('doubts\tpayout_changed\n');
        expect(patches()).toBe(2);
      },
    ));

  it('reports another network has its refund address checked for the agreed one', () =>
    inScene(
      later(({ pairs }) => (pairs.deposit.coin.network = 'ETH')),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const refund = await here(scene, ['refund', ORDER, ADDRESSES.eth, '--yes', '--json']);
        expect(refund.error).toMatchObject({ code: 'invalid_address' });
        expect(scene.service.count('update-refund-address')).toBe(0);
      },
    ));

  it('is as it was agreed is fundable, in another spelling too', () =>
    inScene(
      later(({ pairs }) => {
        pairs.receive.address = pairs.receive.address.toLowerCase();
        pairs.deposit.coin.name = 'btc';
        pairs.receive.coin.value = 2.3;
      }),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(jsonOf(status)).toMatchObject({ fundable: true, doubts: [] });
        expect(status.stderr).toBe('');
        const screen = await here(scene, ['status', ORDER], true);
        expect(screen.stdout).toContain(' You receive   2.3 ETH\n   agreed      2.5 ETH\n');
      },
    ));

  it('has a number in another case is polled by the number in the ledger', () =>
    inScene(
      later(({ pairs }) => (pairs.deposit.address = ADDRESSES.otherBtcDeposit)),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER.toLowerCase(), '--json']);
        expect(jsonOf(status)).toMatchObject({ order: ORDER, doubts: ['deposit_changed'], fundable: false });
      },
    ));
});

describe.concurrent('a swap that goes on', () => {
  it('from success back to new is in doubt, each time it is polled', () => {
    const codes = [4, 9, 9, 4];
    const plan = later((swap) => {
      swap.status = codes.shift() ?? 4;
      if (swap.status === 4) swap.txId = swap.receiveTransaction.txId = 'f00d';
    });
    return inScene(plan, async (scene) => {
      await here(scene, createOf('BTC', 'ETH'));
      const look = async () => jsonOf(await here(scene, ['status', ORDER, '--json']));
      const polls = [await look(), await look(), await look(), await look()];
      expect(polls.map(({ status, doubts, fundable }) => [status, doubts, fundable])).toEqual([
        ['success', [], false],
        ['new', ['went_backwards'], false],
        ['new', ['went_backwards'], false],
        ['success', [], false],
      ]);
    });
  });

  it('with another deposit than was agreed shows both side by side', () =>
    inScene(
      later((swap) => {
        Object.assign(swap, { status: 1, txId: 'f00d' });
        swap.pairs.deposit.coin.value = 0.2;
        swap.pairs.receive.coin.value = 5;
      }),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(jsonOf(status)).toMatchObject({
          ...{ deposit: { amount: '0.2' }, receive: { amount: '5' }, doubts: ['amount_changed'] },
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
