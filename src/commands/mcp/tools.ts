import { UsageError } from '../../errors.ts';
import type { Profile } from '../../settings/profile.ts';
import { didYouMean } from '../../suggest.ts';
import { echoed } from '../../text.ts';
import { CREATE_TOOL, REFUND_TOOL, SANDBOX_TOOLS } from './changing-tools.ts';
import { READING_TOOLS } from './reading-tools.ts';
import type { Permission, Tool } from './tool.ts';

/** Which tools are served. */
export interface ToolChoice {
  readonly profile: Profile;
  /** What agents may change on a live profile; on a sandbox everything. */
  readonly allowed: readonly Permission[];
  /** Null is all. */
  readonly named: readonly string[] | null;
}

/** The tools of a profile, always in the same order. Throws a usage error for a name that is not among them. */
export function toolsFor({ profile, allowed, named }: ToolChoice): readonly Tool[] {
  const may = (permission: Permission) => profile.environment === 'sandbox' || allowed.includes(permission);
  const tools = [
    ...READING_TOOLS,
    ...(may('create') ? [CREATE_TOOL] : []),
    ...(may('refund') ? [REFUND_TOOL] : []),
    ...(profile.kind === 'built-in' ? SANDBOX_TOOLS : []),
  ];
  const names = tools.map(({ name }) => name);
  for (const name of named ?? [])
    if (!names.includes(name))
      throw new UsageError(
        `Profile ${profile.name} has no tool ${echoed(name)}.`,
        didYouMean(names, name, `Its tools are ${names.join(', ')}.`),
      );
  return tools.filter(({ name }) => named === null || named.includes(name));
}
