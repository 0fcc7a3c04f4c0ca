import type { IncomingHttpHeaders } from 'node:http';
import { fullSentence, InterruptedError, restated, SwapctlError, UsageError } from '../../base/errors.ts';
import { ENDPOINTS } from '../partner-api/endpoints.ts';
import { writeJson } from '../partner-api/json.ts';
import { createRedactor } from '../partner-api/redaction.ts';
import { isPlainOrder } from '../swap/agreement/fundable.ts';
import { sameAddress } from '../swap/agreement/spelling.ts';
import type { RateAnswer } from '../swap/rate-limit.ts';
import type { Swap } from '../swap/swap.ts';
import { decodeRefundUpdate, decodeSwap, orderNumberIn, type RefundUpdate } from './decode.ts';
import {
  describeTransportError,
  errorFromAnswer,
  errorFromTransport,
  readServiceMessage,
} from './error-mapping.ts';
import {
  type ClientOptions,
  type Decoded,
  decodeAnswer,
  isSuccess,
  parseAnswer,
  rateAnswerOf,
  sendRepeatable,
  timeLeft,
} from './send.ts';
import type { ApiAnswer, ApiRequest, Transport } from './transport.ts';
import { TransportError } from './transport-error.ts';

/**
 * Sends a create once. Throws `outcome_unknown` if an order may exist, and another error only if none can: the service
 * refused it (4xx), or nothing was sent. See docs/safety.md#duplicate-orders.
 */
export async function sendCreate(
  transport: Transport,
  body: string,
  options: ClientOptions,
  onAnswer: (answer: RateAnswer) => void = () => undefined,
): Promise<Decoded<Swap>> {
  return orderIn(await sendOnce(transport, { endpoint: 'create-transaction', body }, options, onAnswer));
}

/** The order in the answer to a create; throws `outcome_unknown`, perhaps with its number, where it cannot be read. */
function orderIn(answer: ApiAnswer): Decoded<Swap> {
  let order: string | null = null;
  try {
    return decodeAnswer(answer, (good) => {
      const value = parseAnswer(good);
      order = orderNumberIn(value);
      return decodeSwap(value);
    });
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    throw unknownOutcome(error.message, answer.status, order);
  }
}

/** Sends a request that must not be repeated, and returns a successful answer; throws like {@link sendCreate}. */
async function sendOnce(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  onAnswer: (answer: RateAnswer) => void = () => undefined,
): Promise<ApiAnswer> {
  const host = new URL(options.baseUrl).host;
  if (timeLeft(options) <= 0)
    throw new SwapctlError('timeout', '--timeout was reached before the request was sent.', {
      retryable: true,
      hint: 'Nothing was sent; try again with a longer --timeout.',
    });
  let answer: ApiAnswer;
  try {
    // The deadline does not abort it: aborting a create only makes its outcome unknown.
    answer = await transport(request);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (!error.sent) throw errorFromTransport(error, host, options.signal);
    throw unknownOutcome(describeTransportError(error, host), error.status);
  }
  onAnswer(rateAnswerOf(answer, options.now()));
  if (isRefusal(answer)) throw errorFromAnswer(answer, options);
  if (isSuccess(answer)) return answer;
  const { status } = answer;
  const isRedirect = status >= 300 && status < 400;
  const words = isRedirect
    ? `answered with a redirect (${status}), which is never followed.`
    : readServiceMessage(answer).answerClause;
  throw unknownOutcome(`${host} ${words}`, status);
}

/** Statuses of "read and refused": nothing was done. Another 4xx may be of a proxy that stopped waiting. */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 409, 410, 411, 413, 414, 415, 422, 428, 429, 431, 451,
]);

function isRefusal({ status }: ApiAnswer): boolean {
  return REFUSALS.has(status);
}

/** The error for a create after which an order may exist: the only error that must not be retried. */
function unknownOutcome(reason: string, httpStatus: number | null, order: string | null = null) {
  const isKnown = order !== null && isPlainOrder(order);
  const which = isKnown ? `order ${order}` : 'an order';
  const message = `The outcome is unknown: ${which} may exist. ${fullSentence(reason)}`;
  return new SwapctlError('outcome_unknown', message, {
    httpStatus,
    outcome: 'unknown',
    details: isKnown ? { order } : null,
    hint: 'An unfunded order costs nothing. Fund only an address that swapctl showed you. `swapctl history` lists this request, and how to settle it.',
  });
}

