import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { policyRequest } from '../../../src/core/ledger/policy/request.ts';
import { decide } from '../../../src/core/swap/policy/decide.ts';
import type { Policy } from '../../../src/core/swap/policy/policy.ts';
import { parsePolicy } from '../../../src/core/swap/policy/policy.ts';
import type { PolicyRequest } from '../../../src/core/swap/policy/rule.ts';
import { APPROVER, SECOND } from '../world/approver.ts';
import { PAYEES } from '../world/coins.ts';
import { POLICY_RULES } from '../world/policy-rules.ts';
import type { Program } from '../world/world.ts';

const [FIRST, OTHER] = PAYEES.XRP;
const XRP = { coin: 'XRP', network: 'XRP' };
const BTC = { coin: 'BTC', network: 'BTC' };

/** Requests that the rules tell apart. How often an address was paid is part of them. */
const REQUESTS: readonly (readonly [request: PolicyRequest, seen: number])[] = [
  ...[BTC, { coin: 'USDT', network: 'TRX' }, { coin: 'USDT', network: 'ETH' }].flatMap((deposit) =>
    [{}, { address: OTHER }, { memo: '1' }, { memo: '2' }].map((payout) => ({ deposit, ...payout })),
  ),
  { deposit: XRP, receive: BTC, address: PAYEES.BTC[0] },
  ...[{ amount: '0.15' }, { amount: '0.25' }, { type: 'fixed' as const }, { minReceive: '1' }],
].flatMap((more) => {
  const usual = { deposit: BTC, receive: XRP, amount: '0.05', type: 'float', address: FIRST } as const;
  const rest = {
    memo: null,
    refundAddress: null,
    minReceive: null,
    lastSource: 'deposit',
    asked: '1',
  } as const;
  const unknown = { quoted: null, leastReceive: null, depositMemoNeeded: false };
  return [{}, { team: 'a' }].flatMap((labels) =>
    [0, 1, 2].map(
      (seen) => [policyRequest({ ...usual, ...rest, ...unknown, ...more }, labels, false), seen] as const,
    ),
  );
});

/** How far each request comes under a policy with each key, and how much time an approval has. */
function reached(policy: Policy, now: number): readonly number[] {
  const counted = () => ({ count: 0, sum: '0', backAt: null });
  return REQUESTS.flatMap(([request, seen]) => {
    const counters = { counted, groups: () => [], open: 0, seen: () => seen };
    const { decision, approvals } = decide(policy, request, counters, now);
    const isGrantedBy = (key: string) => approvals.every(({ by }) => by.includes(key));
    if (decision !== 'approve') return Array<number>(3).fill(decision === 'allow' ? MORE : 0);
    const keys = [APPROVER, SECOND].map(({ publicKey }) => (isGrantedBy(publicKey) ? 1 : 0));
    return [...keys, Math.min(...approvals.map(({ within }) => within))];
  });
}

/** More than any approval has. */
const MORE = Number.POSITIVE_INFINITY;

/** A policy that is stored without the owner's key and lets more through than the one before; null for none. */
export async function loosened({ ports, process }: Program, { guards }: Ledger): Promise<string | null> {
  const now = ports.now();
  const policies = POLICY_RULES.map((rule) => {
    const verdict = parsePolicy(JSON.stringify({ version: 1, rules: [rule] }));
    if (!verdict.ok) throw new TypeError(`A policy of the world: ${JSON.stringify(verdict.problems)}`);
    return { rule, policy: verdict.policy, reaches: reached(verdict.policy, now) };
  });
  const { owner } = process.account;
  const store = async (policy: Policy, signer: typeof APPROVER | null) => {
    const { policy: stored } = await guards.read(owner);
    const before = 'value' in stored ? (stored.value?.digest ?? null) : null;
    return attempt(() => guards.set(owner, { policy, before, signer }, now));
  };
  for (const old of policies) {
    await store(old.policy, APPROVER);
    for (const next of policies) {
      if ((await store(next.policy, null)) instanceof SwapctlError) continue;
      if (next.reaches.some((reach, index) => reach > (old.reaches[index] ?? 0)))
        return `${JSON.stringify(next.rule)} replaces ${JSON.stringify(old.rule)} without the owner's key`;
      await store(old.policy, APPROVER);
    }
  }
  return null;
}
