import type { Swap } from '../swap.ts';
import type { Agreement, DoubtCode, Finding } from './agreed.ts';
import { amountFindings } from './amount.ts';
import { depositFindings } from './deposit.ts';
import { oddDepositAddress } from './deposit-address.ts';
import { payoutFindings } from './payout.ts';
import { wentBackwards } from './progress.ts';

/** Looks at one side of the matter; what a description of a swap can be doubted in is the sum of all of them. */
type Check = (agreed: Agreement, seen: Swap) => readonly Finding[] | Promise<readonly Finding[]>;

const CHECKS: readonly Check[] = [
  wentBackwards,
  depositFindings,
  payoutFindings,
  amountFindings,
  typeFindings,
  oddDepositAddress,
];

/**
 * In what a description of a swap contradicts what was agreed, or leaves it open; empty where in nothing. It depends
 * on these two alone: the create, every look after it, a refund and a repeated key all ask this.
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

function typeFindings({ terms }: Agreement, { type }: Swap): readonly Finding[] {
  if (terms === null || type === null || type === terms.type) return [];
  return [{ code: 'type_changed', words: `its rate is ${type} instead of ${terms.type}` }];
}
