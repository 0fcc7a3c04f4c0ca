import { describe, expect, it } from 'vitest';
import type { TimelineResult } from '../../../../src/core/ledger/timeline.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { inScene } from '../../../helpers/scene.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { DEPOSIT_TX, inStory, ORDER, PAYOUT_TX, withDeposit } from './scene.ts';

describe('history show', () => {
  it('prints every change with old and new values, oldest first', async () => {
    await inStory(['--label', 'team=ops'], async ({ run, poll }) => {
      await poll(1, (swap) => withDeposit(swap, 0));
      await poll(1, (swap) => withDeposit(swap, 2));
      await poll(1, (swap) => withDeposit(swap, 2));
      await run(['refund', ORDER, ADDRESSES.btcRefund, '--yes']);
      await poll(4, (swap) => ({ ...swap, status: 12 }));
      const { order, events, swap } = (
        await run(['history', 'show', ORDER, '--json'])
      ).json<TimelineResult>();
      expect(order).toBe(ORDER);
      expect(swap).toMatchObject({ order: ORDER, status: 'success', labels: { team: 'ops' } });
      expect(Object.keys(swap)).not.toContain('idempotencyKey');
      expect(events.map(({ type, status, statusCode }) => [type, status, statusCode])).toEqual([
        ['create.requested', null, null],
        ['swap.new', 'new', 9],
        ['swap.confirmation', 'confirmation', 1],
        ['swap.changed', 'confirmation', 1],
        ['refund_address.set', 'confirmation', 1],
        ['swap.success', 'success', 12],
      ]);
      const changes = events.map((event) => event.changes);
      expect(changes[0]).toMatchObject({
        'deposit.amount': [null, '0.1'],
        'receive.address': [null, ADDRESSES.eth],
      });
      expect(changes[1]).toMatchObject({ 'deposit.address': [null, ADDRESSES.btcDeposit] });
      expect(changes[2]).toMatchObject({
        status: ['new', 'confirmation'],
        'deposit.txId': [null, DEPOSIT_TX],
      });
      expect(changes[3]).toEqual({ 'deposit.confirmations': [0, 2] });
      expect(changes[4]).toEqual({ refundAddress: [null, ADDRESSES.btcRefund] });
      expect(changes[5]).toMatchObject({
        'receive.txId': [null, PAYOUT_TX],
        'receive.paidAmount': [null, '2.5'],
      });
      expect(events.map(({ at }) => new Date(at).toISOString())).toEqual(events.map(({ at }) => at));

      const rows = (await run(['history', 'show', ORDER.toLowerCase()])).stdout.trimEnd().split('\n');
      expect(rows.map((line) => line.split('\t').length)).toEqual(rows.map(() => 7));
      expect(rows.map((line) => line.split('\t').slice(1).join(' '))).toContain(
        'swap.changed confirmation 1 deposit.confirmations 0 2',
      );
    });
  });

  it('prints local times on a terminal and never breaks a value across lines', async () => {
    await inStory([], async ({ here, poll }) => {
      await poll(1, (swap) => withDeposit(swap, 0));
      await poll(1, (swap) => withDeposit(swap, 2));
      for (const columns of [40, 100]) {
        const shown = await here(['history', 'show', ORDER], { terminals: AT_TERMINAL, columns });
        expect(shown.stdout).toMatch(/^ {4}deposit\.confirmations {2}0 → 2$/m);
        expect(shown.stdout).toContain('times are local, ');
        expect(shown.stdout).toMatch(/startedAt\s+\d{4}-\d\d-\d\d \d\d:/);
        expect(shown.stdout).not.toMatch(/\dT\d\d:/);
        for (const whole of [ADDRESSES.eth, ADDRESSES.btcDeposit, DEPOSIT_TX])
          expect(shown.stdout).toContain(whole);
        // One wider than the terminal starts at its edge, so that it breaks late.
        const wide = shown.stdout.split('\n').filter((line) => line.length > columns);
        expect(wide.filter((line) => line.startsWith('    '))).toEqual([]);
        if (columns === 40) expect(wide).toContain(DEPOSIT_TX);
        expect(shown.stdout).toMatch(/^ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}confirmation, changed$/m);
      }
    });
  });

  it('reports a mismatch that appears and disappears, and escapes hidden characters', async () => {
    await inStory([], async ({ run, poll }) => {
      const moved = (swap: { pairs: { deposit: object; receive: object } }) => ({
        ...swap,
        pairs: { ...swap.pairs, deposit: { ...swap.pairs.deposit, address: 'evil\u001b[2J\taddress' } },
      });
      await poll(9, moved);
      await poll(9);
      const text = (await run(['history', 'show', ORDER])).stdout;
      const reported = text
        .split('\n')
        .filter((line) => line.includes('\tdoubts\t') || line.includes('evil'));
      expect(reported.map((line) => line.split('\t').slice(4))).toEqual([
        ['deposit.address', ADDRESSES.btcDeposit, 'evil<U+001B>[2J<U+0009>address'],
        ['doubts', '', 'deposit_changed, deposit_address_odd'],
        ['deposit.address', 'evil<U+001B>[2J<U+0009>address', ADDRESSES.btcDeposit],
        ['doubts', 'deposit_changed, deposit_address_odd', ''],
      ]);
    });
  });

  it('suggests history import for an unknown order', async () => {
    await inScene({}, async ({ run }) => {
      const { code, stdout, error } = await run(['history', 'show', 'NOPE', '--json']);
      expect([code, stdout, error()?.code]).toEqual([3, '', 'not_found']);
      expect(error()?.hint).toContain('`echo NOPE | swapctl history import -`');
    });
  });

  it('finds only orders of the selected profile and names the profile of an order elsewhere', async () => {
    await inStory([], async ({ run, home }) => {
      const other = await run(['history', 'show', ORDER, '--sandbox', '--json']);
      expect([other.code, other.error()?.message, other.error()?.hint]).toEqual([
        3,
        `Profile sandbox has no order or entry ${ORDER}.`,
        'It belongs to profile env: pass that with -p, or leave -p out. List the swaps with `swapctl history`.',
      ]);
      expect((await runHere(['history', 'show', ORDER], { home })).error).toBeNull();
      const refund = await run(['refund', ORDER, ADDRESSES.btcRefund, '--yes', '--sandbox']);
      expect(refund.stderr).toContain(`The ledger has ${ORDER} for profile env; profile sandbox is asked`);
      const unusable = { home, env: { SWAPCTL_PROFILE: 'nope' } };
      const { error } = await runHere(
        ['refund', ADDRESSES.btcDeposit, ADDRESSES.btcRefund, '--yes'],
        unusable,
      );
      expect(error?.message).toBe(`The profile in use has no swap with ${ADDRESSES.btcDeposit}.`);
    });
  });
});
