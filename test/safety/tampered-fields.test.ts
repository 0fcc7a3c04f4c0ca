import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import { decodeSwap } from '../../src/core/client/decode.ts';
import { parseJson } from '../../src/core/partner-api/json.ts';
import type { AgreedTerms, Agreement } from '../../src/core/swap/agreement/agreed.ts';
import { codesOf, doubtsOf } from '../../src/core/swap/agreement/agreement.ts';
import { isFundable } from '../../src/core/swap/agreement/fundable.ts';
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
