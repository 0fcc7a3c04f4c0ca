import { Command, CommanderError, Option } from 'commander';
import { addressCommand } from './commands/address.ts';
import { durationArgument } from './commands/arguments.ts';
import { authCommand } from './commands/auth.ts';
import { coinsCommand } from './commands/coins.ts';
import { conformanceCommand } from './commands/conformance.ts';
import { createCommand } from './commands/create.ts';
import { helpCommand } from './commands/help.ts';
import { historyCommand } from './commands/history.ts';
import { networksCommand } from './commands/networks.ts';
import { quoteCommand } from './commands/quote.ts';
import { refundCommand } from './commands/refund.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { statusCommand } from './commands/status.ts';
import type { Context, GlobalFlags } from './context.ts';
import { UsageError } from './errors.ts';
import { nearestWords } from './swap/nearest.ts';
import { visible } from './swap/text.ts';
import type { ProcessParts } from './wiring.ts';
import { createContext } from './wiring.ts';

/** What a run has found out by the time it fails, for `main` to word the error with. */
export interface RunSoFar {
  flags: GlobalFlags;
  context?: Context;
}

/** Declares every command; `start` gives the context of the run once the flags are known. */
export function buildProgram(start: (flags: GlobalFlags) => Context): Command {
  const program = new Command('swapctl');
  const context = () => start(globalFlags(program));
  program
    .description(
      'Instant cryptocurrency swaps from the command line.\nWithout a key pair, every command works on the built-in sandbox.',
    )
    .usage('<command> [arguments] [flags]')
    .option('--json', 'results and errors as JSON')
    .option('-p, --profile <name>', 'use this profile')
    .option('--sandbox', 'use the built-in sandbox')
    .option('--no-input', 'never ask')
    .option('-q, --quiet', 'no progress and no notices')
    .option('--debug', 'say more on standard error; never a secret')
    .addOption(new Option('--color <when>', 'colour').choices(['auto', 'always', 'never']).default('auto'))
    .option('--timeout <duration>', 'give up after this long, such as 30s or 10m', durationArgument)
    .option('-V, --version', 'print the version')
    .on('option:version', () => {
      throw new CommanderError(0, VERSION_ASKED, '');
    })
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError();
  for (const declare of [
    coinsCommand,
    networksCommand,
    quoteCommand,
    createCommand,
    statusCommand,
    refundCommand,
    addressCommand,
    historyCommand,
    authCommand,
    sandboxCommand,
    conformanceCommand,
    helpCommand,
  ]) {
    declare(program, context);
  }
  // After the commands, which would inherit that arguments too many are taken.
  program.allowExcessArguments().action(() => {
    const [unknown] = program.args;
    if (unknown !== undefined) throw unknownCommand(program, unknown);
    throw new CommanderError(0, HELP_ASKED, '');
  });
  return program;
}

const HELP_ASKED = 'swapctl.help';
const VERSION_ASKED = 'swapctl.version';

/** Parses the command line, runs its command, and lets go of everything. Throws what the command throws. */
export async function parseCommandLine(
  argv: readonly string[],
  soFar: RunSoFar,
  parts: ProcessParts,
): Promise<number> {
  const start = (flags: GlobalFlags): Context => {
    soFar.flags = flags;
    soFar.context ??= createContext(parts, flags);
    return soFar.context;
  };
  const program = buildProgram(start);
  let help = '';
  let failed = program;
  const output = { writeOut: (text: string) => (help += text), writeErr: () => undefined };
  for (const command of everyCommand(program)) {
    command.configureOutput(output).exitOverride((error) => {
      failed = command;
      throw error;
    });
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === VERSION_ASKED) help = `${await version()}\n`;
    else if (error.code === HELP_ASKED) help = program.helpInformation();
    else if (error.exitCode !== 0) throw usageError(error, failed);
  } finally {
    await soFar.context?.close();
  }
  if (help !== '') await start(globalFlags(program)).streams.write(help);
  return 0;
}

function unknownCommand(program: Command, name: string): UsageError {
  const names = program.commands.map((command) => command.name());
  const near = nearestWords(names, name);
  return new UsageError(
    `There is no command ${visible(name).slice(0, 60)}.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See `swapctl --help`.',
  );
}

/** The version in the package.json above this file, wherever the bundler has put it. */
export async function version(): Promise<string> {
  const { existsSync, readFileSync } = await import('node:fs');
  const { dirname, join } = await import('node:path');
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

function globalFlags(program: Command): GlobalFlags {
  return program.opts<GlobalFlags>();
}

function usageError(error: CommanderError, command: Command): UsageError {
  if (error.code === 'commander.help') return verbMissing(command);
  const [message = '', ...hints] = error.message.replace(/^error: /, '').split('\n');
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  const suggestion = hints.join(' ').replace(/[()]/g, '').trim();
  const path = commandPath(command);
  return new UsageError(
    /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    suggestion === '' ? `See \`${path} --help\`.` : suggestion,
  );
}

/** A command that is only a home for its verbs, called without one. */
function verbMissing(command: Command): UsageError {
  const verbs = command.commands.map((verb) => verb.name()).join(', ');
  const path = commandPath(command);
  return new UsageError(`Say what to do: ${path} goes with one of ${verbs}.`, `See \`${path} --help\`.`);
}

function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}
