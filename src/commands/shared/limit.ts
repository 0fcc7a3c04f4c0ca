import { Option } from 'commander';
import { countArgument } from './arguments.ts';

/** Number of rows that a list shows on a terminal where `--limit` is not given. */
export const SCREEN_LIMIT = 50;

/** The `--limit` option of a list. */
export function limitOption(): Option {
  const words = `maximum number (default: ${SCREEN_LIMIT} on a terminal, all in a pipe)`;
  return new Option('-L, --limit <n>', words).argParser(countArgument);
}
