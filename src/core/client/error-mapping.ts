import { type ErrorCode, type ErrorInit, InterruptedError, SwapctlError } from '../../base/errors.ts';
import { MAX_LISTED, visible } from '../../base/text.ts';
import { isJsonObject, parseJson } from '../partner-api/json.ts';
import { oddSecretHint } from '../partner-api/key-pair.ts';
import { isLoopback } from '../partner-api/loopback.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import type { Credentials } from '../partner-api/signature.ts';
import type { ApiAnswer } from './transport.ts';
import type { ProxyRefusal, TransportError, TransportErrorKind } from './transport-error.ts';

const MAX_MESSAGE_CHARACTERS = 500;
/** Maximum total length of the messages of a list, in characters. */
const MAX_LIST_CHARACTERS = 2000;
/** A 403 whose text is not one of the API's three is not about the key pair. */
const NOT_THE_KEY =
  'The partner API does not report a wrong key pair like this: a firewall, or a block of your IP address or country, may have refused the request. Check the base URL and contact the service.';
const LOGIN_HINT =
  'Check the key pair with `swapctl auth status`, or store it again with `swapctl auth login`.';

/** Hint for an answer that is not from the partner API: the path of the base URL is the likely cause. */
export function wrongPlaceHint(baseUrl?: string): string {
  const url = baseUrl === undefined ? null : new URL(baseUrl);
  if (url === null || url.pathname === '/')
    return 'This response is not from the partner API. Check the base URL of the profile.';
  return `Nothing was found under the path ${visible(url.pathname)} of the base URL. Try ${url.origin}, or the path under which the service serves /api/private.`;
}

/** The service's message about a refusal, as text; validation lists are joined. */
export interface ServiceMessage {
  /** For people; a failure of the service, and text that is not in the API's own form, has its status in front. */
  readonly message: string;
  /** What the service did, as the end of a sentence: `answered 500: …`. */
  readonly answerClause: string;
  /** The bare text, for comparison; empty if there is none. */
  readonly words: string;
  /** The messages of a validation error, at most the first few. */
  readonly list: readonly string[] | null;
}

/** Reads any error body: the API's own object, a list, bare text, a page of HTML, or nothing. */
export function readServiceMessage(answer: ApiAnswer): ServiceMessage {
  const { status } = answer;
  const without = (what: string) => {
    const answerClause = `answered ${status} ${what}`;
    return { message: `The service ${answerClause}`, answerClause, words: '', list: null };
  };
  const text = answer.text.trim();
  if (text.startsWith('<')) return without('with a web page');
  const { message, isOwn } = messageOf(text);
  if (Array.isArray(message)) return listed(message, status) ?? without('without a message');
  if (message === '') return without('without a message');
  const words = shorten(message);
  const answerClause = `answered ${status}: ${words}`;
  const isBare = isOwn && !isFailure(status);
  return { message: isBare ? words : `The service ${answerClause}`, answerClause, words, list: null };
}

