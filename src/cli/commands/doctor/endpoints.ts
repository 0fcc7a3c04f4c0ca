import { attemptSync, InterruptedError, restated, SwapctlError } from '../../../base/errors.ts';
import {
  type CoinPage,
  decodeCoinPage,
  LISTING,
  type ListedCoin,
  PAGE_SIZE,
} from '../../../core/client/coin-page.ts';
import { decodeCoinNetworks, decodeQuote, decodeSwap } from '../../../core/client/decode.ts';
import {
  errorFromAnswer,
  errorFromTransport,
  NO_ORDER_HINT,
  wrongPlaceHint,
} from '../../../core/client/error-mapping.ts';
import { loggedTransport, requestLogLine, type SentRequest } from '../../../core/client/request-log.ts';
import { isSuccess, parseAnswer } from '../../../core/client/send.ts';
import { type ApiAnswer, type ApiRequest, createTransport } from '../../../core/client/transport.ts';
import { TransportError } from '../../../core/client/transport-error.ts';
import type { EndpointName } from '../../../core/partner-api/endpoints.ts';
import type { Service } from '../../../core/swaps/ports.ts';
import type { Context } from '../../context.ts';
import { type Checks, type DoctorCheck, failed, ok, warn } from './view.ts';

/** An order number that does not exist; the service's refusal proves that the endpoint works. */
const NO_ORDER = 'DOCTOR';

/** Sends one request, or for the coin list one of each side, to every read endpoint. */
export async function callEndpoints(ask: Ask) {
  const page = { page: '1', limit: String(PAGE_SIZE) };
  const list = (method: number) =>
    ask({ endpoint: 'get-all-coins', query: { ...page, method: String(method) } });
  const [deposits, payouts] = await Promise.all([list(LISTING.deposit), list(LISTING.receive)]);
  const from = coinOrFirst(pageIn(deposits, LISTING.deposit)?.coins ?? [], 'BTC');
  const received = pageIn(payouts, LISTING.receive)?.coins ?? [];
  const others = received.filter(({ code }) => code !== from.code);
  const to = coinOrFirst(others, from.code === 'ETH' ? 'BTC' : 'ETH');
  const [networks, quote, swap] = await Promise.all([
    ask({ endpoint: 'get-coin-network', query: { coin: from.code } }),
    ask({ endpoint: 'exchange-coin', query: quoteQuery(from, to) }),
    ask({ endpoint: 'get-transaction', query: { id: NO_ORDER } }),
  ]);
  return { deposits, payouts, networks, quote, swap };
}

/** The check of every read endpoint. */
export function endpointChecks(
  { deposits, payouts, networks, quote, swap }: Awaited<ReturnType<typeof callEndpoints>>,
  checks: Checks,
): readonly DoctorCheck[] {
  // In this order: of a problem that concerns them all, only the first check has failed.
  const listed = [
    coinListCheck(deposits, payouts, checks),
    readCheck(networks, (answer) => decodeCoinNetworks(parseAnswer(answer)), checks),
  ];
  const quoted = readCheck(quote, (answer) => decodeQuote(parseAnswer(answer)), checks, QUOTE_REFUSALS);
  // Where the coins are not found either, no other pair would be.
  const isMisplaced = networks.error?.code === 'not_found' && quoted.state === 'warn';
  return [
    ...listed,
    isMisplaced ? { ...quoted, remedy: networks.error?.hint ?? null } : quoted,
    readCheck(swap, (answer) => decodeSwap(parseAnswer(answer)), checks, SWAP_REFUSALS),
  ];
}

type Coin = Pick<ListedCoin, 'code' | 'networks'>;

/** The coin with that code if it is listed, else the first; only the code if the list is empty. */
function coinOrFirst(coins: readonly Coin[], code: string): Coin {
  return coins.find((coin) => coin.code === code) ?? coins[0] ?? { code, networks: [] };
}

function pageIn({ answer, error }: RequestResult, method: 1 | 2): CoinPage | null {
  if (answer === null || error !== null) return null;
  const page = attemptSync(() => decodeCoinPage(answer.text, method));
  return page instanceof SwapctlError ? null : page;
}

function quoteQuery(from: Coin, to: Coin): Record<string, string> {
  const network = (key: string, { networks: [first] }: Coin) =>
    first === undefined ? {} : { [key]: first.network };
  const pair = { amount: '1', coinFrom: from.code, coinTo: to.code, lastSource: 'deposit', typeSwap: '2' };
  return { ...pair, ...network('networkFrom', from), ...network('networkTo', to) };
}

/** Error codes that prove, like a success, that an endpoint works: it read and checked the request. */
const QUOTE_REFUSALS: readonly string[] = ['amount_below_min', 'amount_above_max'];
const SWAP_REFUSALS: readonly string[] = ['not_found', 'validation_failed'];

