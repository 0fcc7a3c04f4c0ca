import type { Report } from '../../../core/ledger/report/report.ts';
import type { ReportGroup } from '../../../core/ledger/report/tally.ts';
import type { EndpointHealth, HealthGroup, Probe } from '../../../core/swaps/health.ts';
import type { FieldDifference, Reconciliation } from '../../../core/swaps/reconcile.ts';
import { and, type CommandShape, LEDGER, one, READS } from '../../operations/operations.ts';
import {
  AMOUNT,
  AMOUNT_OR_NULL,
  ENVIRONMENT,
  INTEGER,
  listOf,
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
import type { HealthResult } from './health-view.ts';

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

export const REPORT_SHAPE: CommandShape = {
  operations: {
    report: {
      result: [one('report')],
      exitCodes: LEDGER,
      values: { '--by': ['status', 'pair', 'day', 'week', 'month', 'profile'] },
    },
    'report health': { result: [one('health')], exitCodes: READS },
    reconcile: { result: [one('reconcile')], exitCodes: and(LEDGER, 9) },
  },
  shapes: {
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
        listOf(
          object<Probe>({ pair: TEXT, milliseconds: INTEGER, rate: AMOUNT_OR_NULL, error: TEXT_OR_NULL }),
        ),
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
  },
};
