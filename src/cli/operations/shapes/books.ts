import type { SwapEvent } from '../../../core/ledger/events/event.ts';
import type { Report } from '../../../core/ledger/report/report.ts';
import type { ReportGroup } from '../../../core/ledger/report/tally.ts';
import type { StatusSpan, TimelineEvent, TimelineResult } from '../../../core/ledger/timeline.ts';
import type { EndpointHealth, HealthGroup, Probe } from '../../../core/swaps/health.ts';
import type { FieldDifference, Reconciliation } from '../../../core/swaps/reconcile.ts';
import type { AttemptResult, EventResult, EventWithAttempts } from '../../views/events.ts';
import type { HealthResult } from '../../views/health.ts';
import type { ImportLine } from '../../views/history.ts';
import type { SupportTicket } from '../../views/support/ticket.ts';
import {
  AMOUNT,
  AMOUNT_OR_NULL,
  about,
  anyOf,
  BOOLEAN,
  ENVIRONMENT,
  INTEGER,
  INTEGER_OR_NULL,
  listOf,
  mapOf,
  NUMBER,
  nullable,
  OPEN,
  object,
  oneOf,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TIME,
  TIME_OR_NULL,
} from '../schema.ts';
import { DEPOSIT, STATUS } from './swaps.ts';

const PLACE = { profile: TEXT, environment: ENVIRONMENT };

/** Decimal text for each coin, as sums are listed. */
const COIN_AMOUNTS = listOf(object({ coin: TEXT, amount: AMOUNT }));

const GROUP = object<ReportGroup>({
  key: TEXT_OR_NULL,
  count: INTEGER,
  created: INTEGER,
  funded: INTEGER,
  paid: INTEGER,
  failed: INTEGER,
  refunded: INTEGER,
  unknown: INTEGER,
  volume: listOf(object<ReportGroup['volume'][number]>({ coin: TEXT, deposit: AMOUNT, receive: AMOUNT })),
  share: COIN_AMOUNTS,
  secondsToSuccess: object<ReportGroup['secondsToSuccess']>({
    median: nullable(NUMBER),
    p95: nullable(NUMBER),
  }),
  promised: listOf(object<ReportGroup['promised'][number]>({ coin: TEXT, promised: AMOUNT, paid: AMOUNT })),
  refunds: COIN_AMOUNTS,
  fees: COIN_AMOUNTS,
  doubtful: INTEGER,
});

const CHANGED_VALUE = anyOf(TEXT, NUMBER, BOOLEAN, { type: 'null' }, TEXTS);

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

const { name: _, ...SIDE } = DEPOSIT;

/** The ledger: timelines, tickets, totals, events. */
export const BOOK_SHAPES = {
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
  report: object<Report & { auditHead: string }>({
    since: TIME_OR_NULL,
    until: TIME_OR_NULL,
    by: TEXT,
    groups: listOf(ref('group')),
    total: ref('group'),
    environment: ENVIRONMENT,
    profile: TEXT_OR_NULL,
    auditHead: TEXT,
  }),
  group: GROUP,
  health: object<HealthResult>({
    since: TIME,
    by: oneOf('pair', 'network', 'endpoint'),
    groups: listOf(
      object<HealthGroup>({
        key: TEXT,
        count: INTEGER,
        paid: INTEGER,
        stuck: INTEGER,
        refunded: INTEGER,
        failed: INTEGER,
        doubtful: INTEGER,
        medianSeconds: nullable(NUMBER),
        usualSeconds: nullable(NUMBER),
      }),
    ),
    endpoints: listOf(
      object<EndpointHealth>({
        endpoint: TEXT,
        requests: INTEGER,
        refused: INTEGER,
        limited: INTEGER,
        failed: INTEGER,
        unanswered: INTEGER,
      }),
    ),
    probes: nullable(
      listOf(object<Probe>({ pair: TEXT, milliseconds: INTEGER, rate: AMOUNT_OR_NULL, error: TEXT_OR_NULL })),
    ),
    environment: ENVIRONMENT,
    profile: TEXT_OR_NULL,
  }),
  reconcile: object<Reconciliation>({
    matched: INTEGER,
    onlyHere: TEXTS,
    onlyThere: TEXTS,
    differs: listOf(
      object<FieldDifference>({ order: TEXT, field: TEXT, here: TEXT_OR_NULL, there: TEXT_OR_NULL }),
    ),
    duplicates: TEXTS,
  }),
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
};
