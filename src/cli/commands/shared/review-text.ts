import { shown, type Visible } from '../../../base/text.ts';
import type { Decision } from '../../../core/ledger/policy/evaluate.ts';
import { type Decimal, sameAmount } from '../../../core/swap/amount.ts';
import type { Labels } from '../../../core/swap/labels.ts';
import { type Environment, environmentWord, type Quote, type SwapRequest } from '../../../core/swap/swap.ts';
import { boundsText } from '../../../core/swaps/limits.ts';
import { type DetailLine, renderDetails } from '../../terminal/details.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { feeLine, impactLine, rateName } from '../../views/quote.ts';
import { environmentColour } from '../../views/status.ts';

/** A swap as it is reviewed before it is created, by the person who creates it or by the one who approves it. */
export interface Reviewed {
  readonly request: SwapRequest & { readonly minReceive?: Decimal | null };
  /** Null if it was not priced: a raw request. */
  readonly quote: Pick<Quote, 'amount' | 'receive' | 'rate' | 'min' | 'max' | 'fee'> | null;
  /** Percent by which the rate differs from the one at the minimum; null if unknown. */
  readonly impact: Decimal | null;
  readonly labels: Labels;
  readonly profile: string;
  readonly environment: Environment;
  readonly host: string;
}

/** The review as details: every address and amount in full, and only what the service reported. */
export function reviewText(reviewed: Reviewed, style: Style, width: number): Visible {
  return shown` ${style.bold(shown`Review`)}\n${renderDetails(reviewLines(reviewed, style), style, width)}`;
}

/** The lines of {@link reviewText} without its heading. */
export function reviewLines(reviewed: Reviewed, style: Style): readonly DetailLine[] {
  const { request, quote, impact, labels } = reviewed;
  const { deposit, receive, type } = request;
  const about = type === 'float' ? 'about ' : '';
  const received = quote === null ? '' : `${about}${quote.receive} `;
  const pricing: readonly DetailLine[] =
    quote === null
      ? []
      : [
          ['Rate', `1 ${deposit.coin} = ${quote.rate} ${receive.coin}`],
          feeLine({ ...quote, to: receive }),
          ...(impact === null ? [] : [impactLine(impact)]),
        ];
  return [
    ['You send', `${request.amount} ${deposit.coin} on ${deposit.network}`, style.bold],
    ['  rounded up from', quote !== null && isRounded(request, quote) ? quote.amount : null],
    ['You receive', `${received}${receive.coin} on ${receive.network}`, style.bold],
    ['  at least', request.minReceive ?? null],
    ['  at address', request.address, style.cyan],
    ['  with memo', request.memo ?? 'none', style.cyan],
    ['Refund address', request.refundAddress ?? 'none'],
    ...pricing,
    ['Rate type', rateName(type)],
    ['Limits', quote === null ? null : boundsText(quote, deposit.coin)],
    // A line each: a value may hold what looks like another label.
    ...Object.entries(labels).map(
      ([key, value]) => ['Label', `${key}=${value}`, undefined, 'prose'] as const,
    ),
    ...serviceLines(reviewed, style),
  ];
}

/** Lines that say where something will be sent: profile, environment and service. */
export function serviceLines(
  { profile, environment, host }: Pick<Reviewed, 'profile' | 'environment' | 'host'>,
  style: Style,
): readonly DetailLine[] {
  return [
    ['Profile', profile],
    ['Environment', environmentWord(environment), environmentColour(style, environment)],
    ['Service', host, undefined, 'prose'],
  ];
}

/** Whether the deposit was rounded up from the quote to what its network supports. */
export function isRounded(request: SwapRequest, quote: Pick<Quote, 'amount'>): boolean {
  return request.lastSource === 'receive' && !sameAmount(request.amount, quote.amount);
}

const DECISION_WORDS: Readonly<Record<Decision['decision'], string>> = {
  allow: 'allowed',
  approve: 'needs an approval',
  refuse: 'refused',
};

/** A decision: the word, the rules that took part, and what to do. */
export function decisionView(decision: Decision): View {
  return {
    json: () => decision,
    rows: () => [
      ['decision', decision.decision],
      ...decision.rules.map((rule) => ['rule', rule.kind, rule.message, rule.limit, rule.spent, rule.left]),
      ...(decision.approval === null ? [] : [['approval', decision.approval.id, decision.approval.until]]),
    ],
    screen: (style, width) => decisionText(decision, style, width),
  };
}

export function decisionText(decision: Decision, style: Style, width = 80): Visible {
  const colour = { allow: style.green, approve: style.yellow, refuse: style.red }[decision.decision];
  const lines: readonly DetailLine[] = [
    ['Policy', DECISION_WORDS[decision.decision], colour],
    ...decision.rules.map(
      ({ index, message }) => [index === null ? '' : `Rule ${index}`, message, undefined, 'prose'] as const,
    ),
    [
      'Approval',
      decision.approval === null ? null : `${decision.approval.id}, until ${decision.approval.until}`,
    ],
  ];
  return renderDetails(lines, style, width);
}
