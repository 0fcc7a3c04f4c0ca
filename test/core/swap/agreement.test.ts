import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wireTime } from '../../../src/base/time.ts';
import type { Agreement, DoubtCode } from '../../../src/core/swap/agreement/agreed.ts';
import { furthest } from '../../../src/core/swap/agreement/agreed.ts';
import { codesOf, doubtsOf } from '../../../src/core/swap/agreement/agreement.ts';
import { createProblem, isFundable } from '../../../src/core/swap/agreement/fundable.ts';
import { compareDecimals, fromSmallestUnit } from '../../../src/core/swap/amount.ts';
import type { RateType, Swap } from '../../../src/core/swap/swap.ts';
import { words } from '../../helpers/words.ts';
import {
  AT_CREATE,
  BTC,
  type Change,
  changed,
  LATER,
  OTHER_BTC,
  OTHER_XRP,
  SWAP,
  TERMS,
  XRP,
} from './agreed-swap.ts';

const codes = async (agreed: Agreement, seen: Swap) => codesOf(await doubtsOf(agreed, seen));

const TEST_BTC = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn';

/** One change each, and what it is doubted for while the deposit is waited for. */
const CHANGES: readonly (readonly [string, Change, DoubtCode])[] = [
  ['another coin to deposit', { deposit: { coin: 'LTC' } }, 'deposit_changed'],
  ['no coin to deposit', { deposit: { coin: null } }, 'deposit_changed'],
  ['no network to deposit on', { deposit: { network: null } }, 'deposit_changed'],
  ['another deposit address', { deposit: { address: OTHER_BTC } }, 'deposit_changed'],
  ['no deposit address', { deposit: { address: null } }, 'deposit_changed'],
  ['a new deposit memo', { deposit: { memo: '7' } }, 'deposit_changed'],
  ['a larger deposit', { deposit: { amount: '0.10000001' } }, 'amount_changed'],
  ['no amount', { deposit: { amount: null } }, 'amount_changed'],
  ['another coin to pay out', { receive: { coin: 'XLM' } }, 'payout_changed'],
  ['another payout network', { receive: { network: 'ETH' } }, 'payout_changed'],
  ['no payout network', { receive: { network: null } }, 'payout_changed'],
  ['another payout address', { receive: { address: OTHER_XRP } }, 'payout_changed'],
  ['no payout address', { receive: { address: null } }, 'payout_changed'],
  ['another payout memo', { receive: { memo: '12346' } }, 'payout_changed'],
  ['no payout memo', { receive: { memo: null } }, 'payout_changed'],
  ['no payout', { receive: { amount: null } }, 'payout_changed'],
  ['a payout of zero', { receive: { amount: '0.00' } }, 'payout_changed'],
  ['a negative payout', { receive: { amount: '-2500' } }, 'payout_changed'],
  ['a payout below a tenth', { receive: { amount: '249.99' } }, 'payout_changed'],
  ['a payout above ten times', { receive: { amount: '25000.01' } }, 'payout_changed'],
  ['another payee', { receive: { paidTo: OTHER_XRP } }, 'payout_changed'],
  ['no rate type', { swap: { type: null } }, 'type_changed'],
  ['an unreadable transaction', { swap: { unreadable: ['deposit.txId'] } }, 'deposit_changed'],
  ['the other rate type', { swap: { type: 'fixed' } }, 'type_changed'],
  ['a mistyped deposit address', { deposit: { address: `${BTC.slice(0, -1)}b` } }, 'deposit_address_odd'],
  ['a testnet address', { deposit: { address: TEST_BTC } }, 'deposit_address_odd'],
];

/** Deposit addresses whose money no one can ever spend, by network. */
const LOST: readonly (readonly [string, string])[] = [
  ['ETH', '0x0000000000000000000000000000000000000000'],
  ['ETH', '0x000000000000000000000000000000000000dEaD'],
  ['HBAR', '0.0.123'],
  ['NEW', '0x000000000000000000000000000000000000dEaD'],
];

