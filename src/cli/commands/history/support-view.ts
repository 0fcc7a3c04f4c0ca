import { joined, shown, type Visible, visible, visibleLines } from '../../../base/text.ts';
import { environmentWord } from '../../../core/swap/swap.ts';
import { statusWord } from '../../views/status.ts';
import { type SupportTicket, sentenceText, type WrittenTicket } from '../../views/ticket.ts';

/**
 * A ticket as Markdown. Every value is in a code span, so that nothing from the service
 * can become a heading, list, link or other markup.
 */
export function ticketMarkdown({ ticket, questions }: WrittenTicket): Visible {
  const { deposit, receive } = ticket;
  // For a create without a response the service has reported nothing.
  const asShown = (amount: string | null) => (ticket.statusCode === null ? null : amount);
  const parts = [
    `# ${titleOf(ticket)}`,
    ['Our questions:', ...questions.map((each, index) => `${index + 1}. ${sentenceText(each, code)}`)],
    'Times that end in `Z` are UTC. Values are exactly as your API returned them.',
    '## Swap',
    facts([
      ['Order', ticket.order],
      ['Service', ticket.service],
      ['Support', ticket.support],
      ['Environment', environmentWord(ticket.environment)],
      ['Status', `${statusWord(ticket)}${ticket.statusCode === null ? '' : `, code ${ticket.statusCode}`}`],
      ['Rate', ticket.type],
      ['Requested', ticket.requestedAt],
      ['Created', ticket.createdAt],
      ['Deposit window ends', ticket.expiresAt],
      ['Ended', ticket.endedAt],
      ['Last checked', ticket.lastSeenAt],
      ['Risk score', ticket.riskScore],
      ['Outcome of the request', ticket.reason],
    ]),
    '## Deposit',
    facts([
      ...sideFacts(deposit),
      ['Amount requested', deposit.asked],
      ['Amount in your API', asShown(deposit.amount)],
      ...transactionFacts(deposit),
      ['Transaction, as reported to us', deposit.sent?.txId ?? null],
      ['Sent from', deposit.sent?.from ?? null],
    ]),
    '## Payout',
    facts([
      ...sideFacts(receive),
      ['Amount promised', receive.promised],
      ['Amount in your API', asShown(receive.amount)],
      ['Amount paid', receive.paidAmount],
      ['Paid to', receive.paidTo],
      ...transactionFacts(receive),
    ]),
    '## Refund',
    facts([
      ['Refund address', ticket.refundAddress ?? 'none recorded'],
      ['Set', ticket.refundAddress === null ? null : (ticket.refundAddressSetAt ?? 'time not recorded')],
    ]),
    '## Statuses seen',
    statusLines(ticket),
    ...(ticket.doubts.length === 0
      ? []
      : [
          '## Does not match what was agreed',
          ticket.doubts.map((each) => `- ${code(each.code)}: ${code(each.words)}`),
        ]),
  ];
  const blocks = parts.map((part) => (typeof part === 'string' ? part : part.join('\n')));
  return shown`${joined(blocks.map(visibleLines), shown`\n\n`)}\n`;
}

function titleOf(ticket: SupportTicket): string {
  if (ticket.order === null) return `Create request of ${code(ticket.requestedAt)}: its outcome is unknown`;
  return `Order ${code(ticket.order)}: ${code(statusWord(ticket))}`;
}

type Fact = readonly [name: string, value: string | number | null];

type TicketSide = SupportTicket['deposit'] | SupportTicket['receive'];

function sideFacts({ coin, network, address, memo }: TicketSide): readonly Fact[] {
  return [
    ['Coin', coin],
    ['Network', network],
    ['Address', address],
    ['Memo', memo ?? 'none'],
  ];
}

function transactionFacts(side: TicketSide): readonly Fact[] {
  return [
    ['Transaction', side.txId ?? 'none reported'],
    ['Confirmations', side.confirmations],
    ['Seen', side.receivedAt],
    ['First confirmed', side.confirmedAt],
    ['Fee', side.fee],
  ];
}

function facts(list: readonly Fact[]): readonly string[] {
  return list.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${code(String(value))}`]));
}

function statusLines({ statuses }: SupportTicket): readonly string[] {
  if (statuses.length === 0) return ['None: it was never seen.'];
  return statuses.map((span) => {
    const until = span.lastSeenAt === null ? 'not recorded' : code(span.lastSeenAt);
    const word = code(`${span.status}, code ${span.statusCode}`);
    return `- ${word}: first seen ${code(span.firstSeenAt)}, last seen ${until}`;
  });
}

/** A code span: its fence is longer than any run of backticks within, and it has no line breaks. */
function code(value: string): string {
  const text = visible(value);
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || /^ .* $/.test(text) || text === '' ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
