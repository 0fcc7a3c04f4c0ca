import { createBody } from '../client/client.ts';
import { requestUrl } from '../client/transport.ts';
import type { Context } from '../context.ts';
import { SwapctlError } from '../errors.ts';
import { AUTH_HEADERS } from '../partner-api/endpoints.ts';
import { writeJson } from '../partner-api/json.ts';
import { visible, visibleDeep } from '../swap/text.ts';
import { rateName } from '../terminal/render-quote.ts';
import type { SheetLine } from '../terminal/sheet.ts';
import { flatRows, renderSheet } from '../terminal/sheet.ts';
import type { Style } from '../terminal/style.ts';
import type { Draft } from './create-draft.ts';
import { boundsText } from './pricing.ts';

/**
 * Shows both sides and everything that cannot be undone, and asks for a yes; the default answer is no, which
 * throws `declined`.
 */
export async function reviewDraft(
  context: Context,
  draft: Draft,
  yes: boolean,
): Promise<'create' | 'change'> {
  const { streams } = context;
  if (streams.interactive && !yes)
    streams.noteRendered(`\n${reviewText(draft, await streams.noteStyle(), streams.noteWidth)}`);
  for (const warning of draft.warnings) await streams.warn(warning);
  if (yes) return 'create';
  const answer = await context.prompter.input({
    message: 'Create this swap? (y/N, e to change something)',
    whenEmpty: 'no',
    validate: (text) => /^(y|yes|n|no|e|edit|)$/i.test(text.trim()) || 'Answer y, n or e.',
  });
  if (/^y/i.test(answer.trim())) return 'create';
  if (/^e/i.test(answer.trim())) return 'change';
  throw new SwapctlError('declined', 'Declined; nothing was sent.');
}

/** The review as a sheet: every address and amount in full. */
export function reviewText({ request, quote, service }: Draft, style: Style, width: number): string {
  const { deposit, receive, type } = request;
  const live = service.environment === 'live';
  const estimate = type === 'float' ? ', as the rate is now' : '';
  const lines: readonly SheetLine[] = [
    ['You send', `${request.amount} ${deposit.coin} on ${deposit.network}`, style.bold],
    ['You receive', `${quote.receive} ${receive.coin} on ${receive.network}${estimate}`, style.bold],
    ['  at address', request.address, style.cyan],
    ['  with memo', request.memo ?? 'none', style.cyan],
    ['Refund address', request.refundAddress ?? 'none'],
    ['Rate', `1 ${deposit.coin} = ${quote.rate} ${receive.coin}`],
    ['Rate type', rateName(type)],
    ['Fee', FEE, undefined, 'prose'],
    ['Bounds', boundsText(quote, deposit.coin)],
    ['Profile', service.profile],
    ['Environment', live ? 'LIVE' : 'sandbox', live ? style.red : style.yellow],
    ['Service', service.host, undefined, 'prose'],
  ];
  return ` ${style.bold('Review')}\n${renderSheet(lines, style, width)}`;
}

const FEE = 'inside the rate; the network fee of the payout is taken from what you receive';

/** Prints the request that `create` would send, with the signature left out. */
export async function printDryRun(context: Context, { service, request, warnings }: Draft): Promise<void> {
  const endpoint = 'create-transaction';
  const url = requestUrl(service.baseUrl, { endpoint }).href;
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    [AUTH_HEADERS.publicKey]: service.credentials.publicKey,
    [AUTH_HEADERS.signature]: '<redacted>',
    [AUTH_HEADERS.payload]: endpoint,
  };
  // The amount is a number with all its digits, which JSON.stringify alone would not keep.
  const body = createBody(request);
  for (const warning of warnings) await context.streams.warn(warning);
  const result = { dryRun: true, request: { method: 'POST', url, headers, body } };
  if (context.streams.format === 'json') return context.streams.write(`${writeJson(visibleDeep(result))}\n`);
  await context.streams.print({
    json: () => result,
    rows: () => flatRows({ ...result, request: { ...result.request, body: writeJson(body) } }),
    screen: (style) =>
      `${style.bold(`POST ${url}`)}\n${Object.entries(headers)
        .map(([name, value]) => `${style.dim(`${name}:`)} ${visible(value)}\n`)
        .join('')}\n${visible(writeJson(body, 2)).replaceAll('<U+000A>', '\n')}\n`,
  });
}