/** What changes nothing that was agreed. */
const SAME: readonly (readonly [string, Change])[] = [
  ['no change', {}],
  ['codes in another letter case', { deposit: { coin: 'btc', network: 'Btc' }, receive: { coin: 'xrp' } }],
  ['trailing zeros', { deposit: { amount: '0.1000' }, receive: { amount: '2500.0' } }],
  ['the payee repeated', { receive: { paidTo: XRP } }],
  ['a payout 16 % lower', { receive: { amount: '2100.5' } }],
  ['three times the payout', { receive: { amount: '7500' } }],
];

it.each(LOST)('a deposit address that no one can spend from is odd on %s: %s', async (network, address) => {
  const asset = { coin: network, network };
  const agreed: Agreement = { ...AT_CREATE, terms: { ...TERMS, deposit: asset } };
  const [doubt, ...more] = await doubtsOf(agreed, changed({ deposit: { ...asset, address } }));
  expect(doubt).toMatchObject({ code: 'deposit_address_odd' });
  expect(JSON.stringify(doubt)).toContain('could never be spent');
  expect(more).toEqual([]);
});

describe('a swap response', () => {
  it.each(CHANGES)('with %s raises $2 and is not fundable', async (_name, change, code) => {
    const seen = changed(change);
    expect(await codes(LATER, seen)).toContain(code);
    expect(isFundable(seen, await codes(LATER, seen), 0)).toBe(false);
  });

  it.each(SAME)('with %s raises no doubt', async (_name, change) => {
    for (const agreed of [AT_CREATE, LATER]) expect(await codes(agreed, changed(change))).toEqual([]);
    expect(isFundable(changed(change), [], 0)).toBe(true);
    expect(createProblem([], changed(change))).toBeNull();
  });

  it('that pays what was agreed at a fixed rate raises no doubt', async () => {
    const terms = { ...TERMS, type: 'fixed', leastReceive: '2500' } as const;
    expect(await codes({ ...AT_CREATE, terms }, changed({ swap: { type: 'fixed' } }))).toEqual([]);
  });

  it('with any two changes combined raises the doubts of both', async () => {
    const change = fc.constantFrom(...CHANGES);
    await fc.assert(
      fc.asyncProperty(change, change, async ([, a, first], [, b, second]) => {
        const both = {
          deposit: { ...a.deposit, ...b.deposit },
          receive: { ...a.receive, ...b.receive },
          swap: { ...a.swap, ...b.swap },
        };
        const doubts = await codes(LATER, changed(both));
        expect(isFundable(changed(both), doubts, 0)).toBe(false);
        // The rules of a network are held against an address that is there, on a network that is.
        if (second !== 'deposit_address_odd') expect(doubts).toContain(second);
        const fields = ({ deposit, receive, swap }: Change) =>
          Object.keys({ ...deposit, ...receive, ...swap });
        const isOver = fields(a).some((key) => fields(b).includes(key));
        if (!isOver && first !== 'deposit_address_odd') expect(doubts).toContain(first);
      }),
      { numRuns: 60 },
    );
  });

  it('to a create is rejected for every doubt except deposit_address_odd', async () => {
    for (const [name, change, code] of CHANGES) {
      const { coin, network } = change.deposit ?? {};
      if (code === 'deposit_changed' && coin === undefined && network === undefined) continue;
      const seen = changed(change);
      const problem = createProblem(await doubtsOf(AT_CREATE, seen), seen);
      expect(problem === null, name).toBe(code === 'deposit_address_odd');
    }
  });

  it('for an order created elsewhere is doubted only for odd addresses and unreadable fields', async () => {
    const unknown: Agreement = { terms: null, first: null, furthest: null, environment: 'live' };
    for (const [name, change, code] of CHANGES) {
      const doubts = await codes(unknown, changed(change));
      const isOdd = code === 'deposit_address_odd' || name === 'a new deposit memo';
      const isUnreadable = change.swap?.unreadable !== undefined;
      expect(doubts, name).toEqual(isOdd ? ['deposit_address_odd'] : isUnreadable ? [code] : []);
    }
  });

  it('with an unreadable payout memo raises payout_changed even if no memo was agreed', async () => {
    const seen = changed({ receive: { memo: null }, swap: { unreadable: ['receive.memo'] } });
    const doubts = await doubtsOf({ ...AT_CREATE, terms: { ...TERMS, memo: null } }, seen);
    expect(doubts).toEqual([{ code: 'payout_changed', words: 'its payout memo cannot be read' }]);
    expect(createProblem(doubts, seen)).toBe('its payout memo cannot be read');
  });

  it('of an ended swap may omit the rate type but not contain an unreadable one', async () => {
    const ended = { status: 'refund', final: true, type: null } as const;
    expect(await codes(LATER, changed({ swap: ended }))).toEqual([]);
    const unreadable = changed({ swap: { ...ended, unreadable: ['type'] } });
    expect(await codes(LATER, unreadable)).toEqual(['type_changed']);
  });

  it('of an ended swap may omit its deposit and payout fields', async () => {
    const gone = { address: null, memo: null, amount: null, coin: null, network: null };
    const ended = changed({ deposit: gone, receive: gone, swap: { status: 'refund', final: true } });
    expect(await codes(LATER, ended)).toEqual([]);
  });
});

