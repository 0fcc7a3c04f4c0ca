import { Command, CommanderError, Help, Option } from 'commander';
import {
  type Action,
  type ErrorJson,
  EXIT_CODES,
  errorJson,
  type SwapctlError,
  UsageError,
} from '../base/errors.ts';
import { documentationFolder, programVersion } from '../base/files.ts';
import { firstSentence } from '../base/text.ts';
import { looksSecret } from '../core/swap/secret-forms.ts';
import { COMMANDS, DESCRIBES, loadOperations, namedWords } from './command-list.ts';
import { refuseRetired, unknownWord, usageError } from './commands/program/usage-error.ts';
import { durationArgument, fieldsArgument, HELP_TOPICS } from './commands/shared/arguments.ts';
import type { Context, GlobalFlags, ProcessIo } from './context.ts';
import { type ColourChoice, terminalWidth } from './terminal/environment.ts';
import { wrapHelp } from './terminal/help-text.ts';
import { writeOrThrow } from './terminal/streams.ts';

/** Flags and context of a run, as far as known when it fails; `main` uses them to print the error. */
export interface RunState {
  flags: GlobalFlags;
  context?: Context;
}

/**
 * Builds the program with every command's name and summary, and the arguments and options of those that `wanted`
 * selects, by default all. `start` creates the context once the flags are known.
 */
export async function buildProgram(
  start: (flags: GlobalFlags) => Context,
  wanted: (name: string) => boolean = () => true,
): Promise<Command> {
  const program = new Command('swapctl');
  const context = () => start(globalFlags(program));
  declareGlobals(program);
  for (const { name, group, summary, load } of COMMANDS) {
    const command = program.command(name).summary(summary).helpGroup(`${group}:`);
    if (wanted(name)) (await load())(command, context);
  }
  // Before anything is sent.
  program.hook('preAction', async (_, command) => {
    const { fields } = program.opts<GlobalFlags>();
    if (fields === undefined) return;
    const [{ checkFields }, table] = await Promise.all([import('./operations/fields.ts'), loadOperations()]);
    const path = pathOf(command);
    checkFields(table.resultSchema(path), path, fields);
  });
  program.addHelpText('after', () => rootHelp());
  // After the commands, which would inherit that excess arguments are allowed.
  program.allowExcessArguments().action(async () => {
    const [unknown] = program.args;
    if (unknown !== undefined) throw await unknownWord(program, unknown, context);
    throw new CommanderError(0, OVERVIEW_ASKED, '');
  });
  return program;
}

/** The words of a command without the program's name. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

function declareGlobals(program: Command): void {
  program
    .description('Instant cryptocurrency swaps from the command line.')
    .usage('<command> [arguments] [flags]')
    .option('--json', 'print results and errors as JSON')
    .option(
      '--fields <names>',
      'print only these keys as JSON, such as order,deposit.address',
      fieldsArgument,
    )
    .option('-p, --profile <name>', 'use this profile')
    .option('--sandbox', 'use the built-in sandbox')
    .option('--no-input', 'never ask questions')
    .option('-q, --quiet', 'hide progress and notices')
    .option('--debug', 'log every request to stderr (never secrets)')
    .addOption(new Option('--color <when>', 'when to use colour').choices(['auto', 'always', 'never']))
    .option('--no-color', 'same as --color never')
    .option('--timeout <duration>', 'stop waiting after this time, such as 30s or 10m', durationArgument)
    .option('-V, --version', 'print the version')
    .on('option:version', () => {
      throw new CommanderError(0, VERSION_ASKED, '');
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError();
  // Commands inherit this; only the program's own help lists commands by the table.
  program.configureHelp({
    formatHelp: (command, helper) => helpOf(command, helper),
    // One of the global flags.
    visibleOptions: (command) =>
      new Help().visibleOptions(command).filter(({ long }) => command.parent === null || long !== '--help'),
    minWidthToWrap: 20,
    subcommandTerm: (command) => listedTerm(command),
    subcommandDescription: (command) => command.summary() || firstSentence(command.description()),
    optionDescription: (option) => describedOption(option),
    // Where an argument has choices, its description lists them.
    argumentDescription: ({ description }) => description,
    commandUsage: (command) => inFlags(new Help().commandUsage(command)),
  });
}

/** The help of a command: its verbs before its flags, and a line in place of the global flags. */
function helpOf(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const isRoot = command.parent === null;
  const withoutFlags = Object.assign(Object.create(helper) as Help, {
    visibleOptions: () => [],
    padWidth: () => width,
    ...(isRoot ? { commandDescription: () => '' } : {}),
  });
  const flags = helper
    .visibleOptions(command)
    .map((option) =>
      helper.formatItem(helper.optionTerm(option), width, helper.optionDescription(option), helper),
    );
  const text = new Help().formatHelp(command, withoutFlags);
  return [
    // A reader of `swapctl --help` wants a command.
    isRoot ? text.replace('\n', `\n${command.description()}\n`) : text,
    ...helper.formatItemList('Flags:', flags, helper),
    ...(isRoot ? [] : ['Global flags: see swapctl --help', '']),
  ].join('\n');
}

