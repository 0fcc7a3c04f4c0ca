import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import type { View } from '../../terminal/streams.ts';
import { tableView } from '../columns.ts';
import { ENVIRONMENT_TERMS } from './help-topics.ts';

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

/** One command, or the name of several verbs. */
export interface CommandData {
  /** Its words without the program's name: `sandbox fault add`. */
  readonly path: string;
  /** Its part of the root help. */
  readonly group: string;
  readonly usage: string;
  readonly summary: string;
  readonly description: string;
  /** False if a verb has to follow. */
  readonly runnable: boolean;
  readonly arguments: readonly ArgumentData[];
  readonly options: readonly OptionData[];
  /** Whole lines for a POSIX shell. */
  readonly examples: readonly string[];
  readonly exitCodes: readonly number[];
  /**
   * What it may change besides caches and the ledger's record of swaps: nothing, this machine, or the service's state.
   */
  readonly changes: 'nothing' | 'local' | 'service';
  /** Name of its JSON in docs/command-line/output.md#json. */
  readonly json: string | null;
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

/** The commands as a list; with `--json` what `json` gives. */
export function commandLineView(
  commands: readonly CommandData[],
  json: () => CommandLineData | CommandSchemas,
): View {
  const runnable = commands.filter((command) => command.runnable);
  const view = tableView(runnable, ['usage', 'summary'], () => [
    { title: 'COMMAND', cell: ({ usage }) => usage },
    { title: 'DESCRIPTION', wraps: true, cell: ({ summary }) => summary },
  ]);
  return { ...view, json };
}

export function errorCodesView(
  codes: readonly {
    readonly code: string;
    readonly exitCode: number;
    readonly meaning: string;
    readonly fix: string;
  }[],
): View {
  return tableView(codes, ['code', 'exitCode', 'meaning', 'fix'], () => [
    { title: 'ERROR', cell: ({ code }) => code },
    { title: 'EXIT', cell: ({ exitCode }) => String(exitCode) },
    { title: 'MEANING', wraps: true, cell: ({ meaning }) => meaning },
    { title: 'FIX', wraps: true, cell: ({ fix }) => fix },
  ]);
}

/** Manual page readers warn if there is no date. */
const FIRST_WRITTEN = '2026-11-22';

/** The manual page of the program as roff with the macros of man(7), in ASCII alone. */
export function manualPage(data: CommandLineData): Visible {
  const lines = [
    // Without a version, so that the page changes only when the command line does.
    `.TH SWAPCTL 1 ${FIRST_WRITTEN} swapctl "User Commands"`,
    ...section('NAME', ['swapctl \\- instant cryptocurrency swaps from the command line']),
    ...section('SYNOPSIS', [`${bold('swapctl')} ${roff('<command> [arguments] [flags]')}`]),
    ...section('DESCRIPTION', [
      roff('Quotes, creates, watches and refunds swaps at an instant swap service. The whole service is'),
      roff('built in as a sandbox; without a key pair, every command works on that.'),
      '.PP',
      roff('Standard output carries only the result: tables on a terminal, tab-separated lines'),
      roff('in a pipe, JSON with --json.'),
    ]),
    ...section('GLOBAL OPTIONS', data.globalOptions.flatMap(optionLines)),
    ...section('COMMANDS', groupsOf(data.commands).flatMap(groupLines)),
    ...section(
      'EXIT STATUS',
      data.exitCodes.flatMap(({ code, meaning }) => term(String(code), meaning)),
    ),
    ...section(
      'ENVIRONMENT',
      Object.entries(ENVIRONMENT_TERMS).flatMap(([name, meaning]) => term(name, meaning)),
    ),
    ...section('FILES', [
      ...term('$XDG_CONFIG_HOME/swapctl/config.json', 'profiles and settings'),
      ...term('$XDG_STATE_HOME/swapctl/ledger.db', 'the ledger'),
      ...term('$XDG_STATE_HOME/swapctl/sandbox.db', 'the built-in service'),
      ...term('$XDG_CACHE_HOME/swapctl/', 'coin lists'),
    ]),
  ];
  return joined(lines.map((line) => shown`${visible(line)}\n`));
}

function section(name: string, lines: readonly string[]): readonly string[] {
  return [`.SH ${name.includes(' ') ? `"${name}"` : name}`, ...lines];
}

function groupsOf(commands: readonly CommandData[]): readonly (readonly CommandData[])[] {
  const groups = new Map<string, CommandData[]>();
  for (const command of commands.filter(({ runnable }) => runnable))
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups.values()];
}

function groupLines(commands: readonly CommandData[]): readonly string[] {
  return [`.SS "${roff(commands[0]?.group ?? '')}"`, ...commands.flatMap(commandLines)];
}

function commandLines({ usage, description, options, examples }: CommandData): readonly string[] {
  return [
    '.TP',
    bold(usage),
    ...description.split('\n').flatMap((line, index) => (index === 0 ? [roff(line)] : ['.br', roff(line)])),
    ...indented(options.flatMap(optionLines)),
    ...(examples.length === 0 ? [] : indented(['.PP', '.EX', ...examples.map(roff), '.EE'])),
  ];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['.RS', ...lines, '.RE'];
}

function optionLines({ flags, description, choices, default: usual }: OptionData): readonly string[] {
  const among = choices === null ? '' : `: ${choices.join(', ')}`;
  const otherwise = usual === null || /default/.test(description) ? '' : ` (default: ${String(usual)})`;
  return term(flags, `${description}${among}${otherwise}`);
}

function term(name: string, meaning: string): readonly string[] {
  return ['.TP', bold(name), roff(meaning)];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Characters that roff interprets, or that a terminal may lack. */
const WRITTEN: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '…': '...',
  '→': '\\->',
  '·': '\\-',
};

/** A text for a line of roff: no control line, no escape. */
function roff(text: string): string {
  const escaped = text.replace(
    /[\\\-'`^~]|[^\x20-\x7e]/gu,
    (character) => WRITTEN[character] ?? `\\[u${hex(character)}]`,
  );
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
