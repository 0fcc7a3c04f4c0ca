import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import { decodeSwap } from '../../src/core/client/decode.ts';
import { parseJson } from '../../src/core/partner-api/json.ts';
import type { AgreedTerms, Agreement, DoubtCode } from '../../src/core/swap/agreement/agreed.ts';
import { codesOf, doubtsOf } from '../../src/core/swap/agreement/agreement.ts';
import { createProblem, isFundable } from '../../src/core/swap/agreement/fundable.ts';
import { compareProducts } from '../../src/core/swap/amount.ts';
import type { RateType, Swap } from '../../src/core/swap/swap.ts';
import { TERMS } from '../core/swap/agreed-swap.ts';
import { anyCharacter } from '../helpers/any-character.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import { words } from '../helpers/words.ts';
import { call, testSandbox } from '../sandbox/sandbox.ts';

const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

/** Fields that no agreement covers: names, times, fees, the risk score and confirmations. */
const NOT_AGREED: ReadonlySet<string> = new Set(
  words(`deposit.name deposit.fee deposit.confirmations deposit.receivedAt deposit.confirmedAt receive.name
  receive.fee receive.confirmations receive.receivedAt receive.confirmedAt riskScore createdAt startedAt
  endedAt duration expiresAt`),
);

/** Fields that the service chooses, so that its first response cannot be compared with anything. */
const CHOSEN_AT_CREATE: ReadonlySet<string> = new Set(['order', 'deposit.address', 'deposit.memo']);

const sandbox = await testSandbox();
afterAll(() => sandbox.stop());

/** An agreement, and the responses of an honest service to its create and to a later poll. */
async function honest(type: RateType) {
  const request = {
    depositCoin: 'XRP',
    depositNetwork: 'XRP',
    depositAmount: 100,
    lastSource: 'deposit',
    receiveCoin: 'XLM',
    receiveNetwork: 'XLM',
    receiveAddress: XLM,
    memo: '12345',
    typeSwap: type === 'fixed' ? 1 : 2,
  };
  const created = (await call(sandbox, 'create-transaction', request)).text;
  const first = decodeSwap(parseJson(created));
  const later = (await call(sandbox, 'get-transaction', { id: first.order })).text;
  const terms: AgreedTerms = {
    ...TERMS,
    deposit: { coin: 'XRP', network: 'XRP' },
    receive: { coin: 'XLM', network: 'XLM' },
    amount: '100',
    type,
    address: XLM,
    quoted: first.receive.amount ?? '',
    depositMemoNeeded: true,
  };
  const atCreate: Agreement = { terms, first: null, furthest: null, environment: 'sandbox' };
  return { created, later, atCreate, afterwards: { ...atCreate, first, furthest: 'new' } };
}

/** A value that replaces a field; undefined leaves the field out. */
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, 1, 2, 9, 10, -1, 1e21, '1e3', true, [], {}, 'x'.repeat(600)),
  fc.constantFrom(ADDRESSES.xrp, ADDRESSES.xrpDeposit, XLM, ADDRESSES.eth, 'XLM', 'BSC', '12346'),
  fc.string({ unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 2000 }),
);

/** The path of every field in a response. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsIn(inner).map((place) => [key, ...place]),
  ]);
}

/** A copy of a JSON text with another value at a place. */
function changedAt(text: string, place: readonly string[], value: unknown): string {
  const body = JSON.parse(text);
  const holder = place.slice(0, -1).reduce((inner, key) => inner[key], body);
  holder[place.at(-1) ?? ''] = value;
  return JSON.stringify(body);
}

/** The fields in which two descriptions of a swap differ. */
function differences(before: Swap, seen: Swap): readonly string[] {
  return pathsIn({ ...before, ...seen })
    .filter((place) => {
      const at = (swap: unknown) =>
        place.reduce((inner, key) => (inner as Record<string, unknown> | null)?.[key], swap);
      return JSON.stringify(at(before)) !== JSON.stringify(at(seen));
    })
    .map((place) => place.join('.'))
    .filter((name) => name !== 'deposit' && name !== 'receive');
}

/** Changes that are allowed: the payee may be repeated, and a payout may follow the rate. */
function isTolerated(name: string, agreed: Agreement, { receive: { amount, paidTo } }: Swap): boolean {
  if (name === 'receive.paidTo') return paidTo === XLM;
  const wanted = agreed.terms?.type;
  const quoted = agreed.terms?.quoted ?? '0';
  if (name !== 'receive.amount' || amount === null || (agreed.first !== null && wanted === 'fixed'))
    return false;
  return compareProducts([amount, '10'], [quoted]) >= 0 && compareProducts([quoted, '10'], [amount]) >= 0;
}

