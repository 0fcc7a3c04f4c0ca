import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { EXIT_CODES } from '../../errors.ts';
import { resultName } from '../../operations/results.ts';
import { ENDPOINT_NAMES } from '../../partner-api/endpoints.ts';
import { HABIT_NAMES } from '../../partner-api/habits.ts';
import { listedStatuses } from '../../partner-api/statuses.ts';
import { MOVES } from '../../sandbox/orders/order.ts';
import { SCENARIO_NAMES } from '../../sandbox/orders/scenario-ends.ts';
import { SETTING_KEYS } from '../../settings/stored-settings.ts';
import { firstSentence } from '../../text.ts';
import {
  type ArgumentData,
  type CommandData,
  type CommandLineData,
  commandLineView,
  manualPage,
  type OptionData,
} from '../../views/program/command-line.ts';
import { EXIT_MEANINGS } from '../../views/program/help-topics.ts';
import { HELP_TOPICS } from './usage-error.ts';

/** Declares `swapctl commands`. */
export function commandsCommand(command: Command, context: () => Context): void {
  command
    .description(
      'List every command. With --json, print the whole command line as data: arguments, flags, examples, exit codes and the type of the JSON result.',
    )
    .option('--man', 'print the manual page in roff')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl commands\n  $ swapctl commands --json | jq -r ".commands[].path"\n  $ swapctl commands --man | man -l -',
    )
    .action(({ man = false }: { readonly man?: boolean }) =>
      runCommands(context(), command.parent ?? command, man),
    );
}

/** Prints the command line of a program as a list or as data, or its manual page. */
export async function runCommands({ streams }: Context, program: Command, man: boolean): Promise<void> {
  const data = describeProgram(program);
  await (man ? streams.write(manualPage(data)) : streams.print(commandLineView(data)));
}

/** The command line of a program as data, made from what its commands declare and {@link FACTS}. */
export function describeProgram(program: Command): CommandLineData {
  return {
    commands: program.commands.flatMap((command) => [...describeCommands(command, '')]),
    globalOptions: visibleOptions(program).map((option) => describeOption(option, undefined)),
    exitCodes: EXIT_MEANINGS.map(([code, meaning]) => ({ code, meaning })),
    errorCodes: Object.entries(EXIT_CODES).map(([code, exitCode]) => ({ code, exitCode })),
  };
}

/** A command and its verbs, in the order of the help. */
function* describeCommands(command: Command, parent: string, group?: string): Generator<CommandData> {
  const path = `${parent} ${command.name()}`.trim();
  const own = group ?? command.helpGroup().replace(/:$/, '');
  const facts = Object.hasOwn(FACTS, path) ? FACTS[path] : undefined;
  const description = command.description().replaceAll('\n', ' ');
  yield {
    path,
    group: own,
    usage: ['swapctl', path, ...command.registeredArguments.map(usageWord)].join(' '),
    summary: command.summary() || firstSentence(description),
    description,
    runnable: facts !== undefined,
    arguments: command.registeredArguments.map((argument) => describeArgument(argument, facts)),
    options: command.options.map((option) => describeOption(option, facts)),
    examples: examplesOf(command),
    exitCodes: facts?.exitCodes ?? [0, 2],
    json: resultName(path),
  };
  for (const verb of command.commands) yield* describeCommands(verb, path, own);
}

