import { Buffer } from 'node:buffer';
import { createBody, type QuoteRequest, quoteQuery } from '../core/client/client.ts';
import type { ApiRequest } from '../core/client/transport.ts';
import { decimalAt, textAt, writeJson } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import { TYPE_SWAP } from '../core/partner-api/statuses.ts';
import { toEip55 } from '../core/swap/addresses/families/evm.ts';
import {
  type Decimal,
  fromSmallestUnit,
  isZero,
  significantPlaces,
  toSmallestUnit,
} from '../core/swap/amount.ts';
import type { Asset, Side } from '../core/swap/swap.ts';
import { choosePair, type TestPair } from './listing.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';

/** Addresses that are valid in form (EIP-55) and spell SANDBOX, with no key behind them. */
export const ADDRESSES = {
  payout: marked('SANDBOXswapctlpayout'),
  refund: marked('SANDBOXswapctlrefund'),
  otherRefund: marked('SANDBOXswapctlreturn'),
} as const;

/** An address of XRP (its account spells the same word) for the one check that needs a network with memos. */
export const KEYLESS_XRP = 'r3bDKSjpWBciwdJWe4ULWMztC2SZru3g2k';

/** An order number that no service assigns. */
export const NO_ORDER = 'SWAPCTLCONFORMANCE';

/** A payout address that no network has. */
export const NO_ADDRESS = 'not-an-address';

/** An order without its amount: complete, so that no other refusal comes first, but for an address that is invalid. */
export const INVALID_ORDER = {
  depositCoin: 'ETH',
  depositNetwork: 'ETH',
  receiveAddress: NO_ADDRESS,
  receiveCoin: 'USDT',
  receiveNetwork: 'ETH',
  typeSwap: TYPE_SWAP.float,
  lastSource: 'deposit',
} as const;

/** A coin and a network that no service has. */
export const NO_COIN = 'SWAPCTLNOCOIN';
export const NO_NETWORK = 'SWAPCTLNONETWORK';

const FIRST_AMOUNT = '1';
const MAX_TRIES = 6;

function marked(twentyLetters: string): string {
  return toEip55(Buffer.from(twentyLetters, 'latin1').toString('hex'));
}

/** A request for a quote, of the amount to deposit at a floating rate unless `change` says otherwise. */
export function quoteRequest(
  { from, to }: Pick<QuoteRequest, 'from' | 'to'>,
  amount: Decimal,
  change: Partial<QuoteRequest> = {},
): ApiRequest {
  const query = quoteQuery({ from, to, amount, lastSource: 'deposit', type: 'float', ...change });
  return { endpoint: 'exchange-coin', query };
}

/** The first quote of the test pair that is within its bounds, or the last try. */
export async function firstQuote(probe: Probe): Promise<{ pair: TestPair; amount: Decimal; reply: Reply }> {
  const pair = await choosePair(probe);
  let amount: Decimal = FIRST_AMOUNT;
  for (let tries = 1; ; tries += 1) {
    const reply = await probe.ask(quoteRequest(pair, amount));
    const next = tries < MAX_TRIES ? nextAmount(amount, reply) : undefined;
    if (next === undefined) return { pair, amount, reply };
    amount = next;
  }
}

/** The next amount to try: up by a hundred or down by ten, so that close bounds are not skipped twice. */
function nextAmount(amount: Decimal, reply: Reply): Decimal | undefined {
  const message = textAt(reply.body, 'message')?.replaceAll('exchange', 'swap');
  if (message === MESSAGES.BELOW_MINIMUM) return times(amount, 2);
  return message === MESSAGES.ABOVE_MAXIMUM ? times(amount, -1) : undefined;
}

function times(amount: Decimal, exponent: number): Decimal {
  const places = significantPlaces(amount);
  const units = toSmallestUnit(amount, places);
  return exponent < 0
    ? fromSmallestUnit(units, places - exponent)
    : fromSmallestUnit(units * 10n ** BigInt(exponent), places);
}

/** The figures of a quote, by their names in the answer; throws {@link NotTestable} for a missing one. */
export type Figures = (name: 'amount' | 'exchangeRate' | 'receive' | 'minAmount' | 'maxAmount') => Decimal;

/** The figures of an answer of exchange-coin. */
export function figuresOf({ json, words, ok }: Reply): Figures {
  return (name) => {
    if (!ok || json === undefined) throw new NotTestable(`no quote: ${words}`);
    const value = decimalAt(json, name);
    if (value === undefined) throw new NotTestable(`the quote has no ${name}`);
    return value;
  };
}

/** The test pair with the figures of its first quote. */
export async function quoted(probe: Probe): Promise<{ pair: TestPair; asked: Decimal; figures: Figures }> {
  const { pair, amount, reply } = await firstQuote(probe);
  return { pair, asked: amount, figures: figuresOf(reply) };
}

/** An amount that is below the minimum, or above the maximum. */
export function outsideBounds(figures: Figures, which: 'below' | 'above'): Decimal {
  const bound = figures(which === 'above' ? 'maxAmount' : 'minAmount');
  if (isZero(bound))
    throw new NotTestable(which === 'above' ? 'no maximum amount is stated' : 'the minimum is zero');
  return times(bound, which === 'above' ? 1 : -1);
}

/** Changes to the test order, to see their effect. */
export interface OrderChange {
  readonly amount?: Decimal;
  readonly address?: string;
  readonly deposit?: Partial<Asset>;
  readonly receive?: Asset;
  readonly lastSource?: Side;
}

/** A request of create-transaction for the pair's minimum, paid out to an address without a key. */
export async function orderRequest(probe: Probe, change: OrderChange = {}): Promise<ApiRequest> {
  const { pair, figures } = await quoted(probe);
  if (!pair.orderable) throw new NotTestable('no two coins on networks of the Ethereum family');
  const body = createBody({
    deposit: { ...pair.from, ...change.deposit },
    receive: change.receive ?? pair.to,
    amount: change.amount ?? figures('minAmount'),
    lastSource: change.lastSource ?? 'deposit',
    type: 'float',
    address: change.address ?? ADDRESSES.payout,
    memo: null,
    refundAddress: ADDRESSES.refund,
  });
  return { endpoint: 'create-transaction', body: writeJson(body) };
}

/** The test order and the answer that created it, the same for all checks. Throws NotTestable if it was refused. */
export async function madeOrder(probe: Probe): Promise<{ reply: Reply; order: string }> {
  const reply = await probe.ask(await orderRequest(probe));
  const order = textAt(reply.body, 'orderNumber');
  if (!reply.ok || order === undefined || order === '') throw new NotTestable('no order was created');
  return { reply, order };
}