/** What follows commands and flags in the program's help: examples, and where to read on. */
function rootHelp(): string {
  return `
Without a key pair, every command works on the built-in sandbox.

Examples:
  $ swapctl quote BTC ETH 0.1
  $ swapctl create BTC USDT:TRX 0.1 --address @treasury
  $ swapctl history --since 2026-01-01 --csv > swaps.csv
  $ swapctl listen --exec ./on-event.sh
  $ swapctl auth login -p prod --base-url https://api.example.com
  $ swapctl quote BTC ETH 0.1 --json | jq -r .receive
  $ swapctl sandbox start

Run \`swapctl help <command>\` for details, or \`swapctl help <topic>\`.
Topics: ${HELP_TOPICS.join(', ')}.
Documentation:
  ${documentationFolder()}`;
}

/** Text of an option in the help; commander's own text for its choices is longer than a line. */
function describedOption(option: Option): string {
  if (option.argChoices === undefined)
    return new Help().optionDescription(option).replace(/\(default: "(.*)"\)$/, '(default: $1)');
  return `${option.description}: ${option.argChoices.join(', ')}`;
}

function listedTerm(command: Command): string {
  const listed = COMMANDS.find(({ name }) => command.parent?.parent === null && name === command.name());
  if (listed !== undefined) return `${listed.name} ${listed.usage}`.trimEnd();
  return inFlags(new Help().subcommandTerm(command));
}

/** Commander's usage of a command, with the word that messages and documentation have for an option. */
function inFlags(usage: string): string {
  return usage.replace('[options]', '[flags]');
}

/** `swapctl` without a command. */
const OVERVIEW_ASKED = 'swapctl.overview';
const VERSION_ASKED = 'swapctl.version';
/** Commander's code for a command with verbs that was called without one, such as `swapctl sandbox`. */
const GROUP_ALONE = 'commander.help';

/** Parses the command line, runs its command, and releases everything. Throws what the command throws. */
export async function parseCommandLine(argv: readonly string[], runState: RunState, parts: ProcessIo) {
  const [named, word] = namedWords(argv);
  refuseRetired(named);
  // The help needs no context; loading the wiring would take a third of its time.
  const wiring = named === undefined ? undefined : await import('./wiring.ts');
  const start = (flags: GlobalFlags): Context => {
    if (wiring === undefined) throw new TypeError('No command was named.');
    runState.flags = flags;
    runState.context ??= wiring.createContext(parts, flags);
    return runState.context;
  };
  // A run loads the command that it names, `help` also the one that it is about, and all of them as data.
  const explained = named === 'help' ? word : undefined;
  const isAll = named === 'help' && word === undefined && runState.flags.json === true;
  const described = DESCRIBES[named ?? ''] ?? [];
  const isWanted = (name: string) => isAll || [named, explained, ...described].includes(name);
  const program = await buildProgram(start, isWanted);
  let help = '';
  let failed = program;
  const width = terminalWidth(parts.env['COLUMNS'], parts.streams.stdout.columns);
  const output = {
    writeOut: (text: string) => (help += text),
    writeErr: () => undefined,
    getOutHelpWidth: () => width,
  };
  for (const command of everyCommand(program)) {
    acceptYes(command);
    if (command !== program) acceptCombined(program, command);
    command.hook('preSubcommand', prepareVerb);
    command.configureOutput(output).exitOverride((error) => {
      failed = command;
      throw error;
    });
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === VERSION_ASKED) help = `${programVersion()}\n`;
    else if (error.code === OVERVIEW_ASKED) await showOverview(parts, globalFlags(program), runState);
    else if (error.code === GROUP_ALONE) failed.outputHelp();
    else if (error.exitCode !== 0) throw usageError(error, failed);
  } finally {
    await runState.context?.close();
  }
  if (help === '') return 0;
  await writeOrThrow(parts.streams.stdout, wrapHelp(help, width));
  return 0;
}

