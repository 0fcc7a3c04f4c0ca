import type { Context } from '../../context.ts';
import { announce } from '../../context.ts';
import { InterruptedError, SwapctlError, UsageError } from '../../errors.ts';
import { wipeEcho, withProgress } from '../../terminal/progress.ts';
import { shown, visible } from '../../text.ts';
import type { BatchReview } from '../../views/batch.ts';
import { reviewText, reviewView } from '../../views/batch.ts';
import { fetchedCoins } from '../shared/asset.ts';
import { loadJudges } from '../shared/create/preload.ts';
import { refuseSecretLabels } from '../shared/labels.ts';
import type { BudgetedService } from './budgeted.ts';
import { budgetedService } from './budgeted.ts';
import { checkBatch } from './check.ts';
import type { CheckedRow } from './checked-row.ts';
import { createAll } from './create-all.ts';
import { interrupted, stopped, tallyWords, throwUnlessDone } from './ending.ts';
import type { BatchOptions } from './options.ts';
import { FreshPrices } from './prices/fresh-prices.ts';
import { Progress } from './progress.ts';
import type { ResultFile } from './result-file.ts';
import { openResultFile } from './result-file.ts';
import { Results } from './results.ts';
import type { Source } from './rows/source.ts';
import { openSource } from './rows/source.ts';
import type { Spool } from './spool.ts';
import { openSpool } from './spool.ts';
import type { Totals } from './totals.ts';

/** Checks every row of a file, shows a review, and creates the swaps that are not there yet. */
export async function createBatch(context: Context, options: BatchOptions): Promise<void> {
  refuseUnasked(context, options);
  await refuseSecretLabels(context, options.labels);
  const closers: (() => Promise<void>)[] = [];
  const kept = <T>(thing: T, close: (thing: T) => Promise<void>): T => {
    closers.push(() => close(thing));
    return thing;
  };
  try {
    const source = kept(await openSource(context, options.file), (opened) => opened.close());
    const file = await resultFile(source, options);
    if (file !== null) kept(file, (opened) => opened.discard());
    const spool = kept(await openSpool<CheckedRow>(), (opened) => opened.close());
    const ledger = await context.ledger();
    // A ledger that cannot be written would stop every create, after the check of every row.
    if (!options.dryRun) await ledger.checkWritable();
    const tools = await budgetedService(context, options);
    const totals = await checked(context, { ...tools, source, spool }, options);
    const { profile, environment, host } = tools.service;
    const review: BatchReview = { ...totals.figures(), profile, environment, host };
    if (options.dryRun) return await context.streams.print(reviewView(review));
    await agree(context, options, review);
    if (await source.hasChanged())
      throw new UsageError(
        `${visible(options.file)} has changed since it was checked; nothing was sent.`,
        'Run it again.',
      );
    await create(context, tools, spool, { review, file, totals });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** A line that changes, unless results are written line by line to the same terminal. */
function progressOf<T>(
  { streams }: Context,
  text: string,
  work: (change: ((text: string) => void) | null) => Promise<T>,
): Promise<T> {
  const isShared = streams.format === 'json' && streams.raw.stdout.isTTY === true;
  return isShared ? work(null) : withProgress(streams, text, work);
}

function refuseUnasked({ streams }: Context, { yes, dryRun, file }: BatchOptions): void {
  if (yes || dryRun) return;
  const hint = 'Look at it first with --dry-run, then add --yes.';
  if (!streams.interactive) throw new UsageError('Without a terminal, batch needs --yes.', hint);
  if (file === '-') throw new UsageError('With its rows on standard input, batch needs --yes.', hint);
}

async function resultFile(source: Source, { output, dryRun }: BatchOptions): Promise<ResultFile | null> {
  if (output === null || dryRun) return null;
  if (await source.isSame(output))
    throw new UsageError('The result would overwrite the file of the rows.', 'Give it another name.');
  return openResultFile(output);
}

async function checked(
  context: Context,
  tools: BudgetedService & { readonly source: Source; readonly spool: Spool<CheckedRow> },
  options: BatchOptions,
): Promise<Totals> {
  const coins = await fetchedCoins(context);
  return progressOf(context, 'Checking', (change) =>
    checkBatch(
      context,
      { ...tools, coins, progress: new Progress(context, 'Checking', null, change) },
      options,
    ),
  );
}

/** Shows the review and asks for a yes, whose default is no. Throws `declined`. */
async function agree(context: Context, { yes }: BatchOptions, review: BatchReview): Promise<void> {
  const { streams, prompter, flags } = context;
  const asks = streams.interactive && !yes;
  if (asks || flags.quiet !== true)
    streams.noteRendered(shown`\n${await reviewText(review, await streams.noteStyle(), streams.noteWidth)}`);
  for (const { row, warning } of review.warnings) await streams.warn(`row ${row}: ${warning}`);
  if (review.moreWarnings > 0) await streams.warn(`${review.moreWarnings} more warnings like these.`);
  if (!asks || review.toCreate === 0) return;
  const message = `Create ${review.toCreate === 1 ? 'this swap' : `these ${review.toCreate} swaps`}?`;
  if (await prompter.confirm({ message: visible(message), default: false })) return;
  throw new SwapctlError('declined', 'Declined; nothing was sent.');
}

interface Work {
  readonly review: BatchReview;
  readonly file: ResultFile | null;
  readonly totals: Totals;
}

async function create(
  context: Context,
  tools: BudgetedService,
  spool: Spool<CheckedRow>,
  { review, file, totals }: Work,
): Promise<void> {
  const { service } = tools;
  const results = new Results(context, { file, labelKeys: totals.labelKeys });
  await loadJudges();
  if (review.toCreate > 0) announce(context, service);
  await results.begin();
  const prices = new FreshPrices(context, service);
  try {
    await progressOf(context, 'Creating', async (change) => {
      const progress = new Progress(context, 'Creating', review.toCreate, change);
      let done = 0;
      for await (const end of createAll(context, { ...tools, prices }, spool.items())) {
        await results.add(end);
        if (!end.isEarlier) progress.tell(++done);
      }
    });
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw await stopped(error, results, review.rows);
    wipeEcho(context.streams);
    await results.end();
    throw interrupted(error, results, review.rows);
  }
  await results.end();
  context.streams.note(`${tallyWords(results.tally)}, of ${review.rows} row${review.rows === 1 ? '' : 's'}.`);
  throwUnlessDone(results, review.rows);
}
