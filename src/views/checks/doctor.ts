import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import type { Visible } from '../../text.ts';

/** Result of a check of `swapctl doctor`; `warn` is worth a look and keeps nothing from working. */
export type CheckState = 'ok' | 'warn' | 'fail';

/** One check of `swapctl doctor`. */
export interface DoctorCheck {
  /** Fixed name, for scripts. */
  readonly name: string;
  readonly state: CheckState;
  /** What was found, for people. */
  readonly detail: string;
  /** What mends it; null where nothing needs mending. */
  readonly remedy: string | null;
}

/** Whether none of the checks failed. */
export function allWell(checks: readonly DoctorCheck[]): boolean {
  return checks.every(({ state }) => state !== 'fail');
}

/** Terminals narrower than this have no room for a remedy beside what was found: it stands below. */
const MIN_WIDTH_BESIDE = 100;

/** All checks, a line each. */
export function doctorView(checks: readonly DoctorCheck[]): View {
  return {
    json: () => ({
      checks: checks.map(({ name, state, detail, remedy }) => ({ name, state, detail, remedy })),
      ok: allWell(checks),
    }),
    rows: () => checks.map(({ name, state, detail, remedy }) => [state, name, detail, remedy]),
    screen: async (style, width) => {
      const { renderTable } = await import('../../terminal/table.ts');
      const columns = [
        { title: 'STATE', paint: (text: Visible) => stateColour(style, text)(text) },
        { title: 'CHECK', paint: style.bold },
        { title: 'FOUND', wraps: true },
      ];
      if (width < MIN_WIDTH_BESIDE) return renderTable(columns, checks.flatMap(rowsOf), style, width);
      const rows = checks.map(({ name, state, detail, remedy }) => [state, name, detail, remedy ?? '']);
      return renderTable([...columns, { title: 'REMEDY', wraps: true }], rows, style, width);
    },
  };
}

/** A check, and below what was found what mends it. */
function rowsOf({ name, state, detail, remedy }: DoctorCheck): string[][] {
  const row = [state, name, detail];
  return remedy === null ? [row] : [row, ['', '', `→ ${remedy}`]];
}

function stateColour(style: Style, state: string): (text: Visible) => Visible {
  if (state === 'ok') return style.green;
  return state === 'warn' ? style.yellow : style.red;
}
