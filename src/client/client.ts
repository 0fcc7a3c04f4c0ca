import { SwapctlError } from '../errors.ts';
import type { JsonValue } from '../partner-api/json.ts';
import { JsonNumber, parseJson, writeJson } from '../partner-api/json.ts';
import { TYPE_SWAP } from '../partner-api/statuses.ts';
import type { LastSource } from '../partner-api/types.ts';
import type { Decimal } from '../swap/amount.ts';
import type { CoinOnNetwork, Quote, RateType, Swap } from '../swap/swap.ts';
import type { CoinPage, ListingMethod } from './coin-page.ts';
import { decodeCoinPage } from './coin-page.ts';
import type { RefundUpdate } from './decode.ts';
import { badResponse, decodeCoinNetworks, decodeQuote, decodeRefundUpdate, decodeSwap } from './decode.ts';
import { Failure } from './failure.ts';
import type { Waiting } from './retry.ts';
import { MAX_REPEATS, retryDelay } from './retry.ts';
import { describeFailure, errorFromAnswer, errorFromFailure, readComplaint } from './translate.ts';
import type { ApiAnswer, ApiRequest, Transport, TransportOptions } from './transport.ts';
import { createTransport } from './transport.ts';

/** What a quote is asked for; the amount is of the deposit or of the payout, as `lastSource` says. */
export interface QuoteRequest {
  readonly from: CoinOnNetwork;
  readonly to: CoinOnNetwork;
  readonly amount: Decimal;
  readonly lastSource: LastSource;
  readonly type: RateType;
}

/** Everything that a new swap needs; `depositAmount` is always the deposit's amount on the wire. */
export interface CreateRequest {
  readonly deposit: { readonly coin: string; readonly network: string };
  readonly receive: { readonly coin: string; readonly network: string };
  readonly amount: Decimal;
  readonly lastSource: LastSource;
  readonly type: RateType;
  readonly address: string;
  readonly memo: string | null;
  readonly refundAddress: string | null;
}

/** The six endpoints as methods. All throw {@link SwapctlError}. */
export interface Client {
  /** One page of the coin list, `page` from 1. */
  coins(method: ListingMethod, page: number): Promise<CoinPage>;
  coinNetworks(coin: string): Promise<{ deposit: string[]; receive: string[] }>;
  quote(request: QuoteRequest): Promise<Quote>;
  transaction(order: string): Promise<Swap>;
  /** Sent once and never repeated; throws `outcome_unknown` when an order may exist. */
  create(request: CreateRequest): Promise<Swap>;
  updateRefundAddress(order: string, refundAddress: string): Promise<RefundUpdate>;
}

/** Items per page that are asked for; the service refuses more than 100. */
export const PAGE_SIZE = 100;

/** What a client needs beside its transport: clock, pause, chance and an ear for what goes on. */
export interface ClientOptions extends TransportOptions, Waiting {
  /** Moment in milliseconds after which nothing more is tried. */
  readonly deadline?: number;
  /** Called before a repeat, for a line of progress or the debug log. */
  readonly onRepeat?: (error: SwapctlError, delayMs: number) => void;
  readonly transport?: Transport;
}

/** A client of one base URL with one key pair. */
export function createClient(options: ClientOptions): Client {
  const transport = options.transport ?? createTransport(options);
  const read = (request: ApiRequest) => sendRepeatable(transport, request, options);
  return {
    coins: async (method, page) => {
      const query = { page: String(page), limit: String(PAGE_SIZE), method: String(method) };
      // The list holds no amounts, and the digit-preserving parser is four times slower on megabytes.
      return decodeCoinPage((await read({ endpoint: 'get-all-coins', query })).text, method);
    },
    coinNetworks: async (coin) =>
      decodeCoinNetworks(parseAnswer(await read({ endpoint: 'get-coin-network', query: { coin } }))),
    quote: async (request) => {
      const answer = await read({ endpoint: 'exchange-coin', query: quoteQuery(request) });
      const { from, to, lastSource, type } = request;
      const { pair, ...figures } = decodeQuote(parseAnswer(answer));
      return { pair, type, lastSource, from, to, ...figures };
    },
    transaction: async (order) =>
      decodeSwap(parseAnswer(await read({ endpoint: 'get-transaction', query: { id: order } }))),
    create: (request) => createOnce(transport, request, options),
    updateRefundAddress: async (id, refundAddress) => {
      const body = writeJson({ id, refundAddress });
      return decodeRefundUpdate(parseAnswer(await read({ endpoint: 'update-refund-address', body })));
    },
  };
}

