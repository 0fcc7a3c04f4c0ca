import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { and, type CommandShape, one, READS } from '../../operations/operations.ts';
import { object, TEXT, TEXT_OR_NULL, TEXTS } from '../../operations/schema.ts';
import { PLACE } from '../../operations/shapes.ts';

export const REFUND_SHAPE: CommandShape = {
  operations: {
    refund: { result: [one('refund'), one('dryRun')], exitCodes: and(READS, 7, 10, 12), changes: 'service' },
  },
  shapes: {
    refund: object<
      Pick<SwapResult, 'refundAddress' | 'profile' | 'environment' | 'doubts'> & {
        order: string;
        message: string | null;
      }
    >({ order: TEXT, refundAddress: TEXT, message: TEXT_OR_NULL, ...PLACE, doubts: TEXTS }),
  },
};
