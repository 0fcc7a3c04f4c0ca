import { and, type CommandShape, lines, one, READS } from '../../operations/operations.ts';
import {
  AMOUNT,
  BOOLEAN,
  INTEGER,
  listOf,
  nullable,
  object,
  oneOf,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TIME_OR_NULL,
  TRUE,
} from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';
import type { BatchReview, BatchRow } from './view.ts';

const SUM = { coin: TEXT, network: TEXT, amount: AMOUNT };

export const BATCH_SHAPE: CommandShape = {
  operations: {
    batch: {
      result: [lines('batch'), one('batchReview')],
      exitCodes: and(READS, 7, 10, 12),
      changes: 'service',
    },
  },
  shapes: {
    batch: object<BatchRow>({
      row: INTEGER,
      idempotencyKey: TEXT,
      outcome: oneOf('created', 'existing', 'unknown', 'refused', 'not-sent'),
      swap: nullable(ref('create')),
      error: nullable(ref('error')),
    }),
    batchReview: object<BatchReview & { dryRun: true }>({
      dryRun: TRUE,
      rows: INTEGER,
      toCreate: INTEGER,
      repeated: INTEGER,
      existing: INTEGER,
      lastExistingAt: TIME_OR_NULL,
      unknown: INTEGER,
      totals: listOf(
        object<BatchReview['totals'][number]>({
          side: oneOf('deposit', 'receive'),
          ...SUM,
          rows: INTEGER,
          estimated: BOOLEAN,
        }),
      ),
      largest: listOf(
        object<BatchReview['largest'][number]>({
          row: INTEGER,
          deposit: object(SUM),
          receive: object(SUM),
          address: TEXT,
          memo: TEXT_OR_NULL,
        }),
      ),
      warnings: listOf(object<BatchReview['warnings'][number]>({ row: INTEGER, warning: TEXT })),
      moreWarnings: INTEGER,
      ...PLACE,
      host: TEXT,
    }),
  },
};
