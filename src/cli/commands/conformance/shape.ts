import type { CheckResult } from '../../../conformance/check.ts';
import { and, type CommandShape, list, READS } from '../../operations/operations.ts';
import { object, oneOf, TEXT, TEXT_OR_NULL, TEXTS } from '../../operations/schema.ts';

export const CONFORMANCE_SHAPE: CommandShape = {
  operations: {
    conformance: { result: [list('finding')], exitCodes: and(READS, 10, 12), changes: 'service' },
  },
  shapes: {
    finding: object<CheckResult>({
      check: TEXT,
      endpoint: TEXT,
      basis: oneOf('document', 'assumed'),
      decision: TEXT_OR_NULL,
      result: oneOf('held', 'differs', 'skipped'),
      expected: TEXT,
      found: TEXT,
      habit: TEXT_OR_NULL,
      affects: TEXTS,
    }),
  },
};
