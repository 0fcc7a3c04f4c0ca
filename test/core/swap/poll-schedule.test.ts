import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pollDelay, type TimeInStatus, timeInStatus } from '../../../src/core/swap/polling.ts';

/** A status, how long a swap stays in it in milliseconds, and where it goes. */
type Stay = readonly [status: string, milliseconds: number, next: string];

const MINUTE = 60_000;
const WINDOW = 30 * MINUTE;
const SWAPS = 10_000;
const LEARNED_FROM = 200;

/** Confirmations in the sandbox, and the time of a block on the real chain, which is random where miners find it. */
const PAIRS = {
  BTC: { confirmations: 2, block: 10 * MINUTE, random: true },
  ETH: { confirmations: 12, block: 12_000, random: false },
  TRX: { confirmations: 20, block: 3_000, random: false },
  LTC: { confirmations: 6, block: 2.5 * MINUTE, random: true },
  SOL: { confirmations: 32, block: 400, random: false },
} as const;
type Pair = keyof typeof PAIRS;

/** Numbers that are the same in every run. */
function numbers() {
  let seed = 1;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (seed + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  return { next, lognormal: (median: number, sigma: number) => median * Math.exp(sigma * normal()) };
}

type Numbers = ReturnType<typeof numbers>;

/** The times from a deposit to the confirmation, and from there to the payout. */
type Course = (pair: (typeof PAIRS)[Pair], from: Numbers) => readonly [confirmed: number, exchanged: number];

/** The sandbox's own times at a time scale of 1/60: two minutes for each confirmation, five for the exchange. */
const ofSandbox: Course = ({ confirmations }) => [confirmations * 2 * MINUTE, 5 * MINUTE];

/** The times of real chains, and an exchange that takes from two to eight minutes. */
const ofChains: Course = ({ confirmations, block, random }, { next, lognormal }) => {
  let confirmed = 10_000;
  for (let count = 0; count < confirmations; count += 1)
    confirmed += random ? -block * Math.log(next()) : block;
  return [confirmed, lognormal(4 * MINUTE, 0.5)];
};

/** Deposits come after a median of six minutes; what is not there when the window ends is overdue. */
function staysOf(course: Course, pair: Pair, from: Numbers): readonly Stay[] {
  const deposit = from.lognormal(6 * MINUTE, 0.9);
  if (deposit > WINDOW) return [['new', WINDOW, 'overdue']];
  const [confirmed, exchanged] = course(PAIRS[pair], from);
  return [
    ['new', deposit, 'confirmation'],
    ['confirmation', confirmed, 'exchanging'],
    ['exchanging', exchanged, 'success'],
  ];
}

interface Known {
  left: { milliseconds: number; next: string }[];
  times: TimeInStatus | null;
}

/** Polls swaps as the ledger schedules them; the second half of them is counted. Delays in seconds. */
function simulated(course: Course, learns: boolean) {
  const from = numbers();
  const known = new Map<string, Known>();
  const delays: number[] = [];
  let requests = 0;
  let swaps = 0;
  for (let index = 0; index < SWAPS; index += 1) {
    const pairs = Object.keys(PAIRS) as Pair[];
    const pair = pairs[index % pairs.length] ?? 'BTC';
    const isCounted = index >= SWAPS / 2;
    swaps += isCounted ? 1 : 0;
    let [entered, polledAt, changedAt, moment] = [0, 0, 0, 0];
    for (const [status, milliseconds, next] of staysOf(course, pair, from)) {
      const key = `${pair} ${status}`;
      const kept = known.get(key) ?? { left: [], times: null };
      known.set(key, kept);
      const end = entered + milliseconds;
      const state = { status, depositSeen: status !== 'new', changedAt };
      let before = polledAt;
      while (polledAt < end) {
        before = polledAt;
        polledAt += pollDelay(state, polledAt, learns ? kept.times : null);
        requests += isCounted ? 1 : 0;
      }
      if (isCounted) delays.push((polledAt - end) / 1000);
      // As the ledger has it: the change was in the middle between two polls.
      const changed = (before + polledAt) / 2;
      kept.left = [...kept.left.slice(1 - LEARNED_FROM), { milliseconds: changed - moment, next }];
      if (index % 100 < pairs.length || kept.left.length === 20) kept.times = timeInStatus(kept.left);
      [entered, changedAt, moment] = [end, polledAt, changed];
    }
  }
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.floor(delays.length * share)] ?? 0;
  return { requests: requests / swaps, median: at(0.5), p95: at(0.95) };
}

type Figures = ReturnType<typeof simulated>;

const line = (name: string, schedule: string, { requests, median, p95 }: Figures) =>
  `| ${name} | ${schedule} | ${requests.toFixed(1)} | ${median.toFixed(0)} s | ${p95.toFixed(0)} s |`;

describe('polling with learned times', () => {
  const page = readFileSync('docs/evidence/scale.md', 'utf8');

  it('sees sandbox changes within a median of 15 s, using a fifth of the requests', () => {
    const [fixed, learned] = [simulated(ofSandbox, false), simulated(ofSandbox, true)];
    expect(learned.median).toBeLessThanOrEqual(15);
    expect(learned.requests).toBeLessThanOrEqual(fixed.requests / 5);
    expect(page).toContain(line("the sandbox's", 'fixed', fixed));
    expect(page).toContain(line("the sandbox's", 'learned', learned));
  });

  it('uses at most 40 % of the requests where block times are random', () => {
    const [fixed, learned] = [simulated(ofChains, false), simulated(ofChains, true)];
    expect(learned.requests).toBeLessThan(fixed.requests / 2.5);
    expect(page).toContain(line('real chains', 'fixed', fixed));
    expect(page).toContain(line('real chains', 'learned', learned));
  });
});
