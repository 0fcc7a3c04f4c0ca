import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import { topicView } from '../../views/program/help-topics.ts';
import { HELP_TOPICS } from '../shared/arguments.ts';

export function helpCommand(command: Command, context: () => Context): void {
  command
    .description(`Show help for a command or a topic: ${HELP_TOPICS.join(', ')}.`)
    .argument('[words...]', 'command or topic')
    .addHelpText('after', '\nExamples:\n  $ swapctl help quote\n  $ swapctl help statuses')
    .action(async (words: string[]) => {
      const [first, ...rest] = words;
      const program = command.parent ?? command;
      if (first === undefined) return program.outputHelp();
      if (rest.length === 0 && isTopic(first)) return context().streams.print(topicView(first));
      findCommand(program, words).outputHelp();
    });
}

function isTopic(word: string): word is (typeof HELP_TOPICS)[number] {
  return (HELP_TOPICS as readonly string[]).includes(word);
}

/** The command of a path; a usage error names the nearest one, or topic. */
export function findCommand(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const names = [...found.commands.map((command) => command.name()), ...HELP_TOPICS];
      throw new UsageError(
        `Unknown command or topic ${echoed(words.join(' '))}.`,
        didYouMean(
          names,
          word,
          `Topics: ${HELP_TOPICS.join(', ')}. For the commands, see \`swapctl --help\`.`,
        ),
      );
    }
    found = next;
  }
  return found;
}
