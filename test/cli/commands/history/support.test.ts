import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SupportTicket } from '../../../../src/cli/views/ticket.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { refusing } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { inScene } from '../../../helpers/scene.ts';
import { ADDRESSES, type WireSwap } from '../../../helpers/swap-service.ts';
import { DEPOSIT_TX, inStory, ORDER, PAYOUT_TX, withDeposit } from './scene.ts';

const NO_PAYOUT = (swap: WireSwap) => ({
  ...swap,
  receiveTransaction: { txId: '', address: '', receivedTime: '', gettingInTheBlock: '' },
});

const withOther = (swap: WireSwap) => {
  const { deposit } = swap.pairs;
  const other = { ...deposit, coin: { ...deposit.coin, value: 0.07 } };
  return { ...withDeposit(swap), pairs: { ...swap.pairs, deposit: other } };
};

interface Case {
  readonly name: string;
  readonly polls: readonly (readonly [status: number, change?: (swap: WireSwap) => object])[];
  readonly refund?: boolean;
  readonly is: SupportTicket['case'];
  /** Words and values that a desk needs in this state. */
  readonly asks: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'new', polls: [[9]], is: 'deposit_not_seen', asks: ['`____`', ADDRESSES.btcDeposit] },
  { name: 'overdue', polls: [[5]], is: 'deposit_not_seen', asks: ['is overdue', 'or sent back?'] },
  {
    name: 'late deposit',
    polls: [[5, withDeposit]],
    is: 'late_deposit',
    asks: [DEPOSIT_TX, 'at which rate'],
  },
  { name: 'confirmation', polls: [[1, withDeposit]], is: 'in_progress', asks: ['in this status for'] },
  { name: 'exchanging', polls: [[3, withDeposit]], is: 'in_progress', asks: [ADDRESSES.eth] },
  { name: 'pause', polls: [[10, withDeposit]], is: 'on_hold', asks: ['no refund address is set'] },
  {
    name: 'pause after a different deposit',
    polls: [[10, withOther]],
    is: 'on_hold',
    asks: ['a deposit of `0.07` where `0.1` was agreed', '- `amount_changed`: '],
  },
  { name: 'frozen', polls: [[11, withDeposit]], refund: true, is: 'frozen', asks: ['which documents'] },
  {
    name: 'error',
    polls: [[6, withDeposit]],
    is: 'error_without_refund_address',
    asks: ['no refund address is set', DEPOSIT_TX],
  },
  {
    name: 'error with a refund address',
    polls: [[6, withDeposit]],
    refund: true,
    is: 'error_with_refund_address',
    asks: [`back to the refund address \`${ADDRESSES.btcRefund}\``, '- Set: `20'],
  },
  {
    name: 'success without a payout',
    polls: [[4, NO_PAYOUT]],
    is: 'success_without_payout',
    asks: ['shows no payout transaction', '- `success_without_payout_tx`: '],
  },
  { name: 'success', polls: [[4]], is: 'payout_in_question', asks: [PAYOUT_TX, '- Amount paid: `2.5`'] },
  {
    name: 'refund',
    polls: [
      [6, withDeposit],
      [13, withDeposit],
    ],
    refund: true,
    is: 'refund_without_transaction',
    asks: ['Which transaction was it', ADDRESSES.btcRefund],
  },
  {
    name: 'refund to an unrecorded address',
    polls: [[13, withDeposit]],
    is: 'refund_without_transaction',
    asks: ['We have recorded none.'],
  },
  { name: 'unlisted status code', polls: [[77]], is: 'unknown_status', asks: ['status code `77`'] },
];

/** The ticket of a case, as Markdown and as data. */
async function ticketsOf({ polls, refund = false }: Case) {
  let found: { markdown: string; data: SupportTicket; text: string } | undefined;
  const flags = ['--label', 'vip_desk=Jane-Doe-4711', '--idempotency-key', 'my-own-key'];
  await inStory(flags, async ({ run, poll }) => {
    for (const [status, change] of polls) await poll(status, change);
    if (refund) await run(['refund', ORDER, ADDRESSES.btcRefund, '--yes']);
    const markdown = (await run(['history', 'support', ORDER])).stdout;
    const json = await run(['history', 'support', ORDER, '--json']);
    found = { markdown, data: json.json<SupportTicket>(), text: `${markdown}${json.stdout}` };
  });
  if (found === undefined) throw new Error('no ticket');
  return found;
}

