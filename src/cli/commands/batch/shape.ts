import { and, type CommandShape, lines, one, READS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { BatchReview, BatchRow } from './view.ts';

const SUM = { coin: is.TEXT, network: is.TEXT, amount: is.AMOUNT };

export const BATCH_SHAPE: CommandShape = {
  operations: {
    batch: {
      result: [lines('batch'), one('batchReview')],
      exitCodes: and(READS, 7, 10, 12),
      changes: 'service',
    },
  },
  shapes: {
    batch: is.object<BatchRow>({
      row: is.INTEGER,
      idempotencyKey: is.TEXT,
      outcome: is.oneOf('created', 'existing', 'unknown', 'refused', 'not-sent'),
      swap: is.nullable(is.ref('create')),
      error: is.nullable(is.ref('error')),
    }),
    batchReview: is.object<BatchReview & { dryRun: true }>({
      dryRun: is.TRUE,
      rows: is.INTEGER,
      toCreate: is.INTEGER,
      repeated: is.INTEGER,
      existing: is.INTEGER,
      lastExistingAt: is.TIME_OR_NULL,
      unknown: is.INTEGER,
      totals: is.objects<BatchReview['totals'][number]>({
        side: is.oneOf('deposit', 'receive'),
        ...SUM,
        rows: is.INTEGER,
        estimated: is.BOOLEAN,
      }),
      largest: is.objects<BatchReview['largest'][number]>({
        row: is.INTEGER,
        deposit: is.object(SUM),
        receive: is.object(SUM),
        address: is.TEXT,
        memo: is.TEXT_OR_NULL,
      }),
      warnings: is.objects<BatchReview['warnings'][number]>({ row: is.INTEGER, warning: is.TEXT }),
      moreWarnings: is.INTEGER,
      ...PLACE,
      host: is.TEXT,
    }),
  },
};