/** Sets a refund address in at most three tries; an error has the outcome `unknown` if one may have worked. */
export async function sendRefundUpdate(
  transport: Transport,
  wanted: { readonly id: string; readonly refundAddress: string },
  options: ClientOptions,
): Promise<Decoded<RefundUpdate>> {
  const request = { endpoint: 'update-refund-address', body: writeJson(wanted) } as const;
  const decode = (good: ApiAnswer) => decodeRefundUpdate(parseAnswer(good));
  return sendRefundRequest(transport, request, options, (answer) => decodeAnswer(answer, decode));
}

/** Sends a change of a refund address in at most three tries, and reads the successful answer. */
async function sendRefundRequest<T>(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  read: (answer: ApiAnswer) => T,
): Promise<T> {
  let uncertain = false;
  const watched: Transport = async (each) => {
    try {
      const answer = await transport(each);
      uncertain ||= !isRefusal(answer);
      return answer;
    } catch (error) {
      uncertain ||= error instanceof TransportError ? error.sent : !(error instanceof UsageError);
      throw error;
    }
  };
  try {
    return read(await sendRepeatable(watched, request, options));
  } catch (error) {
    throw uncertain && error instanceof SwapctlError ? maybeSet(error) : error;
  }
}

function maybeSet(error: SwapctlError): SwapctlError {
  const note = 'The new refund address may or may not have been set.';
  if (error instanceof InterruptedError)
    return new InterruptedError(error.signal, `Interrupted. ${note}`, 'unknown');
  return restated(error, `${fullSentence(error.message)} ${note}`, {
    outcome: 'unknown',
    retryable: true,
    hint: 'Setting the same address twice is safe: run the same command again.',
  });
}

/** Whether the answer names the address that was sent, and no other order. */
export async function confirmsRefund(
  answer: RefundUpdate,
  network: string,
  wanted: { readonly order: string; readonly address: string },
): Promise<boolean> {
  if (answer.refundAddress === null) return false;
  if (answer.order !== null && answer.order !== wanted.order) return false;
  return sameAddress(network, answer.refundAddress, wanted.address);
}

/** The error for an answer that does not confirm the refund address of an order. */
export function unconfirmedRefund(
  { value, httpStatus }: Decoded<RefundUpdate>,
  wanted: string,
  order: string,
): SwapctlError {
  return new SwapctlError(
    'bad_response',
    `The service did not confirm the refund address sent for ${order}.`,
    {
      httpStatus,
      outcome: 'unknown',
      retryable: true,
      hint: 'Run the same command again, and ask the service which refund address is set.',
      details: { sent: wanted, answered: value.refundAddress },
    },
  );
}

/**
 * Sends a request as written. A read or a change of a refund address is sent up to three times; everything else is sent
 * once, and a lost answer is `outcome_unknown`, as is a create's answer without an order. `onFailure` gets the answer that
 * an error is about, if there is one. Credentials in the answer's headers are redacted.
 */
export async function sendRaw(
  transport: Transport,
  request: ApiRequest,
  options: ClientOptions,
  onFailure: (answer: ApiAnswer) => void = () => undefined,
): Promise<ApiAnswer> {
  const { endpoint } = request;
  const method = request.method ?? ENDPOINTS[endpoint].method;
  let last: ApiAnswer | null = null;
  try {
    return await send();
  } catch (error) {
    if (last !== null) onFailure(last);
    throw error;
  }

  async function send(): Promise<ApiAnswer> {
    if (method === 'GET') return withJson(await sendRepeatable(kept, request, options));
    if (method === 'PATCH' && endpoint === 'update-refund-address')
      return sendRefundRequest(kept, request, options, withJson);
    const sent = await sendOnce(kept, request, options);
    if (endpoint === 'create-transaction') orderIn(sent);
    return sent;
  }

  async function kept(each: ApiRequest): Promise<ApiAnswer> {
    last = null;
    const answer = await transport(each);
    last = { ...answer, headers: withoutCredentials(answer.headers, options) };
    return last;
  }
}

/** The answer, if it is JSON; throws `bad_response` otherwise. */
function withJson(answer: ApiAnswer): ApiAnswer {
  decodeAnswer(answer, parseAnswer);
  return answer;
}

function withoutCredentials(headers: IncomingHttpHeaders, { credentials }: ClientOptions) {
  const redact = createRedactor(credentials);
  const clean = (value: string) => redact(value, true);
  const cleaned = Object.entries(headers).map(([name, value = '']) => [
    clean(name),
    Array.isArray(value) ? value.map(clean) : clean(value),
  ]);
  return Object.fromEntries(cleaned) as IncomingHttpHeaders;
}
