import { UsageError } from '../../errors.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';
import { labelsArgument } from '../shared/labels.ts';
import { resultFormat } from './result-file.ts';
import { readMap } from './rows/columns.ts';

/** Parsed arguments of `swapctl batch`; a budget of null is the stored one, a tolerance of null the rate type's. */
export type BatchOptions = ReturnType<typeof batchOptions>;

/** Reads the flags of `swapctl batch` for a file, `-` for standard input. */
export function batchOptions(file: string, flags: Flags) {
  const { text, on, list, budget } = readFlags(flags);
  const output = text('output');
  if (output !== null) resultFormat(output);
  const [resume, repeat] = [on('resume'), on('repeat')];
  if (resume && repeat)
    throw new UsageError('--resume and --repeat cannot be combined.', 'See `swapctl batch --help`.');
  return {
    ...{ file, output, resume, repeat, yes: on('yes'), dryRun: on('dryRun'), tolerance: text('tolerance') },
    map: readMap(list('map')),
    labels: labelsArgument(flags['label']),
    budget,
  };
}
