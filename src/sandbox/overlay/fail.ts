import { UsageError } from '../../errors.ts';
import { nearestWords } from '../../suggest.ts';
import { someOf } from '../../text.ts';

/** The error for a place in an overlay, such as `decisions.times`. */
export function wrong(place: string, what: string, hint?: string): UsageError {
  return new UsageError(`Overlay: ${place} ${what}.`, hint);
}

/** The error for a name that is not one of those known, with the nearest of them or all. */
export function unknownName(place: string, kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearestWords(known, name);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known are ${someOf(known)}.`;
  return wrong(place, `has no ${kind} "${name}"`, hint);
}
