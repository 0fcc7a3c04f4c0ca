import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSwap } from '../../src/client/decode.ts';
import { SwapctlError } from '../../src/errors.ts';
import { parseJson } from '../../src/partner-api/json.ts';
import type { AgreedTerms, Agreement } from '../../src/swap/agreement/agreed.ts';
import { doubtsOf, findingsOf } from '../../src/swap/agreement/agreement.ts';
import { isFundable } from '../../src/swap/agreement/fundable.ts';
import { compareProducts } from '../../src/swap/amount.ts';
import type { RateType, Swap } from '../../src/swap/swap.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';
import type { TestSandbox } from '../sandbox/sandbox.ts';
import { call, testSandbox } from '../sandbox/sandbox.ts';

const XLM = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

/** What no agreement covers: names, times and fees, the risk score, and how often a transaction was confirmed. */
const NOT_AGREED: ReadonlySet<string> = new Set([
  ...['deposit.name', 'deposit.fee', 'deposit.confirmations', 'deposit.receivedAt', 'deposit.confirmedAt'],
  ...['receive.name', 'receive.fee', 'receive.confirmations', 'receive.receivedAt', 'receive.confirmedAt'],
  ...['riskScore', 'createdAt', 'startedAt', 'endedAt', 'duration', 'expiresAt'],
]);

/** What the service chooses, so that its first answer cannot be compared with anything. */
const CHOSEN_AT_CREATE: ReadonlySet<string> = new Set(['order', 'deposit.address', 'deposit.memo']);

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.stop());

/** An agreement, and the answers of an honest service to its create and to a look at it. */
async function honest(type: RateType) {
  const request = {
    ...{ depositCoin: 'XRP', depositNetwork: 'XRP', depositAmount: 100, lastSource: 'deposit' },
    ...{ receiveCoin: 'XLM', receiveNetwork: 'XLM', receiveAddress: XLM, memo: '12345' },
    typeSwap: type === 'fixed' ? 1 : 2,
  };
  const created = (await call(sandbox, 'create-transaction', request)).text;
  const first = decodeSwap(parseJson(created));
  const later = (await call(sandbox, 'get-transaction', { id: first.order })).text;
  const terms: AgreedTerms = {
    ...{ deposit: { coin: 'XRP', network: 'XRP' }, receive: { coin: 'XLM', network: 'XLM' } },
    ...{ amount: '100', type, address: XLM, memo: '12345', refundAddress: null },
    ...{ quoted: first.receive.amount ?? '', minReceive: null, depositMemoNeeded: true },
  };
  const atCreate: Agreement = { terms, first: null, furthest: null, environment: 'sandbox' };
  return { created, later, atCreate, afterwards: { ...atCreate, first, furthest: 'new' } };
}

/** A value that a tampering proxy puts anywhere; undefined leaves the field out. */
const anything = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, 1, 2, 9, 10, -1, 1e21, '1e3', true, [], {}, 'x'.repeat(600)),
  fc.constantFrom(ADDRESSES.xrp, ADDRESSES.xrpDeposit, XLM, ADDRESSES.eth, 'XLM', 'BSC', '12346'),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 2000 }),
);

/** Every place in an answer, as its keys. */
function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...placesIn(inner).map((place) => [key, ...place]),
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
  return placesIn({ ...before, ...seen })
    .filter((place) => {
      const at = (swap: unknown) =>
        place.reduce((inner, key) => (inner as Record<string, unknown> | null)?.[key], swap);
      return JSON.stringify(at(before)) !== JSON.stringify(at(seen));
    })
    .map((place) => place.join('.'))
    .filter((name) => name !== 'deposit' && name !== 'receive');
}

/** What may change all the same: the rate type may be left out, the payee said again, and a payout follow the rate. */
function isTolerated(name: string, agreed: Agreement, { type, receive: { amount, paidTo } }: Swap): boolean {
  if (name === 'type') return type === null;
  if (name === 'receive.paidTo') return paidTo === XLM;
  const { type: wanted, quoted = '0' } = agreed.terms ?? {};
  if (name !== 'receive.amount' || amount === null || (agreed.first !== null && wanted === 'fixed'))
    return false;
  return compareProducts([amount, '10'], [quoted]) >= 0 && compareProducts([quoted, '10'], [amount]) >= 0;
}

const decoded = (text: string): Swap | null => {
  try {
    return decodeSwap(parseJson(text));
  } catch (error) {
    // Such an answer ends the command.
    if (error instanceof SwapctlError || error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Changes one field of an answer in every way, and holds what would be shown of it against the agreement. */
async function expectCovered(text: string, agreed: Agreement, free: ReadonlySet<string>): Promise<void> {
  const before = decodeSwap(parseJson(text));
  expect(isFundable(before, doubtsOf(await findingsOf(agreed, before)), 0)).toBe(true);
  const place = fc.constantFrom(...placesIn(JSON.parse(text)));
  await fc.assert(
    fc.asyncProperty(place, anything, async (where, value) => {
      const seen = decoded(changedAt(text, where, value));
      if (seen === null) return;
      const covered = differences(before, seen).filter(
        (name) => !NOT_AGREED.has(name) && !free.has(name) && !isTolerated(name, agreed, seen),
      );
      if (covered.length === 0) return;
      const doubts = doubtsOf(await findingsOf(agreed, seen));
      expect(isFundable(seen, doubts, 0), covered.join()).toBe(false);
    }),
    { numRuns: 400 },
  );
}

describe.each(['fixed', 'float'] as const)(
  'one changed field of a %s swap is none of the agreement, or',
  (type) => {
    it('its create shows nothing to fund', async () => {
      const { created, atCreate } = await honest(type);
      await expectCovered(created, atCreate, CHOSEN_AT_CREATE);
    });

    it('a later look shows nothing to fund', async () => {
      const { later, afterwards } = await honest(type);
      // An answer about another order is refused before it is compared: tampering-proxy.test.ts.
      await expectCovered(later, afterwards, new Set(['order']));
    });
  },
);
