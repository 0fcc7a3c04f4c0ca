import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointName } from '../../src/core/partner-api/endpoints.ts';
import { stopServer } from './stop-server.ts';

/** Answers with JSON. The crash test runs this service without vitest, which raw-server.ts needs. */
function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}

/** A request with its whole body. */
export interface Seen {
  readonly endpoint: string;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request, well or badly. */
export type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

/** What the service does otherwise than well, by endpoint. */
export interface Plan extends Partial<Record<EndpointName, Answer>> {
  /** Called as soon as the head of a POST is there, before its body is read. */
  readonly onPost?: (request: IncomingMessage, service: SwapService) => void;
  /** The loopback address to listen at. Default 127.0.0.1. */
  readonly host?: string;
}

/** A swap service that responds correctly by default. */
export interface SwapService {
  readonly url: string;
  readonly requests: readonly Seen[];
  /** Number of POSTs received, whatever their result. */
  posts(): number;
  /** How often an endpoint was asked. */
  count(endpoint: EndpointName): number;
  /** Takes no new connections from now on. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the service on loopback. */
export async function startSwapService(plan: Plan = {}): Promise<SwapService> {
  const requests: Seen[] = [];
  let posts = 0;
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    if (request.method === 'POST') {
      posts += 1;
      plan.onPost?.(request, service);
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const seen = seenRequest(request, body);
      requests.push(seen);
      const answer = plan[seen.endpoint as EndpointName] ?? WELL[seen.endpoint];
      if (answer === undefined) sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      else answer(seen, response, request);
    });
  });
  const { host = '127.0.0.1' } = plan;
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const service: SwapService = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    posts: () => posts,
    count: (endpoint) => requests.filter((seen) => seen.endpoint === endpoint).length,
    stopListening: () => stopServer(server),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}

function seenRequest(request: IncomingMessage, body: string): Seen {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const endpoint = url.pathname.split('/').at(-1) ?? '';
  return { endpoint, method: request.method ?? '', query: url.searchParams, headers: request.headers, body };
}

/** Addresses that the checks take: deposits are of test networks, as a sandbox gives them. */
export const ADDRESSES = {
  btcDeposit: 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h',
  otherBtcDeposit: 'tb1q2dq5u3zzfavymdehz6vweadeurx27y6qcldk9u',
  xrpDeposit: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
  eth: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  otherEth: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  xrp: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  btcRefund: 'tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y99',
} as const;

/** Body of a create, as far as the answers need it. */
export interface CreateBody {
  readonly depositCoin: string;
  readonly depositAmount: number;
  readonly depositNetwork: string;
  readonly receiveAddress: string;
  readonly receiveCoin: string;
  readonly receiveNetwork: string;
  readonly typeSwap: number;
  readonly lastSource?: 'deposit' | 'receive';
  readonly memo?: string;
}

/** The order number of every swap that the service makes, unless a test says otherwise. */
export const ORDER = 'KQWZPA';

/** The response to a create that matches the request. */
export function wireSwap(body: CreateBody) {
  const xrp = body.depositNetwork === 'XRP';
  const side = (name: string, value: number, network: string) => ({ name, value, network, fullName: name });
  return {
    type: { typeSwap: body.typeSwap },
    pairs: {
      deposit: {
        coin: side(body.depositCoin, body.depositAmount, body.depositNetwork),
        address: (xrp ? ADDRESSES.xrpDeposit : ADDRESSES.btcDeposit) as string,
        memo: xrp ? '271828' : '',
      },
      receive: {
        coin: side(body.receiveCoin, 2.5, body.receiveNetwork),
        address: body.receiveAddress,
        memo: body.memo ?? '',
      },
    },
    receiveTransaction: { txId: '', address: '', receivedTime: '', gettingInTheBlock: '' },
    fees: { feeNodeDeposit: 0 },
    swapTime: { start: '2026-01-31T12:00:00.000Z', end: '', duration: '' },
    orderNumber: ORDER,
    status: 9,
    txId: '',
    riskScore: null,
    receivedTime: '',
    gettingInTheBlock: '',
    confirmation: null,
  };
}

