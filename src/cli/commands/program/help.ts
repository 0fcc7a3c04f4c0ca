import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import { errorCodes } from '../../operations/errors.ts';
import type { OperationTable } from '../../operations/results.ts';
import { textView } from '../../terminal/streams.ts';
import { errorCodesView, topicView } from '../../views/help-topics.ts';
import { HELP_TOPICS } from '../shared/arguments.ts';
import { refuseRetired } from './usage-error.ts';

/** Loads what the commands do, and the shapes of their results. */
type LoadOperations = () => Promise<OperationTable>;

export function helpCommand(command: Command, context: () => Context, operations: LoadOperations): void {
  command
    .description(
      `Show help for a command or a topic: ${HELP_TOPICS.join(', ')}. With --json, print the whole command line as data: arguments, flags, examples, exit codes and the type of the JSON result; of one command, with JSON Schemas of its input and result.`,
    )
    .argument('[words...]', 'command or topic')
    .option('--errors', 'list error codes: meaning, exit code, whether to repeat, and the fix')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl help quote\n  $ swapctl help statuses\n  $ swapctl help --json | jq -r ".commands[].path"\n  $ swapctl help sandbox fault add --json\n  $ swapctl help --errors --json',
    )
    .action((words: readonly string[], { errors = false }: { readonly errors?: boolean }) => {
      if (!errors) return runHelp(context(), command.parent ?? command, words, operations);
      if (words.length === 0) return context().streams.print(errorCodesView(errorCodes()));
      throw new UsageError('--errors and the name of a command or topic cannot be combined.');
    });
}

async function runHelp(
  { streams }: Context,
  program: Command,
  words: readonly string[],
  operations: LoadOperations,
): Promise<void> {
  const topic = words.length === 1 ? HELP_TOPICS.find((each) => each === words[0]) : undefined;
  const isCommand = program.commands.some((command) => command.name() === words[0]);
  const isJson = streams.format === 'json';
  if (topic !== undefined && !(isJson && isCommand)) return streams.print(topicView(topic));
  const command = findCommand(program, words);
  if (!isJson) return command.outputHelp();
  const { describeCommand } = await import('../shared/described.ts');
  // `policy` is a topic too.
  const text = topic === undefined ? {} : (topicView(topic).json() as object);
  await streams.print(textView({ ...describeCommand(program, await operations(), words), ...text }, ''));
}

/** The command of a path; a usage error names the nearest one, or topic. */
function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  refuseRetired(words[0]);
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const names = [...found.commands.map((command) => command.name()), ...HELP_TOPICS];
      const topics = `Topics: ${HELP_TOPICS.join(', ')}. For the commands, see \`swapctl --help\`.`;
      const hint = didYouMean(names, word, topics);
      throw new UsageError(`Unknown command or topic ${echoed(words.join(' '))}.`, hint);
    }
    found = next;
  }
  return found;
}
