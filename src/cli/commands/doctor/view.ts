import { attempt, SwapctlError } from '../../../base/errors.ts';
import type { Visible } from '../../../base/text.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { layout, renderTable } from '../../terminal/table.ts';

/** Result of a check of `swapctl doctor`. */
export interface DoctorCheck {
  /** Fixed name, for scripts. */
  readonly name: string;
  /** `warn` is worth checking but prevents nothing. */
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was found, for people. */
  readonly detail: string;
  /** How to fix it; null if nothing is wrong. */
  readonly remedy: string | null;
}

/** Whether none of the checks failed. */
export function allWell(checks: readonly DoctorCheck[]): boolean {
  return checks.every(({ state }) => state !== 'fail');
}

/** Terminals narrower than this show a remedy below the finding instead of beside it. */
const MIN_WIDTH_BESIDE = 100;

export function doctorView(checks: readonly DoctorCheck[]): View {
  return {
    json: () => ({
      checks: checks.map(({ name, state, detail, remedy }) => ({ name, state, detail, remedy })),
      ok: allWell(checks),
    }),
    rows: () => checks.map(({ name, state, detail, remedy }) => [state, name, detail, remedy]),
    screen: async (style, width) => {
      const columns = [
        { title: 'STATE', paint: (text: Visible) => stateColour(style, text)(text) },
        { title: 'CHECK', paint: style.bold },
        { title: 'FOUND', wraps: true },
      ];
      const rows = checks.map(({ name, state, detail, remedy }) => [state, name, detail, remedy ?? '']);
      const wide = [...columns, { title: 'REMEDY', wraps: true }];
      if (width >= MIN_WIDTH_BESIDE && layout(wide, rows, width) !== null)
        return renderTable(wide, rows, style, width);
      const below = checks.flatMap((check, index) => rowsOf(check, checks[index + 1]));
      const fits = layout(columns, below, width) !== null;
      return fits ? renderTable(columns, below, style, width) : renderTable(wide, rows, style, width);
    },
  };
}

/** A check with its remedy below; for several in a row with the same finding, below the last one. */
function rowsOf({ name, state, detail, remedy }: DoctorCheck, next: DoctorCheck | undefined): string[][] {
  const row = [state, name, detail];
  const isRepeated = next?.state === state && next.detail === detail && next.remedy === remedy;
  return remedy === null || isRepeated ? [row] : [row, ['', '', `→ ${remedy}`]];
}

function stateColour(style: Style, state: string): (text: Visible) => Visible {
  if (state === 'ok') return style.green;
  return state === 'warn' ? style.yellow : style.red;
}

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
