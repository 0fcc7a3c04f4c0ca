import type { Received } from '../client/send.ts';
import { swapResult } from '../ledger/swap-result.ts';
import { loadWordLists } from '../swap/addresses/phrases.ts';
import type { Agreement } from '../swap/agreement/agreed.ts';
import { doubtsOf, findingsOf } from '../swap/agreement/agreement.ts';
import { createProblem } from '../swap/agreement/fundable.ts';
import type { Swap } from '../swap/swap.ts';
import { type CheckedSwap, draftSwap, intentOf } from '../swaps/check.ts';
import { lateError, orderMismatch, readOtherWay, shortfall } from '../swaps/created.ts';
import { coinsOfPair } from '../swaps/pair.ts';
import type { Connection } from './connection.ts';
import { fieldsOf, readAmount, readChoice, readCoin, readFlag, readOptionalText, readText } from './input.ts';
import type { CreatedSwap, SwapDescription } from './types.ts';

/** Creates a swap with the same checks as the command, and returns it only if it is the requested one. */
export async function createSwap(connection: Connection, request: unknown): Promise<CreatedSwap> {
  const asked = readCreate(request);
  const ports = { owner: async () => connection, service: async () => connection };
  const draft = await draftSwap(ports, await coinsOfPair(connection, asked), asked);
  await loadWordLists();
  const answer = await connection.client.create(draft.request);
  try {
    return await judged(draft, answer);
  } catch (error) {
    throw lateError(error, answer.value);
  }
}

/** The created swap, if the response matches the request. */
async function judged(draft: CheckedSwap<Connection>, answer: Received<Swap>): Promise<CreatedSwap> {
  const { service: connection, request: sent, quote } = draft;
  const agreed = { terms: intentOf(draft), first: null, furthest: null, environment: connection.environment };
  const findings = await findingsOf(agreed, answer.value);
  const problem = createProblem(findings, answer.value);
  if (problem !== null)
    throw orderMismatch(connection, answer, `${problem}${readOtherWay(sent, answer.value)}`);
  const swap = describe(connection, answer.value, {
    refundAddress: sent.refundAddress,
    asked: { deposit: sent.amount, receive: answer.value.receive.amount ?? quote.receive },
    doubts: doubtsOf(findings),
  });
  return { ...swap, warnings: [...draft.warnings, ...shortfall(draft, answer.value)] };
}

/** Fields of both a quote and a create. */
const REQUEST_FIELDS = [
  ...['from', 'to', 'amount', 'lastSource', 'type'],
  ...['address', 'memo', 'noMemo', 'refundAddress', 'minReceive'],
];

function readCreate(request: unknown) {
  const given = fieldsOf(request, 'request', REQUEST_FIELDS);
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
  { environment, now }: Connection,
  swap: Swap,
  known: Pick<SwapDescription, 'refundAddress' | 'asked' | 'doubts'>,
): SwapDescription {
  const { labels, profile, ...described } = swapResult(swap, {
    ...known,
    ...{ labels: {}, profile: '', environment, trusted: true, now: now() },
  });
  return { ...described, order: swap.order, statusCode: swap.statusCode };
}

/** What was agreed about a swap that the library described earlier. */
export function agreementWith(
  earlier: SwapDescription | null,
  { environment }: Pick<Connection, 'environment'>,
): Agreement {
  if (earlier === null) return { terms: null, first: null, furthest: null, environment };
  const first = { ...earlier, receive: { ...earlier.receive, paidTo: null } };
  return { terms: termsOf(earlier), first, furthest: earlier.status, environment };
}

function termsOf({ type, asked, deposit, receive, refundAddress }: SwapDescription): Agreement['terms'] {
  const [from, to] = [assetOf(deposit), assetOf(receive)];
  if (asked === null || type === null || from === null || to === null || receive.address === null)
    return null;
  const { address, memo } = receive;
  return {
    ...{ deposit: from, receive: to, amount: asked.deposit, type, address, memo, refundAddress },
    // Only the create knew these.
    ...{ quoted: null, minReceive: null, depositMemoNeeded: false },
  };
}

function assetOf({ coin, network }: Swap['deposit']): { coin: string; network: string } | null {
  return coin === null || network === null ? null : { coin, network };
}
