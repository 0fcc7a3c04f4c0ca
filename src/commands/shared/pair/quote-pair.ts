import type { QuoteRequest } from '../../../client/client.ts';
import { SwapctlError } from '../../../errors.ts';
import { hasMixedCase } from '../../../swap/coin-ref.ts';
import type { CoinOnNetwork, Quote } from '../../../swap/swap.ts';
import type { Quoting } from './limits.ts';
import { withBounds } from './limits.ts';
import type { CoinSource } from './pair-codes.ts';

/**
 * One quote for one request. Codes are sent in capitals. The coin list is read only for a code that was typed in both
 * cases, for a network that is an alias, and after a refusal: to correct the spelling, to fill in the only network of a
 * coin where the service wants one, or to say what is wrong. The quote holds the codes that were sent in the end. Throws
 * `network_required` where a coin has several networks.
 */
export async function quotePair(
  context: CoinSource,
  service: Quoting,
  request: QuoteRequest,
): Promise<Quote> {
  const spelled = plainPair(request) ?? (await (await listPart()).spelledPair(context, request));
  await refuseTooManyDecimals(spelled);
  try {
    return await service.client.quote(spelled);
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    if (!UNKNOWN_PAIR.has(error.code)) throw await withBounds(error, service, spelled);
    const { mendedPair } = await listPart();
    const mended = await mendedPair(context, request, error);
    if (sameCodes(spelled, mended)) throw error;
    return askWithBounds(service, mended);
  }
}

/**
 * What reads the coin list, and knows the networks by all their names. A quote that needs neither takes a twentieth less
 * without it.
 */
function listPart(): Promise<typeof import('./pair-codes.ts')> {
  return import('./pair-codes.ts');
}

/** The request with its codes in capitals; null where the coin list has to say what they mean. */
function plainPair(request: QuoteRequest): QuoteRequest | null {
  const { from, to } = request;
  if (from.network !== null || to.network !== null || hasMixedCase(from) || hasMixedCase(to)) return null;
  const capitals = ({ coin, network }: CoinOnNetwork) => ({ coin: coin.toUpperCase(), network });
  return { ...request, from: capitals(from), to: capitals(to) };
}

/** A quote for a request as it is; the error for a refused amount names the limits. */
export async function askWithBounds(service: Quoting, request: QuoteRequest): Promise<Quote> {
  try {
    return await service.client.quote(request);
  } catch (error) {
    throw error instanceof SwapctlError ? await withBounds(error, service, request) : error;
  }
}

/** No coin has fewer than two decimals, so most quotes need not load what swapctl knows of them. */
async function refuseTooManyDecimals({ amount, lastSource, from, to }: QuoteRequest): Promise<void> {
  if (!/\.[0-9]{3}/.test(amount)) return;
  const { coin, network } = lastSource === 'deposit' ? from : to;
  const { checkDecimals } = await import('../decimals.ts');
  // A coin without a network is its own chain's, or nothing is known of it.
  checkDecimals(amount, { coin, network: network ?? coin });
}

/** Codes with which a service refuses a pair that it does not know. */
const UNKNOWN_PAIR = new Set(['not_found', 'rejected', 'validation_failed']);

function sameCodes(a: QuoteRequest, b: QuoteRequest): boolean {
  const codes = ({ from, to }: QuoteRequest) => [from.coin, from.network, to.coin, to.network].join('\n');
  return codes(a) === codes(b);
}
