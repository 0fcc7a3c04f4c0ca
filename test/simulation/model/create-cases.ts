import type { CheckedSwap, SwapInput } from '../../../src/core/swaps/check.ts';
import type { CreateCase } from '../world/create-cases.ts';

/** The result of a request. */
export interface CreateOutcome {
  /** Code and message of the error; null for none. */
  readonly error: string | null;
  /** Everything that was printed. */
  readonly printed: string;
  /** The draft that reached a review; null for none. */
  readonly draft: Pick<CheckedSwap, 'request' | 'warnings'> | null;
  /** Creates that were sent for it. */
  readonly sent: number;
  /** How often the ledger was opened. */
  readonly reads: number;
}

const digits = (amount: string) => (amount.split('.')[1] ?? '').replace(/0+$/, '').length;

/** What is wrong with the result of a request; null if nothing is. */
export function createProblem(
  wanted: CreateCase,
  { error, printed, draft, sent, reads }: CreateOutcome,
): string | null {
  const { refusal, secret, memo, warning, places } = wanted;
  const { address, refundAddress } = wanted.asked;
  const words = wordsOf(wanted.asked);
  if (secret !== null && printed.includes(secret)) return `a secret is repeated for ${words}`;
  if (secret !== null && address !== secret && refundAddress !== secret && reads > 0)
    return `a secret is seen late in ${words}`;
  if (refusal !== null) {
    if (sent > 0) return `${words} is sent`;
    return error !== null && refusal.test(error) ? null : `${words} ends with ${error} and not ${refusal}`;
  }
  if (error !== null || draft === null) return `${words} is refused: ${error}`;
  const { request, warnings } = draft;
  if (memo !== undefined && request.memo !== memo) return `${words} has the memo ${request.memo}`;
  if (places !== undefined && digits(request.amount) > places) return `${words} sends ${request.amount}`;
  if (warning === null && warnings.length > 0) return `${words} has warnings: ${warnings.join(' ')}`;
  if (warning != null && !warnings.some((text) => warning.test(text))) return `${words} has no warning`;
  return null;
}

function wordsOf({ from, to, amount, address, memo, refundAddress }: SwapInput): string {
  const back = refundAddress === null ? '' : `, refunds to ${refundAddress}`;
  return `${amount} ${from.coin} for ${to.coin} to ${address}, memo ${memo}${back}`;
}
