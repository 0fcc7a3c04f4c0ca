import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import { type Flags, labelsArgument, readFlags } from '../shared/arguments.ts';
import { requestBudget } from '../shared/stored-setting.ts';
import { resultFormat } from './result-file.ts';
import { readMap } from './rows/columns.ts';

/** Parsed arguments of `swapctl batch`; a tolerance of null is the rate type's. */
export type BatchOptions = ReturnType<typeof batchOptions>;

/** Reads the flags of `swapctl batch` for a file, `-` for standard input. */
export function batchOptions(context: Pick<Context, 'settings'>, file: string, flags: Flags) {
  const { text, on, list } = readFlags(flags);
  const output = text('output');
  if (output !== null) resultFormat(output);
  const [resume, repeat] = [on('resume'), on('repeat')];
  if (resume && repeat)
    throw new UsageError('--resume and --repeat cannot be combined.', 'See `swapctl batch --help`.');
  return {
    file,
    output,
    resume,
    repeat,
    yes: on('yes'),
    dryRun: on('dryRun'),
    tolerance: text('tolerance'),
    map: readMap(list('map')),
    labels: labelsArgument(flags['label']),
    budget: requestBudget(context, flags),
  };
}
