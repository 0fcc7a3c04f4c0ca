import type { Argument, Command, Option } from 'commander';
import type { Context } from '../../context.ts';
import { EXIT_CODES } from '../../errors.ts';
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
    json: facts?.json ?? null,
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
  /** Name of its JSON in docs/command-line/output.md#json; null where it prints none of a fixed shape. */
  readonly json: string | null;
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
  coins: { json: 'coin', exitCodes: READS },
  networks: { json: 'networks', exitCodes: READS },
  quote: { json: 'quote', exitCodes: and(READS, 8) },
  create: { json: 'create', exitCodes: and(READS, 7, 8, 9, 10, 12) },
  status: { json: 'status', exitCodes: and(READS, 8, 9) },
  refund: { json: 'refund', exitCodes: and(READS, 10, 12) },
  address: { json: 'address', exitCodes: LEDGER },
  history: {
    json: 'history',
    exitCodes: LEDGER,
    values: { '--status': [...new Set([...STATUSES, ...OUTCOMES])] },
  },
  'history show': { json: 'timeline', exitCodes: and(LEDGER, 3) },
  'history support': { json: 'support', exitCodes: and(LEDGER, 3) },
  'history import': { json: 'import', exitCodes: READS },
  'history resolve': { json: 'history', exitCodes: READS },
  batch: { json: 'batch', exitCodes: and(READS, 7, 10, 12) },
  report: { json: 'report', exitCodes: LEDGER, values: { '--by': ['status', 'pair', 'day', 'profile'] } },
  reconcile: { json: 'reconcile', exitCodes: and(LEDGER, 9) },
  listen: {
    json: 'event',
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
  'events list': { json: 'event', exitCodes: LEDGER },
  'events show': { json: 'event', exitCodes: and(LEDGER, 3) },
  'events resend': { json: 'event', exitCodes: and(LEDGER, 3) },
  'policy set': { json: 'policySet', exitCodes: and(READS, 10, 12) },
  'policy show': { json: 'policy', exitCodes: LEDGER },
  'policy check': { json: 'decision', exitCodes: and(READS, 12) },
  'policy simulate': { json: 'simulation', exitCodes: READS },
  'policy stop': { json: 'stopped', exitCodes: LEDGER },
  'policy resume': { json: 'stopped', exitCodes: and(LEDGER, 12) },
  'policy suspend': { json: 'suspended', exitCodes: LEDGER },
  'policy unsuspend': { json: 'unsuspended', exitCodes: and(LEDGER, 3, 12) },
  'approvals list': { json: 'approval', exitCodes: LEDGER },
  'approvals show': { json: 'approval', exitCodes: and(LEDGER, 3) },
  'approvals grant': { json: 'approval', exitCodes: and(LEDGER, 3, 10, 12) },
  'approvals refuse': { json: 'approval', exitCodes: and(LEDGER, 3) },
  'approvals key': { json: 'approverKey', exitCodes: SETTINGS },
  'audit list': { json: 'link', exitCodes: LEDGER },
  'audit export': { json: 'exported', exitCodes: LEDGER },
  'audit verify': { json: 'verified', exitCodes: and(LEDGER, 9) },
  'auth login': {
    json: 'profile',
    exitCodes: and(READS, 10),
    values: { '--environment': ['sandbox', 'live'] },
  },
  'auth logout': { json: 'removed', exitCodes: and(LEDGER, 10) },
  'auth status': { json: 'profile', exitCodes: READS },
  'auth list': { json: 'profile', exitCodes: SETTINGS },
  'auth switch': { json: 'switched', exitCodes: and(SETTINGS, 4) },
  'config list': { json: 'setting', exitCodes: SETTINGS },
  'config get': { json: 'setting', exitCodes: SETTINGS, values: KEYS },
  'config set': { json: 'setting', exitCodes: SETTINGS, values: KEYS },
  'config unset': { json: 'setting', exitCodes: SETTINGS, values: KEYS },
  'config path': { json: 'place', exitCodes: SETTINGS },
  api: {
    json: null,
    exitCodes: and(READS, 7, 10, 12),
    values: { endpoint: ENDPOINT_NAMES, '--method': METHODS },
  },
  'sandbox start': {
    json: null,
    exitCodes: and(SETTINGS, ...SIGNALS),
    values: { '--rough': HABIT_NAMES, '--scenario': SCENARIO_NAMES },
  },
  'sandbox record': { json: 'recorded', exitCodes: and(READS, 12, ...SIGNALS) },
  'sandbox learn': { json: 'learned', exitCodes: and(SETTINGS, ...SIGNALS) },
  'sandbox deposit': { json: 'order', exitCodes: SANDBOX },
  'sandbox move': { json: 'order', exitCodes: SANDBOX, values: { verb: MOVES } },
  'sandbox trigger': {
    json: 'swap',
    exitCodes: and(READS, 7),
    values: { scenario: SCENARIO_NAMES },
  },
  'sandbox run': {
    json: 'run',
    exitCodes: and(READS, 9),
    values: { file: SCENARIO_NAMES },
  },
  'sandbox clock': { json: 'clock', exitCodes: SANDBOX },
  'sandbox clock advance': { json: 'clock', exitCodes: SANDBOX },
  'sandbox clock reset': { json: 'clock', exitCodes: SANDBOX },
  'sandbox fault add': {
    json: 'fault',
    exitCodes: SANDBOX,
    values: { endpoint: [...ENDPOINT_NAMES, 'all'] },
  },
  'sandbox fault list': { json: 'fault', exitCodes: SANDBOX },
  'sandbox fault clear': { json: 'cleared', exitCodes: SANDBOX },
  'sandbox partner add': { json: 'partner', exitCodes: SANDBOX },
  'sandbox partner list': { json: 'partner', exitCodes: SANDBOX },
  'sandbox partner remove': { json: 'dropped', exitCodes: SANDBOX },
  'sandbox logs': { json: 'request', exitCodes: SANDBOX },
  'sandbox snapshot save': { json: 'snapshot', exitCodes: SANDBOX },
  'sandbox snapshot load': { json: 'snapshot', exitCodes: SANDBOX },
  'sandbox snapshot list': { json: 'snapshot', exitCodes: SANDBOX },
  'sandbox snapshot diff': { json: 'difference', exitCodes: SANDBOX },
  'sandbox orders': { json: 'order', exitCodes: SANDBOX },
  'sandbox info': { json: 'info', exitCodes: SANDBOX },
  'sandbox reset': { json: 'reset', exitCodes: SANDBOX },
  'sandbox openapi': { json: null, exitCodes: TEXT },
  conformance: { json: 'finding', exitCodes: and(READS, 10, 12) },
  doctor: { json: 'doctor', exitCodes: and(SETTINGS, ...SIGNALS) },
  completion: { json: 'script', exitCodes: TEXT },
  version: { json: 'version', exitCodes: TEXT },
  commands: { json: 'commands', exitCodes: TEXT },
  help: { json: null, exitCodes: TEXT, values: { words: HELP_TOPICS } },
};
