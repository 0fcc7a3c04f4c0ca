import type { CommandLineData, CommandSchemas } from '../../operations/command-line.ts';
import type { ErrorCodeData } from '../../operations/errors.ts';
import { type CommandShape, list, OWN_TEXT, one } from '../../operations/operations.ts';
import {
  BOOLEAN,
  INTEGER,
  listOf,
  nullable,
  OPEN,
  OUTCOME,
  object,
  oneOf,
  TEXT,
  TEXTS,
} from '../../operations/schema.ts';

export const PROGRAM_SHAPE: CommandShape = {
  operations: {
    completion: { result: [one('script')], exitCodes: OWN_TEXT },
    help: {
      result: [
        one('commands'),
        one('command'),
        one('topic'),
        list('errorCode'),
        list('statusCode'),
        list('exitCode'),
      ],
      exitCodes: OWN_TEXT,
    },
  },
  shapes: {
    script: object({ shell: oneOf('bash', 'zsh', 'fish'), script: TEXT }),
    commands: object<CommandLineData>({
      commands: listOf(OPEN),
      globalOptions: listOf(OPEN),
      exitCodes: listOf(OPEN),
      errorCodes: listOf(OPEN),
    }),
    command: object<CommandSchemas>({
      path: TEXT,
      usage: TEXT,
      description: TEXT,
      changes: oneOf('nothing', 'local', 'service'),
      input: OPEN,
      output: nullable(OPEN),
      exitCodes: listOf(INTEGER),
    }),
    errorCode: object<ErrorCodeData>({
      code: TEXT,
      exitCode: INTEGER,
      meaning: TEXT,
      retryable: nullable(BOOLEAN),
      outcomes: listOf(OUTCOME),
      fix: TEXT,
    }),
    topic: object({ topic: TEXT, lines: TEXTS }),
    statusCode: object({
      code: INTEGER,
      status: TEXT,
      final: BOOLEAN,
      needsPerson: BOOLEAN,
      meaning: TEXT,
    }),
    exitCode: object({
      code: INTEGER,
      meaning: TEXT,
      errors: TEXTS,
    }),
  },
};
