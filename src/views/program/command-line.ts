import type { View } from '../../terminal/streams.ts';
import { renderTable } from '../../terminal/table.ts';

/** One argument of a command. */
export interface ArgumentData {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Takes all words that are left. */
  readonly variadic: boolean;
  /** The values there are; null where they are open. */
  readonly choices: readonly string[] | null;
}

/** One flag of a command. */
export interface OptionData {
  /** As the help shows it: `-L, --limit <n>`. */
  readonly flags: string;
  readonly short: string | null;
  readonly long: string;
  readonly description: string;
  /** Name of its value; null for a flag without one. */
  readonly value: string | null;
  /** False where the flag may stand without its value, or has none. */
  readonly valueRequired: boolean;
  readonly choices: readonly string[] | null;
  readonly default: unknown;
}

/** One command, or the name of several verbs. */
export interface CommandData {
  /** Its words without the program's name: `sandbox fault add`. */
  readonly path: string;
  /** Its part of the root help. */
  readonly group: string;
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  /** False where a verb has to follow. */
  readonly runnable: boolean;
  readonly arguments: readonly ArgumentData[];
  readonly options: readonly OptionData[];
  /** Whole lines for a POSIX shell. */
  readonly examples: readonly string[];
  readonly exitCodes: readonly number[];
  /** Name of its JSON in docs/command-line.md#json. */
  readonly json: string | null;
}

/** The whole command line as data. */
export interface CommandLineData {
  readonly commands: readonly CommandData[];
  readonly globalOptions: readonly OptionData[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  readonly errorCodes: readonly { readonly code: string; readonly exitCode: number }[];
}

/** The commands as a list; all of it as JSON. */
export function commandLineView(data: CommandLineData): View {
  const rows = data.commands
    .filter(({ runnable }) => runnable)
    .map(({ usage, summary }) => [usage, summary] as const);
  return {
    json: () => data,
    rows: () => rows,
    screen: (style, width) =>
      renderTable([{ title: 'COMMAND' }, { title: 'DOES', wraps: true }], rows, style, width),
  };
}