describe('a payout', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n });

  it('at a floating rate is doubted if it is over three times more or less than agreed', async () => {
    await fc.assert(
      fc.asyncProperty(units, units, async (d, p) => {
        const [deposit, payout] = [fromSmallestUnit(d, 8), fromSmallestUnit(p, 4)];
        const amounts = { deposit: { amount: deposit }, receive: { amount: payout } };
        const seen = changed({ ...amounts, swap: { status: 'exchanging' } });
        // 0.1 for 2500: a deposit of d units is worth 2.5 times as many of the payout's.
        const far = p * 10n * 3n < 25n * d || p * 10n > 25n * d * 3n;
        expect((await codes(LATER, seen)).includes('payout_changed')).toBe(far);
      }),
      { numRuns: 200 },
    );
  });

  it('may be a tenth of the quote at create, but later no less than a third of the first response', async () => {
    const paying = (amount: string) => changed({ receive: { amount } });
    expect(await codes(AT_CREATE, paying('250'))).toEqual([]);
    for (const amount of ['250', '833.33', '7500.01'])
      expect(await codes(LATER, paying(amount))).toEqual(['payout_changed']);
  });

  it('at a fixed rate must equal the first response exactly', async () => {
    const fixed: Agreement = { ...LATER, terms: { ...TERMS, type: 'fixed' }, first: SWAP };
    const paying = (amount: string) => changed({ receive: { amount }, swap: { type: 'fixed' } });
    expect(await codes(fixed, paying('2500.00'))).toEqual([]);
    for (const amount of ['2499.999999', '2500.000001'])
      expect(await codes(fixed, paying(amount))).toEqual(['payout_changed']);
    // Before the answer there was a quote alone, and falling short of it is reported in another place.
    expect(await codes({ ...fixed, first: null }, paying('2400'))).toEqual([]);
  });

  it('below --min-receive is doubted only until the deposit is paid', async () => {
    const agreed: Agreement = { ...AT_CREATE, terms: { ...TERMS, minReceive: '2400' } };
    const paying = (amount: string, status = 'new') => changed({ receive: { amount }, swap: { status } });
    expect(await codes(agreed, paying('2400'))).toEqual([]);
    expect(await codes(agreed, paying('2399.99'))).toEqual(['payout_changed']);
    expect(await codes(agreed, paying('2399.99', 'exchanging'))).toEqual([]);
  });
});

