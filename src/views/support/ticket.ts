import type { HistoryResult } from '../../ledger/swap-result.ts';
import type { StatusSpan } from '../../ledger/timeline.ts';
import type { Finding } from '../../swap/agreement/agreed.ts';
import type { SupportCase } from './case.ts';
import { requestOf } from './case.ts';
import type { Sentence } from './sentence.ts';
import { said, sentenceText } from './sentence.ts';

/** Facts for a ticket beside the entry. */
export interface TicketFacts {
  readonly entry: HistoryResult;
  readonly host: string;
  readonly statuses: readonly StatusSpan[];
  readonly refundAddressSetAt: string | null;
  /** Doubts in words; where it is not known how, by their codes alone. */
  readonly findings: readonly Finding[];
  /** Address in the payout's transaction. */
  readonly paidTo: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** One side of the swap, without what a desk has no use for. */
type Side = Omit<HistoryResult['deposit'], 'name'>;

/**
 * What a support desk needs, keys in the order of docs/command-line.md#json. Labels, profile and idempotency key are
 * one's own and left out; keys and signatures are no part of the ledger's swaps.
 */
export interface SupportTicket {
  readonly order: string | null;
  readonly id: string;
  readonly case: SupportCase;
  readonly questions: readonly string[];
  readonly writtenAt: string;
  readonly service: string;
  readonly environment: HistoryResult['environment'];
  readonly status: string;
  readonly statusCode: number | null;
  readonly final: boolean;
  readonly type: HistoryResult['type'];
  readonly requestedAt: string;
  readonly createdAt: string | null;
  readonly expiresAt: string | null;
  readonly endedAt: string | null;
  readonly lastSeenAt: string | null;
  readonly deposit: Side & { readonly asked: string | null };
  readonly receive: Omit<HistoryResult['receive'], 'name'> & {
    readonly promised: string | null;
    readonly paidTo: string | null;
  };
  readonly refundAddress: string | null;
  readonly refundAddressSetAt: string | null;
  readonly riskScore: string | null;
  readonly statuses: readonly StatusSpan[];
  readonly doubts: readonly { readonly code: string; readonly words: string }[];
  /** Why the outcome of its create is not known. */
  readonly reason: string | null;
}

/** A ticket, and its questions as sentences whose values can be marked. */
export interface WrittenTicket {
  readonly ticket: SupportTicket;
  readonly questions: readonly Sentence[];
}

/** Puts together what a desk needs about an entry. */
export function writeTicket(facts: TicketFacts): WrittenTicket {
  const { entry, statuses, now } = facts;
  const { order, id, environment, status, statusCode, final, type, requestedAt, createdAt } = entry;
  const request = requestOf(entry, statuses, now);
  const doubts = doubtsOf(facts);
  const questions = [
    ...request.questions,
    ...doubts.map(
      ({ words }) => said`It is in doubt, for ${words}. Please explain that, and which is right.`,
    ),
  ];
  const { name: _, ...deposit } = entry.deposit;
  const { name: __, ...receive } = entry.receive;
  const ticket: SupportTicket = {
    ...{ order, id, case: request.case, questions: questions.map((question) => sentenceText(question)) },
    ...{ writtenAt: new Date(now).toISOString(), service: facts.host, environment },
    ...{ status, statusCode, final, type, requestedAt, createdAt },
    ...{ expiresAt: entry.expiresAt, endedAt: entry.endedAt, lastSeenAt: entry.seenAt },
    deposit: { ...deposit, asked: entry.asked?.deposit ?? null },
    receive: { ...receive, promised: entry.asked?.receive ?? null, paidTo: facts.paidTo },
    ...{ refundAddress: entry.refundAddress, refundAddressSetAt: facts.refundAddressSetAt },
    ...{ riskScore: entry.riskScore, statuses, doubts, reason: entry.reason },
  };
  return { ticket, questions };
}

function doubtsOf({ entry, findings }: TicketFacts): SupportTicket['doubts'] {
  return entry.doubts.map((code) => {
    const words = findings.filter((finding) => finding.code === code).map((finding) => finding.words);
    return { code, words: words.length === 0 ? code.replaceAll('_', ' ') : words.join('; ') };
  });
}