/** Prints the summary. It loads what no command has loaded yet. */
async function showOverview(parts: ProcessIo, flags: GlobalFlags, runState: RunState): Promise<void> {
  const [{ createContext }, overview] = await Promise.all([
    import('./wiring.ts'),
    import('./commands/program/overview.ts'),
  ]);
  runState.flags = flags;
  runState.context = createContext(parts, flags);
  await overview.showOverview(runState.context);
}

/** Maximum length of a word of the command line that a suggestion repeats, in characters. */
const MAX_REPEATED = 200;

/** Commands that only read, whatever their flags. */
const READS = new Set<string | undefined>(['coins', 'networks', 'quote', 'status', 'report', 'reconcile']);

/**
 * The error of a command line as `--json` shows it: next commands name its profile and, if it only read, changed
 * nothing and may succeed next time, include the command itself.
 */
export function finalErrorJson(error: SwapctlError, argv: readonly string[], flags: GlobalFlags): ErrorJson {
  const json = errorJson(error, flags);
  const mayBeRepeated =
    error.exitCode === EXIT_CODES.network_error &&
    error.retryable &&
    // With the same --timeout it would fail again.
    !(error.code === 'timeout' && flags.timeout !== undefined) &&
    (error.outcome === 'nothing-sent' || error.outcome === 'refused') &&
    READS.has(namedWords(argv)[0]) &&
    argv.every((word) => word.length <= MAX_REPEATED && !looksSecret(word));
  if (!mayBeRepeated) return json;
  const again: Action = { command: ['swapctl', ...argv], why: 'run the same command again; it only reads' };
  return { ...json, actions: [again, ...json.actions] };
}

/**
 * Before a command of a group is parsed: flags of the group in front of it would have no effect; and if one of its verbs
 * is named, flags are those of the verb, also where the two have the same name.
 */
function prepareVerb(group: Command, command: Command): void {
  const given = group.options.find((option) => group.getOptionValueSource(option.attributeName()) === 'cli');
  if (group.parent !== null && given !== undefined)
    throw new UsageError(`Put ${given.long} after ${command.name()}.`);
  const [, verb] = group.args;
  if (command.commands.some((each) => each.name() === verb)) Object.assign(command, { options: [] });
}

/** Lets a script pass `--yes` to a command that asks nothing. */
function acceptYes(command: Command): void {
  const isKnown = command.commands.length > 0 || command.options.some(({ long }) => long === '--yes');
  if (!isKnown) command.addOption(new Option('-y, --yes').hideHelp());
}

/** Accepts `-q` and `-p` after a flag of a command in one word, such as `-yq`, which only the command parses. */
function acceptCombined(program: Command, command: Command): void {
  for (const flags of ['-q, --quiet', '-p, --profile <name>']) {
    const option = new Option(flags).hideHelp();
    const name = option.attributeName();
    command
      .addOption(option)
      .on(`option:${name}`, (value: string | null) => program.setOptionValue(name, value ?? true));
  }
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

function globalFlags(program: Command): GlobalFlags {
  const { color, ...given } = program.opts<Omit<GlobalFlags, 'color'> & { color?: ColourChoice | false }>();
  const flags = given.fields === undefined ? given : { ...given, json: true };
  return color === undefined ? flags : { ...flags, color: color === false ? 'never' : color };
}