describe('the progress of a swap', () => {
  const WAYS: readonly (readonly [before: string, forward: string, back: string])[] = [
    ['new', 'new confirmation unknown', ''],
    ['confirmation', 'pause', 'new'],
    ['exchanging', 'pause', 'new confirmation'],
    ['pause', 'confirmation', 'new'],
    ['overdue', 'confirmation', 'new'],
    ['error', 'refund confirmation', ''],
    ['frozen', 'confirmation', ''],
    ['success', 'success unknown', 'new exchanging error refund'],
    ['refund', '', 'error success'],
  ];
  const cases = WAYS.flatMap(([before, forward, back]) => [
    ...words(forward).map((now) => [before, now, false] as const),
    ...words(back).map((now) => [before, now, true] as const),
  ]);
  it.each(cases)('from %s to %s raises went_backwards: %s', async (before, now, back) => {
    const paid = { txId: 'f00d' };
    const seen = changed({ deposit: paid, receive: paid, swap: { status: now, final: true } });
    const doubts = await codes({ ...LATER, furthest: before }, seen);
    expect(doubts).toEqual(back ? ['went_backwards'] : []);
  });

  it('is the furthest status seen, in any order of polls', () => {
    expect(furthest('confirmation', 'pause')).toBe('confirmation');
    const status = fc.constantFrom(...words('new confirmation exchanging success pause error unknown'));
    fc.assert(
      fc.property(fc.array(status), (seen) => {
        const reached = seen.reduce<string | null>(furthest, null);
        expect(reached === 'success').toBe(seen.includes('success'));
        expect(reached === null).toBe(seen.every((word) => word === 'unknown'));
        expect(seen.reduce<string | null>(furthest, reached)).toBe(reached);
      }),
    );
  });
});

describe('a fundable swap', () => {
  const END = Date.parse('2026-01-31T12:00:00Z');

  it.each<[string, number | null]>([
    ['2026-01-31T12:00:00Z', END],
    ['2026-01-31T13:00:00.000+01:00', END],
    [String(END), END],
    [String(END / 1000), END],
    ['in an hour', null],
    ['2026-13-31T12:00:00Z', null],
    ['12', null],
  ])('stops being fundable at expiresAt %j, if that is a valid time', (text, end) => {
    expect(wireTime(text)).toBe(end);
    const swap = changed({ swap: { expiresAt: text } });
    expect(isFundable(swap, [], END - 1)).toBe(true);
    expect(isFundable(swap, [], END)).toBe(end === null);
  });

  it('has a printable address and memo, a coin, and positive amounts', () => {
    const text = fc.option(
      fc.oneof(fc.constantFrom(BTC, '7', ' ', '', 'a\u200b', 'x'.repeat(600)), fc.string()),
    );
    const amounts = fc.constantFrom(null, '-1', '-0.5', '-0', '0', '0.000', '0.000000000000000001', '7');
    fc.assert(
      fc.property(text, text, text, amounts, amounts, (address, memo, coin, amount, pays) => {
        const swap = changed({ deposit: { address, memo, coin, amount }, receive: { amount: pays } });
        if (!isFundable(swap, [], 0)) return;
        expect(address).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/);
        expect(memo === null || /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(memo)).toBe(true);
        expect(coin).not.toBeNull();
        for (const positive of [amount, pays]) expect(compareDecimals(positive ?? '0', '0')).toBe(1);
      }),
    );
  });

  it('has status new, a valid order number, and no transaction or payout yet', () => {
    const types: readonly RateType[] = ['fixed', 'float'];
    for (const type of types) expect(isFundable(changed({ swap: { type } }), [], 0)).toBe(true);
    expect(isFundable(changed({ deposit: { memo: '7' } }), [], 0)).toBe(true);
    for (const status of ['confirmation', 'overdue', 'pause', 'frozen', 'success', 'unknown'])
      expect(isFundable(changed({ swap: { status } }), [], 0)).toBe(false);
    expect(isFundable(changed({ deposit: { txId: 'f00d' } }), [], 0)).toBe(false);
    expect(isFundable(changed({ receive: { txId: 'f00d' } }), [], 0)).toBe(false);
    expect(isFundable(changed({ receive: { paidAmount: '1' } }), [], 0)).toBe(false);
    expect(isFundable(changed({ swap: { order: '--exec=sh' } }), [], 0)).toBe(false);
    expect(isFundable({ ...SWAP, order: null }, [], 0)).toBe(false);
  });

  it('has an address of at most 256 and a memo of at most 512 characters', () => {
    const isShown = (address: string, memo: string) =>
      isFundable(changed({ deposit: { address, memo } }), [], 0);
    expect(isShown('a'.repeat(256), 'm'.repeat(512))).toBe(true);
    expect(isShown('a'.repeat(257), 'm')).toBe(false);
    expect(isShown('a', 'm'.repeat(513))).toBe(false);
  });
});
