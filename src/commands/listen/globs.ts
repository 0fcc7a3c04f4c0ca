import { InvalidArgumentError } from 'commander';
import { CREATE_UNKNOWN, DOUBTFUL, statusType } from '../../ledger/events/event.ts';
import { listedStatuses } from '../../partner-api/statuses.ts';
import { matchesGlob } from '../../swaps/listen/deliver.ts';
import { echoed } from '../../text.ts';

/** Every type that an event may have. */
const EVENT_TYPES: readonly string[] = [
  ...new Set([...listedStatuses().map(({ status }) => statusType(status)), statusType('unknown')]),
  ...[DOUBTFUL, CREATE_UNKNOWN],
];

/** Longest pattern, in characters: no type is longer. */
const MAX_GLOB = 100;

/** Reads types of events with commas between, each perhaps with `*` for any letters: `swap.success,swap.re*`. */
export function eventTypesArgument(text: string): readonly string[] {
  const globs = text.split(',').map((part) => part.trim().toLowerCase());
  if (globs.includes(''))
    throw new InvalidArgumentError(
      'Give event types with commas between them, such as swap.success,swap.re*.',
    );
  const idle = globs.find(
    (glob) => glob.length > MAX_GLOB || !EVENT_TYPES.some((type) => matchesGlob(type, glob)),
  );
  if (idle === undefined) return globs;
  throw new InvalidArgumentError(
    `No event has the type ${echoed(idle)}. The types are ${EVENT_TYPES.join(', ')}.`,
  );
}