/** A swap from BTC to ETH in a status, with both transactions where it is a success. */
export function wireSwapIn(status: number, orderNumber: string) {
  const swap = wireSwap(BTC_TO_ETH);
  const txId = status === 4 || status === 12 ? 'f00d' : '';
  const receiveTransaction = { ...swap.receiveTransaction, txId };
  return { ...swap, orderNumber, status, txId, receiveTransaction };
}

/** A swap on the wire, for tests to change. */
export type WireSwap = ReturnType<typeof wireSwap>;

/** The text of the right answer to a create, after `change` had its way with it. */
export function swapText(seen: Seen, change: (swap: WireSwap) => unknown = () => undefined): string {
  const swap = wireSwap(JSON.parse(seen.body) as CreateBody);
  change(swap);
  return JSON.stringify(swap);
}

/** Answers a create with an order that matches the request, after `change` had its way with it. */
export const createdAs =
  (change: (swap: WireSwap) => unknown): Answer =>
  (seen, response) =>
    sendJson(response, 201, swapText(seen, change));

/** Answers with a list of coins, each with its networks on both sides. */
export const listing =
  (networks: Readonly<Record<string, readonly string[]>>): Answer =>
  ({ query }, response) => {
    const isDeposit = query.get('method') === '1';
    const coins = Object.entries(networks).map(([subName, names]) => {
      const listed = names.map((name) => ({ subName: name, memoNeeded: name === 'XRP' }));
      return {
        image: '',
        subName,
        name: subName,
        networks: { [isDeposit ? 'deposits' : 'withdraws']: listed },
      };
    });
    const pagination = { pageCount: 1, totalCount: coins.length };
    sendJson(response, 200, { pagination, [isDeposit ? 'depositCoins' : 'withdrawCoins']: coins });
  };

/** Answers a quote with the payout of a deposit, or the deposit for a payout. */
export const sendQuote = (
  response: ServerResponse,
  amount: number,
  receive: number,
  limits: object = { minAmount: 0.001, maxAmount: 100 },
) => sendJson(response, 200, { pair: 'BTC_ETH', amount, receive, exchangeRate: receive / amount, ...limits });

/** Good answers, by endpoint. */
export const WELL: Readonly<Record<string, Answer>> = {
  'get-all-coins': listing({ BTC: ['BTC'], ETH: ['ETH'], XRP: ['XRP'] }),
  'exchange-coin': ({ query }, response) => {
    const pair = `${query.get('coinFrom')}_${query.get('coinTo')}`;
    const asked = Number(query.get('amount'));
    const [amount, receive] = query.get('lastSource') === 'receive' ? [0.1, asked] : [asked, 25 * asked];
    const exchangeRate = receive / amount;
    sendJson(response, 200, { pair, amount, exchangeRate, receive, minAmount: 0.001, maxAmount: 100 });
  },
  'create-transaction': (seen, response) => sendJson(response, 201, swapText(seen)),
  'get-transaction': ({ query }, response) =>
    sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), orderNumber: query.get('id') }),
  'update-refund-address': ({ body }, response) => {
    const { id, refundAddress } = JSON.parse(body) as { id: string; refundAddress: string };
    sendJson(response, 200, { message: 'Updated', orderNumber: id, newRefundAddress: refundAddress });
  },
};

/**
 * A plan whose service gives a price, does what is said, and keeps no connection that a POST could ride on. Its port is
 * free then, and no server of another test may take it: on Linux it is one of an address that no other test uses.
 */
export function stoppingAfterQuote(stop: () => Promise<void>): Plan {
  return {
    ...(process.platform === 'linux' ? { host: '127.0.0.2' } : {}),
    'exchange-coin': (seen, response, request) => {
      response.setHeader('connection', 'close');
      void stop().then(() => WELL['exchange-coin']?.(seen, response, request));
    },
  };
}

/** The create that the tests send most. */
export const BTC_TO_ETH: CreateBody = {
  depositCoin: 'BTC',
  depositAmount: 0.1,
  depositNetwork: 'BTC',
  typeSwap: 2,
  receiveCoin: 'ETH',
  receiveNetwork: 'ETH',
  receiveAddress: ADDRESSES.eth,
  lastSource: 'deposit',
};
