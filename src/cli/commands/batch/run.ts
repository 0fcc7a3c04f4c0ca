import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { InterruptedError, UsageError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/files.ts';
import { counted, shown, visible } from '../../../base/text.ts';
import { spanWords } from '../../../base/time.ts';
import { type CheckedRow, createAll } from '../../../core/swaps/batch/create.ts';
import { type BudgetedService, budgetedService } from '../../../core/swaps/batch/pace.ts';
import { freshPrices } from '../../../core/swaps/batch/prices.ts';
import type { Totals } from '../../../core/swaps/batch/totals.ts';
import { refuseSecretLabels } from '../../../core/swaps/destination.ts';
import { announce, type Context } from '../../context.ts';
import type { Input } from '../../terminal/input.ts';
import { type Change, wipeEcho, withProgress } from '../../terminal/progress.ts';
import { confirmed, fetchedCoins } from '../shared/questions.ts';
import { listed, sheetText } from '../shared/sheet.ts';
import { checkBatch, Refusal } from './check.ts';
import type { BatchOptions } from './options.ts';
import { showProgress } from './progress.ts';
import { openResultFile, type ResultFile } from './result-file.ts';
import { interrupted, Results, stopped, tallyWords, throwUnlessDone } from './results.ts';
import { type RowFile, type RowRecord, readRows } from './rows/read-rows.ts';
import { openSpool, type Spool } from './spool.ts';
import { type BatchReview, reviewText, reviewView } from './view.ts';

/** Checks every row of a file, shows a review, and creates the swaps that do not exist yet. */
export async function createBatch(context: Context, options: BatchOptions): Promise<void> {
  const closers: (() => Promise<void> | void)[] = [];
  const kept = <T>(thing: T, close: (thing: T) => Promise<void> | void): T => {
    closers.push(() => close(thing));
    return thing;
  };
  try {
    const { streams } = context;
    const source = kept(context.input(options.file), (opened) => opened.close());
    refuseUnasked(context, options);
    await refuseSecretLabels(context, options.labels);
    const result = await resultFile(source, options);
    if (result !== null) kept(result, (opened) => opened.discard());
    const records = kept(await openSpool<RowRecord>(), (opened) => opened.close());
    const file = await readRows(sheetText(source), options.map, records);
    refuseFile(context, file);
    const spool = kept(await openSpool<CheckedRow>(), (opened) => opened.close());
    const ledger = await context.ledger();
    // A ledger that cannot be written would stop every create, but only after all rows were checked.
    if (!options.dryRun) await ledger.checkWritable();
    const lasting = await context.serviceFor(await context.profile(), { finishes: true });
    const tools = await budgetedService(context, lasting, options);
    const totals = await checkRows(context, { ...tools, file, spool }, options);
    const { profile, environment, host } = tools.service;
    const review: BatchReview = { ...totals.figures(), profile, environment, host };
    if (options.dryRun) return await streams.print(reviewView(review));
    await agree(context, options, review);
    if (await hasChanged(source, options.file))
      throw new UsageError(
        `${visible(options.file)} changed after it was checked; nothing was sent.`,
        'Run it again.',
      );
    const results = new Results(context, { file: result, labelKeys: totals.labelKeys });
    await create(context, tools, spool, { review, results });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** A line that is redrawn, unless results are written line by line to the same terminal. */
function progressOf<T>({ streams }: Context, text: string, work: (change: Change | null) => Promise<T>) {
  const isShared = streams.format === 'json' && streams.raw.stdout.isTTY === true;
  return isShared ? work(null) : withProgress(streams, text, work);
}

function refuseUnasked({ streams }: Context, { yes, dryRun, file }: BatchOptions): void {
  if (yes || dryRun) return;
  const hint = 'Check the file with --dry-run first, then add --yes.';
  if (!streams.interactive) throw new UsageError('Without a terminal, batch needs --yes.', hint);
  if (file === '-') throw new UsageError('With its rows on standard input, batch needs --yes.', hint);
}

/** Throws for problems of the file as a whole, and names unused columns. */
function refuseFile(context: Context, { problems, count, unused }: RowFile): void {
  const refusal = new Refusal();
  refusal.add(problems);
  refusal.throwIfAny(context, count);
  if (count === 0) throw new UsageError('The file has no rows.');
  if (unused.length > 0) context.streams.note(`Ignored columns: ${listed(unused)}.`, true);
}

/** Whether a file was changed since it was opened; never for a pipe, which is read only once. */
async function hasChanged({ found }: Input, path: string): Promise<boolean> {
  if (found === null || !found.isFile()) return false;
  const now = await statOf(path);
  const same = (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every(
    (name) => found[name] === now?.[name],
  );
  return !same;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (systemCode(error) === null) throw error;
    return null;
  }
}

async function resultFile({ found }: Input, { output, dryRun }: BatchOptions): Promise<ResultFile | null> {
  if (output === null || dryRun) return null;
  const there = await statOf(output);
  if (there !== null && there.dev === found?.dev && there.ino === found.ino)
    throw new UsageError('The result would overwrite the input file.', 'Use another name with -o.');
  return openResultFile(output);
}

async function checkRows(
  context: Context,
  tools: BudgetedService & { readonly file: RowFile; readonly spool: Spool<CheckedRow> },
  options: BatchOptions,
): Promise<Totals> {
  const coins = await fetchedCoins(context);
  // The number of quotes becomes known during the check, because rows of a pair share them.
  const task = { verb: 'Checking', total: tools.file.count, requestsPerRow: null };
  return progressOf(context, 'Checking', (change) => {
    const report = showProgress(context, tools.pace, task, change);
    return checkBatch(context, { ...tools, coins, report }, options);
  });
}

/** Shows the review and asks for confirmation; the default is no. Throws `declined`. */
async function agree(context: Context, { yes }: BatchOptions, review: BatchReview): Promise<void> {
  const { streams, flags } = context;
  const asks = streams.interactive && !yes;
  if (asks || flags.quiet !== true)
    streams.noteRendered(shown`\n${await reviewText(review, await streams.noteStyle(), streams.noteWidth)}`);
  for (const { row, warning } of review.warnings) await streams.warn(`row ${row}: ${warning}`);
  if (review.moreWarnings > 0) await streams.warn(`${review.moreWarnings} more warnings like these.`);
  if (!asks || review.toCreate === 0) return;
  const message = `Create ${review.toCreate === 1 ? 'this swap' : `these ${review.toCreate} swaps`}?`;
  await confirmed(context, message, 'nothing was sent');
}

/** A quote and a create; rows of the same amount share a quote. */
const REQUESTS_PER_ROW = 2;
const LONG_MS = 30_000;

async function create(
  context: Context,
  tools: BudgetedService,
  spool: Spool<CheckedRow>,
  { review, results }: { readonly review: BatchReview; readonly results: Results },
): Promise<void> {
  const { service, pace } = tools;
  if (review.toCreate > 0) announce(context, service);
  await results.begin();
  const freshPrice = freshPrices(context, service);
  const { coins } = await context.coinList();
  const task = { verb: 'Creating', total: review.toCreate, requestsPerRow: REQUESTS_PER_ROW };
  const minimumMs = pace.leastMs(review.toCreate * REQUESTS_PER_ROW);
  if (minimumMs >= LONG_MS)
    context.streams.note(
      `This takes about ${spanWords(minimumMs)} at the request budget of ${pace.limitWords()}. Raise it with --budget.`,
    );
  try {
    await progressOf(context, 'Creating', async (change) => {
      const report = showProgress(context, tools.pace, task, change);
      let done = 0;
      for await (const end of createAll(context, { ...tools, coins, freshPrice }, spool.items())) {
        await results.add(end);
        if (!end.isEarlier) report(++done);
      }
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw await stopped(error, results, review.rows);
    wipeEcho(context.streams);
    await results.end();
    throw interrupted(error, results, review.rows);
  }
  await results.end();
  context.streams.note(`${counted(review.rows, 'row')}: ${tallyWords(results.tally)}.`);
  throwUnlessDone(results, review.rows);
}
