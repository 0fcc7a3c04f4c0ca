import type { Context } from '../../context.ts';
import { type Decision, refuseUnlessAllowed } from '../../ledger/policy/judge.ts';
import { guardedCreate } from '../../ledger/policy/request.ts';
import type { CheckedSwap } from '../../swaps/check.ts';
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

/** What the policy says of a draft now, without counting it. */
export async function decisionOf(
  context: Context,
  { request, asked, minReceive, depositMemoNeeded, quote }: CheckedSwap,
  { labels, idempotencyKey, approval }: Pick<CreateFlags, 'labels' | 'idempotencyKey' | 'approval'>,
): Promise<Decision> {
  const owner = await context.owner();
  const intent = { ...request, asked, minReceive, depositMemoNeeded, quoted: quote.receive };
  const guarded = guardedCreate({ intent, labels, quote, hasKey: idempotencyKey !== null, host: owner.host });
  return (await context.ledger()).gate.check(owner, guarded, approval, context.now());
}
