import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { and, type CommandShape, one, READS, WATCH } from '../../operations/operations.ts';
import { about, BOOLEAN, extending } from '../../operations/schema.ts';

export const CREATE_SHAPE: CommandShape = {
  operations: {
    create: {
      result: [one('create'), one('dryRun'), WATCH],
      exitCodes: and(READS, 7, 8, 9, 10, 12),
      changes: 'service',
    },
  },
  shapes: {
    create: extending<SwapResult, SwapResult & { replayed: boolean }>('swap', {
      replayed: about(BOOLEAN, 'whether the idempotency key returned an earlier swap'),
    }),
  },
};
