import { existsSync } from 'node:fs';
import type { Command, CommanderError } from 'commander';
import { attempt, fullSentence, restated, UsageError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { didYouMean, nearestWords } from '../../../base/suggest.ts';
import { echoed, isSecretName, visible } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import { joinedPairError, wordyPairError } from '../shared/arguments.ts';
import synonyms from './synonyms.json';

/** Former names of commands, with what replaced them. */
const RETIRED: Readonly<Record<string, string>> = {
  approvals: 'policy approvals',
  audit: 'policy audit',
  health: 'report health',
  commands: 'help --json',
  version: '-V',
};

/** Throws the error that names the successor of a command's former name. */
export function refuseRetired(name: string | undefined): void {
  if (name !== undefined && Object.hasOwn(RETIRED, name))
    throw new UsageError(`\`swapctl ${name}\` is now \`swapctl ${RETIRED[name]}\`.`);
}

/** The error for an unknown command, with the likely intended one. */
function unknownCommand(program: Command, name: string): UsageError {
  const names = program.commands.map((command) => command.name());
  const word = name.toLowerCase();
  // Common names of commands in other programs.
  const same = Object.entries(synonyms).find(([other]) => other === word)?.[1];
  const near = same === undefined ? nearestWords(names, name) : [same];
  return new UsageError(
    `Unknown command ${echoed(name)}.`,
    near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See `swapctl --help`.',
  );
}

/** {@link unknownCommand}, or the command that shows the swap of this word in the ledger. Sends and creates nothing. */
export async function unknownWord(program: Command, word: string, context: () => Context) {
  const error = unknownCommand(program, word);
  const known = await attempt(() => isKnown(context(), word));
  if (known !== true) return error;
  const command = ['swapctl', 'status', word] as const;
  return restated(error, `Unknown command ${visible(word)}.`, {
    hint: `Did you mean \`swapctl status ${shellQuote(word)}\`?`,
    actions: [{ command, why: 'see the swap that the ledger has' }],
  });
}

async function isKnown(context: Context, word: string): Promise<boolean> {
  const { ledgerLocation, paths } = context.settings;
  if (ledgerLocation === paths.ledgerFile && !existsSync(ledgerLocation)) return false;
  const { isInLedger } = await import('../../../core/swaps/named-swap.ts');
  return isInLedger(context, word);
}

/** Commander's error about a command line, reworded and without the typed values. */
export function usageError(error: CommanderError, command: Command): UsageError {
  const raw = withoutValues(error, command).replace(/^error: /, '');
  // A value may contain line breaks; only commander's suggestion is on a separate line.
  const [, message = '', near = ''] = /^(.*?)(?:\n\((Did you mean [^\n]*)\))?$/s.exec(raw) ?? [];
  const secret = error.code === UNKNOWN_OPTION && isSecretName(/'-*([^']*)'/.exec(message)?.[1] ?? '');
  const nested = error.code === UNKNOWN_COMMAND ? verbsNamed(command, command.args[0]) : [];
  const suggestion = secret
    ? NO_SECRET_FLAG
    : nested.length > 0
      ? `Did you mean ${nested.join(', ')}?`
      : near.replace(/[()]/g, '').trim();
  const reworded = REWORDED.reduce((text, [from, to]) => text.replace(from, to), message);
  const sentence = fullSentence(reworded.charAt(0).toUpperCase() + reworded.slice(1));
  const path = commandPath(command);
  const isPair = command.registeredArguments[0]?.name() === 'from';
  const verbs = command.commands.map((verb) => verb.name());
  const [word = ''] = command.args;
  if (error.code === EXCESS_ARGUMENTS && verbs.length > 0)
    return new UsageError(
      `Unknown command ${echoed(word)}.`,
      didYouMean(verbs, word, `See \`${path} --help\`.`),
    );
  const joined = isPair && error.code === MISSING_ARGUMENT ? joinedPairError(path, command.args) : null;
  const wordy = isPair && error.code === EXCESS_ARGUMENTS ? wordyPairError(path, command.args) : null;
  const hint = suggestion === '' ? `See \`${path} --help\`.` : suggestion;
  return joined ?? wordy ?? new UsageError(sentence, hint);
}

/** Commander's wording, and what swapctl's messages say instead. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. /s, 'invalid value $2 for $1. '],
  [/^command-argument value '(.*)' is invalid for argument '(.*)'\. /s, 'invalid value $1 for <$2>. '],
  [/^invalid value (\s*) for /, 'invalid value "$1" for '],
  [/Allowed choices are /, 'Choose one of '],
  [/^option '(.*)' argument missing$/, '$1 needs a value'],
  [/^option '(.*)' takes no value$/, '$1 takes no value'],
  [/^required option '(.*)' not specified$/, 'missing $1'],
  [/^missing required argument '(.*)'$/, 'missing argument <$1>'],
  [/^unknown option '(.*)'$/, 'unknown flag $1'],
  [/^unknown command '(.*)'$/s, 'unknown command $1'],
  [
    /^too many arguments for '.*'\. Expected (\d+) arguments? but got (\d+)\.$/,
    'too many arguments: expected $1, got $2',
  ],
];

const UNKNOWN_COMMAND = 'commander.unknownCommand';
const UNKNOWN_OPTION = 'commander.unknownOption';
const MISSING_ARGUMENT = 'commander.missingArgument';
const EXCESS_ARGUMENTS = 'commander.excessArguments';
const INVALID_ARGUMENT = 'commander.invalidArgument';
const TYPED_VALUE = /^(error: (?:option '[^']*' argument|command-argument value) ')(.*)(' is invalid)/s;
const NO_SECRET_FLAG =
  'No flag takes a secret, because other users can see command lines and your shell may have saved this one. Run `swapctl auth login`, or set SWAPCTL_SECRET or SWAPCTL_SECRET_FILE.';

/** Commander's message of an error, with the value that was typed as {@link echoed} repeats it. An unknown flag is named without its value. */
function withoutValues({ code, message }: CommanderError, command: Command): string {
  if (code === INVALID_ARGUMENT)
    return message.replace(TYPED_VALUE, (_, before, typed, after) => `${before}${echoed(typed)}${after}`);
  if (code === UNKNOWN_COMMAND) return message.replace(/'(.*)'/s, (_, typed: string) => `'${echoed(typed)}'`);
  if (code !== UNKNOWN_OPTION) return message;
  const flag = /'(--[A-Za-z0-9-]{1,40}|-[A-Za-z0-9])/.exec(message)?.[1];
  if (flag === undefined) return 'unknown flag';
  if (isFlagOf(command, flag)) return `option '${flag}' takes no value`;
  return `unknown option '${flag}'${/\n\(Did you mean [^)]*\)$/.exec(message)?.[0] ?? ''}`;
}

function isFlagOf(command: Command, flag: string): boolean {
  if (command.options.some(({ long }) => long === flag)) return true;
  return command.parent !== null && isFlagOf(command.parent, flag);
}

/** The verbs of a name below the verbs of a command, such as `snapshot save` for `save`. */
function verbsNamed(command: Command, name: string | undefined): readonly string[] {
  return command.commands.flatMap((group) =>
    group.commands.filter((verb) => verb.name() === name).map((verb) => `${group.name()} ${verb.name()}`),
  );
}

function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}
