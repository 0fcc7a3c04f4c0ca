import type { SeenSwap, SwapResult } from '../../../core/ledger/swap-result.ts';
import type { UsualNext } from '../../../core/swap/polling.ts';
import { and, type CommandShape, list, one, READS, WATCH } from '../../operations/operations.ts';
import {
  about,
  extending,
  INTEGER,
  NUMBER,
  nullable,
  object,
  TEXT,
  TEXT_OR_NULL,
  TIME_OR_NULL,
} from '../../operations/schema.ts';
import type { AttentionResult } from '../../views/attention.ts';
import type { SheetNotes } from '../../views/swap.ts';

export const STATUS_SHAPE: CommandShape = {
  operations: {
    status: {
      result: [list('status'), one('statusOne'), list('attention'), WATCH],
      exitCodes: and(READS, 8, 9),
    },
  },
  shapes: {
    status: extending<SwapResult, SeenSwap>('swap', { seenAt: TIME_OR_NULL }),
    statusOne: extending<SeenSwap, SeenSwap & Required<Pick<SheetNotes, 'next' | 'action'>>>('status', {
      next: about(
        nullable(
          object<UsualNext>({
            status: TEXT,
            seconds: object<UsualNext['seconds']>({ median: NUMBER, p90: NUMBER }),
            secondsSoFar: NUMBER,
            swaps: INTEGER,
          }),
        ),
        'what usually happens next, from the times of earlier swaps of the pair',
      ),
      action: about(TEXT_OR_NULL, 'what a person has to do'),
    }),
    attention: extending<SeenSwap, AttentionResult>('status', { id: TEXT_OR_NULL, attention: TEXT }),
  },
};
