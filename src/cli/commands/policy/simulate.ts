import { rfc3339OrNull } from '../../../base/time.ts';
import { simulate } from '../../../core/ledger/policy/simulate.ts';
import type { Context } from '../../context.ts';
import { simulationView } from '../../views/policy.ts';
import { readPolicyFile } from './read.ts';

/** Replays the ledger since a time in milliseconds under a policy, and shows what it would have refused, rule by rule. */
export async function simulatePolicy(
  context: Context,
  { file, since }: { readonly file: string; readonly since: number | null },
): Promise<void> {
  const policy = await readPolicyFile(context, file);
  const [owner, ledger] = [await context.owner(), await context.ledger()];
  // A policy that is about to be set must not refuse past swaps because it expires.
  const swaps = ledger.replay(owner, { ...policy, expires: null }, since ?? 0);
  const found = await simulate(policy, swaps, context.signal);
  const about = { since: rfc3339OrNull(since), profile: owner.profile, environment: owner.environment };
  await context.streams.print(simulationView({ ...found, ...about }));
}
