import { UsageError } from '../../errors.ts';
import type { Profile } from '../../settings/profile.ts';
import { didYouMean } from '../../suggest.ts';
import { echoed } from '../../text.ts';
import { READING_TOOLS } from './reading-tools.ts';
import type { Tool } from './tool.ts';

/** Which tools are served. */
export interface ToolChoice {
  readonly profile: Profile;
  /** Null is all. */
  readonly named: readonly string[] | null;
}

/** The tools of a profile, always in the same order. Throws a usage error for an unknown name. */
export function toolsFor({ named }: ToolChoice): readonly Tool[] {
  const tools = READING_TOOLS;
  const names = tools.map(({ name }) => name);
  for (const name of named ?? [])
    if (!names.includes(name))
      throw new UsageError(
        `There is no tool ${echoed(name)}.`,
        didYouMean(names, name, `The tools are ${names.join(', ')}.`),
      );
  return tools.filter(({ name }) => named === null || named.includes(name));
}
