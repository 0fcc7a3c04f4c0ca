export interface ArgumentData {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Takes all remaining words. */
  readonly variadic: boolean;
  /** All possible values; null if any value is allowed. */
  readonly choices: readonly string[] | null;
}

export interface OptionData {
  /** As the help shows it: `-L, --limit <n>`. */
  readonly flags: string;
  readonly short: string | null;
  readonly long: string;
  readonly description: string;
  /** Name of its value; null for a flag without one. */
  readonly value: string | null;
  /** False if the value of the flag is optional, or it has none. */
  readonly valueRequired: boolean;
  /** Whether it may be given several times, each with a value of its own. */
  readonly repeatable: boolean;
  readonly choices: readonly string[] | null;
  readonly default: unknown;
}

/** What a command takes. */
export interface CommandInput {
  readonly arguments: readonly ArgumentData[];
  readonly options: readonly OptionData[];
}

/** One command, or the name of several verbs. */
export interface CommandData extends CommandInput {
  /** Its words without the program's name: `sandbox fault add`. */
  readonly path: string;
  /** Its part of the root help. */
  readonly group: string;
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  /** False if a verb has to follow. */
  readonly runnable: boolean;
  /** Whole lines for a POSIX shell. */
  readonly examples: readonly string[];
  readonly exitCodes: readonly number[];
  /** What it may change besides caches and the record of swaps: nothing, this machine, or the service. */
  readonly changes: 'nothing' | 'local' | 'service';
  /** Name of its JSON in docs/command-line/output.md#json. */
  readonly json: string | null;
  /** Names that `--fields` takes, each before those within it. */
  readonly fields: readonly string[];
}

export interface CommandLineData {
  readonly commands: readonly CommandData[];
  readonly globalOptions: readonly OptionData[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
  readonly errorCodes: readonly { readonly code: string; readonly exitCode: number }[];
}

/** One command with its input and output as schemas: everything that a program needs to run it. */
export interface CommandSchemas
  extends Pick<CommandData, 'path' | 'usage' | 'description' | 'changes' | 'exitCodes'> {
  /** JSON Schema of its arguments and options, by their words on the command line. */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON Schema of its result; null if it prints text, or a service's response. */
  readonly output: Readonly<Record<string, unknown>> | null;
}
