import { rfc3339, spanWords } from '../../base/time.ts';
import type { SentDeposit } from '../../core/ledger/entry.ts';
import type { HistoryResult } from '../../core/ledger/swap-result.ts';
import type { StatusSpan } from '../../core/ledger/timeline.ts';
import type { Doubt } from '../../core/swap/agreement/agreed.ts';
import { isDepositSeen } from '../../core/swap/attention.ts';

interface TicketFacts {
  readonly entry: HistoryResult;
  readonly host: string;
  readonly statuses: readonly StatusSpan[];
  readonly refundAddressSetAt: string | null;
  /** Doubts in words, or only as codes if the words are unknown. */
  readonly found: readonly Doubt[];
  /** Address in the payout's transaction. */
  readonly paidTo: string | null;
  /** The service's support contact; null if none is set. */
  readonly support: string | null;
  /** The deposit, as someone said it was sent. */
  readonly sent: SentDeposit | null;
  /** Head of the ledger's audit chain. */
  readonly auditHead: string;
  readonly now: number;
}

/** A ticket, and its questions as sentences whose values can be marked. */
export type WrittenTicket = ReturnType<typeof writeTicket>;

/**
 * What a support desk needs, keys in the order of docs/command-line/output.md#json. Labels, profile and idempotency key are
 * private and left out; keys and signatures are never part of the ledger's swaps.
 */
export type SupportTicket = WrittenTicket['ticket'];

/** Collects what a support desk needs about an entry. */
export function writeTicket(facts: TicketFacts) {
  const { entry, statuses, now } = facts;
  const { order, id, environment, status, statusCode, final, type, requestedAt, createdAt } = entry;
  const found = caseOf(entry, statuses, now);
  const doubts = doubtsOf(facts);
  const questions = [
    ...QUESTIONS[found](entry, waited(statuses, now), depositSaidSent(facts)),
    ...doubts.map(({ words }) => sentence`It does not match what was agreed: ${words}. Please explain this.`),
  ];
  const { name: _, ...deposit } = entry.deposit;
  const { name: __, ...receive } = entry.receive;
  const ticket = {
    order,
    id,
    case: found,
    questions: questions.map((question) => sentenceText(question)),
    writtenAt: rfc3339(now),
    service: facts.host,
    support: facts.support,
    environment,
    status,
    statusCode,
    final,
    type,
    requestedAt,
    createdAt,
    expiresAt: entry.expiresAt,
    endedAt: entry.endedAt,
    lastSeenAt: entry.seenAt,
    deposit: { ...deposit, asked: entry.asked?.deposit ?? null, sent: depositSaidSent(facts) },
    receive: { ...receive, promised: entry.asked?.receive ?? null, paidTo: facts.paidTo },
    refundAddress: entry.refundAddress,
    refundAddressSetAt: facts.refundAddressSetAt,
    riskScore: entry.riskScore,
    statuses,
    doubts,
    reason: entry.reason,
    auditHead: facts.auditHead,
  };
  return { ticket, questions };
}

/** The deposit that someone said was sent: its transaction, who sent it, and since when it is known. */
function depositSaidSent({ sent }: TicketFacts) {
  return sent === null ? null : { txId: sent.txId, from: sent.from, saidAt: rfc3339(sent.at) };
}

function doubtsOf({ entry, found }: TicketFacts) {
  return entry.doubts.map((code) => {
    const words = found.filter((doubt) => doubt.code === code).map((doubt) => doubt.words);
    return { code, words: words.length === 0 ? code.replaceAll('_', ' ') : words.join('; ') };
  });
}

/** A sentence of swapctl's with values that may come from outside and are marked as such wherever it is shown. */
interface Sentence {
  /** One more than the number of values. */
  readonly own: readonly string[];
  readonly values: readonly string[];
}

/** A sentence as a template; a value that is not known is a blank to fill in. */
function sentence(own: TemplateStringsArray, ...values: readonly (string | number | null)[]): Sentence {
  return { own, values: values.map((value) => (value === null ? '____' : String(value))) };
}

/** A sentence with its values as `mark` shows them. */
export function sentenceText({ own, values }: Sentence, mark = (value: string): string => value): string {
  // Nothing is not marked: it would be an empty code span.
  const marked = (value: string) => (value === '' ? '' : mark(value));
  return own
    .map((words, index) => (index === 0 ? words : `${marked(values[index - 1] ?? '')}${words}`))
    .join('');
}

/** Why a swap needs a support desk: docs/command-line/history.md#history-support. */
type SupportCase = keyof typeof QUESTIONS;

/** A swap that stays in confirmation or exchanging for longer than this is stuck, in milliseconds. */
const MAX_MOVING_MS = 60 * 60_000;

function caseOf(entry: HistoryResult, spans: readonly StatusSpan[], now: number): SupportCase {
  const { status, order, outcome, refundAddress, receive } = entry;
  if (order === null || (outcome === 'unknown' && entry.statusCode === null)) return 'unknown_outcome';
  const isSeen = isDepositSeen(entry);
  if (status === 'new') return 'deposit_not_seen';
  if (status === 'overdue') return isSeen ? 'late_deposit' : 'deposit_not_seen';
  if (status === 'pause') return 'on_hold';
  if (status === 'frozen') return 'frozen';
  if (status === 'refund') return 'refund_without_transaction';
  if (status === 'success') return receive.txId === null ? 'success_without_payout' : 'payout_in_question';
  if (status === 'error')
    return refundAddress === null ? 'error_without_refund_address' : 'error_with_refund_address';
  if (status === 'unknown') return 'unknown_status';
  const begun = spans.at(-1)?.firstSeenAt;
  if (begun === undefined || now - Date.parse(begun) < MAX_MOVING_MS) return 'in_progress';
  return status === 'confirmation' ? 'confirmation_stuck' : 'exchange_stuck';
}

