import type { SwapResult } from '../ledger/swap-result.ts';
import { paymentText } from '../swap/payment-uri.ts';
import type { Visible } from '../swap/text.ts';
import { joined, shown, visible } from '../swap/text.ts';
import { renderQr } from './qr.ts';
import { rateName } from './render-quote.ts';
import { sideText } from './render-swap.ts';
import type { SheetLine } from './sheet.ts';
import { renderSheet } from './sheet.ts';
import type { Style } from './style.ts';
import { clockTime, readTime, rfc3339, spanWords } from './time.ts';
import { wrapWords } from './width.ts';

/** What to show of a swap that has just been created. */
export interface CreatedView {
  readonly swap: SwapResult;
  /** Money can be sent to its address and memo: nothing in them is hidden. */
  readonly fundable: boolean;
  readonly qr: boolean;
  /** How long the service waits for the deposit, in milliseconds; null where it does not say. */
  readonly depositWindowMs: number | null;
  /** Milliseconds since 1970: when the swap was made, where the service does not say that either. */
  readonly now: number;
}

/**
 * The order, codes to scan, and then what to send and where: amount, address and memo with equal weight, below the
 * codes because the end is what a small window shows.
 */
export async function renderCreated(view: CreatedView, style: Style, width: number): Promise<Visible> {
  const { swap } = view;
  const order = visible(swap.order ?? '');
  const codes = view.qr && view.fundable ? await qrCodes(swap, style, width) : shown``;
  const parts = [
    renderSheet(restLines(swap, style), style, width),
    codes,
    depositPart(view, style, width),
    sandboxPart(swap, order, style, width),
    shown`${sentence(followWords(view), style.dim, width)}   swapctl status ${order} --watch\n`,
  ];
  return joined(
    parts.filter((part) => part !== ''),
    shown`\n`,
  );
}

function followWords({ depositWindowMs }: CreatedView): string {
  return depositWindowMs === null
    ? 'The service names no deadline, and an order that is not funded in time runs out: pay at once. Follow it with'
    : 'An order that is not funded in time runs out. Follow it with';
}

/** What is left of the window is all of it, for the swap is new. */
function windowWords({ swap, depositWindowMs, fundable, now }: CreatedView): string | null {
  if (depositWindowMs === null || !fundable) return null;
  const end = rfc3339((readTime(swap.startedAt) ?? now) + depositWindowMs);
  return `${spanWords(depositWindowMs)} left, until ${clockTime(end).slice(0, 'hh:mm'.length)}`;
}

function depositPart(view: CreatedView, style: Style, width: number): Visible {
  const { swap, fundable } = view;
  const { deposit } = swap;
  const strong = (text: Visible) => style.bold(style.cyan(text));
  const lines: SheetLine[] = [
    ['Amount', sideText({ ...deposit, network: null }), strong],
    ['Network', deposit.network, strong],
    ['Address', deposit.address, strong],
    ['Memo', deposit.memo, strong],
    ['Window', windowWords(view)],
  ];
  const heading = fundable ? style.bold(shown`Send exactly`) : style.red(shown`Do not send anything`);
  const note = !fundable
    ? 'The address, the memo or the amount is not one that can be trusted. Ask the service.'
    : deposit.memo === null
      ? ''
      : 'Send the memo too: a deposit without it is lost.';
  const told = note === '' ? note : sentence(note, fundable ? style.yellow : style.red, width);
  return shown` ${heading}\n${renderSheet(lines, style, width)}${told}`;
}

function restLines(swap: SwapResult, style: Style): readonly SheetLine[] {
  const { receive } = swap;
  return [
    ['Order', swap.order, style.bold],
    ['You receive', sideText(receive)],
    ['  at address', receive.address],
    ['  with memo', receive.memo],
    ['Rate type', swap.type === null ? null : rateName(swap.type)],
    ['Refund address', swap.refundAddress],
  ];
}

function sandboxPart(swap: SwapResult, order: Visible, style: Style, width: number): Visible {
  if (swap.environment !== 'sandbox') return shown``;
  return shown`${sentence('Sandbox: send nothing real. The deposit arrives with', style.yellow, width)}   swapctl sandbox deposit ${order}\n`;
}

function sentence(text: string, paint: (text: Visible) => Visible, width: number): Visible {
  return joined(wrapWords(visible(text), width - 1).map((line) => shown` ${paint(line)}\n`));
}

async function qrCodes({ deposit }: SwapResult, style: Style, width: number): Promise<Visible> {
  const { coin, network, address, amount, memo } = deposit;
  if (coin === null || network === null || amount === null || address === null) return shown``;
  const text = paymentText({ coin, network, address, amount, memo });
  const label =
    text === address
      ? 'Scan for the address; enter the amount yourself.'
      : 'Scan for the address and the exact amount.';
  const codes = [
    await labelled(text, label, style, width),
    memo === null ? shown`` : await labelled(memo, 'Scan for the memo.', style, width),
  ];
  return joined(
    codes.filter((code) => code !== ''),
    shown`\n`,
  );
}

async function labelled(text: string, label: string, style: Style, width: number): Promise<Visible> {
  const code = await renderQr(text, style, width);
  return code === null ? shown`` : shown`${code}${sentence(label, style.dim, width)}`;
}
