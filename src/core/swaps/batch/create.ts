import { EXIT_CODES, InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import type { Entry } from '../../ledger/entry.ts';
import { recordedSwap, type SwapResult } from '../../ledger/swap-result.ts';
import { type Labels, labelsWords, sameLabels } from '../../swap/labels.ts';
import type { Coin } from '../../swap/swap.ts';
import type { SwapInput } from '../check.ts';
import type { CreatedSwap } from '../create.ts';
import { onLedger } from '../create-records.ts';
import { createSwap, type ReviewedPrice } from '../create-swap.ts';
import { failedOutcome } from '../created.ts';
import { labelsNotice, stillUnknown } from '../idempotency.ts';
import type { Ports } from '../ports.ts';
import { checkLeast } from '../price.ts';
import { RECENT_MS } from './keys.ts';
import type { BudgetedService } from './pace.ts';
import type { FreshPrice } from './prices.ts';

/** Processes items, some in parallel; yields results in their order. Work in progress is awaited when stopped. */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of source) {
      const result = work(item);
      // Its failure is thrown when its turn comes.
      result.catch(() => undefined);
      running.push(result);
      const first = running.length >= atOnce ? running.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (let first = running.shift(); first !== undefined; first = running.shift()) yield await first;
  } finally {
    await Promise.allSettled(running);
  }
}

/** Number of consecutive rows that may fail for reasons outside the row. */
const MAX_IN_A_ROW = 5;

/** Exit codes of errors that every further row would have: refused credentials, a ledger that cannot be written. */
const OF_ALL_ROWS: ReadonlySet<number> = new Set([4, 11]);

/** Exit codes of a failing service: unreachable, or responses that leave an outcome unknown. */
const OF_THE_SERVICE: ReadonlySet<number> = new Set([6, 7]);

/** Stops a batch that keeps failing, before it has ten thousand unknown outcomes. */
class Failures {
  #inARow = 0;
  #reason: SwapctlError | null = null;