/** The first messages of a list and the number of others; null if there are none. */
function listed(items: readonly unknown[], status: number): ServiceMessage | null {
  const texts = items.filter((item) => typeof item === 'string');
  const list: string[] = [];
  let room = MAX_LIST_CHARACTERS;
  for (const text of texts.slice(0, MAX_LISTED)) {
    const short = shorten(text);
    room -= short.length;
    if (room < 0) break;
    list.push(short);
  }
  if (list.length === 0) return null;
  const more = texts.length - list.length;
  const message = `${list.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
  return { message, answerClause: `answered ${status}: ${message}`, words: '', list };
}

function messageOf(text: string): { readonly message: string | unknown[]; readonly isOwn: boolean } {
  try {
    const body = parseJson(text);
    if (typeof body === 'string' || Array.isArray(body)) return { message: body, isOwn: false };
    if (!isJsonObject(body)) return { message: '', isOwn: false };
    const message = body['message'] ?? body['error'];
    return { message: typeof message === 'string' || Array.isArray(message) ? message : '', isOwn: true };
  } catch (error) {
    if (error instanceof SyntaxError) return { message: text, isOwn: false };
    throw error;
  }
}

/** The service's text on one line, so that none of it can look like a line of swapctl. */
function shorten(words: string): string {
  const text = visible(words.slice(0, MAX_MESSAGE_CHARACTERS + 1));
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text;
}

/** The parts of a request that hints mention. */
export interface HintContext {
  readonly credentials?: Credentials;
  readonly baseUrl?: string;
}

/** The error for an answer that is no success; with credentials, its hint says what is odd about the secret. */
export function errorFromAnswer(answer: ApiAnswer, asked: HintContext = {}): SwapctlError {
  const serviceMessage = readServiceMessage(answer);
  const { code, ...facts } = classify(answer, serviceMessage, asked);
  const isInvalid = code === 'validation_failed';
  const sentence = `${isInvalid ? 'The service rejected the request as invalid: ' : ''}${serviceMessage.message}`;
  return new SwapctlError(code, sentence, {
    httpStatus: answer.status,
    outcome: 'refused',
    ...facts,
    ...(serviceMessage.list === null ? {} : { details: { messages: serviceMessage.list } }),
  });
}

/** Statuses of a proxy that no longer waits for the service: like a 504, they say nothing about the request. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 425, 460, 499]);

/** Whether a status is a failure of the service, or of a proxy in front of it, and not a refusal. */
function isFailure(status: number): boolean {
  return status >= 500 || GAVE_UP.has(status);
}

type Classified = { readonly code: ErrorCode } & ErrorInit;

function classify(answer: ApiAnswer, message: ServiceMessage, asked: HintContext): Classified {
  const { status } = answer;
  if (status === 429) return rateLimited(answer);
  if (isFailure(status))
    return { code: 'service_error', retryable: true, hint: 'Nothing changed; try again later.' };
  if (status >= 300 && status < 400)
    return { code: 'bad_response', hint: 'Redirects are never followed; check the base URL of the profile.' };
  if (status === 401 || status === 403) return refusedCredentials(message.words, asked.credentials);
  if (status === 404) return { code: 'not_found', ...hintOfNotFound(message.words, asked.baseUrl) };
  if (status === 400) return badRequest(message);
  return { code: 'rejected' };
}

/** What to do about an order that the service does not know. */
export const NO_ORDER_HINT = 'Check the order number, and with -p select the profile that created the order.';

/** The hint of a 404. One that has none of the API's messages is not about an order or a coin. */
function hintOfNotFound(words: string, baseUrl: string | undefined): Pick<ErrorInit, 'hint'> {
  if (sameWords(words, MESSAGES.TRANSACTION_NOT_FOUND)) return { hint: NO_ORDER_HINT };
  // At the root, the API's own words are about a pair.
  const isRoot = baseUrl === undefined || new URL(baseUrl).pathname === '/';
  const isPair = isRoot && sameWords(words, MESSAGES.NOT_FOUND);
  return isPair ? {} : { hint: wrongPlaceHint(baseUrl) };
}

function rateLimited({ retryAfter }: ApiAnswer): Classified {
  const seconds = retryAfter !== null && /^[0-9]{1,6}$/.test(retryAfter) ? retryAfter : null;
  const asked = seconds === null ? 'a minute' : `${seconds} s`;
  return {
    code: 'rate_limited',
    retryable: true,
    hint: `Wait ${asked}, then run the same command again.`,
    ...(seconds === null ? {} : { details: { retryAfterSeconds: Number.parseInt(seconds, 10) } }),
  };
}

/** The error for a 401 or 403; the API distinguishes its three kinds only by their messages. */
function refusedCredentials(message: string, credentials: Credentials | undefined): Classified {
  const variables = credentials?.variables;
  const refused = (code: ErrorCode, ...hints: readonly string[]) => ({ code, hint: hints.join(' ').trim() });
  if (sameWords(message, MESSAGES.INVALID_PAYLOAD))
    return refused(
      'invalid_payload',
      'The service does not accept this endpoint name; check that the base URL belongs to the partner API.',
    );
  if (sameWords(message, MESSAGES.INVALID_SIGNATURE))
    return refused(
      'invalid_signature',
      oddSecretHint(credentials?.secret ?? ''),
      'The secret does not belong to this public key.',
      variables === undefined
        ? LOGIN_HINT
        : `Both come from the environment: fix ${variables.secret} or ${variables.publicKey}.`,
    );
  if (sameWords(message, MESSAGES.INVALID_PUBLIC_KEY))
    return refused(
      'invalid_public_key',
      'The service does not know this public key. Check that it belongs to this environment.',
      variables === undefined
        ? LOGIN_HINT
        : `It comes from the environment: fix ${variables.publicKey}, or SWAPCTL_BASE_URL if this is the wrong service.`,
    );
  return refused('rejected', NOT_THE_KEY);
}

const BAD_REQUESTS = [
  [MESSAGES.BELOW_MINIMUM, 'amount_below_min'],
  [MESSAGES.ABOVE_MAXIMUM, 'amount_above_max'],
  [MESSAGES.INVALID_WITHDRAWAL_ADDRESS, 'invalid_withdrawal_address'],
] as const;

function badRequest({ list, words }: ServiceMessage): Classified {
  if (list !== null) return { code: 'validation_failed' };
  const message = words.replaceAll('exchange', 'swap');
  return { code: BAD_REQUESTS.find(([known]) => sameWords(message, known))?.[1] ?? 'rejected' };
}

/** Whether a message starts with a known text, ignoring case, spaces and the final dot; a limit may follow it. */
function sameWords(message: string, known: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return plain(message).startsWith(plain(known));
}

const FAILURE_WORDS: Readonly<Record<Exclude<TransportErrorKind, 'not-found'>, string>> = {
  unreachable: 'could not be reached',
  certificate: 'has a TLS certificate that could not be verified',
  tls: 'failed the TLS handshake',
  timeout: 'did not respond in time',
  broken: 'closed the connection before the response was complete',
  proxy: 'could not be reached through the proxy',
  'too-large': 'sent a response that is too large',
  switched: 'switched protocols (HTTP status 101), which was not requested',
  interrupted: 'did not respond before swapctl was interrupted',
};

/** A sentence that says what happened to a request without a complete answer. */
export function describeTransportError(failure: TransportError, host: string): string {
  const { kind, systemCode, proxy } = failure;
  const code = systemCode === null || kind === 'interrupted' ? '' : ` (${systemCode})`;
  if (proxy === null)
    return kind === 'not-found'
      ? `Cannot resolve host ${host}${code}.`
      : `${host} ${FAILURE_WORDS[kind]}${code}.`;
  return proxy.status === null
    ? `The proxy ${proxy.host} could not be used${code}.`
    : `The proxy ${proxy.host} refused to connect to ${host} (HTTP status ${proxy.status}).`;
}

/** The error for a repeatable request without a complete answer. */
export function errorFromTransport(failure: TransportError, host: string, signal?: AbortSignal) {
  if (failure.kind === 'interrupted')
    return signal?.reason instanceof SwapctlError ? signal.reason : new InterruptedError('SIGINT');
  const code = FAILURE_CODES[failure.kind] ?? 'network_error';
  const facts = { httpStatus: failure.status, ...failureAdvice(failure, host) };
  return new SwapctlError(code, describeTransportError(failure, host), facts);
}

const FAILURE_CODES: Readonly<Partial<Record<TransportErrorKind, ErrorCode>>> = {
  timeout: 'timeout',
  'too-large': 'bad_response',
  switched: 'bad_response',
};

/** Network failures may be temporary; a bad certificate or a wrong protocol is not. */
function failureAdvice({ kind, proxy, systemCode }: TransportError, host: string): ErrorInit {
  if (proxy !== null) return proxyAdvice(proxy);
  if (kind === 'switched') return { hint: 'Nothing changed; check the base URL of the profile.' };
  if (kind === 'certificate') return { hint: `Nothing was sent. ${certificateAdvice(systemCode)}` };
  // A service on this machine often has no TLS.
  if (kind === 'tls' && isLoopback(new URL(`https://${host}`).hostname))
    return { hint: `Nothing was sent. The service may not use TLS: try http://${host}.` };
  if (systemCode === 'ECONNREFUSED')
    return {
      retryable: true,
      hint: 'Nothing changed. Nothing is listening on that host and port: check the base URL, or start the service.',
    };
  return { retryable: true, hint: 'Nothing changed; check the network and the base URL, then try again.' };
}

/** Advice for a proxy failure, which is permanent unless the proxy itself had a problem. */
function proxyAdvice({ variable, status }: ProxyRefusal): ErrorInit {
  if (status === 407)
    return {
      hint: `Nothing was sent. Set the user name and password of the proxy: ${variable}=http://user:password@host:port`,
    };
  return {
    retryable: status === null || status >= 500 || status === 429,
    hint: `Nothing was sent. The proxy is set by ${variable}; hosts in NO_PROXY bypass it.`,
  };
}

/** Hint for a refused certificate; `code` is Node's, such as `CERT_HAS_EXPIRED`, or null if it is not known. */
export function certificateAdvice(code: string | null): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'The certificate is expired or not yet valid according to the clock of this machine. If the clock is right, the service must renew its certificate.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return 'The certificate is for a different host. Check the host in the URL.';
  return 'Check the URL and the clock. If your network uses its own certificate authority, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
}
