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
      return renderTable(
        [
          { title: 'STATE', paint: (text) => stateColour(style, text)(text) },
          { title: 'CHECK', paint: style.bold },
          { title: 'FOUND', wraps: true },
          { title: 'REMEDY', wraps: true },
        ],
        checks.map(({ name, state, detail, remedy }) => [state, name, detail, remedy ?? '']),
        style,
        width,
      );
    },
  };
}

function stateColour(style: Style, state: string): (text: Visible) => Visible {
  if (state === 'ok') return style.green;
  return state === 'warn' ? style.yellow : style.red;
}