function coinListCheck(deposits: RequestResult, payouts: RequestResult, checks: Checks): DoctorCheck {
  const page = (method: 1 | 2) => (answer: ApiAnswer) => decodeCoinPage(answer.text, method);
  const first = readCheck(deposits, page(1), checks);
  if (first.state !== 'ok') return first;
  const second = readCheck(payouts, page(2), checks);
  if (second.state !== 'ok') return second;
  const listed = pageIn(deposits, LISTING.deposit);
  const count = listed?.totalCount ?? listed?.coins.length;
  return { ...first, detail: `${first.detail}; ${count} coins for deposits` };
}

function readCheck(
  { endpoint, answer, error, milliseconds }: RequestResult,
  decode: (answer: ApiAnswer) => unknown,
  checks: Checks,
  refusals: readonly string[] = [],
): DoctorCheck {
  const status = answer === null ? '' : `HTTP status ${answer.status} in ${milliseconds} ms`;
  if (error === null) {
    const decoded = answer === null ? null : attemptSync(() => decode(answer));
    return decoded instanceof SwapctlError ? failed(endpoint, decoded) : ok(endpoint, status);
  }
  // A 404 that is not from this API has another hint.
  if (refusals.includes(error.code) && (error.hint === null || error.hint === NO_ORDER_HINT))
    return ok(endpoint, `${status}, as expected: ${error.message}`);
  if (error.code === 'rate_limited') return warn(endpoint, `${status}: ${error.message}`, error.hint);
  if (endpoint === 'exchange-coin' && (error.code === 'rejected' || error.code === 'not_found'))
    return warn(endpoint, `${status}: ${error.message}`, OTHER_PAIR);
  // Without an answer, or if the key pair was refused, the problem is not this endpoint's.
  const isOfEndpoint = answer !== null && answer.status !== 401 && answer.status !== 403;
  return isOfEndpoint ? failed(endpoint, error) : checks.failed(endpoint, error);
}

const OTHER_PAIR = 'Try a different pair: swapctl quote <from> <to> <amount>';

const MAX_ANSWER_MS = 10_000;

/** The parts of a service that a request needs. */
export type Target = Pick<Service, 'baseUrl' | 'credentials' | 'proxy'>;

/** One request that was sent once, and its result. */
export interface RequestResult {
  readonly endpoint: EndpointName;
  /** Null without a complete answer. */
  readonly answer: ApiAnswer | null;
  /** Null for a success. */
  readonly error: SwapctlError | null;
  /** Why there is no complete answer, or null. */
  readonly failure: TransportError | null;
  readonly milliseconds: number;
  /** This machine's clock halfway between request and answer, in milliseconds since 1970. */
  readonly at: number;
}

/** Sends a request once; throws only for an interruption. */
type Ask = (request: ApiRequest) => Promise<RequestResult>;

/** Makes an {@link Ask} for a service. */
export function asker(context: Context, target: Target): Ask {
  const { signal, flags, now, monotonic } = context;
  const timeoutMs = Math.min(flags.timeout ?? MAX_ANSWER_MS, MAX_ANSWER_MS);
  const log = (sent: SentRequest) => context.notify({ level: 'debug', text: requestLogLine(sent) });
  const transport = loggedTransport(createTransport({ ...target, timeoutMs, signal }), monotonic, log);
  const { host } = new URL(target.baseUrl);
  return async (request) => {
    const [began, started] = [now(), monotonic()];
    const done = () => ({
      endpoint: request.endpoint,
      milliseconds: Math.round(monotonic() - started),
      at: (began + now()) / 2,
    });
    try {
      const answer = await transport(request);
      const error = isSuccess(answer) ? null : refusalOf(answer, target, request);
      return { ...done(), answer, error, failure: null };
    } catch (failure) {
      if (!(failure instanceof TransportError)) throw failure;
      const error = errorFromTransport(failure, host, signal);
      if (error instanceof InterruptedError) throw error;
      return { ...done(), answer: null, error, failure };
    }
  };
}

/**
 * The error for an answer. A list of coins, or a listed coin, that is not found was asked for in the wrong place; a pair
 * or an order may not exist.
 */
function refusalOf(answer: ApiAnswer, target: Target, { endpoint }: ApiRequest): SwapctlError {
  const isListed = endpoint === 'get-all-coins' || endpoint === 'get-coin-network';
  const error = errorFromAnswer(answer, isListed ? target : { credentials: target.credentials });
  return isListed && error.code === 'not_found'
    ? restated(error, error.message, { hint: wrongPlaceHint(target.baseUrl) })
    : error;
}
