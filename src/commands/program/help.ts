import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { nearestWords } from '../../suggest.ts';
import { echoed } from '../../text.ts';

/** The topics of `swapctl help`, in addition to the commands. */
export const HELP_TOPICS = ['statuses', 'environment', 'exit-codes', 'json', 'safety', 'policy'] as const;

/** Name of a help topic. */
export type HelpTopic = (typeof HELP_TOPICS)[number];

/** Declares `swapctl help`. */
export function helpCommand(command: Command, context: () => Context): void {
  command
    .description(`Show help for a command or a topic: ${HELP_TOPICS.join(', ')}.`)
    .argument('[words...]', 'command or topic')
    .addHelpText('after', '\nExamples:\n  $ swapctl help quote\n  $ swapctl help statuses')
    .action(async (words: string[]) => {
      const [first, ...rest] = words;
      const program = command.parent ?? command;
      if (first === undefined) return program.outputHelp();
      if (rest.length === 0 && isTopic(first)) return runTopic(context(), first);
      findCommand(program, words).outputHelp();
    });
}

function isTopic(word: string): word is HelpTopic {
  return (HELP_TOPICS as readonly string[]).includes(word);
}

function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const names = [...found.commands.map((command) => command.name()), ...HELP_TOPICS];
      const near = nearestWords(names, word);
      throw new UsageError(
        `Unknown command or topic ${echoed(words.join(' '))}.`,
        near.length > 0
          ? `Did you mean ${near.join(', ')}?`
          : `Topics: ${HELP_TOPICS.join(', ')}. For the commands, see \`swapctl --help\`.`,
      );
    }
    found = next;
  }
  return found;
}

/** Prints one topic. */
export async function runTopic(context: Context, topic: HelpTopic): Promise<void> {
  const { topicView } = await import('../../views/program/help-topics.ts');
  await context.streams.print(topicView(topic));
}
