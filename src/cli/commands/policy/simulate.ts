import { rfc3339, rfc3339OrNull } from '../../../base/time.ts';
import { coinLabel } from '../../../core/swap/coin-ref.ts';
import { ruleWords, writtenRule } from '../../../core/swap/policy/written.ts';
import type { Context } from '../../context.ts';
import { type Simulation, simulationView } from '../../views/policy.ts';
import { readPolicyFile } from './read.ts';

const MAX_LISTED = 50;

/** Replays the ledger since a time in milliseconds under a policy, and shows what it would have refused, rule by rule. */
export async function simulatePolicy(
  context: Context,
  { file, since }: { readonly file: string; readonly since: number | null },
): Promise<void> {
  const policy = await readPolicyFile(context, file);
  const owner = await context.owner();
  const ledger = await context.ledger();
  const counts = { allow: 0, approve: 0, refuse: 0 };
  const byRule = new Map<string, { refuses: number; approvals: number }>();
  const refused: Simulation['refused'][number][] = [];
  // A policy that is about to be set must not refuse past swaps because it expires.
  const lasting = { ...policy, expires: null };
  for await (const { order, at, intent, verdict } of ledger.replay(owner, lasting, since ?? 0)) {
    context.signal.throwIfAborted();
    counts[verdict.decision] += 1;
    if (verdict.decision === 'allow') continue;
    for (const { index, kind } of verdict.rules) {
      const key = `${index ?? ''} ${kind}`;
      const rule = byRule.get(key) ?? { refuses: 0, approvals: 0 };
      if (verdict.decision === 'refuse') rule.refuses += 1;
      else rule.approvals += 1;
      byRule.set(key, rule);
    }
    if (verdict.decision === 'refuse' && refused.length < MAX_LISTED)
      refused.push({
        order,
        at: rfc3339(at),
        pair: `${coinLabel(intent.deposit)} to ${coinLabel(intent.receive)}`,
        amount: intent.amount,
        reasons: verdict.rules.map(({ message }) => message),
      });
  }
  const rules = policy.rules.map((rule, index) => ({
    index,
    kind: rule.kind,
    rule: writtenRule(rule),
    words: ruleWords(rule),
    ...(byRule.get(`${index} ${rule.kind}`) ?? { refuses: 0, approvals: 0 }),
  }));
  // Several allow rules refuse together.
  const none = byRule.get(' allow')?.refuses ?? 0;
  const { profile, environment } = owner;
  const { allow: allowed, approve: approvals, refuse: refuses } = counts;
  await context.streams.print(
    simulationView({
      swaps: allowed + approvals + refuses,
      ...{ allowed, approvals, refuses, notAllowed: none },
      rules,
      refused,
      since: rfc3339OrNull(since),
      ...{ profile, environment },
    }),
  );
}
