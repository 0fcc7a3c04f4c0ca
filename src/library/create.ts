import { UsageError } from '../base/errors.ts';
import { type SwapResult, swapResult } from '../core/ledger/swap-result.ts';
import { type Agreement, furthest } from '../core/swap/agreement/agreed.ts';
import { isDepositSeen } from '../core/swap/attention.ts';
import type { Swap } from '../core/swap/swap.ts';
import { type CheckedSwap, intentOf } from '../core/swaps/check.ts';
import type { CreateRecords } from '../core/swaps/create.ts';
import { createSwap } from '../core/swaps/create-swap.ts';
import type { KnownSwap } from '../core/swaps/lookup.ts';
import type { Ports, Service } from '../core/swaps/ports.ts';
import { fieldsOf, readAmount, readChoice, readCoin, readFlag, readOptionalText, readText } from './input.ts';
import type { CreatedSwap, SwapDescription } from './types.ts';

/** Creates a swap with the same checks as the command, and returns it only if it is the requested one. */
export async function createWithoutLedger(ports: Ports, request: unknown): Promise<CreatedSwap> {
  const created = await createSwap({ ...ports, records: NO_RECORDS }, readCreate(request), {
    key: null,
    labels: {},
    approval: null,
    confirm: null,
  });
  const { swap, warnings, notices } = created;
  return { ...descriptionOf(swap), warnings: [...warnings, ...notices] };
}

/** Without a ledger there is no key, policy or identical order, and nothing is recorded. */
const NO_RECORDS: CreateRecords = {
  earlier: async () => null,
  decision: async () => null,
  identical: async () => null,
  replayed: () => Promise.reject(new TypeError('Without a ledger there is no key.')),
  orderOfOtherProcess: () => Promise.reject(new TypeError('Without a ledger no other process has a key.')),
  send: async (draft, _terms, meanwhile) => ({
    id: null,
    known: knownSwap(draft),
    answer: await meanwhile(() => draft.service.client.create(draft.request)),
    unknown: async () => undefined,
    created: async () => true,
  }),
};

function knownSwap(draft: CheckedSwap): KnownSwap {
  const { refundAddress } = draft.request;
  return {
    request: intentOf(draft),
    first: null,
    furthest: null,
    sent: null,
    outcome: 'unknown',
    labels: {},
    environment: draft.service.environment,
    refundAddress,
  };
}

/** Fields of both a quote and a create. */
const REQUEST_FIELDS = [
  'from',
  'to',
  'amount',
  'lastSource',
  'type',
  'address',
  'memo',
  'noMemo',
  'refundAddress',
  'minReceive',
];

/** Fields of a create that need a ledger. */
const NEED_LEDGER = ['idempotencyKey', 'labels', 'approval'];

/** Reads a swap to create, without the fields for a ledger. Throws `usage` or `invalid_amount`. */
export function readCreate(request: unknown) {
  const fields = fieldsOf(request, 'request');
  const needing = NEED_LEDGER.find((name) => fields[name] !== undefined);
  if (needing !== undefined) throw new UsageError(`"${needing}" needs a client with a "ledger".`);
  const given = fieldsOf(fields, 'request', REQUEST_FIELDS);
  const { minReceive = null } = given;
  return {
    ...readQuote(given),
    address: readText(given['address'], 'address'),
    memo: readOptionalText(given['memo'], 'memo'),
    memoWaived: readFlag(given['noMemo'], 'noMemo'),
    refundAddress: readOptionalText(given['refundAddress'], 'refundAddress'),
    minReceive: minReceive === null ? null : readAmount(minReceive, 'minReceive'),
    tolerance: null,
  };
}

/** Reads the fields of a quote. Throws `usage` or `invalid_amount`. */
export function readQuote(request: unknown) {
  const given = fieldsOf(request, 'request', REQUEST_FIELDS);
  return {
    from: readCoin(given['from'], 'from'),
    to: readCoin(given['to'], 'to'),
    amount: readAmount(given['amount']),
    lastSource: readChoice(given['lastSource'], 'lastSource', ['deposit', 'receive']),
    type: readChoice(given['type'], 'type', ['float', 'fixed']),
  };
}

/** A swap as the library returns it: like the command, but without the keys that need a ledger. */
export function describe(
  { environment }: Pick<Service, 'environment'>,
  swap: Swap,
  known: Pick<SwapDescription, 'refundAddress' | 'asked' | 'doubts'> & { readonly now: number },
): SwapDescription {
  const facts = { ...known, labels: {}, profile: '', environment, isCurrent: true };
  return descriptionOf(swapResult(swap, facts));
}

/** The description of a swap that has an order. */
function descriptionOf({ labels: _, profile: __, ...swap }: SwapResult): SwapDescription {
  return { ...swap, order: swap.order ?? '', statusCode: swap.statusCode ?? 0 };
}

/** The agreement about a swap by what the library described earlier; without a description no terms are known. */
export function agreementFromDescription(
  earlier: SwapDescription | null,
  { environment }: Pick<Service, 'environment'>,
): Agreement {
  if (earlier === null) return { terms: null, first: null, furthest: null, environment };
  const first = { ...earlier, receive: { ...earlier.receive, paidTo: null } };
  // A status that is not listed says nothing, but a deposit that was seen does.
  const begun = earlier.status === 'unknown' && isDepositSeen(earlier) ? 'confirmation' : null;
  return { terms: termsOf(earlier), first, furthest: furthest(begun, earlier.status), environment };
}

function termsOf({ type, asked, deposit, receive, refundAddress }: SwapDescription): Agreement['terms'] {
  const [from, to] = [assetOf(deposit), assetOf(receive)];
  if (asked === null || type === null || from === null || to === null || receive.address === null)
    return null;
  const { address, memo } = receive;
  return {
    deposit: from,
    receive: to,
    amount: asked.deposit,
    type,
    address,
    memo,
    refundAddress,
    // Only the create knew these.
    quoted: null,
    minReceive: null,
    leastReceive: null,
    depositMemoNeeded: false,
  };
}

function assetOf({ coin, network }: Swap['deposit']): { coin: string; network: string } | null {
  return coin === null || network === null ? null : { coin, network };
}
