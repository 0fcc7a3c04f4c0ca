import { StorageError } from '../../../base/errors.ts';
import { parsed } from '../../../base/text.ts';
import type { Database } from '../../database/database.ts';
import type { RateAnswer } from '../../swap/rate-limit.ts';
import type { LedgerSchema } from '../schema.ts';
import { type BucketState, newBucket, observe, take, tokensLeft, type WaitsFor } from './bucket.ts';
import type { BudgetLimit, Taker } from './limit.ts';

/** Changes the bucket of a key, wherever it is stored; gives the result. All processes take turns. */
export type ChangeBucket = <T>(
  key: string,
  now: number,
  change: (state: BucketState) => { readonly state: BucketState; readonly value: T },
) => Promise<T>;

/** The requests that one key may send, shared by all processes that keep its bucket in the same place. */
export interface Budget {
  readonly limit: BudgetLimit;
  /** Takes the right to send one request and gives 0, or else the milliseconds until the next try. */
  tryTake(): Promise<number>;
  /** Which limit the last wait of `tryTake` was for. */
  waitsFor(): WaitsFor;
  /** Records a response's rate limit: a 429 is written immediately, other responses with the next token. */
  observe(answer: RateAnswer): Promise<void>;
  /** Requests of the whole budget that are left now. */
  left(): Promise<number>;
}

/** The budget of a key for one kind of taker; `change` stores the bucket, and times are milliseconds since 1970. */
export function createBudget(
  key: string,
  limit: BudgetLimit,
  change: ChangeBucket,
  { now, taker = 'program' }: { readonly now: () => number; readonly taker?: Taker },
): Budget {
  let answers: RateAnswer[] = [];
  let waitsFor: WaitsFor = 'budget';
  const withAnswers = (state: BucketState): BucketState =>
    answers.reduce((current, answer) => observe(current, limit, answer, now()), state);
  const changed = async <T>(work: (state: BucketState) => { state: BucketState; value: T }): Promise<T> => {
    const counted = answers;
    const value = await change(key, now(), (state) => work(withAnswers(state)));
    answers = answers.filter((answer) => !counted.includes(answer));
    return value;
  };
  return {
    limit,
    tryTake: () =>
      changed((state) => {
        const taken = take(state, limit, now(), taker);
        waitsFor = taken.waitsFor;
        return { state: taken.state, value: taken.waitMs };
      }),
    waitsFor: () => waitsFor,
    observe: async (answer) => {
      answers = [...answers.slice(1 - MAX_ANSWERS), answer];
      if (answer.status === 429) await changed((state) => ({ state, value: undefined }));
    },
    left: () => changed((state) => ({ state, value: tokensLeft(state, limit, now()) })),
  };
}

/** A bucket in this process only, while there is no ledger to store it in. */
export function bucketsInMemory(): ChangeBucket {
  const buckets = new Map<string, BucketState>();
  return async (key, now, change) => {
    const { state, value } = change(buckets.get(key) ?? newBucket(now));
    buckets.set(key, state);
    return value;
  };
}

/** Answers kept until the next token is taken. */
const MAX_ANSWERS = 16;

/** Others were faster each time; with a few processes this does not happen. */
const MAX_TRIES = 100;

/** Buckets in the ledger. A process starts from the row that it wrote last, and repeats if that is not the newest. */
export function storedBuckets({ relaxed }: Pick<Database<LedgerSchema>, 'relaxed'>): ChangeBucket {
  const written = new Map<string, StoredBucket>();
  const read = async (account: string, now: number): Promise<StoredBucket> => {
    const row = await relaxed
      .selectFrom('budgets')
      .select(['state', 'version'])
      .where('account', '=', account)
      .executeTakeFirst();
    if (row === undefined) return { version: 0, text: '', state: newBucket(now) };
    const state = parsed(row.state);
    // What swapctl does not write is replaced by a new one, because counts are no reason to stop.
    return { version: row.version, text: row.state, state: isBucket(state) ? state : newBucket(now) };
  };
  const write = async (account: string, { version, text }: StoredBucket, now: number): Promise<boolean> => {
    const values = { state: text, updated_at: now, version };
    if (version === 1) {
      const added = await relaxed
        .insertInto('budgets')
        .values({ account, ...values })
        .onConflict((conflict) => conflict.column('account').doNothing())
        .executeTakeFirst();
      return added.numInsertedOrUpdatedRows === 1n;
    }
    const changed = await relaxed
      .updateTable('budgets')
      .set(values)
      .where('account', '=', account)
      .where('version', '=', version - 1)
      .executeTakeFirst();
    return changed.numUpdatedRows === 1n;
  };
  return async (account, now, change) => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const last = written.get(account);
      written.delete(account);
      const before = last ?? (await read(account, now));
      const { state, value } = change(before.state);
      const after = { version: before.version + 1, text: JSON.stringify(state), state };
      const isSame = after.text === before.text;
      if (isSame && last === undefined) return value;
      if (isSame || !(await write(account, after, now))) continue;
      if (tries === 0) written.set(account, after);
      return value;
    }
    throw new StorageError(
      'The request budget in the ledger could not be changed: too many concurrent updates.',
    );
  };
}

/** A row of the table of budgets; version 0 for one that is not there yet. */
interface StoredBucket {
  readonly version: number;
  readonly text: string;
  readonly state: BucketState;
}

function isBucket(value: unknown): value is BucketState {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const numbers = ['keepMs', 'pace', 'pacedAt', 'blockedUntil', 'at'];
  return (
    numbers.every((name) => Number.isFinite(fields[name])) &&
    (fields['programWaitedAt'] === null || Number.isFinite(fields['programWaitedAt'])) &&
    isRecord(fields['service'], ['limit', 'left', 'until']) &&
    isRecord(fields['ceiling'], ['pace', 'until']) &&
    Array.isArray(fields['taken']) &&
    fields['taken'].every((each) => Array.isArray(each) && each.length === 4 && each.every(Number.isFinite))
  );
}

/** Whether a value is null, or an object whose fields of these names are numbers. */
function isRecord(value: unknown, names: readonly string[]): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return names.every((name) => Number.isFinite(fields[name]));
}
