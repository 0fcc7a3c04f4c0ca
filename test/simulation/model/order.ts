import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { Committed } from '../world/committed.ts';
import type { Account } from '../world/service.ts';
import { sameNumber } from './decimals.ts';
import type { Content } from './policy.ts';

/** Codes of the statuses in which an order ends. */
export const PAID = [4, 12];
export const FAILED = [5, 6];
export const REFUNDED = [13];
export const ENDS = [...PAID, ...FAILED, ...REFUNDED];

/** One side of an order, as the service wrote it. */
export interface OrderSide {
  readonly coin: string;
  readonly network: string;
  readonly amount: string;
  readonly address: string;
  readonly memo: string | null;
}

/** An order as it truly is: the model reads it from what the service answered, before the network touched it. */
export interface TrueOrder {
  readonly order: string;
  readonly type: 'fixed' | 'float';
  readonly deposit: OrderSide;
  readonly receive: OrderSide;
  /** Milliseconds of the world. */
  readonly madeAt: number;
  /** The create that made it. */
  readonly post: Post;
  /** When it stopped waiting for a deposit, in milliseconds of the world: a deposit, or the end of its window. */
  begunAt: number;
  /** When its window ends, in milliseconds of the world. */
  readonly windowEndsAt: number;
  /** Deposits that people sent. */
  readonly paid: string[];
  /** Codes of the statuses in which the service showed it. */
  readonly reported: Set<number>;
  /** Refund addresses as they were set at the service, one after the other. */
  readonly refunds: string[];
}

/** The outcome of a create, as its sender could see it. */
export type Fate = 'under way' | 'not sent' | 'refused' | 'answered' | 'lost';

/** One create that left a process. */
export interface Post {
  readonly process: string;
  readonly account: Account;
  /** What was sent, as JSON. */
  readonly body: string;
  /** The entry of the ledger that had claimed it. */
  intent: string;
  fate: Fate;
}

const WINDOW_MS = { fixed: 20 * 60_000, float: 30 * 60_000 };

/** Reads an order from the service's answer, digit for digit; `pace` is how many times as fast the service's clock runs. */
export function orderFrom(text: string, post: Post, now: number, pace: number): TrueOrder {
  const all = (pattern: RegExp): readonly string[] =>
    [...text.matchAll(pattern)].map(([, value = '']) => value);
  const names = all(/"name":"([^"]*)"/g);
  const values = all(/"value":"?([0-9.]+)/g);
  const networks = all(/"network":"([^"]*)"/g);
  const addresses = all(/"address":"([^"]*)"/g);
  const memos = all(/"memo":"([^"]*)"/g);
  const side = (index: number): OrderSide => ({
    coin: names[index] ?? '',
    network: networks[index] ?? '',
    amount: values[index] ?? '',
    address: addresses[index] ?? '',
    memo: memos[index] === '' ? null : (memos[index] ?? null),
  });
  const type = /"typeSwap":1/.test(text) ? 'fixed' : 'float';
  const windowEndsAt = now + WINDOW_MS[type] / pace;
  return {
    order: orderIn(text),
    type,
    deposit: side(0),
    receive: side(1),
    madeAt: now,
    post,
    begunAt: windowEndsAt,
    windowEndsAt,
    paid: [],
    reported: new Set([statusIn(text)]),
    refunds: [],
  };
}

/** A refund address in the audit chain. */
export interface RefundLink {
  readonly order: string;
  readonly refundAddress: string;
}

/** The order that an answer is about. */
export function orderIn(text: string): string {
  return /"orderNumber":"([^"]*)"/.exec(text)?.[1] ?? '';
}

/** The status of an order in the service's words. */
export function statusIn(text: string): number {
  return Number.parseInt(/"status":([0-9]+)/.exec(text)?.[1] ?? '0', 10);
}

/** An entry of the ledger, as the model knows it. */
export interface Intent {
  readonly id: string;
  readonly account: string;
  readonly key: string | null;
  job: string | null;
  /** Value of its label `team`. */
  team: string | null;
  outcome: string;
  /** How often it was claimed. */
  claims: number;
  /** When it was last claimed, in milliseconds of the world. */
  claimedAt: number;
  /** Claims that no create has used yet, by their process, or by {@link ANYONE}. */
  readonly claimedBy: string[];
  readonly posts: Post[];
}

/** Answers that mean that nothing was done; by any other a proxy may have given up while the service went on. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 460, 499].includes(status);
}

/** Whether an entry of the ledger has the content of a create that was sent. */
export function isRequest(disk: Committed, id: string, { body = '' }: Pick<ApiRequest, 'body'>): boolean {
  const { request } = contentOf(disk, id);
  const amount = /"depositAmount":([0-9.]+)/.exec(body)?.[1] ?? null;
  const has = (name: string, text: string | null) =>
    (new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1] ?? null) === text;
  const isSame =
    has('depositCoin', request.deposit.coin) &&
    has('receiveCoin', request.receive.coin) &&
    has('receiveAddress', request.address) &&
    has('memo', request.memo) &&
    body.includes(`"typeSwap":${request.type === 'fixed' ? 1 : 2}`);
  return isSame && has('refundAddress', request.refundAddress) && sameNumber(amount, request.amount);
}

/** What an entry of the ledger is to create. */
export function contentOf(disk: Committed, id: string): Content {
  const [row] = disk.rows<{ request: string; labels: string | null }>(
    'select request, labels from intents where id = ?',
    id,
  );
  return { request: JSON.parse(row?.request ?? '{}'), labels: JSON.parse(row?.labels ?? '{}') };
}

/** Stands for the writer where a ledger cannot tell who it was. */
export const ANYONE = '';

/** Index of a claim that a process made, or anyone may have made; below 0 for none. */
export function claimOf(claimedBy: readonly string[], process: string): number {
  return claimedBy.findIndex((by) => by === process || by === ANYONE);
}

/** What the price of a quote or a create is for: its pair and rate type, and the amount if it is the one to send. */
export function pricedBy({ query, body = '{}' }: Pick<ApiRequest, 'query' | 'body'>): string {
  const sent: Readonly<Record<string, unknown>> = query ?? JSON.parse(body);
  const pair = 'coinFrom depositCoin networkFrom depositNetwork coinTo receiveCoin networkTo receiveNetwork';
  const names = `${pair} typeSwap ${sent['lastSource'] === 'deposit' ? 'amount depositAmount' : ''}`;
  return names.replace(/(\w+) ?/g, (_, name) => `${Number(sent[name]) || (sent[name] ?? '')}`);
}
