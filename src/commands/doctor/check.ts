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

/** A check that could not be made. */
export function notChecked(name: string, why: string, remedy = 'Mend what failed first.'): DoctorCheck {
  return warn(name, `not checked: ${why}`, remedy);
}

/** The checks of one run. Each cause is told by one of them; what fails for the same one only says where it is told. */
export class Checks {
  readonly #causes: { readonly toldBy: string; readonly isBehind: (error: SwapctlError) => boolean }[] = [];

  /** Makes a check; an error of ours is its result, so that no check keeps the next one from being made. */
  async guarded(name: string, check: () => DoctorCheck | Promise<DoctorCheck>): Promise<DoctorCheck> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof SwapctlError && error.code !== 'interrupted') return this.failed(name, error);
      throw error;
    }
  }

  /** A check for an error: a failure, unless another check has told its cause. */
  failed(name: string, error: SwapctlError): DoctorCheck {
    const cause = this.#causes.find(({ isBehind }) => isBehind(error));
    if (cause !== undefined) return notChecked(name, `see ${cause.toldBy}`);
    this.tell(name, [error]);
    return failed(name, error);
  }

  /** Notes errors that a check has told; the same error again is the same cause. */
  tell(name: string, errors: readonly SwapctlError[]): void {
    this.tellCause(name, (error) =>
      errors.some(({ code, message }) => code === error.code && message === error.message),
    );
  }

  /** Notes a cause that a check has told, and which errors come from it. */
  tellCause(toldBy: string, isBehind: (error: SwapctlError) => boolean): void {
    this.#causes.push({ toldBy, isBehind });
  }
}