function usageWord(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function describeArgument(argument: Argument, facts: CommandFacts | undefined): ArgumentData {
  const name = argument.name();
  return {
    name,
    description: argument.description,
    required: argument.required,
    variadic: argument.variadic,
    choices: argument.argChoices ?? facts?.values?.[name] ?? null,
  };
}

function describeOption(option: Option, facts: CommandFacts | undefined): OptionData {
  const { flags, description, defaultValue } = option;
  const long = option.long ?? flags;
  return {
    flags,
    short: option.short ?? null,
    long,
    description,
    value: /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? null,
    valueRequired: option.required,
    choices: option.argChoices ?? facts?.values?.[long] ?? null,
    // Commander makes up a default for flags such as `--no-memo`.
    default: option.negate ? null : (defaultValue ?? null),
  };
}

function visibleOptions(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** The lines below `Examples:` in the help, as the command declares it. */
function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

/** Facts about a command that its declaration does not contain. */
export interface CommandFacts {
  /** Exit codes it can end with, ascending. */
  readonly exitCodes: readonly number[];
  /** Closed lists of values by the long flag or the name of the argument, where commander does not know them. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** Commands that read only the program's own text. */
const TEXT = [0, 1, 2];
const SETTINGS = [0, 1, 2, 11];
/** Commands that can be interrupted. */
const SIGNALS = [130, 143];
/** The ledger only: 4 for an unknown profile. */
const LEDGER = [0, 1, 2, 4, 11, ...SIGNALS];
const READS = [0, 1, 2, 3, 4, 5, 6, 11, ...SIGNALS];
const SANDBOX = [0, 1, 2, 3, 11, ...SIGNALS];

const and = (codes: readonly number[], ...more: readonly number[]): readonly number[] =>
  [...new Set([...codes, ...more])].sort((a, b) => a - b);

const STATUSES = [...new Set(listedStatuses().map(({ status }) => status))];
const OUTCOMES = ['created', 'unknown', 'refused', 'not-sent', 'dismissed'];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const KEYS = { key: SETTING_KEYS };

/** Every command that can be run, by its path; a test holds the table complete. */
export const FACTS: Readonly<Record<string, CommandFacts>> = {
  coins: { exitCodes: READS },
  networks: { exitCodes: READS },
  quote: { exitCodes: and(READS, 8) },
  create: { exitCodes: and(READS, 7, 8, 9, 10, 12) },
  status: { exitCodes: and(READS, 8, 9) },
  refund: { exitCodes: and(READS, 10, 12) },
  address: { exitCodes: LEDGER },
  history: {
    exitCodes: LEDGER,
    values: { '--status': [...new Set([...STATUSES, ...OUTCOMES])] },
  },
  'history show': { exitCodes: and(LEDGER, 3) },
  'history support': { exitCodes: and(LEDGER, 3) },
  'history import': { exitCodes: READS },
  'history resolve': { exitCodes: READS },
  batch: { exitCodes: and(READS, 7, 10, 12) },
  report: { exitCodes: LEDGER, values: { '--by': ['status', 'pair', 'day', 'week', 'month', 'profile'] } },
  reconcile: { exitCodes: and(LEDGER, 9) },
  listen: {
    exitCodes: READS,
    values: {
      '--events': [
        ...STATUSES.map((status) => `swap.${status}`),
        'swap.doubtful',
        'create.unknown',
        'approval.requested',
        'approval.granted',
      ],
    },
  },
  'events list': { exitCodes: LEDGER },
  'events show': { exitCodes: and(LEDGER, 3) },
  'events resend': { exitCodes: and(LEDGER, 3) },
  'policy set': { exitCodes: and(READS, 10, 12) },
  'policy show': { exitCodes: LEDGER },
  'policy check': { exitCodes: and(READS, 12) },
  'policy simulate': { exitCodes: READS },
  'policy stop': { exitCodes: LEDGER },
  'policy resume': { exitCodes: and(LEDGER, 12) },
  'policy suspend': { exitCodes: LEDGER },
  'policy unsuspend': { exitCodes: and(LEDGER, 3, 12) },
  'approvals list': { exitCodes: LEDGER },
  'approvals show': { exitCodes: and(LEDGER, 3) },
  'approvals grant': { exitCodes: and(LEDGER, 3, 10, 12) },
  'approvals refuse': { exitCodes: and(LEDGER, 3) },
  'approvals key': { exitCodes: SETTINGS },
  'audit list': { exitCodes: LEDGER },
  'audit export': { exitCodes: LEDGER },
  'audit verify': { exitCodes: and(LEDGER, 9) },
  'auth login': {
    exitCodes: and(READS, 10),
    values: { '--environment': ['sandbox', 'live'] },
  },
  'auth logout': { exitCodes: and(LEDGER, 10) },
  'auth status': { exitCodes: READS },
  'auth list': { exitCodes: SETTINGS },
  'auth switch': { exitCodes: and(SETTINGS, 4) },
  'config list': { exitCodes: SETTINGS },
  'config get': { exitCodes: SETTINGS, values: KEYS },
  'config set': { exitCodes: SETTINGS, values: KEYS },
  'config unset': { exitCodes: SETTINGS, values: KEYS },
  'config path': { exitCodes: SETTINGS },
  api: {
    exitCodes: and(READS, 7, 10, 12),
    values: { endpoint: ENDPOINT_NAMES, '--method': METHODS },
  },
  'sandbox start': {
    exitCodes: and(SETTINGS, ...SIGNALS),
    values: { '--rough': HABIT_NAMES, '--scenario': SCENARIO_NAMES },
  },
  'sandbox record': { exitCodes: and(READS, 12, ...SIGNALS) },
  'sandbox learn': { exitCodes: and(SETTINGS, ...SIGNALS) },
  'sandbox deposit': { exitCodes: SANDBOX },
  'sandbox move': { exitCodes: SANDBOX, values: { verb: MOVES } },
  'sandbox trigger': {
    exitCodes: and(READS, 7),
    values: { scenario: SCENARIO_NAMES },
  },
  'sandbox run': {
    exitCodes: and(READS, 9),
    values: { file: SCENARIO_NAMES },
  },
  'sandbox clock': { exitCodes: SANDBOX },
  'sandbox clock advance': { exitCodes: SANDBOX },
  'sandbox clock reset': { exitCodes: SANDBOX },
  'sandbox fault add': {
    exitCodes: SANDBOX,
    values: { endpoint: [...ENDPOINT_NAMES, 'all'] },
  },
  'sandbox fault list': { exitCodes: SANDBOX },
  'sandbox fault clear': { exitCodes: SANDBOX },
  'sandbox partner add': { exitCodes: SANDBOX },
  'sandbox partner list': { exitCodes: SANDBOX },
  'sandbox partner remove': { exitCodes: SANDBOX },
  'sandbox logs': { exitCodes: SANDBOX },
  'sandbox snapshot save': { exitCodes: SANDBOX },
  'sandbox snapshot load': { exitCodes: SANDBOX },
  'sandbox snapshot list': { exitCodes: SANDBOX },
  'sandbox snapshot diff': { exitCodes: SANDBOX },
  'sandbox orders': { exitCodes: SANDBOX },
  'sandbox info': { exitCodes: SANDBOX },
  'sandbox reset': { exitCodes: SANDBOX },
  'sandbox openapi': { exitCodes: TEXT },
  conformance: { exitCodes: and(READS, 10, 12) },
  doctor: { exitCodes: and(SETTINGS, ...SIGNALS) },
  completion: { exitCodes: TEXT },
  version: { exitCodes: TEXT },
  commands: { exitCodes: TEXT },
  help: { exitCodes: TEXT, values: { words: HELP_TOPICS } },
};
