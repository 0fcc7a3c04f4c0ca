import { ENDPOINTS, type EndpointName } from '../core/partner-api/endpoints.ts';
import { countAt } from '../core/partner-api/json.ts';
import { assume, at, check, passIfNone } from './check.ts';
import type { Probe, Reply } from './probe.ts';
import {
  COIN_NETWORKS,
  coinListShape,
  fieldsBeyond,
  QUOTE,
  REFUND_UPDATE,
  type ShapeFields,
  TRANSACTION_READ,
} from './shape.ts';

/** Statuses of the API document; a proxy in front of the service may answer others in its own way. */
const LISTED_ERRORS = [400, 403, 404, 429, 500];
const LIMIT_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** Checks that every answer must pass. They read the answers to all other checks, so they come last. */
export const ANSWER_CHECKS = at(
  'all',
  check('answers are JSON', 'content-type application/json and a JSON body', async (probe) =>
    passIfNone(about(listed(probe), notJson)),
  ),
  check('error bodies', 'statusCode of the HTTP status, and a message', async (probe) =>
    passIfNone(
      about(
        listed(probe).filter(({ ok }) => !ok),
        notAnError,
      ),
    ),
  ),
  assume('success code', 'code of a read', '200', async (probe) =>
    passIfNone(about(reads(probe), ({ status }) => (status === 200 ? undefined : String(status)))),
  ),
  assume('undocumented fields', 'no other fields', 'only the fields of the API document', async (probe) => {
    const others = otherFields(probe);
    const isExpiry = others.every((line) => /transaction: expiredAt$/.test(line));
    return passIfNone(others, isExpiry ? 'expired-at' : undefined);
  }),
  assume('rate limit', 'headers of the rate limit', 'RateLimit-Limit, -Remaining and -Reset', async (probe) =>
    passIfNone(about(reads(probe), withoutLimit), 'no-rate-headers'),
  ),
);

function listed(probe: Probe): Reply[] {
  return probe.replies.filter(({ ok, status }) => ok || LISTED_ERRORS.includes(status));
}

function reads(probe: Probe): Reply[] {
  return probe.replies.filter(({ ok, endpoint }) => ok && ENDPOINTS[endpoint].method === 'GET');
}

/** One line for each problem at each endpoint. */
function about(replies: readonly Reply[], problem: (reply: Reply) => string | undefined): string[] {
  const lines = replies.flatMap((reply) => {
    const text = problem(reply);
    return text === undefined ? [] : [`${reply.endpoint}: ${text}`];
  });
  return [...new Set(lines)];
}

/** A line for each unexpected field in a success of an endpoint; another check reports an early createdAt. */
function otherFields(probe: Probe): string[] {
  const lines = probe.replies
    .filter(({ ok }) => ok)
    .flatMap(({ endpoint, json, body }) => {
      const side = body['withdrawCoins'] === undefined ? 'deposit' : 'receive';
      const shape = endpoint === 'get-all-coins' ? coinListShape(side) : SHAPES[endpoint];
      return fieldsBeyond(json, shape).map((path) => `${endpoint}: ${path}`);
    });
  return [...new Set(lines)];
}

const SHAPES: Readonly<Record<Exclude<EndpointName, 'get-all-coins'>, ShapeFields>> = {
  'get-coin-network': COIN_NETWORKS,
  'exchange-coin': QUOTE,
  'get-transaction': TRANSACTION_READ,
  'create-transaction': TRANSACTION_READ,
  'update-refund-address': REFUND_UPDATE,
};

function notJson({ answer, json, status }: Reply): string | undefined {
  const type = answer.headers['content-type'] ?? 'none';
  if (!/^application\/json\s*(;|$)/i.test(type)) return `${status} with content-type ${type}`;
  return json === undefined ? `${status} with a body that is not JSON` : undefined;
}

function notAnError({ json, body, status }: Reply): string | undefined {
  if (json === undefined) return undefined;
  if (countAt(json, 'statusCode') !== status) return `${status} without statusCode ${status}`;
  const { message } = body;
  return typeof message === 'string' || Array.isArray(message) ? undefined : `${status} without a message`;
}

function withoutLimit({ answer }: Reply): string | undefined {
  const missing = LIMIT_HEADERS.filter((name) => !/^[0-9]+$/.test(String(answer.headers[name] ?? '')));
  if (missing.length === 0) return undefined;
  return missing.length === LIMIT_HEADERS.length ? 'none of them' : `no ${missing.join(', ')}`;
}
