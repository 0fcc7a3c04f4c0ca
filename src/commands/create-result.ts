import type { Context } from '../context.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { paymentText } from '../swap/payment-uri.ts';
import { visible } from '../swap/text.ts';
import { renderQr } from '../terminal/qr.ts';
import { sideText, swapView } from '../terminal/render-swap.ts';
import type { SheetLine } from '../terminal/sheet.ts';
import { renderSheet } from '../terminal/sheet.ts';
import type { Style } from '../terminal/style.ts';
import type { CreateFlags } from './create.ts';
import { isFundable } from './create-echo.ts';
import type { CreatedSwap } from './create-once.ts';
import { WATCH_INTERVAL_MS } from './status.ts';
import { verdictOn, watchSwaps } from './watching.ts';

/** Shows where to send the deposit, and follows the swap where `--watch` asks for it. */
export async function showCreated(context: Context, flags: CreateFlags, created: CreatedSwap): Promise<void> {
  const { streams } = context;
  const { swap, trouble } = created;
  if (!flags.watch || streams.format !== 'json') {
    await streams.print({
      ...swapView(swap, context.now()),
      screen: (style, width) => instructions(created, flags, style, width),
    });
  }
  if (swap.deposit.memo === null && created.depositMemoNeeded) streams.note(MEMO_MISSING, true);
  if (trouble !== null) throw trouble;
  if (!flags.watch || swap.order === null) return;
  const service = await context.service();
  const options = { intervalMs: WATCH_INTERVAL_MS, timeoutMs: context.flags.timeout ?? null };
  const verdict = verdictOn(
    await watchSwaps(context, service, [swap.order], options),
    flags.exitStatus,
    true,
  );
  if (verdict !== null) throw verdict;
}

const MEMO_MISSING =
  'warning: the network of the deposit needs a memo, and the service gave none. Ask the service before you send anything.';

/** What to send and where: amount, address and memo side by side with equal weight, then a code to scan. */
async function instructions(
  { swap }: CreatedSwap,
  flags: CreateFlags,
  style: Style,
  width: number,
): Promise<string> {
  const { deposit, receive, environment } = swap;
  const strong = (text: string) => style.bold(style.cyan(text));
  const lines: SheetLine[] = [
    ['Amount', sideText({ ...deposit, network: null }), strong],
    ['Network', deposit.network, strong],
    ['Address', deposit.address, strong],
    ['Memo', deposit.memo, strong],
  ];
  const memo =
    deposit.memo === null ? '' : ` ${style.yellow('Send the memo too: a deposit without it is lost.')}\n`;
  const toy =
    environment === 'sandbox'
      ? ` ${style.yellow('Sandbox: send nothing real.')} The deposit arrives with\n   swapctl sandbox deposit ${visible(swap.order ?? '')}\n`
      : '';
  const then: SheetLine[] = [
    ['Order', swap.order, style.bold],
    ['You receive', sideText(receive)],
    ['  at', receive.address],
    ['  memo', receive.memo],
    ['Refund address', swap.refundAddress],
  ];
  const codes = flags.qr ? await qrCodes(swap, style, width) : '';
  return `\n ${style.bold('Send exactly')}\n${renderSheet(lines, style)}${memo}${codes}\n${renderSheet(then, style)}\n${toy} ${style.dim('Send it soon: an order that is not funded in time runs out. Follow it with')}\n   swapctl status ${visible(swap.order ?? '')} --watch\n`;
}

async function qrCodes({ deposit }: SwapResult, style: Style, width: number): Promise<string> {
  const { coin, network, address, amount, memo } = deposit;
  if (coin === null || network === null || amount === null || !isFundable(address, 256)) return '';
  const text = paymentText({ coin, network, address, amount, memo });
  const code = await renderQr(text, style, width);
  if (code === null) return '';
  const label =
    text === address ? 'The address alone; enter the amount yourself' : 'Address and exact amount';
  if (memo === null) return `\n${code} ${style.dim(label)}\n`;
  const memoCode = await renderQr(memo, style, width);
  return `\n${code} ${style.dim(label)}\n\n${memoCode ?? ''} ${style.dim('The memo')}\n`;
}
