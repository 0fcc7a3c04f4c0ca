import { shellQuote } from '../../base/files.ts';
import { joined, shown, type Visible, visible } from '../../base/text.ts';
import { clockTime, readTime, rfc3339, spanWords, wireTime } from '../../base/time.ts';
import type { SwapResult } from '../../core/ledger/swap-result.ts';
import { labelsText } from '../../core/swap/labels.ts';
import { type DetailLine, renderDetails } from '../terminal/details.ts';
import { renderQr } from '../terminal/qr.ts';
import type { View } from '../terminal/streams.ts';
import type { Style } from '../terminal/style.ts';
import { sentence } from '../terminal/width.ts';
import { paragraphs } from './columns.ts';
import { rateName } from './quote.ts';
import { statusWord } from './status.ts';
import { agreedText, nextWords, type SwapDetailsExtras, sideText, swapHeading, swapView } from './swap.ts';

/** Input of {@link renderCreated}: a swap that has just been created. */
export interface CreatedView {
  readonly swap: SwapResult;
  /** Sentences to be read first. */
  readonly notices: readonly string[];
  readonly qr: boolean;
  readonly now: number;
  /** The swap is now being watched, so no command for that is shown. Default false. */
  readonly isWatched?: boolean;
}

/**
 * The order, codes to scan, and then what to send and where: amount, address and memo with equal weight, below the
 * codes because the end is what a small window shows.
 */
export async function renderCreated(view: CreatedView, style: Style, width: number): Promise<Visible> {
  const { swap } = view;
  const order = visible(shellQuote(swap.order ?? ''));
  const codes = view.qr && swap.fundable ? await qrCodes(swap, style, width) : shown``;
  return paragraphs([
    renderDetails(restLines(swap, style), style, width),
    codes,
    joined(view.notices.map((notice) => sentence(notice, style.yellow, width))),
    depositPart(view, style, width),
    sandboxPart(swap, order, style, width),
    view.isWatched === true ? shown`` : followPart(swap, order, style, width),
  ]);
}

/** A swap that waits for its deposit: its status and what usually happens next, then {@link renderCreated}. */
export function waitingView(view: CreatedView, notes: SwapDetailsExtras): View {
  const { swap, now } = view;
  const usual = nextWords(notes.next ?? null);
  return {
    ...swapView(swap, now, notes),
    screen: async (style, width) =>
      shown`${swapHeading(swap, style)}${usual === null ? shown`` : sentence(usual, style.dim, width)}\n${await renderCreated(view, style, width)}`,
  };
}

function followPart(swap: SwapResult, order: Visible, style: Style, width: number): Visible {
  if (!swap.fundable)
    return shown`${sentence('Check it with', style.dim, width)}   swapctl status ${order}\n`;
  const words =
    swap.expiresAt === null
      ? 'The service gives no deadline; pay promptly, before the order expires. Watch it with'
      : 'Unfunded orders expire. Watch this one with';
  return shown`${sentence(words, style.dim, width)}   swapctl status ${order} --watch\n`;
}

/** Time left for the deposit, from the service's start time if the service's clock is ahead of this machine's. */
function windowWords({ swap, now }: CreatedView): string | null {
  const end = wireTime(swap.expiresAt);
  if (end === null || !swap.fundable) return null;
  const left = end - Math.max(now, readTime(swap.startedAt) ?? now);
  // A window of 30 minutes has lost a second by the time it is shown.
  const words = spanWords(left > MINUTE_MS ? Math.ceil(left / MINUTE_MS) * MINUTE_MS : left);
  return `${words} left, until ${clockTime(rfc3339(end)).slice(0, 'hh:mm'.length)}`;
}

const MINUTE_MS = 60_000;

/** Why nothing must be sent, as a sentence. */
function refusalWords({ swap, now }: CreatedView): string {
  const end = wireTime(swap.expiresAt);
  if (swap.status !== 'new') return `The order is not awaiting a deposit: its status is ${statusWord(swap)}.`;
  if (end !== null && now >= end) return 'The deposit window has ended.';
  return 'The address, memo or amount cannot be trusted. Ask the service.';
}

function depositPart(view: CreatedView, style: Style, width: number): Visible {
  const { swap } = view;
  const { deposit, fundable } = swap;
  const strong = (text: Visible) => style.bold(style.cyan(text));
  const lines: DetailLine[] = [
    ['Amount', sideText({ ...deposit, network: null }), strong],
    ['Network', deposit.network, strong],
    ['Address', deposit.address, strong],
    ['Memo', deposit.memo, strong],
    ['Window', windowWords(view)],
  ];
  const heading = fundable ? style.bold(shown`Send exactly`) : style.red(shown`Do not send anything`);
  const memoNote = deposit.memo === null ? '' : 'Send the memo too: a deposit without it is lost.';
  const note = fundable ? memoNote : refusalWords(view);
  const noteText = note === '' ? note : sentence(note, fundable ? style.yellow : style.red, width);
  return shown` ${heading}\n${renderDetails(lines, style, width)}${noteText}`;
}

function restLines(swap: SwapResult, style: Style): readonly DetailLine[] {
  const { receive } = swap;
  return [
    ['Order', swap.order, style.bold],
    ['You receive', sideText(receive)],
    ['  agreed', agreedText(receive, swap.asked?.receive), style.yellow],
    ['  at address', receive.address],
    ['  with memo', receive.memo],
    ['Rate type', swap.type === null ? null : rateName(swap.type)],
    ['Refund address', swap.refundAddress],
    ['Labels', labelsText(swap.labels)],
  ];
}

function sandboxPart(swap: SwapResult, order: Visible, style: Style, width: number): Visible {
  if (swap.environment !== 'sandbox' || !swap.fundable) return shown``;
  return shown`${sentence('Sandbox: do not send real funds. Simulate the deposit with', style.yellow, width)}   swapctl sandbox deposit ${order}\n`;
}

async function qrCodes({ deposit, paymentUri }: SwapResult, style: Style, width: number): Promise<Visible> {
  const { address, memo } = deposit;
  if (paymentUri === null) return shown``;
  const label =
    paymentUri === address
      ? 'Scan for the address; enter the amount yourself.'
      : 'Scan for the address and the exact amount.';
  return paragraphs([
    await labelled(paymentUri, label, style, width),
    memo === null ? '' : await labelled(memo, 'Scan for the memo.', style, width),
  ]);
}

async function labelled(text: string, label: string, style: Style, width: number): Promise<Visible> {
  const code = await renderQr(text, style, width);
  if (code === null) return shown``;
  return shown`${code}${sentence(`${label}${blindHint(style)}`, style.dim, width)}`;
}

/** Hint next to a code that is drawn without colour on an unknown background. */
function blindHint({ colour, background }: Style): string {
  return colour || background !== 'unknown' ? '' : ' On a light background, draw it with --color always.';
}
