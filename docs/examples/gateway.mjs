// A gateway on this machine for programs in other languages: the six endpoints as plain HTTP, with the ledger and policy of swapctl.
//
//   SWAP_URL=https://… SWAP_KEY=… SWAP_SECRET=… SWAP_LEDGER=swaps.db \
//     GATEWAY_KEY=… GATEWAY_READ_KEY=… node gateway.mjs [port]
//
//   GET   /coins                                GET   /swaps            the open swaps, as last seen
//   GET   /coins/USDT/networks                  GET   /swaps?q=invoice-7    swaps by any fact: order, key, address, label…
//   GET   /quote?from=BTC&to=USDT:TRX&amount=0.1[&type=fixed][&lastSource=receive]
//   POST  /swaps                                GET   /swaps/KQWZPA     asks the service
//   PATCH /swaps/KQWZPA   {"refundAddress":"bc1q…"}
//
// Each request needs `Authorization: Bearer <key>`; the read key can only GET. A create needs an `Idempotency-Key`: repeat the
// request with the same key after any failure, and there is still one swap. Its body is the request of the library's `create`:
//   {"from":{"coin":"BTC"},"to":{"coin":"ETH"},"amount":"0.1","address":"0x…","labels":{"invoice":"7"}}
// Amounts are strings. Errors are {"error":{"code","message",…}}. After 409 outcome_unknown an order may exist, until a person finds
// out with `swapctl history resolve`.

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createSwapClient, SwapctlError } from 'swapctl';

const { SWAP_URL, SWAP_KEY, SWAP_SECRET, SWAP_LEDGER, GATEWAY_KEY, GATEWAY_READ_KEY } = process.env;
const MAX_BODY_BYTES = 65_536;

/** HTTP status by the exit code of an error; 4 and 11 are problems of the gateway's own set-up. */
const STATUSES = { 2: 400, 3: 404, 4: 502, 5: 422, 6: 503, 7: 409, 11: 500, 12: 403 };

class HttpError extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

const digest = (text) => createHash('sha256').update(text).digest();
const keys = [GATEWAY_KEY, GATEWAY_READ_KEY].map((key = '') => {
  if (key.length >= 20 && GATEWAY_KEY !== GATEWAY_READ_KEY) return digest(key);
  throw new Error('Set GATEWAY_KEY and GATEWAY_READ_KEY to two texts of at least 20 characters.');
});
const [baseUrl, publicKey, secret, ledger] = [SWAP_URL, SWAP_KEY, SWAP_SECRET, SWAP_LEDGER ?? 'swaps.db'];
const client = createSwapClient({ baseUrl, publicKey, secret, ledger, actor: 'gateway' });

/** Answers a request that has a key; one with the read key changes nothing. */
async function handle(request) {
  const { method, headers } = request;
  const given = digest(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
  const [isFull, isRead] = keys.map((key) => timingSafeEqual(key, given));
  if (!isFull && !isRead) throw new HttpError(401, 'unauthorized', 'Send Authorization: Bearer <key>.');
  if (!isFull && method !== 'GET') throw new HttpError(403, 'forbidden', 'This key can only read.');
  return route(request);
}

/** The fields of a JSON body. */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw new HttpError(413, 'too_large', 'The body is larger than 64 KiB.');
  const body = parsed(() => JSON.parse(Buffer.concat(chunks).toString()));
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new HttpError(400, 'usage', 'The body must be a JSON object.');
}

/** What a parser returns; null if it throws. */
function parsed(parse) {
  try {
    return parse();
  } catch {
    return null;
  }
}

/** The key of a create, whether it is sent in quotes or not. */
function keyOf({ headersDistinct }) {
  const [key = '', ...others] = headersDistinct['idempotency-key'] ?? [];
  const text = key.replace(/^"(.*)"$/, '$1');
  if (text !== '' && others.length === 0) return text;
  throw new HttpError(428, 'idempotency_key_required', 'Send one Idempotency-Key that names this swap.');
}

function coinOf(text) {
  const [coin, ...network] = (text ?? '').split(':');
  return { coin, network: network.length === 0 ? null : network.join(':') };
}

async function create(request) {
  const idempotencyKey = keyOf(request);
  const swap = await client.create({ ...(await bodyOf(request)), idempotencyKey });
  return [swap.replayed ? 200 : 201, swap];
}

async function refund(request, order) {
  const { refundAddress, approval = null } = await bodyOf(request);
  return [200, await client.setRefundAddress(order, refundAddress, { approval })];
}

/** Answers a request with a status and a value. */
async function route(request) {
  const url = parsed(() => new URL(request.url, 'http://gateway'));
  const parts = parsed(() => url.pathname.slice(1).split('/').map(decodeURIComponent));
  if (parts === null) throw new HttpError(400, 'usage', 'The path cannot be read.');
  const query = Object.fromEntries(url.searchParams);
  const [first, second, ...rest] = parts;
  const path = second === undefined ? first : [first, '*', ...rest].join('/');
  switch (`${request.method} ${path}`) {
    case 'GET coins':
      return [200, await client.coins()];
    case 'GET coins/*/networks':
      return [200, await client.networks(second)];
    case 'GET quote':
      return [200, await client.quote({ ...query, from: coinOf(query.from), to: coinOf(query.to) })];
    case 'GET swaps':
      return [200, await (query.q === undefined ? client.open() : client.find(query.q))];
    case 'GET swaps/*':
      return [200, await client.status(second)];
    case 'POST swaps':
      return create(request);
    case 'PATCH swaps/*':
      return refund(request, second);
  }
  throw new HttpError(404, 'not_found', `There is no ${request.method} ${url.pathname}.`);
}

/** An error as a status and a value; what went wrong in here is only logged. */
function failure(error) {
  if (error instanceof SwapctlError) return [STATUSES[error.exitCode] ?? 500, { error: error.toJSON() }];
  const isOurs = error instanceof HttpError;
  if (!isOurs) console.error(error);
  const { status, code, message } = isOurs ? error : new HttpError(500, 'internal', 'Internal error.');
  return [status, { error: { code, message } }];
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const server = createServer(async (request, response) => {
  const [status, value] = await handle(request).catch(failure);
  response.writeHead(status, headers);
  response.end(`${JSON.stringify(value)}\n`);
});
// A create that was begun is finished, also when its caller has gone.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => server.close(() => client.close()));
server.listen(Number(process.argv[2] ?? 8090), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
