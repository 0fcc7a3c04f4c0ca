import type { IntentRow } from '../../../../src/core/ledger/schema.ts';
import { statusMeaning } from '../../../../src/core/partner-api/statuses.ts';
import { INTENT, swapOf } from '../entries.ts';
import { rowOf } from '../fill.ts';

/** A source of numbers from 0 to below 1 that gives the same ones for a seed: Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CODES = [9, 1, 3, 4, 4, 4, 12, 5, 6, 10, 11, 13, 99];
const COINS = ['BTC', 'ETH', 'USDT', 'XRP', '1INCH'];
const OUTCOMES = ['created', 'created', 'created', 'created', 'unknown', 'refused', 'not-sent', 'dismissed'];
const TEAMS = ['ops', 'desk', '"quoted"', null];

const START = Date.parse('2026-01-01T00:00:00Z');

/** A random swap, and what a report has to make of it, read from nothing but the numbers that were drawn. */
export interface RandomSwap {
  readonly row: IntentRow;
  readonly outcome: string;
  readonly status: string;
  readonly coins: readonly [deposit: string, receive: string];
  readonly deposit: string;
  readonly paid: string;
  readonly promised: string;
  readonly fees: readonly [deposit: string, receive: string];
  readonly milliseconds: number;
  readonly seen: boolean;
}

/** Draws a swap. */
export function randomSwap(index: number, random: () => number, environment = 'live'): RandomSwap {
  const whole = (below: number) => Math.floor(random() * below);
  const one = <T>(list: readonly T[]): T => list[whole(list.length)] as T;
  const amount = () => {
    const fraction = Array.from({ length: whole(19) }, () => whole(10)).join('');
    return `${whole(1_000_000)}${fraction === '' ? '' : `.${fraction}`}`;
  };
  const [code, outcome, coins] = [one(CODES), one(OUTCOMES), [one(COINS), one(COINS)] as const];
  const [deposit, paid, promised, fees] = [amount(), amount(), amount(), [amount(), amount()] as const];
  const [milliseconds, seen, team] = [whole(4_000_000), random() < 0.5, one(TEAMS)];
  const requestedAt = START + whole(1000 * 3_600_000);
  const order = `R${index}`;
  const plain = swapOf(order, code);
  const swap = {
    ...plain,
    deposit: { ...plain.deposit, coin: coins[0], amount: deposit, fee: fees[0], txId: seen ? 'tx' : null },
    receive: { ...plain.receive, coin: coins[1], amount: '1', paidAmount: paid, fee: fees[1] },
    createdAt: new Date(requestedAt).toISOString(),
    endedAt: new Date(requestedAt + milliseconds).toISOString(),
  };
  const first = { ...swap, receive: { ...swap.receive, amount: promised } };
  const [from, to] = [
    { coin: coins[0], network: 'N' },
    { coin: coins[1], network: 'N' },
  ];
  const request = { ...INTENT, deposit: from, receive: to };
  const made = outcome === 'created';
  return {
    outcome,
    status: statusMeaning(code).status,
    coins,
    deposit,
    paid,
    promised,
    fees,
    milliseconds,
    seen,
    row: {
      ...rowOf(index, false),
      environment,
      outcome,
      requested_at: requestedAt,
      order_number: made ? order : null,
      request: JSON.stringify(request),
      snapshot: made ? JSON.stringify(swap) : null,
      first_snapshot: made ? JSON.stringify(first) : null,
      status_code: made ? code : null,
      labels: team === null ? null : JSON.stringify({ team }),
    },
  };
}
