import type { CommandLineData, CommandSchemas } from '../../operations/command-line.ts';
import type { ErrorCodeData } from '../../operations/errors.ts';
import { type CommandShape, list, one, TEXT_EXIT_CODES } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';

export const PROGRAM_SHAPE: CommandShape = {
  operations: {
    completion: { result: [one('script')], exitCodes: TEXT_EXIT_CODES },
    help: {
      result: [
        one('commands'),
        one('command'),
        one('topic'),
        list('errorCode'),
        list('statusCode'),
        list('exitCode'),
      ],
      exitCodes: TEXT_EXIT_CODES,
    },
  },
  shapes: {
    script: is.object({ shell: is.oneOf('bash', 'zsh', 'fish'), script: is.TEXT }),
    commands: is.object<CommandLineData>({
      commands: is.listOf(is.OPEN),
      globalOptions: is.listOf(is.OPEN),
      exitCodes: is.listOf(is.OPEN),
      errorCodes: is.listOf(is.OPEN),
    }),
    command: is.object<CommandSchemas>({
      path: is.TEXT,
      usage: is.TEXT,
      description: is.TEXT,
      changes: is.oneOf('nothing', 'local', 'service'),
      input: is.OPEN,
      output: is.nullable(is.OPEN),
      exitCodes: is.listOf(is.INTEGER),
    }),
    errorCode: is.object<ErrorCodeData>({
      code: is.TEXT,
      exitCode: is.INTEGER,
      meaning: is.TEXT,
      retryable: is.nullable(is.BOOLEAN),
      outcomes: is.listOf(is.OUTCOME),
      fix: is.TEXT,
    }),
    topic: is.object({ topic: is.TEXT, lines: is.TEXTS }),
    statusCode: is.object({
      code: is.INTEGER,
      status: is.TEXT,
      final: is.BOOLEAN,
      needsPerson: is.BOOLEAN,
      meaning: is.TEXT,
    }),
    exitCode: is.object({ code: is.INTEGER, meaning: is.TEXT, errors: is.TEXTS }),
  },
};
