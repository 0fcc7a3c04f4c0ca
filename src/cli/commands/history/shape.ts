import type { HistoryResult, LedgerSwap } from '../../../core/ledger/swap-result.ts';
import type { StatusSpan, TimelineEvent, TimelineResult } from '../../../core/ledger/timeline.ts';
import { and, type CommandShape, LEDGER, lines, list, one, READS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { DEPOSIT, STATUS, STATUSES } from '../../operations/shapes.ts';
import type { ImportLine } from '../../views/history.ts';
import type { SupportTicket } from '../../views/ticket.ts';

const CHANGED_VALUE = is.anyOf(is.TEXT, is.NUMBER, is.BOOLEAN, { type: 'null' }, is.TEXTS);

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
    history: is.extending<LedgerSwap, HistoryResult>('swap', {
      id: is.TEXT,
      outcome: is.oneOf('created', 'unknown', 'refused', 'not-sent', 'dismissed'),
      reason: is.TEXT_OR_NULL,
      requestedAt: is.TIME,
      seenAt: is.TIME_OR_NULL,
      idempotencyKey: is.TEXT_OR_NULL,
    }),
    timeline: is.object<TimelineResult>({
      order: is.TEXT_OR_NULL,
      events: is.objects<TimelineEvent>({
        at: is.TIME,
        type: is.TEXT,
        status: is.TEXT_OR_NULL,
        statusCode: is.INTEGER_OR_NULL,
        changes: is.mapOf({ type: 'array', items: CHANGED_VALUE, minItems: 2, maxItems: 2 }),
      }),
      swap: is.ref('swap'),
    }),
    support: is.object<SupportTicket>({
      order: is.TEXT_OR_NULL,
      id: is.TEXT,
      case: is.TEXT,
      questions: is.TEXTS,
      writtenAt: is.TIME,
      service: is.TEXT,
      support: is.TEXT_OR_NULL,
      environment: is.ENVIRONMENT,
      status: is.nullable(STATUS),
      statusCode: is.INTEGER_OR_NULL,
      final: is.BOOLEAN,
      type: is.oneOf('fixed', 'float', null),
      requestedAt: is.TIME,
      createdAt: is.TEXT_OR_NULL,
      expiresAt: is.TEXT_OR_NULL,
      endedAt: is.TEXT_OR_NULL,
      lastSeenAt: is.TIME_OR_NULL,
      deposit: is.object<SupportTicket['deposit']>({
        ...SIDE,
        asked: is.AMOUNT_OR_NULL,
        sent: is.nullable(
          is.object<NonNullable<SupportTicket['deposit']['sent']>>({
            txId: is.TEXT,
            from: is.TEXT_OR_NULL,
            saidAt: is.TIME,
          }),
        ),
      }),
      receive: is.object<SupportTicket['receive']>({
        ...SIDE,
        paidAmount: is.AMOUNT_OR_NULL,
        promised: is.AMOUNT_OR_NULL,
        paidTo: is.TEXT_OR_NULL,
      }),
      refundAddress: is.TEXT_OR_NULL,
      refundAddressSetAt: is.TIME_OR_NULL,
      riskScore: is.AMOUNT_OR_NULL,
      statuses: is.objects<StatusSpan>({
        status: STATUS,
        statusCode: is.INTEGER,
        firstSeenAt: is.TIME,
        lastSeenAt: is.TIME_OR_NULL,
      }),
      doubts: is.objects<SupportTicket['doubts'][number]>({ code: is.TEXT, words: is.TEXT }),
      reason: is.TEXT_OR_NULL,
      auditHead: is.TEXT,
    }),
    import: is.object<ImportLine>({
      order: is.TEXT,
      outcome: is.oneOf('imported', 'known', 'not_found', 'failed'),
      swap: is.nullable(is.ref('swap')),
      error: is.nullable(is.ref('error')),
    }),
  },
};
