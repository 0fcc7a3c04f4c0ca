import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agreement } from '../../../src/core/swap/agreement/agreed.ts';
import { codesOf, doubtsOf, finalDoubts } from '../../../src/core/swap/agreement/agreement.ts';
import { fromSmallestUnit } from '../../../src/core/swap/amount.ts';
import type { RateType, Swap } from '../../../src/core/swap/swap.ts';
import { type Change, SWAP, TERMS } from './agreed-swap.ts';

const END = '2026-01-31T12:30:00.000Z';
const ETH = { coin: 'ETH', network: 'ETH' };
const SIDE = { name: null, memo: null, confirmations: 3, confirmedAt: null };
const PAID: Swap = {
  ...SWAP,
  status: 'success',
  statusCode: 4,
  final: true,
  deposit: {
    ...SWAP.deposit,
    ...SIDE,
    address: 'tb1qdeposit',
    txId: 'd0',
    fee: '0',
    receivedAt: '2026-01-31T12:10:00.000Z',
  },
  receive: {
    ...SIDE,
    ...ETH,
    amount: '2.5',
    address: '0xabc',
    txId: '0xf0',
    fee: '0.002',
    receivedAt: '2026-01-31T12:20:00.000Z',
    paidAmount: '2.5',
    paidTo: '0xabc',
  },
  createdAt: '2026-01-31T12:00:00.000Z',
  expiresAt: END,
};

/** The swap as it was when it was made, and what was asked for. */
function agreed(type: RateType = 'float'): Agreement {
  return {
    terms: { ...TERMS, receive: ETH, type, address: '0xabc', memo: null, quoted: '2.5' },
    first: { ...PAID, type, status: 'new', statusCode: 9, final: false },
    furthest: 'exchanging',
    environment: 'sandbox',
  };
}

const changed = ({ deposit, receive, swap }: Change): Swap => ({
  ...PAID,
  ...swap,
  deposit: { ...PAID.deposit, ...deposit },
  receive: { ...PAID.receive, ...receive },
});

const codes = (change: Change, agreement: Agreement = agreed()) =>
  codesOf(finalDoubts(agreement, changed(change)));

const FIXED = { type: 'fixed' } as const;
const EXCHANGING = { status: 'exchanging', statusCode: 3, final: false } as const;
const FAILED = { status: 'error', statusCode: 6 } as const;
const LATE_DEPOSIT = { receivedAt: '2026-01-31T13:00:00Z' };
const NO_TRANSACTIONS = {
  deposit: { txId: null, receivedAt: null },
  receive: { txId: null, paidAmount: null },
};

const OFF = ['payout_amount_off'];
const LATE = ['deposit_after_window'];
const amounts = (deposit: string, amount: string, paidAmount = amount): Change => ({
  deposit: { amount: deposit },
  receive: { amount, paidAmount },
});

const FLOAT_CASES: readonly (readonly [string, Change, readonly string[]])[] = [
  ['with both transactions and the promised payout', {}, []],
  ['with status code 12', { swap: { statusCode: 12 } }, []],
  ['without a payout transaction', { receive: { txId: null } }, ['success_without_payout_tx']],
  ['without a deposit transaction', { deposit: { txId: null } }, ['success_without_deposit']],
  ['that paid a third', { receive: { paidAmount: '0.833333333333333334' } }, []],
  ['that paid less than a third', { receive: { paidAmount: '0.833333333333333333' } }, OFF],
  ['that paid three times', { receive: { paidAmount: '7.50' } }, []],
  ['that overpaid', { receive: { paidAmount: '7.500000000000000001' } }, OFF],
  ['with the point shifted left', { receive: { paidAmount: '0.25' } }, OFF],
  ['with the point shifted right', { receive: { paidAmount: '25' } }, OFF],
  ['that paid nothing', { receive: { paidAmount: '0.00' } }, OFF],
  ['that paid less than nothing', { receive: { paidAmount: '-2.5' } }, OFF],
  ['whose shown payout fell along', { receive: { paidAmount: '0.5', amount: '0.5' } }, OFF],
  ['that names no paid amount', { receive: { paidAmount: null } }, []],
  ['that names a small payout alone', { receive: { paidAmount: null, amount: '0.5' } }, OFF],
  ['that names no deposit', { deposit: { amount: null } }, []],
  ['that names no amount at all', { receive: { paidAmount: null, amount: null } }, []],
  ['of twice the deposit for twice the payout', amounts('0.2', '5'), []],
  ['of ten times the deposit for the payout of one', amounts('1', '2.5'), OFF],
  ['with a deposit at the end of the window', { deposit: { receivedAt: END } }, []],
  ['with a deposit after the window', { deposit: { receivedAt: '2026-01-31T12:30:00.001Z' } }, LATE],
  ['with a late deposit in another zone', { deposit: { receivedAt: '2026-01-31T13:31:00+01:00' } }, LATE],
  ['with a deposit at an unreadable time', { deposit: { receivedAt: 'yesterday' } }, []],
  ['that no longer shows its expiry', { deposit: LATE_DEPOSIT, swap: { expiresAt: null } }, LATE],
  ['without transactions', NO_TRANSACTIONS, ['success_without_payout_tx', 'success_without_deposit']],
];

