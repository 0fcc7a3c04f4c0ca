import { and, type CommandShape, one, SETTINGS, SIGNALS } from '../../operations/operations.ts';
import { BOOLEAN, object, objects, oneOf, TEXT, TEXT_OR_NULL } from '../../operations/schema.ts';
import type { DoctorCheck } from './view.ts';

export const DOCTOR_SHAPE: CommandShape = {
  operations: { doctor: { result: [one('doctor')], exitCodes: and(SETTINGS, ...SIGNALS) } },
  shapes: {
    doctor: object({
      checks: objects<DoctorCheck>({
        name: TEXT,
        state: oneOf('ok', 'warn', 'fail'),
        detail: TEXT,
        remedy: TEXT_OR_NULL,
      }),
      ok: BOOLEAN,
    }),
  },
};
