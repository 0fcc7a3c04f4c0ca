import type { IncomingHttpHeaders } from 'node:http';
import { SwapctlError } from '../errors.ts';
import { ENDPOINTS } from '../partner-api/endpoints.ts';
import { createRedactor } from '../partner-api/redaction.ts';
import { decodeSwap } from './decode.ts';
import { type ClientOptions, decodeAnswer, parseAnswer, sendRepeatable } from './send.ts';
import type { ApiAnswer, ApiRequest, Transport } from './transport.ts';
import { sendOnce, sendRefundRequest, unknownOutcome } from './writes.ts';

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
    return endpoint === 'create-transaction' ? withOrder(sent) : sent;
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

/** The answer of a create, if it names an order; throws `outcome_unknown` otherwise. */
function withOrder(answer: ApiAnswer): ApiAnswer {
  try {
    decodeSwap(parseAnswer(answer));
    return answer;
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    throw unknownOutcome(error.message, answer.status);
  }
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
