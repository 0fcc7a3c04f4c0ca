import type { SwapEvent } from '../../../core/ledger/events/event.ts';
import { and, type CommandShape, LEDGER, lines, list, one, READS } from '../../operations/operations.ts';
import {
  about,
  anyOf,
  INTEGER,
  INTEGER_OR_NULL,
  listOf,
  nullable,
  OPEN,
  object,
  oneOf,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../../operations/schema.ts';
import { PLACE, STATUS, STATUSES } from '../../operations/shapes.ts';
import type { AttemptResult, EventResult, EventWithAttempts } from './events-view.ts';

const EVENT = {
  id: about(TEXT_OR_NULL, 'null for the state of a swap when listening began'),
  type: TEXT,
  at: TIME,
  sequence: INTEGER,
  order: TEXT_OR_NULL,
  ...PLACE,
  data: anyOf(
    object({ swap: ref('swap') }),
    object({ request: nullable(OPEN), approval: object({ id: TEXT, until: TIME }) }, ['approval']),
  ),
  previous: nullable(object({ status: STATUS, statusCode: INTEGER })),
};

const DELIVERED = {
  ...EVENT,
  delivery: oneOf('none', 'pending', 'delivered', 'failed'),
  attempts: INTEGER,
  nextAttemptAt: TIME_OR_NULL,
  lastError: TEXT_OR_NULL,
};

export const LISTEN_SHAPE: CommandShape = {
  operations: {
    listen: {
      result: [lines('event'), one('webhookSecret')],
      exitCodes: and(READS, 8),
      values: {
        '--events': [
          ...[...STATUSES, 'unknown', 'doubtful'].map((name) => `swap.${name}`),
          'create.unknown',
          'approval.requested',
          'approval.granted',
        ],
      },
      changes: 'local',
    },
    'events list': { result: [list('events')], exitCodes: LEDGER },
    'events show': { result: [one('delivered')], exitCodes: and(LEDGER, 3) },
    'events resend': { result: [one('events')], exitCodes: and(LEDGER, 3), changes: 'local' },
  },
  shapes: {
    event: object<SwapEvent>(EVENT),
    events: object<EventResult>(DELIVERED),
    delivered: object<EventWithAttempts>({ ...DELIVERED, deliveries: listOf(ref('attempt')) }),
    attempt: object<AttemptResult>({
      at: TIME,
      target: TEXT,
      httpStatus: INTEGER_OR_NULL,
      error: TEXT_OR_NULL,
      milliseconds: INTEGER,
    }),
    webhookSecret: object({ profile: TEXT, secret: TEXT }),
  },
};
