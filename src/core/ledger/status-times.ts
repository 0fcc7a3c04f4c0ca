import type { Kysely, NotNull } from 'kysely';
import { timeInStatus } from '../swap/polling.ts';
import { coinLabel } from '../swap/swap.ts';
import type { Entry } from './entry.ts';
import type { LedgerSchema } from './schema.ts';

/** Limits of the swaps of a pair that are learned from: the newest ones, none older than this in milliseconds. */
const MAX_SWAPS = 200;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
/** Milliseconds after which they are read again. */
const KEPT_MS = 10 * 60_000;

/** The part of an entry that selects similar earlier swaps. */
export type Alike = Pick<Entry, 'account' | 'environment' | 'request'>;

export type StatusTimes = ReturnType<typeof rememberedTimes>;

/** How long swaps of a pair stay in a status; null if not known. Read every ten minutes, not with each poll. */
export function rememberedTimes() {
  const known = new Map<
    string,
    { readonly at: number; readonly times: Awaited<ReturnType<typeof readTimes>> }
  >();
  return async (kysely: Kysely<LedgerSchema>, entry: Alike, status: string, at: number) => {
    const { account, request } = entry;
    if (request === null) return null;
    const key = [account, coinLabel(request.deposit), coinLabel(request.receive)].join('\n');
    const last = known.get(key);
    if (last !== undefined && Math.abs(at - last.at) < KEPT_MS) return last.times.get(status) ?? null;
    const times = await readTimes(kysely, { ...entry, request }, at);
    known.set(key, { at, times });
    return times.get(status) ?? null;
  };
}

async function readTimes(
  kysely: Kysely<LedgerSchema>,
  { account, environment, request }: Alike & { readonly request: NonNullable<Alike['request']> },
  at: number,
) {
  const newest = kysely
    .selectFrom('intents')
    .select('id')
    .where('deposit_asset', '=', coinLabel(request.deposit))
    .where('environment', '=', environment)
    .where('requested_at', '>', at - MAX_AGE_MS)
    .where('receive_asset', '=', coinLabel(request.receive))
    .where('account', '=', account)
    .where('outcome', '=', 'created')
    .orderBy('requested_at', 'desc')
    .limit(MAX_SWAPS);
  const rows = await kysely
    .selectFrom(newest.as('alike'))
    .innerJoin('changes', 'changes.intent_id', 'alike.id')
    .select(['intent_id as id', 'at', 'unchanged_until as before', 'status'])
    .where('status', 'is not', null)
    .$narrowType<{ status: NotNull }>()
    .orderBy('intent_id')
    .orderBy('sequence')
    .execute();
  const left = new Map<string, { milliseconds: number; next: string }[]>();
  let [entered] = rows;
  for (const row of rows) {
    if (entered?.id === row.id && entered.status === row.status) continue;
    if (entered?.id === row.id) {
      const milliseconds = Math.max(0, moment(row) - moment(entered));
      left.set(entered.status, [...(left.get(entered.status) ?? []), { milliseconds, next: row.status }]);
    }
    entered = row;
  }
  return new Map([...left].map(([status, stays]) => [status, timeInStatus(stays)]));
}

/** A change happened between two polls. Using the midpoint lets the learned times become shorter again. */
function moment({ at, before }: { readonly at: number; readonly before: number | null }): number {
  return before === null ? at : (before + at) / 2;
}
