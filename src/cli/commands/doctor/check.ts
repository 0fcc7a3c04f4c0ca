import { attempt, SwapctlError } from '../../../base/errors.ts';
import type { DoctorCheck } from './view.ts';

export function ok(name: string, detail: string): DoctorCheck {
  return { name, state: 'ok', detail, remedy: null };
}

/** A check that found something to review, or that could not run. */
export function warn(name: string, detail: string, remedy: string | null): DoctorCheck {
  return { name, state: 'warn', detail, remedy };
}

/** A check that found something that keeps swapctl from working. */
export function fail(name: string, detail: string, remedy: string): DoctorCheck {
  return { name, state: 'fail', detail, remedy };
}

/** A check for an error, with its hint as the remedy. */
export function failed(name: string, { message, hint }: SwapctlError): DoctorCheck {
  return fail(name, message, hint ?? 'Fix the problem, then run `swapctl doctor` again.');
}

/** A check that could not run. */
export function notChecked(name: string, why: string, remedy = 'Fix the failed checks first.'): DoctorCheck {
  return warn(name, `not checked: ${why}`, remedy);
}

/** The checks of one run. Each cause is reported once; other checks that fail for it refer to that one. */
export class Checks {
  readonly #causes: { readonly reportedBy: string; readonly causes: (error: SwapctlError) => boolean }[] = [];

  /** Runs a check; a SwapctlError becomes its result, so that the next check still runs. */
  async guarded(name: string, check: () => DoctorCheck | Promise<DoctorCheck>): Promise<DoctorCheck> {
    const found = await attempt(check);
    return found instanceof SwapctlError ? this.failed(name, found) : found;
  }

  /** A check for an error: a failure, unless another check has reported its cause. */
  failed(name: string, error: SwapctlError): DoctorCheck {
    const cause = this.#causes.find(({ causes }) => causes(error));
    if (cause !== undefined) return notChecked(name, `see ${cause.reportedBy}`);
    this.report(name, [error]);
    return failed(name, error);
  }

  /** Notes errors that a check has reported; the same error again has the same cause. */
  report(name: string, errors: readonly SwapctlError[]): void {
    this.reportCause(name, (error) =>
      errors.some(({ code, message }) => code === error.code && message === error.message),
    );
  }

  /** Notes a cause that a check has reported, and which errors it causes. */
  reportCause(reportedBy: string, causes: (error: SwapctlError) => boolean): void {
    this.#causes.push({ reportedBy, causes });
  }
}
