import type { Received } from '../client/send.ts';
import { loadWordLists } from '../swap/addresses/phrases.ts';
import { doubtsOf, findingsOf } from '../swap/agreement/agreement.ts';
import { createProblem } from '../swap/agreement/at-create.ts';
import type { Quote, Swap } from '../swap/swap.ts';
import { checkSwap, type UnpricedSwap } from '../swaps/check.ts';
import { lateError, orderMismatch, readOtherWay, shortfall } from '../swaps/created.ts';
import { coinsOfPair } from '../swaps/pair.ts';
import { priceSwap } from '../swaps/price.ts';
import type { Connection } from './connection.ts';
import { describe } from './describe.ts';
import { fieldsOf, readAmount, readChoice, readCoin, readFlag, readOptionalText, readText } from './input.ts';
import type { CreatedSwap } from './types.ts';

/** Creates a swap by the same checks as the command, and shows it only where it is the one that was asked for. */
export async function createSwap(connection: Connection, request: unknown): Promise<CreatedSwap> {
  const asked = readCreate(request);
  const verdict = await checkSwap(await coinsOfPair(connection, asked), connection.environment, asked);
  if (!verdict.ok) throw verdict.problems[0]?.error ?? new TypeError('A check refused nothing.');
  const { request: checked, minReceive } = verdict.swap;
  const { deposit, receive, lastSource, type } = checked;
  const question = { deposit, receive, lastSource, type, minReceive, asked: checked.amount };
  const { quote, amount } = await priceSwap({ service: connection, ...question });
  const draft = { ...verdict.swap, quote, request: { ...checked, amount } };
  await loadWordLists();
  const answer = await connection.client.create(draft.request);
  try {
    return await judged(connection, draft, answer);
  } catch (error) {
    throw lateError(error, answer.value);
  }
}

/** The created swap, where the answer is the one that was asked for. */
async function judged(
  connection: Connection,
  draft: UnpricedSwap & { readonly quote: Quote },
  answer: Received<Swap>,
): Promise<CreatedSwap> {
  const { environment } = connection;
  const { request: sent, quote, minReceive, depositMemoNeeded } = draft;
  const terms = { ...sent, quoted: quote.receive, minReceive, depositMemoNeeded };
  const findings = await findingsOf({ terms, first: null, furthest: null, environment }, answer.value);
  const problem = createProblem(findings, answer.value);
  if (problem !== null)
    throw orderMismatch(connection, answer, `${problem}${readOtherWay(sent, answer.value)}`);
  const swap = describe(connection, answer.value, {
    refundAddress: sent.refundAddress,
    asked: { deposit: sent.amount, receive: answer.value.receive.amount ?? quote.receive },
    doubts: doubtsOf(findings),
  });
  return {
    ...swap,
    warnings: [...draft.warnings, ...shortfall({ ...draft, reviewed: quote.receive }, answer.value)],
  };
}

/** What a quote and a create take; the same request is good for both. */
const REQUEST_FIELDS = [
  ...[
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
  ],
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
