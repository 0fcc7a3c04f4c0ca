import type { GivenApproval } from '../ledger/policy/approvals.ts';
import type { Decision } from '../ledger/policy/judge.ts';
import { type GuardedCreate, guardedCreate } from '../ledger/policy/request.ts';
import type { Ports } from './ports.ts';

/** The policy's current decision about a create, without counting it. */
export async function decisionOn(
  ports: Ports,
  about: Omit<GuardedCreate, 'host'>,
  approval: GivenApproval,
): Promise<Decision> {
  const owner = await ports.owner();
  const guarded = guardedCreate({ ...about, host: owner.host });
  return (await ports.ledger()).gate.check(owner, guarded, approval, ports.now());
}
