import type { Learned } from '../../sandbox/recording/learn/result.ts';
import type { View } from '../../terminal/streams.ts';
import { renderTable } from '../../terminal/table.ts';

/** What `sandbox learn` found. */
export interface LearnedResult {
  /** Base URL of the service. */
  readonly service: string;
  /** Calls that were read. */
  readonly calls: number;
  /** File of the overlay; null where it was not written to one. */
  readonly file: string | null;
  readonly overlay: unknown;
  readonly learned: Learned['learned'];
  readonly missing: Learned['missing'];
}

/** What was learned, and then what was not, with the call that would show it. */
export function learnedView(result: LearnedResult): View {
  const { learned, missing } = result;
  const rows = [
    ...learned.map(({ point, value }) => ['learned', point, value]),
    ...missing.map(({ point, call }) => ['not shown', point, call]),
  ];
  return {
    json: () => result,
    rows: () => rows,
    screen: async (style, width) => {
      const columns = [
        {
          title: 'RESULT',
          paint: (text: Parameters<typeof style.green>[0]) =>
            text === 'learned' ? style.green(text) : style.yellow(text),
        },
        { title: 'POINT', wraps: true },
        { title: 'VALUE, OR WHAT WOULD SHOW IT', wraps: true },
      ];
      return renderTable(columns, rows, style, width);
    },
  };
}
