import { joined, linesOf, shown, type Visible, visible } from '../../../base/text.ts';
import type { SwapResult } from '../../../core/ledger/swap-result.ts';
import { isDepositSeen } from '../../../core/swap/attention.ts';
import { type DetailLine, renderDetails } from '../../terminal/details.ts';
import type { Style } from '../../terminal/style.ts';
import { wrapWords } from '../../terminal/width.ts';
import { personNeeded } from '../attention.ts';
import { rateName } from '../quote.ts';
import { environmentMark, linksOf, statusColour } from '../status.ts';
import { amountText, sideText } from '../swap.ts';
import { type BoardFrame, boardOf, keyLines } from './board.ts';
import { ago, type Frame, failedPollLines, statusText, timeToPay, type WatchedSwap } from './frame.ts';
import { keyOf, type Navigation, selectedIndex } from './navigation.ts';

/**
 * The live view: one swap as a block, several as a board, or the one of them that is opened; never more lines than fit.
 * Without a keyboard there is no navigation.
 */
export function liveFrame(frame: Frame, navigation: Navigation | null = null): BoardFrame {
  const [only, ...others] = frame.swaps;
  const keys = frame.swaps.map(keyOf);
  const opened = navigation?.isOpen === true ? selectedIndex(keys, navigation) : -1;
  const alone = others.length === 0 ? only : frame.swaps[opened];
  if (alone === undefined) return boardOf(frame, navigation);
  const hint = keyLines(frame, navigation);
  const lines = progressLines(alone, frame).slice(0, frame.height - hint.length);
  return { lines: [...lines, ...hint], keys, top: navigation?.top ?? 0, count: 1 };
}

/** The statuses of a swap without trouble. */
const STEPS = ['new', 'confirmation', 'exchanging', 'success'];

/** One swap as a block: its steps, both amounts, the time left to pay, the payout, and when it was last checked. */
function progressLines(watched: WatchedSwap, frame: Frame): readonly Visible[] {
  const { swap, gone } = watched;
  const { style, width } = frame;
  const head = heading(watched, style);
  const unwatched = gone === null ? [] : sentenceLines(gone, style.yellow, width);
  if (swap === null) return [head, ...unwatched, ...failedPollLines(frame)];
  const person = personNeeded(swap);
  const details = renderDetails(detailLines(watched, swap, frame), style, width);
  return [
    head,
    ...stepLines(watched, swap, style, width),
    ...unwatched,
    ...(person === null ? [] : sentenceLines(person, style.yellow, width)),
    ...linesOf(details).slice(0, -1),
    ...failedPollLines(frame),
  ];
}

function heading(watched: WatchedSwap, style: Style): Visible {
  const { order, swap } = watched;
  const name = style.bold(visible(order));
  if (swap === null) return shown` ${name}  ${style.dim(visible(statusText(watched)))}`;
  const pair = visible(`${swap.deposit.coin ?? '?'} → ${swap.receive.coin ?? '?'}`);
  return shown` ${name}  ${pair}  ${visible(rateName(swap.type))}  ${style.dim(shown`·`)} ${environmentMark(style, swap.environment)}`;
}

/** The steps with the current one marked; on one line, or one below the other where that does not fit. */
function stepLines(watched: WatchedSwap, swap: SwapResult, style: Style, width: number): readonly Visible[] {
  const steps = stepsOf(swap).map((step, index, all) => {
    const current = all.indexOf(swap.status);
    const text = step === swap.status ? statusText(watched) : step;
    if (index < current || swap.status === 'success') return style.green(visible(`✓ ${text}`));
    if (index > current) return style.dim(visible(`○ ${text}`));
    return style.bold(statusColour(style, swap.status)(visible(`${MARKS[swap.status] ?? '●'} ${text}`)));
  });
  const line = shown` ${joined(steps, shown` → `)}`;
  const plain = stepsOf(swap).reduce(
    (sum, step) => sum + (step === swap.status ? statusText(watched) : step).length + 5,
    -2,
  );
  return plain <= width ? [line] : steps.map((step) => shown` ${step}`);
}

const MARKS: Readonly<Record<string, string>> = {
  overdue: '✗',
  error: '✗',
  refund: '✗',
  pause: '!',
  frozen: '!',
};

/** The usual steps, or those a swap is known to have completed before it left them. */
function stepsOf(swap: SwapResult): readonly string[] {
  if (STEPS.includes(swap.status)) return STEPS;
  return isDepositSeen(swap) ? ['new', 'confirmation', swap.status] : ['new', swap.status];
}

function detailLines(watched: WatchedSwap, swap: SwapResult, { now, style }: Frame): readonly DetailLine[] {
  const { deposit, receive, fundable } = swap;
  const link = linksOf(style, swap);
  return [
    ['Send', sideText(deposit), style.bold],
    ['  to', fundable ? deposit.address : null, link('address', deposit, style.cyan)],
    ['  memo', fundable ? deposit.memo : null, style.cyan],
    ['Window', timeToPay(watched, now)],
    ['Receive', sideText(receive), style.bold],
    ['  paid', amountText(receive.paidAmount, receive.coin), style.green],
    ['Payout', receive.txId, link('transaction', receive)],
    ['Took', swap.final ? swap.duration : null],
    ['Checked', ago(watched.seenAt, now), style.dim],
  ];
}

function sentenceLines(text: string, paint: (text: Visible) => Visible, width: number): readonly Visible[] {
  return wrapWords(visible(text), width - 1).map((line) => shown` ${paint(line)}`);
}
