import type { Report } from '../../../core/ledger/report/report.ts';
import type { ReportGroup } from '../../../core/ledger/report/tally.ts';
import type { EndpointHealth, HealthGroup, Probe } from '../../../core/swaps/health.ts';
import type { FieldDifference, Reconciliation } from '../../../core/swaps/reconcile.ts';
import { and, type CommandShape, LEDGER, one, READS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import type { HealthResult } from './health.ts';

/** Decimal text for each coin, as sums are listed. */
const COIN_AMOUNTS = is.objects({ coin: is.TEXT, amount: is.AMOUNT });

const GROUP = is.object<ReportGroup>({
  key: is.TEXT_OR_NULL,
  count: is.INTEGER,
  created: is.INTEGER,
  funded: is.INTEGER,
  paid: is.INTEGER,
  failed: is.INTEGER,
  refunded: is.INTEGER,
  unknown: is.INTEGER,
  volume: is.objects<ReportGroup['volume'][number]>({
    coin: is.TEXT,
    deposit: is.AMOUNT,
    receive: is.AMOUNT,
  }),
  share: COIN_AMOUNTS,
  secondsToSuccess: is.object<ReportGroup['secondsToSuccess']>({
    median: is.nullable(is.NUMBER),
    p95: is.nullable(is.NUMBER),
  }),
  promised: is.objects<ReportGroup['promised'][number]>({
    coin: is.TEXT,
    promised: is.AMOUNT,
    paid: is.AMOUNT,
  }),
  refunds: COIN_AMOUNTS,
  fees: COIN_AMOUNTS,
  doubtful: is.INTEGER,
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
    report: is.object<Report & { auditHead: string }>({
      since: is.TIME_OR_NULL,
      until: is.TIME_OR_NULL,
      by: is.TEXT,
      groups: is.listOf(is.ref('group')),
      total: is.ref('group'),
      environment: is.ENVIRONMENT,
      profile: is.TEXT_OR_NULL,
      auditHead: is.TEXT,
    }),
    group: GROUP,
    health: is.object<HealthResult>({
      since: is.TIME,
      by: is.oneOf('pair', 'network', 'endpoint'),
      groups: is.objects<HealthGroup>({
        key: is.TEXT,
        count: is.INTEGER,
        paid: is.INTEGER,
        stuck: is.INTEGER,
        refunded: is.INTEGER,
        failed: is.INTEGER,
        doubtful: is.INTEGER,
        medianSeconds: is.nullable(is.NUMBER),
        usualSeconds: is.nullable(is.NUMBER),
      }),
      endpoints: is.objects<EndpointHealth>({
        endpoint: is.TEXT,
        requests: is.INTEGER,
        refused: is.INTEGER,
        limited: is.INTEGER,
        failed: is.INTEGER,
        unanswered: is.INTEGER,
      }),
      probes: is.nullable(
        is.objects<Probe>({
          pair: is.TEXT,
          milliseconds: is.INTEGER,
          rate: is.AMOUNT_OR_NULL,
          error: is.TEXT_OR_NULL,
        }),
      ),
      environment: is.ENVIRONMENT,
      profile: is.TEXT_OR_NULL,
    }),
    reconcile: is.object<Reconciliation>({
      matched: is.INTEGER,
      onlyHere: is.TEXTS,
      onlyThere: is.TEXTS,
      differs: is.objects<FieldDifference>({
        order: is.TEXT,
        field: is.TEXT,
        here: is.TEXT_OR_NULL,
        there: is.TEXT_OR_NULL,
      }),
      duplicates: is.TEXTS,
    }),
  },
};
