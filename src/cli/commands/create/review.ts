import { InterruptedError, SwapctlError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import { createBody } from '../../../core/client/client.ts';
import { coinLabel } from '../../../core/swap/swap.ts';
import type { CheckedSwap } from '../../../core/swaps/check.ts';
import type { Review, ReviewAnswer } from '../../../core/swaps/create-swap.ts';
import { priceImpact } from '../../../core/swaps/price.ts';
import type { Context, GlobalFlags } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import { GoneBack } from '../../terminal/questions.ts';
import type { Streams } from '../../terminal/streams.ts';
import { displayWidth, indented } from '../../terminal/width.ts';
import { printDryRun } from '../shared/dry-run.ts';
import { decisionText, isRounded, reviewText } from '../shared/review-text.ts';
import { changeField } from './draft.ts';
import type { CompleteFlags, CreateFlags } from './flags.ts';

/**
 * Shows both sides and everything that cannot be undone, and asks for confirmation. "No", or just Enter, shows the
 * answers as a command line and throws `declined`. With `--yes` a person is asked only about a price that got worse.
 */
export async function reviewDraft(
  context: Context,
  review: Review<CompleteFlags>,
): Promise<ReviewAnswer<CompleteFlags>> {
  const { streams } = context;
  const { asked: flags, draft, identical } = review;
  const isAsked = !flags.yes || review.hasWorsened;
  if (streams.interactive && isAsked) await showReview(context, review);
  else noteRounding(streams, draft);
  for (const warning of draft.warnings) await streams.warn(warning);
  if (identical !== null && !isAsked) streams.note(identical);
  else if (identical !== null) await streams.warn(identical);
  // With --yes the quote was the previous step, so no time has passed.
  if (!isAsked) return { yes: 'now' };
  return (await askForYes(context, flags)) === 'create'
    ? { yes: 'shown' }
    : { changed: await changeField(context, flags) };
}

async function showReview(
  { streams }: Context,
  { asked: { labels }, draft, decision }: Review<CompleteFlags>,
): Promise<void> {
  const { service, quote } = draft;
  const impact = await withProgress(streams, 'Getting a quote', () => priceImpact(service, quote));
  const style = await streams.noteStyle();
  const reviewed = { ...draft, ...service, impact, labels };
  streams.noteRendered(shown`\n${reviewText(reviewed, style, streams.noteWidth)}`);
  if (decision !== null && decision.decision !== 'allow')
    streams.noteRendered(shown`\n${decisionText(decision, style, streams.noteWidth)}`);
}

async function askForYes(context: Context, flags: CompleteFlags): Promise<'create' | 'change'> {
  const question = {
    message: shown`Create this swap? (y/N, e to change something)`,
    whenEmpty: shown`no`,
    // The "yes" must answer this review, not anything shown before it.
    fresh: true,
    validate: (text: string) => /^(y|yes|n|no|e|edit|)$/i.test(text.trim()) || 'Answer y, n or e.',
  };
  const answer = await answerOrBack(context, question);
  if (answer === null) return 'change';
  if (/^y/i.test(answer)) return 'create';
  if (/^e/i.test(answer)) return 'change';
  await noteCommand(context, flags);
  throw new SwapctlError('declined', 'Declined; nothing was sent.');
}

/** The answer to the last question; null for Esc, which leads to the questions before it. */
async function answerOrBack({ prompter }: Context, question: Parameters<Context['prompter']['input']>[0]) {
  try {
    return (await prompter.input({ ...question, back: true })).trim();
  } catch (error) {
    if (error instanceof GoneBack) return null;
    throw error;
  }
}

/** Notes the command that leads back to the wizard, for a person who left it with Ctrl-C. */
export async function noteWayBack(context: Context, flags: CreateFlags, error: unknown): Promise<void> {
  if (error instanceof InterruptedError && context.streams.interactive && !flags.yes)
    await noteCommand(context, flags);
}

async function noteCommand({ streams, flags: globals }: Context, flags: CreateFlags): Promise<void> {
  const style = await streams.noteStyle();
  const isReviewed = [flags.from, flags.to, flags.amount, flags.address].every((value) => value !== null);
  const words = isReviewed
    ? shown`Nothing was sent. To get back to this review, run:`
    : shown`Nothing was sent. To continue from here, run:`;
  const command = equivalentCommand(flags, globals, streams.noteWidth - COMMAND_INDENT.length);
  streams.noteRendered(shown` ${style.dim(words)}\n${indented(command, COMMAND_INDENT)}`);
}

const COMMAND_INDENT = shown`   `;

/** Notes that the deposit was rounded, if no review says so. */
function noteRounding(streams: Streams, { request, quote }: CheckedSwap): void {
  const { coin, network } = request.deposit;
  if (isRounded(request, quote))
    streams.note(
      `The deposit of ${quote.amount} ${coin} is rounded up to ${request.amount}, which can be paid on ${network}.`,
      true,
    );
}

/** Prints the request that `create` would send, with its warnings; null, because nothing is sent. */
export async function printUnsent(context: Context, { draft, decision }: Review<CompleteFlags>) {
  noteRounding(context.streams, draft);
  for (const warning of draft.warnings) await context.streams.warn(warning);
  const request = { endpoint: 'create-transaction', content: createBody(draft.request) } as const;
  await printDryRun(context, draft.service, request, decision);
  return null;
}

/**
 * The command that leads to the review of the same swap, or to the question after the given answers, quoted for a POSIX
 * shell. It names networks and rate type even where they are the default. It is broken into lines where it is wider than
 * `width`.
 */
export function equivalentCommand(
  flags: CreateFlags,
  globals: GlobalFlags,
  width: number = Number.POSITIVE_INFINITY,
): Visible {
  const words = [
    ['swapctl create', ...terms(flags)].join(' '),
    ...options(flags, globals),
    ...option('idempotency-key', flags.idempotencyKey),
  ].map(visible);
  const line = joined(words, shown` `);
  return displayWidth(line) <= width ? line : joined(words, shown` \\\n  `);
}

/** The coins and the amount, as far as they are known in this order. */
function terms({ from, to, amount }: CreateFlags): string[] {
  const words = [from === null ? null : coinLabel(from), to === null ? null : coinLabel(to), amount];
  const known = words.slice(0, words.indexOf(null) < 0 ? words.length : words.indexOf(null));
  return known.map((word) => shellQuote(word ?? ''));
}

function options(flags: CreateFlags, globals: GlobalFlags): string[] {
  const { lastSource, type, address, memo, memoWaived, refundAddress, minReceive, tolerance, labels } = flags;
  return [
    ...(lastSource === 'receive' ? ['--receive'] : []),
    ...(type === null ? [] : [`--${type}`]),
    ...option('address', address),
    ...option('memo', memo),
    ...(memo === null && memoWaived ? ['--no-memo'] : []),
    ...option('refund-address', refundAddress),
    ...option('min-receive', minReceive),
    ...option('tolerance', tolerance === null ? null : `${tolerance}%`),
    ...Object.entries(labels).flatMap(([key, value]) => option('label', `${key}=${value}`)),
    ...(globals.sandbox === true ? ['--sandbox'] : []),
    ...option('profile', globals.profile ?? null),
  ];
}

/** An option with its value; `=` joins them where the value begins with a hyphen and would be read as a flag. */
function option(name: string, value: string | null): string[] {
  if (value === null) return [];
  return [`--${name}${value.startsWith('-') ? '=' : ' '}${shellQuote(value)}`];
}
