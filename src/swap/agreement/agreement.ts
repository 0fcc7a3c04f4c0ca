import type { Swap } from '../swap.ts';
import type { Agreement, DoubtCode, Finding } from './agreed.ts';
import { amountFindings } from './amount.ts';
import { depositFindings } from './deposit.ts';
import { oddDepositAddress } from './deposit-address.ts';
import { finalFindings } from './final-state.ts';
import { payoutFindings } from './payout.ts';
import { wentBackwards } from './progress.ts';
import { isMissing, unreadableFindings } from './unreadable.ts';

/** Checks one aspect of a swap; the findings of all checks are added up. */
type Check = (agreed: Agreement, seen: Swap) => readonly Finding[] | Promise<readonly Finding[]>;

const CHECKS: readonly Check[] = [
  wentBackwards,
  (_, seen) => unreadableFindings(seen),
  depositFindings,
  payoutFindings,
  amountFindings,
  typeFindings,
  oddDepositAddress,
  finalFindings,
];

/**
 * Contradictions and gaps between a description of a swap and its agreement; empty if there are none. It depends on
 * these two only, so the create, every later status, a refund and a repeated key all use it.
 */
export async function findingsOf(agreed: Agreement, seen: Swap): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const check of CHECKS) found.push(...(await check(agreed, seen)));
  return found;
}

/** The codes of findings, each once. */
export function doubtsOf(findings: readonly Finding[]): readonly DoubtCode[] {
  return [...new Set(findings.map(({ code }) => code))];
}

function typeFindings({ terms }: Agreement, seen: Swap): readonly Finding[] {
  if (terms === null || seen.type === terms.type) return [];
  if (seen.type !== null)
    return [{ code: 'type_changed', words: `its rate is ${seen.type} instead of ${terms.type}` }];
  return isMissing(seen, 'type')
    ? [{ code: 'type_changed', words: `it does not say that its rate is ${terms.type}` }]
    : [];
}
