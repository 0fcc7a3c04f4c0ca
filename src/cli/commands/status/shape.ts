import type { SeenSwap, SwapResult } from '../../../core/ledger/swap-result.ts';
import type { UsualNextStatus } from '../../../core/swap/polling.ts';
import { and, type CommandShape, list, one, READS, WATCH } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import type { AttentionResult } from '../../views/attention.ts';
import type { SwapDetailsExtras } from '../../views/swap.ts';

export const STATUS_SHAPE: CommandShape = {
  operations: {
    status: {
      result: [list('status'), one('statusOne'), list('attention'), WATCH],
      exitCodes: and(READS, 7, 8, 9),
    },
  },
  shapes: {
    status: is.extending<SwapResult, SeenSwap>('swap', { seenAt: is.TIME_OR_NULL }),
    statusOne: is.extending<SeenSwap, SeenSwap & Required<Pick<SwapDetailsExtras, 'next' | 'action'>>>(
      'status',
      {
        next: is.about(
          is.nullable(
            is.object<UsualNextStatus>({
              status: is.TEXT,
              seconds: is.object<UsualNextStatus['seconds']>({ median: is.NUMBER, p90: is.NUMBER }),
              secondsSoFar: is.NUMBER,
              swaps: is.INTEGER,
            }),
          ),
          'what usually happens next, from the times of earlier swaps of the pair',
        ),
        action: is.about(is.TEXT_OR_NULL, 'what a person has to do'),
      },
    ),
    attention: is.extending<SeenSwap, AttentionResult>('status', { id: is.TEXT_OR_NULL, attention: is.TEXT }),
  },
};
