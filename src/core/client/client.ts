import { SwapctlError, UsageError } from '../../base/errors.ts';
import { JsonNumber, writeJson } from '../partner-api/json.ts';
import { containsSecret } from '../partner-api/redaction.ts';
import { TYPE_SWAP } from '../partner-api/statuses.ts';
import { quoteProblem } from '../swap/quote-problem.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';
import type { Quote, Swap, SwapRequest } from '../swap/swap.ts';
import { decodeCoinPage, type ListingMethod, PAGE_SIZE } from './coin-page.ts';
import { badResponse, decodeCoinNetworks, decodeQuote, decodeSwap, type RefundUpdate } from './decode.ts';
import { loggedTransport } from './request-log.ts';
import { type ClientOptions, type Decoded, decodeAnswer, parseAnswer, sendRepeatable } from './send.ts';
import { type ApiAnswer, type ApiRequest, createTransport, type Transport } from './transport.ts';
import type { RequestTurns } from './turns.ts';
import { sendCreate, sendRaw, sendRefundUpdate } from './writes.ts';

/** A quote to request; `lastSource` says whether the amount is the deposit or the payout. */
export type QuoteRequest = Pick<Quote, 'from' | 'to' | 'amount' | 'lastSource' | 'type'>;

/** The six endpoints as methods. All throw {@link SwapctlError}. */
export type Client = ReturnType<typeof createClient>;

/** A {@link Client} of one base URL with one key pair; making it sends nothing. */
export function createClient(options: ClientOptions) {
  const transport = withoutSecret(
    loggedTransport(
      options.transport ?? createTransport(options),
      options.monotonic ?? options.now,
      options.onRequest,
    ),
    options.credentials,
  );
  const ask = async <T>(
    request: ApiRequest,
    decode: (answer: ApiAnswer) => T,
    turns?: RequestTurns,
  ): Promise<Decoded<T>> => decodeAnswer(await sendRepeatable(transport, request, options, turns), decode);
  let size: { readonly limit?: string } = { limit: String(PAGE_SIZE) };
  return {
    /** One page of the coin list, `page` from 1; with `search`, only the coins that match it. */
    coins: async (method: ListingMethod, page: number, search?: string, turns?: RequestTurns) => {
      const words = search === undefined ? {} : { search };
      // The list holds no amounts, and the digit-preserving parser is four times slower on megabytes.
      const decode = ({ text }: ApiAnswer) => decodeCoinPage(text, method);
      const read = async (limited: typeof size) => {
        const query = { page: String(page), ...limited, method: String(method), ...words };
        return (await ask({ endpoint: 'get-all-coins', query }, decode, turns)).value;
      };
      const limited = size;
      try {
        return await read(limited);
      } catch (error) {
        const isRefused = error instanceof SwapctlError && error.code === 'validation_failed';
        if (!isRefused || limited.limit === undefined) throw error;
        const unlimited = await read({});
        // The API does not say how large a page may be, so all further pages have the size that the service chooses.
        size = {};
        return unlimited;
      }
    },
    coinNetworks: async (coin: string) => {
      const decode = (answer: ApiAnswer) => decodeCoinNetworks(parseAnswer(answer));
      return (await ask({ endpoint: 'get-coin-network', query: { coin } }, decode)).value;
    },
    /** `turns` shares the key's request limit with other callers, here and in `transaction`. */
    quote: async (request: QuoteRequest, turns?: RequestTurns): Promise<Quote> => {
      const decode = (answer: ApiAnswer): Quote => {
        const { from, to, lastSource, type } = request;
        const { pair, ...figures } = decodeQuote(parseAnswer(answer));
        const problem = quoteProblem(request, { pair, ...figures });
        if (problem !== null) throw badResponse(problem);
        return { pair, type, lastSource, from, to, ...figures };
      };
      return (await ask({ endpoint: 'exchange-coin', query: quoteQuery(request) }, decode, turns)).value;
    },
    transaction: (order: string, turns?: RequestTurns): Promise<Decoded<Swap>> => {
      const decode = (answer: ApiAnswer) => {
        const swap = decodeSwap(parseAnswer(answer));
        // Of another order the deposit address would be wrong. The ledger finds what was agreed by the exact number.
        if (swap.order !== order) throw badResponse('it is about a different order');
        return swap;
      };
      return ask({ endpoint: 'get-transaction', query: { id: order } }, decode, turns);
    },
    /** Sent once; throws `outcome_unknown` if an order may exist. `onAnswer` gets its rate limit and must not throw. */
    create: (request: SwapRequest, onAnswer?: (answer: RateAnswer) => void): Promise<Decoded<Swap>> =>
      sendCreate(transport, writeJson(createBody(request)), options, onAnswer),
    /** Repeatable; an error has the outcome `unknown` if the address may have been set. */
    updateRefundAddress: (id: string, refundAddress: string): Promise<Decoded<RefundUpdate>> =>
      sendRefundUpdate(transport, { id, refundAddress }, options),
    /** A request and its answer, unchanged; see {@link sendRaw}. */
    raw: (request: ApiRequest, onFailure?: (answer: ApiAnswer) => void): Promise<ApiAnswer> =>
      sendRaw(transport, request, options, onFailure),
  };
}

/** A transport that refuses a request with the secret in it, such as one pasted as an order number: URLs are logged. */
function withoutSecret(transport: Transport, credentials: ClientOptions['credentials']): Transport {
  return async (request) => {
    const { query = {}, body = '' } = request;
    if ([body, ...Object.entries(query).flat()].some((text) => containsSecret(text, credentials)))
      throw new UsageError('The request contains the secret of its key pair, so it was not sent.');
    return transport(request);
  };
}

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
export function createBody(request: SwapRequest): Record<string, unknown> {
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