  note({ error, isEarlier }: RowResult): void {
    if (isEarlier) return;
    const code = error === null ? 0 : EXIT_CODES[error.code];
    this.#inARow = OF_THE_SERVICE.has(code) ? this.#inARow + 1 : 0;
    const isOfAll = OF_ALL_ROWS.has(code) || error?.code === 'stopped';
    if (error !== null && (isOfAll || this.#inARow >= MAX_IN_A_ROW)) this.#reason ??= error;
  }

  /** The error of a row that is no longer tried; null while the batch continues. */
  refusal(): SwapctlError | null {
    if (this.#reason === null) return null;
    const { code, message, retryable } = this.#reason;
    const hint = 'Nothing was sent for this row; fix the problem and run the same command again.';
    return new SwapctlError(
      code === 'outcome_unknown' ? 'service_error' : code,
      `Not tried, because the batch was stopped: ${message}`,
      { hint, retryable: code === 'outcome_unknown' || retryable },
    );
  }
}

/** A row that passed every check. */
export interface CheckedRow {
  readonly row: number;
  readonly key: string;
  readonly labels: Labels;
  /** Null if its key has an order, or may have one: then nothing is sent. */
  readonly fresh: { readonly asked: SwapInput; readonly reviewed: ReviewedPrice } | null;
}

export type RowOutcome = 'created' | 'existing' | 'unknown' | 'refused' | 'not-sent';

/** What happened to one row of a batch, with the swap if it has one, or the error. */
export interface RowResult {
  readonly row: number;
  readonly key: string;
  readonly outcome: RowOutcome;
  readonly swap: SwapResult | null;
  readonly error: SwapctlError | null;
  /** Its key had an order, or may have had one, before: nothing was sent. */
  readonly isEarlier: boolean;
  /** Sentences to be read before paying. */
  readonly notices: readonly string[];
}

interface CreateTools extends BudgetedService {
  readonly coins: readonly Coin[];
  readonly freshPrice: FreshPrice;
}

/** Creates a row's swap, unless its key has one. Throws only what ends the batch: interruptions, internal errors. */
async function createRow(
  ports: Ports,
  { service, coins, pace, freshPrice }: CreateTools,
  checked: CheckedRow,
): Promise<RowResult> {
  const { row, key, labels, fresh } = checked;
  let isSent = false;
  try {
    // A row that was checked as a new one is compared with an entry that was written since, where it is created.
    if (fresh === null) return await earlier(ports, checked);
    const { asked, reviewed } = fresh;
    const created = await createSwap(onLedger({ ...ports, service: async () => service }), asked, {
      key,
      labels,
      confirm: null,
      reviewed,
      // A row has no flags: running the same file again uses approvals granted since.
      approval: 'any',
      steps: {
        coins: async () => coins,
        price: async (question) => {
          // The turn comes first, so that the price does not get old while waiting.
          await pace.take('create');
          const price = await freshPrice(question);
          checkLeast(price.quote, question);
          return price;
        },
        meanwhile: (request) => {
          isSent = true;
          return request();
        },
        replay: async (entry) => {
          if (!sameLabels(entry.labels, labels)) throw createdElsewhere(entry, labels);
          return replayed(ports, entry, labels);
        },
      },
    });
    const { swap, notices, ledgerError: error, replayed: isEarlier } = created;
    return { row, key, outcome: isEarlier ? 'existing' : 'created', swap, error, isEarlier, notices };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
    // Unknown without having been sent: another process is sending it, or was killed while it did.
    return { ...failed(checked, error), isEarlier: error.outcome === 'unknown' && !isSent };
  }
}

/**
 * The swap of an entry as the ledger has it: ten thousand rows must not be polled one by one. One that was not seen
 * recently is not fundable, because it may have been paid since: a batch can wait for its budget long after the rows
 * were checked.
 */
function replayed(ports: Ports, entry: Entry, labels: Labels): CreatedSwap {
  const now = ports.now();
  const swap = recordedSwap(entry, now, now - RECENT_MS);
  const { doubts, order } = swap;
  const mismatch = `mismatch: ${doubts.join(', ')}. Do not fund it; check it with \`swapctl status ${shellQuote(order ?? '')}\`.`;
  const labelNote = labelsNotice(entry, labels);
  const notices = [...(doubts.length === 0 ? [] : [mismatch]), ...(labelNote === null ? [] : [labelNote])];
  return { swap, notices, warnings: [], replayed: true, ledgerError: null };
}

/** The error for a row whose key another process has used, since the check, for an equal row with other labels. */
function createdElsewhere({ order, labels: its }: Entry, labels: Labels): SwapctlError {
  return new SwapctlError(
    'usage',
    `Another process created order ${order} for an equal row with ${labelsWords(its)}, while this row has ${labelsWords(labels)}.`,
    { hint: 'Nothing was sent; run the same command again.', details: { order } },
  );
}

/** The result of a row whose key had an order, or may have had one, when it was checked. */
async function earlier(ports: Ports, { row, key, labels }: CheckedRow): Promise<RowResult> {
  const entry = await (await ports.ledger()).byKey(await ports.owner(), key);
  const end = { row, key, isEarlier: true, notices: [] };
  if (entry?.outcome === 'created') {
    const { swap, notices } = replayed(ports, entry, labels);
    return { ...end, outcome: 'existing', swap, notices, error: null };
  }
  if (entry?.outcome === 'unknown')
    return { ...end, outcome: 'unknown', swap: null, error: stillUnknown(entry) };
  // It was dismissed since, so the file can be run again.
  const hint = 'Nothing was sent; run the same command again.';
  throw new SwapctlError('rejected', 'The earlier request with its key was settled in the meantime.', {
    hint,
    retryable: true,
  });
}

function failed({ row, key }: CheckedRow, error: SwapctlError): RowResult {
  return { row, key, outcome: failedOutcome(error), swap: null, error, isEarlier: false, notices: [] };
}

/** Number of rows in progress at a time. */
export const MAX_AT_ONCE = 5;

/**
 * Creates the rows, a few in parallel, and yields their results in the order of the file. After an interruption no
 * further row is started, those in progress are awaited, and the interruption is thrown at the end.
 */
export async function* createAll(ports: Ports, tools: CreateTools, rows: AsyncIterable<CheckedRow>) {
  const failures = new Failures();
  const one = async (checked: CheckedRow): Promise<RowResult | InterruptedError> => {
    const refusal = checked.fresh === null ? null : failures.refusal();
    if (refusal !== null) return failed(checked, refusal);
    try {
      const end = await createRow(ports, tools, checked);
      failures.note(end);
      return end;
    } catch (error) {
      if (error instanceof InterruptedError) return error;
      throw error;
    }
  };
  for await (const end of inOrder(untilAborted(ports, rows), MAX_AT_ONCE, one))
    if (!(end instanceof InterruptedError)) yield end;
  ports.signal.throwIfAborted();
}

async function* untilAborted<T>({ signal }: Ports, items: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const item of items) {
    if (signal.aborted) return;
    yield item;
    // A long file of existing rows must not keep a signal from being handled.
    await new Promise(setImmediate);
  }
}
