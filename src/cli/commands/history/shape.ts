import type { HistoryResult, LedgerSwap } from '../../../core/ledger/swap-result.ts';
import type { StatusSpan, TimelineEvent, TimelineResult } from '../../../core/ledger/timeline.ts';
import { and, type CommandShape, LEDGER, lines, list, one, READS } from '../../operations/operations.ts';
import {
  AMOUNT_OR_NULL,
  anyOf,
  BOOLEAN,
  ENVIRONMENT,
  extending,
  INTEGER,
  INTEGER_OR_NULL,
  listOf,
  mapOf,
  NUMBER,
  nullable,
  object,
  oneOf,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TIME,
  TIME_OR_NULL,
} from '../../operations/schema.ts';
import { DEPOSIT, STATUS, STATUSES } from '../../operations/shapes.ts';
import type { ImportLine } from '../../views/history.ts';
import type { SupportTicket } from '../../views/ticket.ts';

const CHANGED_VALUE = anyOf(TEXT, NUMBER, BOOLEAN, { type: 'null' }, TEXTS);

const { name: _, ...SIDE } = DEPOSIT;

const OUTCOMES = ['created', 'unknown', 'refused', 'not-sent', 'dismissed'];

export const HISTORY_SHAPE: CommandShape = {
  operations: {
    history: {
      result: [list('history')],
      exitCodes: LEDGER,
      values: { '--status': [...new Set([...STATUSES, ...OUTCOMES])] },
    },
    'history show': { result: [one('timeline')], exitCodes: and(LEDGER, 3) },
    'history support': { result: [one('support')], exitCodes: and(LEDGER, 3) },
    'history sent': { result: [one('timeline')], exitCodes: and(LEDGER, 3), changes: 'local' },
    'history note': { result: [one('timeline')], exitCodes: and(LEDGER, 3), changes: 'local' },
    'history import': { result: [lines('import')], exitCodes: READS, changes: 'local' },
    'history resolve': { result: [one('history')], exitCodes: and(READS, 12), changes: 'local' },
  },
  shapes: {
    history: extending<LedgerSwap, HistoryResult>('swap', {
      id: TEXT,
      outcome: oneOf('created', 'unknown', 'refused', 'not-sent', 'dismissed'),
      reason: TEXT_OR_NULL,
      requestedAt: TIME,
      seenAt: TIME_OR_NULL,
      idempotencyKey: TEXT_OR_NULL,
    }),
    timeline: object<TimelineResult>({
      order: TEXT_OR_NULL,
      events: listOf(
        object<TimelineEvent>({
          at: TIME,
          type: TEXT,
          status: TEXT_OR_NULL,
          statusCode: INTEGER_OR_NULL,
          changes: mapOf({ type: 'array', items: CHANGED_VALUE, minItems: 2, maxItems: 2 }),
        }),
      ),
      swap: ref('swap'),
    }),
    support: object<SupportTicket>({
      order: TEXT_OR_NULL,
      id: TEXT,
      case: TEXT,
      questions: TEXTS,
      writtenAt: TIME,
      service: TEXT,
      support: TEXT_OR_NULL,
      environment: ENVIRONMENT,
      status: nullable(STATUS),
      statusCode: INTEGER_OR_NULL,
      final: BOOLEAN,
      type: oneOf('fixed', 'float', null),
      requestedAt: TIME,
      createdAt: TEXT_OR_NULL,
      expiresAt: TEXT_OR_NULL,
      endedAt: TEXT_OR_NULL,
      lastSeenAt: TIME_OR_NULL,
      deposit: object<SupportTicket['deposit']>({
        ...SIDE,
        asked: AMOUNT_OR_NULL,
        sent: nullable(
          object<NonNullable<SupportTicket['deposit']['sent']>>({
            txId: TEXT,
            from: TEXT_OR_NULL,
            saidAt: TIME,
          }),
        ),
      }),
      receive: object<SupportTicket['receive']>({
        ...SIDE,
        paidAmount: AMOUNT_OR_NULL,
        promised: AMOUNT_OR_NULL,
        paidTo: TEXT_OR_NULL,
      }),
      refundAddress: TEXT_OR_NULL,
      refundAddressSetAt: TIME_OR_NULL,
      riskScore: AMOUNT_OR_NULL,
      statuses: listOf(
        object<StatusSpan>({
          status: STATUS,
          statusCode: INTEGER,
          firstSeenAt: TIME,
          lastSeenAt: TIME_OR_NULL,
        }),
      ),
      doubts: listOf(object<SupportTicket['doubts'][number]>({ code: TEXT, words: TEXT })),
      reason: TEXT_OR_NULL,
      auditHead: TEXT,
    }),
    import: object<ImportLine>({
      order: TEXT,
      outcome: oneOf('imported', 'known', 'not_found', 'failed'),
      swap: nullable(ref('swap')),
      error: nullable(ref('error')),
    }),
  },
};
