import { SwapctlError } from '../../errors.ts';
import type { DoctorCheck } from '../../views/checks/doctor.ts';

/** A check that found all well. */
export function ok(name: string, detail: string): DoctorCheck {
  return { name, state: 'ok', detail, remedy: null };
}

/** A check that found something worth a look, or could not be made. */
export function warn(name: string, detail: string, remedy: string | null): DoctorCheck {
  return { name, state: 'warn', detail, remedy };
}

/** A check that found what keeps swapctl from working. */
export function fail(name: string, detail: string, remedy: string): DoctorCheck {
  return { name, state: 'fail', detail, remedy };
}

/** A check for an error, with its hint as the remedy. */
export function failed(name: string, { message, hint }: SwapctlError): DoctorCheck {
  return fail(name, message, hint ?? 'Mend what the message names, then run `swapctl doctor` again.');
}

/** Makes a check; an error of ours is its result, so that no check keeps the next one from being made. */
export async function guarded(
  name: string,
  check: () => DoctorCheck | Promise<DoctorCheck>,
): Promise<DoctorCheck> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof SwapctlError && error.code !== 'interrupted') return failed(name, error);
    throw error;
  }
}