function waited(spans: readonly StatusSpan[], now: number): string {
  const begun = spans.at(-1)?.firstSeenAt;
  return begun === undefined ? 'a moment' : spanWords(Math.max(0, now - Date.parse(begun)));
}

const BLANK = null;

type Ask = (
  entry: HistoryResult,
  waited: string,
  sent: ReturnType<typeof depositSaidSent>,
) => readonly Sentence[];

const OVERDUE = sentence`The order is overdue. Will a deposit that arrived be exchanged, and at which rate, or sent back?`;

const HELD: Ask = (entry) => [
  sentence`Why is the order held, and since when?`,
  ...otherDeposit(entry),
  sentence`What exactly do you need to release it: which documents or statements, and from whom?`,
  sentence`By when will it continue, or be refunded?`,
  refundTo(entry),
];

/** The questions to the desk, the most important first. */
const QUESTIONS = {
  unknown_outcome: ({ requestedAt, deposit, receive }) => [
    sentence`We sent a create request at ${requestedAt} and got no usable answer. Did it create an order? If so, what are its number and deposit address?`,
    sentence`It asked to swap ${deposit.amount} ${deposit.coin} on ${deposit.network} into ${receive.coin} on ${receive.network}, paid to ${receive.address}.`,
    sentence`If it did not, please confirm that.`,
  ],
  deposit_not_seen: (entry, _, sent) => [
    sent === null
      ? sentence`Our customer says that a deposit was sent: transaction ${BLANK}, amount ${BLANK} ${entry.deposit.coin}, sent at ${BLANK}.`
      : sentence`Our customer reported at ${sent.saidAt} that a deposit was sent in transaction ${sent.txId}, from ${sent.from}.`,
    entry.deposit.memo === null
      ? sentence`Do you see a payment to ${entry.deposit.address}? If so, why is it not credited to this order?`
      : sentence`Do you see a payment to ${entry.deposit.address}, memo ${entry.deposit.memo}? If so, why is it not credited to this order?`,
    ...(entry.status === 'overdue' ? [OVERDUE] : []),
    refundTo(entry),
  ],
  late_deposit: (entry) => [
    sentence`The deposit ${entry.deposit.txId} was seen, and the order is overdue. Will it be exchanged, and at which rate, or sent back?`,
    refundTo(entry),
  ],
  confirmation_stuck: ({ deposit }, waited) => [
    sentence`The deposit ${deposit.txId} has been in confirmation for ${waited}, with ${deposit.confirmations} confirmations according to your API. How many does it need?`,
    sentence`Do you see the transaction on your node? What is blocking the order?`,
  ],
  exchange_stuck: ({ receive }, waited) => [
    sentence`The order has been exchanging for ${waited}. When will the payout be sent to ${receive.address}?`,
    sentence`What is blocking it?`,
  ],
  in_progress: ({ receive }, waited) => [
    sentence`The order has been in this status for ${waited}. When can we expect the payout to ${receive.address}?`,
  ],
  on_hold: HELD,
  frozen: HELD,
  error_with_refund_address: (entry) => [
    sentence`Why did the order fail?`,
    sentence`Please send the deposit ${entry.deposit.txId} back to the refund address ${entry.refundAddress}.`,
    sentence`When will that happen, in which transaction, and how much will be sent after fees?`,
  ],
  error_without_refund_address: (entry) => [
    sentence`Why did the order fail?`,
    sentence`As far as we know no refund address is set. Do you have one? Please send nothing to an address that we did not set on the order.`,
    sentence`Once it is set, please send the deposit ${entry.deposit.txId} back to it: when, in which transaction, and how much after fees?`,
  ],
  success_without_payout: ({ receive }) => [
    sentence`The order status is success, but your API shows no payout transaction. Which transaction paid ${receive.amount} ${receive.coin} to ${receive.address}?`,
    sentence`If none did, when will it be sent?`,
  ],
  payout_in_question: ({ receive }) => [
    sentence`Please confirm that ${receive.txId} paid ${receive.paidAmount ?? receive.amount} ${receive.coin} to ${receive.address}, and that it has its confirmations on ${receive.network}.`,
  ],
  refund_without_transaction: (entry) => [
    sentence`The order is refunded, but your API shows no refund transaction. Which transaction was it, when was it sent, and how much of ${entry.deposit.coin}?`,
    entry.refundAddress === null
      ? sentence`To which address was it sent? We have recorded none.`
      : sentence`Was it sent to the refund address ${entry.refundAddress}?`,
  ],
  unknown_status: ({ statusCode }) => [
    sentence`Your API returned status code ${statusCode}, which its documentation does not list. What does it mean, and what comes next?`,
  ],
} satisfies Readonly<Record<string, Ask>>;

/** A deposit of a different amount is a common reason for a hold. */
function otherDeposit({ asked, deposit }: HistoryResult): readonly Sentence[] {
  if (asked === null || deposit.amount === null || deposit.amount === asked.deposit) return [];
  return [
    sentence`You show a deposit of ${deposit.amount} where ${asked.deposit} was agreed. Is that the reason?`,
  ];
}

function refundTo({ refundAddress }: HistoryResult): Sentence {
  return refundAddress === null
    ? sentence`If you send it back: as far as we know no refund address is set; we can set one on request.`
    : sentence`If you send it back, the refund address is ${refundAddress}.`;
}
