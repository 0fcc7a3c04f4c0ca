import type { Command } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed } from '../../../base/text.ts';
import { LABEL_PREFIX, type Listing } from '../../views/columns.ts';
import { type Flags, readFlags } from './arguments.ts';

/** Declares `--columns`, `--sort` and `--reverse` of a list. */
export function listingOptions(command: Command, example: string): Command {
  return command
    .option('--columns <names>', `columns of a table, pipe or CSV, such as ${example}`)
    .option('--sort <column>', 'sort by this column; -column for descending order')
    .option('--reverse', 'reverse the order');
}

/** Reads the columns and order of a list; `names` are its columns, and `unsorted` those that it cannot be sorted by. */
export function listingArgument(
  flags: Flags,
  names: readonly string[],
  unsorted: readonly string[],
  json: boolean,
): Listing {
  const { text, on } = readFlags(flags);
  const [columns, sort] = [text('columns'), text('sort')];
  if (columns !== null && json) throw new UsageError('--columns and --json cannot be combined.');
  const descending = sort?.startsWith('-') === true;
  const column = sort === null ? null : columnNamed(descending ? sort.slice(1) : sort, names);
  if (column !== null && unsorted.includes(column))
    throw new UsageError(`Cannot sort by ${column}: it is computed for each swap that is shown.`);
  return {
    columns: columns?.split(',').map((name) => columnNamed(name.trim(), names)) ?? null,
    sort: column === null ? null : { column, descending },
    reverse: on('reverse'),
  };
}

function columnNamed(name: string, names: readonly string[]): string {
  const found = names.find((each) => each.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  // Only swaps have labels; their keys are not known beforehand.
  if (names.includes('order') && /^label\.[A-Za-z0-9_.-]{1,64}$/.test(name)) return name;
  const all = names.includes('order') ? [...names, `${LABEL_PREFIX}<key>`] : names;
  const hint = didYouMean(names, name, `Choose from ${all.join(', ')}.`);
  throw new UsageError(`Unknown column ${echoed(name)}.`, hint);
}