describe('history support', () => {
  it.each(CASES)('asks about `$name` without revealing private data', async (wanted) => {
    const { markdown, data, text } = await ticketsOf(wanted);
    expect(data.case).toBe(wanted.is);
    for (const words of [...wanted.asks, '# Order `KQWZPA`: `', '1. ']) expect(markdown).toContain(words);
    const { deposit, receive, statuses } = data;
    expect([data.order, data.requestedAt, deposit.asked, receive.promised]).toEqual([
      ...[ORDER, expect.stringMatching(/^20\d\d-/), '0.1', '2.5'],
    ]);
    for (const value of [deposit.address, deposit.amount, receive.address, receive.network, '127.0.0.1'])
      expect(markdown).toContain(`\`${value}`);
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([
      ...new Set([9, ...wanted.polls.map(([status]) => status)]),
    ]);
    for (const { status, statusCode, firstSeenAt, lastSeenAt } of statuses)
      expect(markdown).toContain(
        `- \`${status}, code ${statusCode}\`: first seen \`${firstSeenAt}\`, last seen \`${lastSeenAt}\``,
      );
    for (const [index, { firstSeenAt }] of statuses.slice(1).entries())
      expect(Date.parse(statuses[index]?.lastSeenAt ?? '')).toBeLessThanOrEqual(Date.parse(firstSeenAt));
    expect(data.refundAddress).toBe(wanted.refund === true ? ADDRESSES.btcRefund : null);
    expect(data.refundAddressSetAt !== null).toBe(wanted.refund === true);
    // Keys and signatures are looked for in every run of a scene; these are one's own.
    for (const own of ['Jane-Doe', 'vip_desk', 'my-own-key', 'pk-of-the-tests'])
      expect(text).not.toContain(own);
  });

  it('of a create with an unknown outcome is found by entry id and asks whether an order exists', async () => {
    await inScene({ 'create-transaction': (_, response) => response.destroy() }, async ({ create, run }) => {
      await create(['--label', 'team=ops']);
      const [{ id }] = (await run(['history', '--json'])).json<[{ id: string }]>();
      const data = (await run(['history', 'support', id, '--json'])).json<SupportTicket>();
      expect([data.case, data.order, data.id, data.statuses]).toEqual(['unknown_outcome', null, id, []]);
      const { stdout } = await run(['history', 'support', id]);
      for (const words of ['its outcome is unknown', 'Did it create an order?', ADDRESSES.eth, '`0.1` `BTC`'])
        expect(stdout).toContain(words);
      // Nothing that we asked for is said to be what the service shows.
      expect(stdout).toContain('- Amount requested: `0.1`');
      expect(stdout).not.toContain('Amount in your API');
    });
  });

  it('of a confirmation that takes over an hour states its duration and confirmations', async () => {
    await inStory([], async ({ run, poll, home }) => {
      await poll(1, (swap) => withDeposit(swap, 2));
      const file = join(home, '.local', 'state', 'swapctl', 'ledger.db');
      tamper(file, 'update changes set at = at - 7800000');
      const data = (await run(['history', 'support', ORDER, '--json'])).json<SupportTicket>();
      expect(data.case).toBe('confirmation_stuck');
      expect(data.questions[0]).toContain('in confirmation for 2 hours, with 2 confirmations');
    });
  });

  it('of an exchange that takes over an hour asks about the delay', async () => {
    await inStory([], async ({ run, poll, home }) => {
      await poll(3, withDeposit);
      const before = (await run(['history', 'support', ORDER, '--json'])).json<SupportTicket>();
      expect(before.case).toBe('in_progress');
      const file = join(home, '.local', 'state', 'swapctl', 'ledger.db');
      tamper(file, 'update changes set at = at - 7800000');
      const data = (await run(['history', 'support', ORDER, '--json'])).json<SupportTicket>();
      expect(data.case).toBe('exchange_stuck');
      expect(data.questions[0]).toContain('2 hours');
      const { stdout } = await run(['history', 'support', ORDER]);
      for (const words of [ORDER, DEPOSIT_TX, ADDRESSES.eth, 'has been exchanging for `2 hours`'])
        expect(stdout).toContain(words);
    });
  });

  it('escapes Markdown in text from the service', async () => {
    await inStory([], async ({ run, poll }) => {
      const evil = '`` `\n# Paid\n[x](https://evil.example) | <b>|';
      await poll(10, (swap) => ({ ...withDeposit(swap), txId: evil }));
      const { stdout } = await run(['history', 'support', ORDER]);
      expect(stdout.split('\n').filter((line) => /^#|^\[|Paid/.test(line))).toEqual(
        [
          ...['# Order `KQWZPA`: `pause`', '## Swap', '## Deposit', '## Payout'],
          ...['## Refund', '## Statuses seen'],
        ].toSpliced(3, 0, `- Transaction: \`\`\` ${evil.replaceAll('\n', '<U+000A>')} \`\`\``),
      );
    });
  });

  it('-o writes a file that only its owner can read, and never overwrites a file', async () => {
    await inStory([], async ({ run, home }) => {
      const [file, taken] = [join(home, 'ticket.md'), join(home, 'taken.md')];
      const printed = await run(['history', 'support', ORDER]);
      const written = await run(['history', 'support', ORDER, '-o', file]);
      expect([written.code, written.stdout]).toEqual([0, '']);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(printed.stdout.split('\n')[0]);
      writeFileSync(taken, 'mine');
      const again = await run(['history', 'support', ORDER, '-o', taken, '--json']);
      expect([again.code, again.error()?.code, readFileSync(taken, 'utf8')]).toEqual([2, 'usage', 'mine']);
      const nowhere = await run(['history', 'support', ORDER, '-o', join(home, 'none', 'x'), '--json']);
      expect([nowhere.code, nowhere.error()?.code]).toEqual([1, 'write_failed']);
    });
  });

  it('is rejected for a create that the service refused', async () => {
    const plan = { 'create-transaction': refusing(400, 'Invalid withdrawal address.') };
    await inScene(plan, async ({ create, run }) => {
      await create();
      const [{ id }] = (await run(['history', '--json'])).json<[{ id: string }]>();
      const { code, error } = await run(['history', 'support', id, '--json']);
      expect([code, error()?.message]).toEqual([
        2,
        `Entry ${id} created no order: refused (Invalid withdrawal address.). There is nothing to ask support about.`,
      ]);
    });
  });
});

it('history support prints the deposit memo next to the deposit address', async () => {
  const home = await temporaryFolder();
  const args = ['create', 'XRP', 'ETH', '500', '--float', '-a', ADDRESSES.eth, '--yes', '--json'];
  const { order, deposit } = JSON.parse((await runHere(args, { home })).stdout);
  const { stdout } = await runHere(['history', 'support', order], { home });
  expect(stdout).toContain(`a payment to \`${deposit.address}\`, memo \`${deposit.memo}\`? If so`);
});
