import { isEndpointName } from '../../../src/partner-api/endpoints.ts';
import type { Credentials } from '../../../src/partner-api/signature.ts';
import { sign } from '../../../src/partner-api/signature.ts';
import { type RawServer, rawServer, type SeenRequest, sendJson } from '../../helpers/raw-server.ts';

type Body = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body: Body];

/** Key pair of the service. */
export const KEYS: Credentials = { publicKey: 'foreign-key', secret: 'foreign-secret' };

const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  ETH: ['ERC20'],
  USDT: ['ERC20', 'TRC20'],
  BTC: ['BTC'],
  LTC: ['LTC'],
};
const NAMES: Readonly<Record<string, string>> = {
  ETH: 'Ethereum',
  USDT: 'Tether',
  BTC: 'Bitcoin',
  LTC: 'Litecoin',
};
const USD: Readonly<Record<string, number>> = { ETH: 3000, USDT: 1, BTC: 60_000, LTC: 80 };
const [MIN_USD, MAX_USD, PAGE] = [20, 50_000, 3];
const UNAVAILABLE: Answer = [400, { statusCode: 400, message: 'The pair is not available' }];
const INVALID = (texts: readonly string[]): Answer => [
  ...([400, { statusCode: 400, message: texts, error: 'Bad Request' }] as const),
];

/** A swap service that is not ours: small, with a reading of its own wherever the API document has none. */
export async function foreignService(): Promise<RawServer> {
  const orders = new Map<string, Body>();
  return rawServer((seen, response) => sendJson(response, ...answer(seen, orders)));
}

function answer(seen: SeenRequest, orders: Map<string, Body>): Answer {
  const url = new URL(seen.url, 'http://localhost');
  const endpoint = url.pathname.replace('/api/private/', '');
  const refused = refusal(seen, endpoint);
  if (refused !== null) return [403, { statusCode: 403, message: refused }];
  const query = Object.fromEntries(url.searchParams);
  const body = seen.body === '' ? {} : (JSON.parse(seen.body) as Record<string, unknown>);
  if (endpoint === 'get-all-coins') return coins(query);
  if (endpoint === 'get-coin-network') return networks(query['coin']);
  if (endpoint === 'exchange-coin') return quote(query);
  if (endpoint === 'create-transaction') return create(body, orders);
  const id = String(endpoint === 'get-transaction' ? (query['id'] ?? '') : (body['id'] ?? ''));
  const refundAddress = body['refundAddress'];
  const missing = [
    ...(id === '' ? ['id must not be null or undefined, must be a string, must not be empty'] : []),
    ...(endpoint === 'update-refund-address' && refundAddress === undefined
      ? ['refundAddress is required']
      : []),
  ];
  if (missing.length > 0) return INVALID(missing);
  const order = orders.get(id);
  if (order === undefined)
    return [404, { statusCode: 404, message: 'Transaction not found or access denied' }];
  if (endpoint === 'get-transaction') return [200, { ...order, createdAt: '2026-03-01T10:00:00Z' }];
  return [200, { message: 'OK', orderNumber: id, newRefundAddress: refundAddress }];
}

function refusal({ headers }: SeenRequest, endpoint: string): string | null {
  if (headers['x-api-public-key'] !== KEYS.publicKey) return 'Invalid public key.';
  if (!isEndpointName(endpoint) || headers['x-api-payload'] !== endpoint) return 'Invalid payload.';
  const signature = String(headers['x-api-signature'] ?? '').toLowerCase();
  return signature === sign(endpoint, KEYS.secret) ? null : 'Invalid signature.';
}

function coins(query: Readonly<Record<string, string>>): Answer {
  const { method = '1', page = '1', limit = '2', search = '' } = query;
  const problems = [
    ...(/^\d+$/.test(page) ? [] : ['page is not a number']),
    ...(['1', '2'].includes(method) ? [] : ['method must be 1 or 2']),
  ];
  if (problems.length > 0) return INVALID(problems);
  const filter = (name: string) => query[`${name}Coin`] ?? '';
  const network = query['depositNetwork'] ?? query['receiveNetwork'] ?? '';
  const own = method === '1' ? filter('deposit') : filter('receive');
  const found = Object.keys(NETWORKS).filter(
    (code) =>
      (NAMES[code] ?? '').toLowerCase().includes(search.toLowerCase()) &&
      (own === '' || own === code) &&
      (network === '' || NETWORKS[code]?.includes(network) === true),
  );
  const size = Math.min(PAGE, Number.parseInt(limit, 10));
  const start = (Number.parseInt(page, 10) - 1) * size;
  const pagination = { pageCount: Math.ceil(found.length / size), totalCount: found.length };
  const [list, key] = method === '1' ? ['depositCoins', 'deposits'] : ['withdrawCoins', 'withdraws'];
  const items = found.slice(start, start + size).map((code) => ({
    ...{ image: `/${code}.png`, subName: code, name: NAMES[code], rank: 7 },
    networks: { [key ?? '']: NETWORKS[code]?.map((subName) => ({ subName, memoNeeded: false })) },
  }));
  return [200, { pagination, [list ?? '']: items }];
}

