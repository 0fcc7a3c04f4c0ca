import { parsed } from '../../../base/text.ts';
import { wireTime } from '../../../base/time.ts';
import type { Decimal } from '../../swap/amount.ts';
import { isDepositSeen } from '../../swap/attention.ts';
import type { Labels } from '../../swap/labels.ts';
import type { Swap } from '../../swap/swap.ts';
import { type Entry, isObject } from '../entry.ts';
import { agreedAmounts } from '../swap-result.ts';

/** The figures of one swap that a report adds up, from its request and its last known state. */
export interface SwapFigures {
  /** Status of the order; null if none is known. */
  readonly status: string | null;
  readonly depositCoin: string | null;
  readonly receiveCoin: string | null;
  readonly labels: Labels;
  /** Whether a deposit was seen, or the status says that there was one. */
  readonly funded: boolean;
  readonly doubtful: boolean;
  readonly deposit: Decimal | null;
  /** Payout: the amount sent or, if the service does not report it, the amount due. */
  readonly receive: Decimal | null;
  /** Payout as agreed at the creation. */
  readonly promised: Decimal | null;
  readonly depositFee: Decimal | null;
  readonly receiveFee: Decimal | null;
  /** Milliseconds from the creation to the end; null if the service does not report it, or the swap has not ended. */
  readonly durationMs: number | null;
}

/** The parts of an entry that its figures are computed from. */
export type FiguresSource = Pick<Entry, 'request' | 'swap' | 'first' | 'doubts' | 'labels' | 'requestedAt'>;

/** Figures of an entry; null if it has an invalid amount. */
export function swapFigures(source: FiguresSource): SwapFigures | null {
  const { request, swap, first, doubts, labels, requestedAt } = source;
  const sides = swap ?? request;
  const figures: SwapFigures = {
    status: swap?.status ?? null,
    depositCoin: sides?.deposit.coin ?? null,
    receiveCoin: sides?.receive.coin ?? null,
    labels,
    funded: swap !== null && isDepositSeen(swap),
    doubtful: doubts.length > 0,
    deposit: swap?.deposit.amount ?? null,
    receive: swap?.receive.paidAmount ?? swap?.receive.amount ?? null,
    promised: agreedAmounts({ request, first })?.receive ?? null,
    depositFee: swap?.deposit.fee ?? null,
    receiveFee: swap?.receive.fee ?? null,
    durationMs: swap === null ? null : durationOf(swap, requestedAt),
  };
  return hasAmounts(figures) ? figures : null;
}

/** Milliseconds between the two times, or else the service's own `duration`, which it writes as HH:MM:SS. */
function durationOf({ createdAt, startedAt, endedAt, duration }: Swap, requestedAt: number): number | null {
  const end = wireTime(endedAt);
  const start = wireTime(createdAt) ?? wireTime(startedAt) ?? requestedAt;
  if (end !== null && end >= start) return end - start;
  const found = /^([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])$/.exec(duration ?? '');
  if (found === null) return null;
  return found.slice(1).reduce((sum, part) => sum * 60 + Number.parseInt(part, 10), 0) * 1000;
}

function hasAmounts({ deposit, receive, promised, depositFee, receiveFee }: SwapFigures): boolean {
  const sides = isAmountOrNull(deposit) && isAmountOrNull(receive) && isAmountOrNull(promised);
  return sides && isAmountOrNull(depositFee) && isAmountOrNull(receiveFee);
}

function isAmountOrNull(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(value));
}

/** The order of the figures in a column: without names, half the bytes, and 0.15 s of 1.7 s for 100,000 swaps. */
const STORED = [
  'status',
  'depositCoin',
  'receiveCoin',
  'deposit',
  'receive',
  'promised',
  'depositFee',
  'receiveFee',
  'durationMs',
  'funded',
  'doubtful',
  'labels',
] as const satisfies readonly (keyof SwapFigures)[];

/** Maximum size of the column, in bytes: it is in an index with others, and PostgreSQL refuses an index row of 2.7 kB. */
const MAX_BYTES = 1500;

/** The column of an entry whose figures cannot be stored: they are computed each time. */
const NONE = '';

/** The figures of an entry as a column keeps them. */
export function storedFigures(source: FiguresSource): string {
  const figures = swapFigures(source);
  if (figures === null) return NONE;
  const text = JSON.stringify(STORED.map((name) => figures[name]));
  return Buffer.byteLength(text) > MAX_BYTES ? NONE : text;
}

/** The figures in a column; null if it has none, or not what swapctl writes there. */
export function readFigures(text: string): SwapFigures | null {
  const stored = text === NONE ? null : parsed(text);
  if (!Array.isArray(stored) || stored.length !== STORED.length) return null;
  const figures: Record<string, unknown> = {};
  for (const [at, name] of STORED.entries()) figures[name] = stored[at];
  return isFigures(figures) && hasAmounts(figures) ? figures : null;
}

/** Whether these are figures; their amounts are not checked. */
function isFigures(
  figures: Readonly<Record<string, unknown>>,
): figures is Readonly<Record<string, unknown>> & SwapFigures {
  const { durationMs, labels } = figures;
  return (
    ['status', 'depositCoin', 'receiveCoin'].every((name) => isTextOrNull(figures[name])) &&
    (durationMs === null || typeof durationMs === 'number') &&
    ['funded', 'doubtful'].every((name) => typeof figures[name] === 'boolean') &&
    isObject(labels)
  );
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
