import type { Kysely } from 'kysely';
import { expiryTime } from '../../swap/agreement/expiry.ts';
import { isDepositSeen } from '../../swap/agreement/fundable.ts';
import type { Decimal } from '../../swap/amount.ts';
import type { Labels } from '../../swap/labels.ts';
import type { Swap } from '../../swap/swap.ts';
import type { LedgerFilter } from '../books.ts';
import { passes } from '../books.ts';
import type { IntentOutcome } from '../entry.ts';
import { DamagedEntryError } from '../entry.ts';
import { readableWith } from '../readable.ts';
import type { IntentRow, LedgerSchema } from '../schema.ts';
import { readIntent, readLabels, readSnapshot } from '../stored-json.ts';
import { askedAmounts } from '../swap-result.ts';

/** What a report adds up of one swap. */
export interface SwapFigures {
  readonly profile: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly outcome: IntentOutcome;
  /** Status of the order; null where none is known. */
  readonly status: string | null;
  readonly depositCoin: string | null;
  readonly receiveCoin: string | null;
  readonly labels: Labels;
  /** Whether a deposit was seen, or the status says that there was one. */
  readonly funded: boolean;
  readonly doubtful: boolean;
  readonly deposit: Decimal | null;
  /** Payout: what was sent out, or where the service does not say, what was to be. */
  readonly receive: Decimal | null;
  /** Payout as agreed at the creation. */
  readonly promised: Decimal | null;
  readonly depositFee: Decimal | null;
  readonly receiveFee: Decimal | null;
  /** Milliseconds from the creation to the end; null where the service does not say, or it has not ended. */
  readonly lasted: number | null;
}

/** Reads of the figures that reports need, which hold one page of the ledger in memory. All throw `storage_failed`. */
export interface Figures {
  /** Pages of the swaps that pass a filter, the oldest first; a damaged one is left out. */
  pages(filter: LedgerFilter, pageSize?: number): AsyncIterable<readonly SwapFigures[]>;
  /** Whether any entry passes a filter. */
  any(filter: LedgerFilter): Promise<boolean>;
}

const USUAL_PAGE = 1000;

/** See {@link Figures}. `onDamaged` is called once for each damaged entry that is come across. */
export function figures(
  kysely: Kysely<LedgerSchema>,
  onDamaged: (error: DamagedEntryError) => void,
): Figures {
  const readable = readableWith(onDamaged, figuresOf);
  return {
    async *pages(filter, size = USUAL_PAGE) {
      let last: FiguresRow | undefined;
      do {
        const rows = await page(kysely, filter, last, size);
        if (rows.length > 0) yield readable(rows);
        last = rows.length < size ? undefined : rows.at(-1);
      } while (last !== undefined);
    },
    any: async (filter) => {
      const found = kysely.selectFrom('intents').select('id');
      return (await found.where((is) => passes(is, filter)).executeTakeFirst()) !== undefined;
    },
  };
}

const COLUMNS = [
  ...['id', 'profile', 'requested_at', 'outcome', 'order_number', 'request', 'snapshot', 'first_snapshot'],
  ...['doubts', 'labels'],
] as const satisfies readonly (keyof IntentRow)[];

type FiguresRow = Pick<IntentRow, (typeof COLUMNS)[number]>;

function page(
  kysely: Kysely<LedgerSchema>,
  filter: LedgerFilter,
  last: FiguresRow | undefined,
  size: number,
): Promise<FiguresRow[]> {
  let query = kysely
    .selectFrom('intents')
    .select(COLUMNS)
    .where((is) => passes(is, filter));
  if (last !== undefined)
    // The first condition is implied by the second; it is what the index on the time is used for.
    query = query
      .where('requested_at', '>=', last.requested_at)
      .where((is) => is.or([is('requested_at', '>', last.requested_at), is('id', '>', last.id)]));
  return query.orderBy('requested_at').orderBy('id').limit(size).execute();
}

/** Figures of a row. Throws {@link DamagedEntryError}. */
function figuresOf(row: FiguresRow): SwapFigures {
  const swap = known(row, readSnapshot(row.snapshot), 'the swap as last seen');
  const isPaid = swap?.status === 'success';
  // The JSON of a column is read where it is needed alone: reading it is what takes most of the time.
  const request = swap === null || isPaid ? known(row, readIntent(row.request), 'what was asked for') : null;
  const first = isPaid ? known(row, readSnapshot(row.first_snapshot), 'the swap as first seen') : null;
  const sides = swap ?? request;
  return {
    profile: row.profile,
    requestedAt: row.requested_at,
    outcome: row.outcome as IntentOutcome,
    status: swap?.status ?? null,
    depositCoin: sides?.deposit.coin ?? null,
    receiveCoin: sides?.receive.coin ?? null,
    labels: known(row, readLabels(row.labels), 'its labels'),
    funded: swap !== null && (FUNDED_STATUSES.has(swap.status) || isDepositSeen(swap)),
    doubtful: row.doubts !== null && row.doubts !== '[]',
    deposit: amountOf(row, swap?.deposit.amount),
    receive: amountOf(row, swap?.receive.paidAmount ?? swap?.receive.amount),
    promised: amountOf(row, askedAmounts({ request, first })?.receive),
    depositFee: amountOf(row, swap?.deposit.fee),
    receiveFee: amountOf(row, swap?.receive.fee),
    lasted: swap === null ? null : lastedOf(swap, row.requested_at),
  };
}

/** Statuses that an order has only after its deposit. */
const FUNDED_STATUSES: ReadonlySet<string> = new Set(['confirmation', 'exchanging', 'success', 'refund']);

function known<T>(row: FiguresRow, value: T | undefined, what: string): T {
  if (value === undefined) throw new DamagedEntryError(row, what);
  return value;
}

function amountOf(row: FiguresRow, amount: unknown): Decimal | null {
  if (amount === null || amount === undefined) return null;
  if (typeof amount === 'string' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(amount)) return amount;
  throw new DamagedEntryError(row, 'an amount');
}

/** Milliseconds between the two times, or else the service's own `duration`, which it writes as HH:MM:SS. */
function lastedOf({ createdAt, startedAt, endedAt, duration }: Swap, requestedAt: number): number | null {
  const end = expiryTime(endedAt);
  const start = expiryTime(createdAt) ?? expiryTime(startedAt) ?? requestedAt;
  if (end !== null && end >= start) return end - start;
  const [, hours, minutes, seconds] = /^([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])$/.exec(duration ?? '') ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return null;
  const whole = (text: string) => Number.parseInt(text, 10);
  return ((whole(hours) * 60 + whole(minutes)) * 60 + whole(seconds)) * 1000;
}