function networks(coin: string | undefined): Answer {
  if (coin === undefined || coin === '') return INVALID(['coin is required']);
  const names = NETWORKS[coin]?.map((subName) => ({ subName }));
  if (names === undefined) return [422, { statusCode: 422, message: 'No such coin' }];
  return [200, { deposit: names, withdraws: names }];
}

interface Priced {
  readonly amount: number;
  readonly rate: number;
  readonly receive: number;
  readonly min: number;
  readonly max: number;
}

function price(terms: {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly side: unknown;
}): Priced | string {
  const { from, to, amount, side } = terms;
  const rate = Math.round(((USD[from] ?? 1) / (USD[to] ?? 1)) * 0.99 * 1e6) / 1e6;
  const sent = side === 'receive' ? amount / rate : amount;
  const [min, max] = [MIN_USD, MAX_USD].map((usd) => Math.round((usd / (USD[from] ?? 1)) * 1e5) / 1e5);
  if (sent < (min ?? 0)) return 'Amount to exchange is below the possible min amount to exchange';
  if (sent > (max ?? 0)) return 'Amount to exchange is higher the possible max amount to exchange';
  const rounded = (value: number) => Math.round(value * 1e6) / 1e6;
  return { amount: rounded(sent), rate, receive: rounded(sent * rate), min: min ?? 0, max: max ?? 0 };
}

/** Texts that are missing, or no choice, of a quote or a create. */
function problemsOf(given: Body, texts: readonly string[]): string[] {
  const missing = texts.filter((name) => given[name] === undefined).map((name) => `${name} is required`);
  const sides = ['deposit', 'receive'].includes(String(given['lastSource']));
  const types = ['1', '2'].includes(String(given['typeSwap']));
  return [...missing, ...(sides ? [] : ['lastSource is wrong']), ...(types ? [] : ['typeSwap is wrong'])];
}

function isOffered(coin: unknown, network: unknown): boolean {
  const names = NETWORKS[String(coin)];
  return names !== undefined && (network === undefined || names.includes(String(network)));
}

function quote(query: Readonly<Record<string, string>>): Answer {
  const problems = problemsOf(query, ['amount', 'coinFrom', 'coinTo']);
  if (problems.length > 0) return INVALID(problems);
  const { coinFrom: from = '', coinTo: to = '', amount = '', lastSource: side } = query;
  if (from === to || !isOffered(from, query['networkFrom']) || !isOffered(to, query['networkTo']))
    return UNAVAILABLE;
  const priced = price({ from, to, amount: Number(amount), side });
  if (typeof priced === 'string') return [400, { statusCode: 400, message: priced }];
  const text = (value: number) => String(value);
  return [
    200,
    {
      ...{ pair: `${from}_${to}`, amount: text(priced.amount), exchangeRate: text(priced.rate) },
      ...{ receive: text(priced.receive), minAmount: text(priced.min), maxAmount: text(priced.max) },
      validFor: 30,
    },
  ];
}

function create(body: Body, orders: Map<string, Body>): Answer {
  const names = ['depositCoin', 'depositNetwork', 'receiveAddress', 'receiveCoin', 'receiveNetwork'];
  const problems = problemsOf(body, names);
  if (typeof body['depositAmount'] !== 'number') problems.push('depositAmount must be a number');
  if (problems.length > 0) return INVALID(problems);
  const { depositCoin, depositNetwork, receiveCoin, receiveNetwork, receiveAddress } = body;
  if (!isOffered(depositCoin, depositNetwork) || !isOffered(receiveCoin, receiveNetwork)) return UNAVAILABLE;
  const [from, to] = [String(depositCoin), String(receiveCoin)];
  const priced = price({ from, to, amount: Number(body['depositAmount']), side: 'deposit' });
  if (typeof priced === 'string') return [400, { statusCode: 400, message: priced }];
  if (!/^0x/.test(String(receiveAddress)))
    return [400, { statusCode: 400, message: 'Invalid withdrawal address.' }];
  const order = `SW-${1_000_000 + orders.size}`;
  const side = (name: string, network: unknown, value: number, address: unknown) => ({
    coin: { name, value: String(value), network, fullName: NAMES[name] },
    ...{ address, memo: '' },
  });
  const made = {
    type: { typeSwap: Number(body['typeSwap']) },
    pairs: {
      deposit: side(from, depositNetwork, priced.amount, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'),
      receive: side(to, receiveNetwork, priced.receive, receiveAddress),
    },
    receiveTransaction: {
      ...{ txId: '', address: '', receivedTime: '', gettingInTheBlock: '' },
      ...{ amount: null, confirmation: null, fees: null },
    },
    fees: { feeNodeDeposit: '0' },
    swapTime: { start: '2026-03-01T10:00:00Z', end: '', duration: '' },
    ...{ orderNumber: order, status: 9, txId: '', riskScore: null },
    ...{ receivedTime: '', gettingInTheBlock: '', confirmation: null },
  };
  orders.set(order, made);
  return [200, made];
}
