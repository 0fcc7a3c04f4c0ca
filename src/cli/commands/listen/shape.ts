import type { SwapEvent } from '../../../core/ledger/events/event.ts';
import { and, type CommandShape, LEDGER, lines, list, one, READS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { PLACE, STATUS, STATUSES } from '../../operations/shapes.ts';
import type { AttemptResult, EventResult, EventWithAttempts } from './events-view.ts';

const EVENT = {
  id: is.about(is.TEXT_OR_NULL, 'null for the state of a swap when listening began'),
  type: is.TEXT,
  at: is.TIME,
  sequence: is.INTEGER,
  order: is.TEXT_OR_NULL,
  ...PLACE,
  data: is.anyOf(
    is.object({ swap: is.ref('swap') }),
    is.object({ request: is.nullable(is.OPEN), approval: is.object({ id: is.TEXT, until: is.TIME }) }, [
      'approval',
    ]),
  ),
  previous: is.nullable(is.object({ status: STATUS, statusCode: is.INTEGER })),
};

const RECORDED_EVENT = {
  ...EVENT,
  delivery: is.oneOf('none', 'pending', 'delivered', 'failed'),
  attempts: is.INTEGER,
  nextAttemptAt: is.TIME_OR_NULL,
  lastError: is.TEXT_OR_NULL,
};

export const LISTEN_SHAPE: CommandShape = {
  operations: {
    listen: {
      result: [lines('event'), one('webhookSecret')],
      exitCodes: and(READS, 7, 8),
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
    'events list': { result: [list('events')], exitCodes: and(LEDGER, 3, 7) },
    'events show': { result: [one('delivered')], exitCodes: and(LEDGER, 3) },
    'events resend': { result: [one('delivered')], exitCodes: and(LEDGER, 3), changes: 'local' },
  },
  shapes: {
    event: is.object<SwapEvent>(EVENT),
    events: is.object<EventResult>(RECORDED_EVENT),
    delivered: is.object<EventWithAttempts>({ ...RECORDED_EVENT, deliveries: is.listOf(is.ref('attempt')) }),
    attempt: is.object<AttemptResult>({
      at: is.TIME,
      target: is.TEXT,
      httpStatus: is.INTEGER_OR_NULL,
      error: is.TEXT_OR_NULL,
      milliseconds: is.INTEGER,
    }),
    webhookSecret: is.object({ profile: is.TEXT, secret: is.TEXT }),
  },
};
