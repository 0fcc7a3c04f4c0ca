import type { SwapResult } from '../../ledger/swap-result.ts';
import { isDepositSeen } from '../../swap/agreement/fundable.ts';
import type { DetailLine } from '../../terminal/details.ts';
import { renderDetails } from '../../terminal/details.ts';
import type { Style } from '../../terminal/style.ts';
import { wrapWords } from '../../terminal/width.ts';
import type { Visible } from '../../text.ts';
import { joined, linesOf, shown, visible } from '../../text.ts';
import { rateName } from '../quote.ts';
import { environmentMark, statusColour } from '../status.ts';
import { sideText } from '../swap.ts';
import type { Frame, WatchedSwap } from './frame.ts';
import { personNeeded, serviceTime } from './urgency.ts';
import { ago, missedLines, statusText, timeToPay } from './words.ts';

/** The way of a swap that meets no trouble. */
const STEPS = ['new', 'confirmation', 'exchanging', 'success'];

/** One swap as a block: its steps, both amounts, what is left of the window, the payout, and the age of the last look. */
export function progressLines(watched: WatchedSwap, frame: Frame): readonly Visible[] {
  const { swap, gone } = watched;
  const { style, width } = frame;
  const head = heading(watched, style);
  const givenUp = gone === null ? [] : sentenceLines(gone, style.yellow, width);
  if (swap === null) return [head, ...givenUp, ...missedLines(frame)];
  const person = personNeeded(swap);
  const details = renderDetails(detailLines(watched, swap, frame), style, width);
  return [
    head,
    ...stepLines(watched, swap, style, width),
    ...givenUp,
    ...(person === null ? [] : sentenceLines(person, style.yellow, width)),
    ...linesOf(details).slice(0, -1),
    ...missedLines(frame),
  ];
}

function heading(watched: WatchedSwap, style: Style): Visible {
  const { order, swap } = watched;
  const name = style.bold(visible(order));
  if (swap === null) return shown` ${name}  ${style.dim(visible(statusText(watched)))}`;
  const pair = visible(`${swap.deposit.coin ?? '?'} → ${swap.receive.coin ?? '?'}`);
  return shown` ${name}  ${pair}  ${rateText(swap)}  ${style.dim(shown`·`)} ${environmentMark(style, swap.environment)}`;
}

function rateText({ type }: SwapResult): Visible {
  return visible(rateName(type));
}

/** The steps with the present one marked; on one line, or one under the other where that does not fit. */
function stepLines(watched: WatchedSwap, swap: SwapResult, style: Style, width: number): readonly Visible[] {
  const steps = stepsOf(swap).map((step, index, all) => {
    const present = all.indexOf(swap.status);
    const text = step === swap.status ? statusText(watched) : step;
    if (index < present || swap.status === 'success') return style.green(visible(`✓ ${text}`));
    if (index > present) return style.dim(visible(`○ ${text}`));
    return style.bold(statusColour(style, swap.status)(visible(`${MARKS[swap.status] ?? '●'} ${text}`)));
  });
  const line = shown` ${joined(steps, shown` → `)}`;
  const plain = stepsOf(swap).reduce(
    (sum, step) => sum + (step === swap.status ? statusText(watched) : step).length + 5,
    -2,
  );
  return plain <= width ? [line] : steps.map((step) => shown` ${step}`);
}

/** Marks of the ends and halts that are no success. */
const MARKS: Readonly<Record<string, string>> = {
  overdue: '✗',
  error: '✗',
  refund: '✗',
  pause: '!',
  frozen: '!',
};

/** The usual way, or as much of it as is known to be done before a swap left it. */
function stepsOf(swap: SwapResult): readonly string[] {
  const { status, deposit } = swap;
  if (STEPS.includes(status)) return STEPS;
  const done = deposit.confirmedAt !== null || isDepositSeen(swap) ? ['new', 'confirmation'] : ['new'];
  return [...done, status];
}

function detailLines(watched: WatchedSwap, swap: SwapResult, { now, style }: Frame): readonly DetailLine[] {
  const { deposit, receive, fundable } = swap;
  return [
    ['Send', sideText(deposit), style.bold],
    ['  to', fundable ? deposit.address : null, style.cyan],
    ['  memo', fundable ? deposit.memo : null, style.cyan],
    ['Window', timeToPay(swap, serviceTime(watched, now))],
    ['Receive', sideText(receive), style.bold],
    [
      '  paid',
      receive.paidAmount === null ? null : `${receive.paidAmount} ${receive.coin ?? ''}`,
      style.green,
    ],
    ['Payout', receive.txId],
    ['Took', swap.final ? swap.duration : null],
    ['Last look', ago(watched.seenAt, now), style.dim],
  ];
}

function sentenceLines(text: string, paint: (text: Visible) => Visible, width: number): readonly Visible[] {
  return wrapWords(visible(text), width - 1).map((line) => shown` ${paint(line)}`);
}
