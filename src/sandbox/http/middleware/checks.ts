import { timingSafeEqual } from 'node:crypto';
import { AUTH_HEADERS, type EndpointName, endpointPath } from '../../../core/partner-api/endpoints.ts';
import { MESSAGES } from '../../../core/partner-api/messages.ts';
import { sign } from '../../../core/partner-api/signature.ts';
import type { Decisions } from '../../habits/decisions.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import { BODY_TYPE, MAX_BODY_BYTES } from '../../state/assumptions.ts';
import { type AppContext, partnerOf, type Step } from '../request-state.ts';
import { ApiError, PAYLOAD_TOO_LARGE, UNSUPPORTED_TYPE } from '../responses.ts';

const SCHEME_AND_HOST = /^https?:\/\/[^/?#]*/i;

/**
 * Passes requests whose path is the endpoint's, letter for letter. A URL library resolves `..`, `%2e` and `%2d`, so
 * without this check such paths would be answered, and a client that writes them would never learn of it.
 */
export function exactPath(endpoint: EndpointName): Step {
  const path = endpointPath(endpoint);
  const isExact = (target: string) =>
    target.startsWith(path) && (target.length === path.length || target[path.length] === '?');
  return function checkExactPath(context, next) {
    const { url = '' } = context.env.incoming;
    if (isExact(url) || isExact(url.replace(SCHEME_AND_HOST, ''))) return next();
    throw new ApiError(404, MESSAGES.NOT_FOUND);
  };
}

const METHODS_WITH_BODY = ['POST', 'PATCH'];

/**
 * Reads the body of a request that has one. A body that is too large, or that is declared as anything but plain JSON,
 * is refused before any other check.
 */
export const readBody: Step = async (context, next) => {
  if (METHODS_WITH_BODY.includes(context.req.method)) context.set('body', await checkedBody(context));
  await next();
};

async function checkedBody(context: AppContext): Promise<Uint8Array> {
  const { headers } = context.env.incoming;
  const announced = Number.parseInt(headers['content-length'] ?? '', 10);
  if (announced > MAX_BODY_BYTES) throw new ApiError(413, PAYLOAD_TOO_LARGE);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!BODY_TYPE.test(headers['content-type'] ?? '') || encoding.toLowerCase() !== 'identity')
    throw new ApiError(415, UNSUPPORTED_TYPE);
  try {
    // The socket stays open, for the answer to a body that is too large.
    const body = context.env.incoming.iterator({ destroyOnReturn: false });
    return await bodyBytes(body, MAX_BODY_BYTES, () => new ApiError(413, PAYLOAD_TOO_LARGE));
  } catch (error) {
    // The time for the body is over, which Node has reported to the client, or the client has disconnected.
    throw error instanceof ApiError ? error : new ApiError(408, 'Request Timeout');
  }
}

/** Passes signed requests of a known partner; checks the key, then the payload, then the signature. */
export const authenticate: Step = (context, next) => {
  const { headers } = context.env.incoming;
  const progress = context.get('progress');
  const partner = progress.reading.partners.get(headerText(headers[AUTH_HEADERS.publicKey]));
  if (partner === undefined) throw new ApiError(403, MESSAGES.INVALID_PUBLIC_KEY);
  const payload = headerText(headers[AUTH_HEADERS.payload]);
  if (payload !== progress.endpoint) throw new ApiError(403, MESSAGES.INVALID_PAYLOAD);
  if (!isSignature(headerText(headers[AUTH_HEADERS.signature]), sign(payload, partner.secret)))
    throw new ApiError(403, MESSAGES.INVALID_SIGNATURE);
  progress.partner = partner;
  return next();
};

function headerText(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

/** Whether a signature is the right one, compared in constant time; hex digits of either case are accepted. */
export function isSignature(given: string, right: string): boolean {
  const [one, two] = [given.toLowerCase(), right].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return one.length === two.length && timingSafeEqual(one, two);
}

/** Enforces the rate limit of each key, and says in headers how many requests are left. */
export function limitRate(limiter: RateLimiter, { rateHeaders }: Pick<Decisions, 'rateHeaders'>): Step {
  return async function checkRateLimit(context, next) {
    const progress = context.get('progress');
    // Counted already, before the state was replaced.
    if (progress.rateHeaders !== undefined) return next();
    const { now, standsStill } = progress.reading;
    const { allowed, limit, remaining, resetSeconds } = await limiter(
      partnerOf(progress).publicKey,
      standsStill ? now : null,
    );
    progress.rateHeaders = rateHeaders({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    });
    if (!allowed)
      throw new ApiError(429, MESSAGES.RATE_LIMITED, rateHeaders({ 'Retry-After': String(resetSeconds) }));
    await next();
  };
}

/** Reads a body of up to `maxBytes` bytes. Throws the given error for a larger one, without reading it to its end. */
export async function bodyBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
