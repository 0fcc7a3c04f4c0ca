import type { Context } from '../../context.ts';
import { refuseUnlessAllowed } from '../../ledger/policy/judge.ts';
import { decisionOf } from '../../swaps/decision.ts';
import { decisionView } from '../../views/policy.ts';
import { refuseSecretLabels } from '../shared/labels.ts';
import { firstDraft } from './draft.ts';
import { type CreateFlags, withOrder, withSaved } from './flags.ts';

/** Shows the decision about a create; throws the error that the create would end with. */
export async function checkPolicy(context: Context, given: CreateFlags): Promise<void> {
  await refuseSecretLabels(context, given.labels);
  const flags = withSaved(context, await withOrder(context, { ...given, dryRun: true }));
  const { draft } = await firstDraft(context, flags);
  const decision = await decisionOf(context, draft, flags);
  await context.streams.print(decisionView(decision));
  refuseUnlessAllowed(decision);
}