/** Query of exchange-coin. */
export function quoteQuery(request: QuoteRequest): Record<string, string> {
  return {
    amount: request.amount,
    coinFrom: request.from.coin,
    coinTo: request.to.coin,
    ...(request.from.network === null ? {} : { networkFrom: request.from.network }),
    ...(request.to.network === null ? {} : { networkTo: request.to.network }),
    lastSource: request.lastSource,
    typeSwap: String(TYPE_SWAP[request.type]),
  };
}

/** Body of create-transaction; the amount is a JSON number with the digits as given. */
export function createBody(request: CreateRequest): Record<string, unknown> {
  return {
    depositCoin: request.deposit.coin,
    depositAmount: new JsonNumber(request.amount),
    depositNetwork: request.deposit.network,
    receiveAddress: request.address,
    receiveCoin: request.receive.coin,
    receiveNetwork: request.receive.network,
    typeSwap: TYPE_SWAP[request.type],
    ...(request.refundAddress === null ? {} : { refundAddress: request.refundAddress }),
    ...(request.memo === null ? {} : { memo: request.memo }),
    lastSource: request.lastSource,
  };
}

function isSuccess(answer: ApiAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

function parseAnswer(answer: ApiAnswer): JsonValue {
  try {
    return parseJson(answer.text);
  } catch (error) {
    if (error instanceof SyntaxError) throw badResponse('it is not JSON');
    throw error;
  }
}

/** Sends what may be repeated: a read, or a change that has the same effect twice. */
async function sendRepeatable(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
): Promise<ApiAnswer> {
  for (let repeat = 0; ; repeat += 1) {
    const { answer, error } = await attempt(transport, request, options);
    if (error === null) return answer;
    const delay =
      error.retryable && repeat < MAX_REPEATS
        ? retryDelay(repeat, answer?.retryAfter ?? null, options)
        : null;
    if (delay === null || options.now() + delay >= (options.deadline ?? Number.POSITIVE_INFINITY))
      throw error;
    options.onRepeat?.(error, delay);
    await options.sleep(delay);
  }
}

type Attempt = { answer: ApiAnswer; error: null } | { answer: ApiAnswer | null; error: SwapctlError };

async function attempt(transport: Transport, request: ApiRequest, options: ClientOptions): Promise<Attempt> {
  try {
    const answer = await transport(withinDeadline(request, options));
    return isSuccess(answer) ? { answer, error: null } : { answer, error: errorFromAnswer(answer) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { answer: null, error: errorFromFailure(error, new URL(options.baseUrl).host, options.signal) };
  }
}

function withinDeadline(request: ApiRequest, options: ClientOptions): ApiRequest {
  if (options.deadline === undefined) return request;
  return {
    ...request,
    timeoutMs: Math.max(1, Math.min(options.timeoutMs, options.deadline - options.now())),
  };
}

async function createOnce(
  transport: Transport,
  request: CreateRequest,
  options: ClientOptions,
): Promise<Swap> {
  const host = new URL(options.baseUrl).host;
  const send = { endpoint: 'create-transaction', body: writeJson(createBody(request)) } as const;
  let answer: ApiAnswer;
  try {
    answer = await transport(withinDeadline(send, options));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!error.sent) throw errorFromFailure(error, host, options.signal);
    throw unknownOutcome(describeFailure(error, host));
  }
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 408) throw errorFromAnswer(answer);
  if (!isSuccess(answer)) {
    throw unknownOutcome(`${host} answered: ${readComplaint(answer).message}`, answer.status);
  }
  try {
    return decodeSwap(parseAnswer(answer));
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    throw unknownOutcome(error.message, answer.status);
  }
}

/** An order may or may not exist: the one case in which nothing may be repeated. */
function unknownOutcome(reason: string, httpStatus?: number): SwapctlError {
  return new SwapctlError('outcome_unknown', `The outcome is unknown: an order may exist. ${reason}`, {
    ...(httpStatus === undefined ? {} : { httpStatus }),
    outcome: 'unknown',
    retryable: false,
    hint: 'An order that nobody funds costs nothing. Fund only an address that swapctl showed you; see `swapctl history`.',
  });
}