const FIXED_CASES: readonly (readonly [string, Change, readonly string[]])[] = [
  ['that paid what was promised', { receive: { paidAmount: '2.5000' } }, []],
  ['that paid the promise minus the fee', { receive: { paidAmount: '2.498' } }, []],
  ['that underpaid', { receive: { paidAmount: '2.497999999999999999' } }, OFF],
  ['that paid the promise plus the fee', { receive: { paidAmount: '2.502' } }, []],
  ['that overpaid', { receive: { paidAmount: '2.5021' } }, OFF],
  ['that paid less and shows no fee', { receive: { paidAmount: '2.498', fee: null } }, OFF],
  ['that paid what was promised, with a negative fee', { receive: { fee: '-9' } }, []],
  ['with a negative fee', { receive: { paidAmount: '2.498', fee: '-9' } }, OFF],
  ['with a huge fee', { receive: { paidAmount: '0.1', fee: '2.4' } }, OFF],
  ['that shows less than was promised', { receive: { paidAmount: '2.4', amount: '2.4' } }, OFF],
  ['of another deposit at the payout for that', amounts('0.2', '4.9'), []],
  ['of another deposit at another payout than shown', amounts('0.2', '4.9', '4.8'), OFF],
];

describe('a successful swap', () => {
  it.each(FLOAT_CASES)('at a floating rate %s raises $2', (_name, change, doubts) => {
    expect(codes(change)).toEqual(doubts);
  });

  it.each(FIXED_CASES)('at a fixed rate %s raises $2', (_name, { swap, ...change }, doubts) => {
    expect(codes({ ...change, swap: { ...swap, ...FIXED } }, agreed('fixed'))).toEqual(doubts);
  });

  it("of an order created elsewhere is compared with the service's own amounts", () => {
    const elsewhere: Agreement = { terms: null, first: null, furthest: null, environment: 'live' };
    expect(codes({}, elsewhere)).toEqual([]);
    expect(codes({ receive: { paidAmount: '0.25' } }, elsewhere)).toEqual(OFF);
    expect(codes({ receive: { paidAmount: '2.4' }, swap: FIXED }, elsewhere)).toEqual(OFF);
    expect(codes({ receive: { paidAmount: '2.4' } }, elsewhere)).toEqual([]);
    expect(codes({ receive: { paidAmount: '0', amount: null } }, elsewhere)).toEqual(OFF);
  });

  it('is compared with the quote if the first response is unknown', () => {
    const of = (quoted: string | null, type: RateType = 'float'): Agreement => {
      const { terms, ...more } = agreed(type);
      return { ...more, terms: terms && { ...terms, quoted }, first: null };
    };
    const little = { receive: { paidAmount: '0.5', amount: '0.5' } };
    const alone = { receive: { amount: null } };
    expect(codes(little, of('2.5'))).toEqual(OFF);
    for (const quoted of ['0', null]) expect(codes(little, of(quoted))).toEqual([]);
    for (const type of ['fixed', 'float'] as const) expect(codes(alone, of('2.5', type))).toEqual([]);
    expect(codes({}, { ...agreed(), terms: null })).toEqual([]);
  });

  it('raises its own doubts in addition to payout_changed', async () => {
    const seen = changed({ receive: { txId: null, amount: '0.1', paidAmount: '0.1' } });
    const found = codesOf(await doubtsOf(agreed(), seen));
    expect(found).toEqual(['payout_changed', 'success_without_payout_tx', 'payout_amount_off']);
  });

  it('raises payout_amount_off beyond three times the promised rate', async () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(units, units, (d, p) => {
        const [amount, paidAmount] = [fromSmallestUnit(d, 8), fromSmallestUnit(p, 9)];
        // 0.1 for 2.5: a deposit of d units of 8 digits is worth 250 d units of 9 digits.
        const isFar = p * 3n < 250n * d || p > 3n * 250n * d;
        expect(codes(amounts(amount, paidAmount))).toEqual(isFar ? OFF : []);
        expect(codes(amounts(amount, paidAmount, fromSmallestUnit(p * 10n, 9)))).toEqual(OFF);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a swap that has not succeeded', () => {
  const { deposit, receive } = NO_TRANSACTIONS;
  const BARE: Change = { deposit, receive: { ...receive, amount: '0.1' } };

  it.each(['overdue', 'error', 'refund'])('but ended as %s needs no transactions', (status) => {
    expect(codes({ ...BARE, swap: { status } })).toEqual([]);
  });

  it('raises deposit_after_window for a late deposit only once it has ended', () => {
    expect(codes({ deposit: LATE_DEPOSIT, swap: FAILED })).toEqual(LATE);
    expect(codes({ deposit: LATE_DEPOSIT, swap: EXCHANGING })).toEqual([]);
    const noEnd = { ...agreed(), first: null };
    expect(codes({ deposit: LATE_DEPOSIT, swap: { ...FAILED, expiresAt: null } }, noEnd)).toEqual([]);
  });

  it('needs no transactions while it continues', () => {
    expect(codes({ ...BARE, swap: EXCHANGING })).toEqual([]);
  });
});