const decoded = (text: string): Swap | null => {
  try {
    return decodeSwap(parseJson(text));
  } catch (error) {
    // Such a response ends the command with an error.
    if (error instanceof SwapctlError || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Fails if a response with one changed field is fundable although the field is part of the agreement. */
async function expectCovered(text: string, agreed: Agreement, free: ReadonlySet<string>): Promise<void> {
  const before = decodeSwap(parseJson(text));
  expect(isFundable(before, codesOf(await doubtsOf(agreed, before)), 0)).toBe(true);
  const place = fc.constantFrom(...pathsIn(JSON.parse(text)));
  await fc.assert(
    fc.asyncProperty(place, anything, async (where, value) => {
      const seen = decoded(changedAt(text, where, value));
      if (seen === null) return;
      const covered = differences(before, seen).filter(
        (name) => !NOT_AGREED.has(name) && !free.has(name) && !isTolerated(name, agreed, seen),
      );
      if (covered.length === 0) return;
      const doubts = codesOf(await doubtsOf(agreed, seen));
      expect(isFundable(seen, doubts, 0), covered.join()).toBe(false);
    }),
    { numRuns: 400 },
  );
}

type Verdict = 'same' | 'refused' | 'unusable' | DoubtCode;
type Row = readonly [absent: Verdict, isNull: Verdict, empty: Verdict, wrongType: Verdict, other: Verdict];

const all = (verdict: Verdict, other = verdict): Row => [verdict, verdict, verdict, verdict, other];
/** A field that a new order need not have. */
const optional = (wrongType: Verdict, other: Verdict): Row => ['same', 'same', 'same', wrongType, other];

const ODD = 'deposit_address_odd';
const OTHER_XLM = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';

/** The verdict on a response with one field missing or changed, at the create and later. */
const FIELDS: readonly (readonly [path: string, other: unknown, create: Row, later: Row])[] = [
  // Another order number is refused before anything is compared, and another status is progress.
  ['orderNumber', '--flag', all('unusable', 'refused'), all('unusable', 'same')],
  ['status', 4, all('unusable', 'refused'), all('unusable', 'success_without_payout_tx')],
  ['type', { typeSwap: 2 }, all('refused'), all('type_changed')],
  ['type.typeSwap', 3, all('refused'), all('type_changed')],
  ['type.typeSwap', 'fixed', all('refused'), all('type_changed')],
  ['pairs', 'none', all('refused'), all('deposit_changed')],
  ['pairs.deposit', 'none', all('refused'), all('deposit_changed')],
  ['pairs.deposit.coin.name', 'BTC', all('refused'), all('deposit_changed')],
  ['pairs.deposit.coin.network', 'BSC', all('refused'), all('deposit_changed')],
  ['pairs.deposit.coin.value', 99, all('refused'), all('amount_changed')],
  // The service chooses these two: only a later answer can contradict them.
  ['pairs.deposit.address', ADDRESSES.xrpDeposit, all('refused', 'same'), all('deposit_changed')],
  ['pairs.deposit.memo', '7', [ODD, ODD, ODD, 'refused', 'same'], all('deposit_changed')],
  ['pairs.receive', 'none', all('refused'), all('payout_changed')],
  ['pairs.receive.coin.name', 'BTC', all('refused'), all('payout_changed')],
  ['pairs.receive.coin.network', 'BSC', all('refused'), all('payout_changed')],
  ['pairs.receive.coin.value', 1, all('refused'), all('payout_changed')],
  ['pairs.receive.address', OTHER_XLM, all('refused'), all('payout_changed')],
  ['pairs.receive.memo', '7', all('refused'), all('payout_changed')],
  ['txId', 'f00d', optional('refused', 'refused'), optional('deposit_changed', 'same')],
  ['receiveTransaction', 'f00d', optional('same', 'refused'), optional('same', 'payout_changed')],
  ['receiveTransaction.txId', 'f00d', optional('refused', 'refused'), optional('payout_changed', 'same')],
  ['receiveTransaction.amount', 5, optional('refused', 'refused'), optional('payout_changed', 'same')],
  [
    'receiveTransaction.address',
    OTHER_XLM,
    optional('refused', 'refused'),
    optional('payout_changed', 'payout_changed'),
  ],
];

/** A value of the wrong type for every field except an object, which lacks all its fields then. */
const WRONG_TYPE = { value: true };

describe('a response with one field missing, null, empty, of the wrong type or changed', () => {
  it.each(FIELDS)('has the listed verdicts: %s (changed to %j)', async (path, other, create, later) => {
    const { created, later: seen, atCreate, afterwards } = await honest('fixed');
    const verdictsOn = async (text: string, judge: (swap: Swap) => Promise<Verdict>) =>
      Promise.all(
        [undefined, null, '', WRONG_TYPE, other].map(async (value) => {
          const swap = decoded(changedAt(text, path.split('.'), value));
          return swap === null ? 'unusable' : judge(swap);
        }),
      );
    const doubt = async (agreed: Agreement, swap: Swap): Promise<Verdict> =>
      codesOf(await doubtsOf(agreed, swap))[0] ?? 'same';
    const atOnce = await verdictsOn(created, async (swap) => {
      const isRefused = createProblem(await doubtsOf(atCreate, swap), swap) !== null;
      return isRefused ? 'refused' : doubt(atCreate, swap);
    });
    expect(atOnce, 'at the create').toEqual(create);
    expect(await verdictsOn(seen, (swap) => doubt(afterwards, swap)), 'later').toEqual(later);
  });
});

describe.each(['fixed', 'float'] as const)('a %s swap with one changed field that was agreed', (type) => {
  it('is not fundable at its create', async () => {
    const { created, atCreate } = await honest(type);
    await expectCovered(created, atCreate, CHOSEN_AT_CREATE);
  });

  it('is not fundable at a later poll', async () => {
    const { later, afterwards } = await honest(type);
    // A response about another order is rejected before it is compared: tampering-proxy.test.ts.
    await expectCovered(later, afterwards, new Set(['order']));
  });
});
