import { type Visible, visible } from '../../base/text.ts';
import type { LedgerSwap } from '../../core/ledger/swap-result.ts';
import { type ExplorerKind, explorerUrl } from '../../core/swap/networks/explorers.ts';
import { type Environment, environmentWord } from '../../core/swap/swap.ts';
import { linkTo, type Style } from '../terminal/style.ts';

/** Green for success; red for overdue, error, refund; yellow for pause, frozen, unknown; dim for null; else cyan. */
export function statusColour(style: Style, status: string | null): (text: Visible) => Visible {
  if (status === 'success') return style.green;
  if (status === 'overdue' || status === 'error' || status === 'refund') return style.red;
  if (status === 'pause' || status === 'frozen' || status === 'unknown') return style.yellow;
  return status === null ? style.dim : style.cyan;
}

/** Colours the cell of a status, which may have notes behind it. */
export function statusPaint(style: Style): (text: Visible) => Visible {
  return (text) => statusColour(style, text.trim().replace(/[!?].*$|\s.*$/, ''))(text);
}

/** The status in a word; a code that is not listed is its number, and one of no swap is a dash. */
export function statusWord({ status, statusCode }: Pick<LedgerSwap, 'status' | 'statusCode'>): string {
  if (status === null) return '–';
  return status === 'unknown' && statusCode !== null ? `code ${statusCode}` : status;
}

/** Colour of an environment: red where real money moves. */
export function environmentColour(style: Style, environment: Environment): (text: Visible) => Visible {
  return environment === 'live' ? style.red : style.yellow;
}

/** The word for an environment in its colour. */
export function environmentMark(style: Style, environment: Environment): Visible {
  return environmentColour(style, environment)(visible(environmentWord(environment)));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Age of an observation in a word or two: `now`, `12 s`, `3 min`, `2 h`, `5 d`; a dash for none. */
export function age(seenAt: number | null, now: number): string {
  if (seenAt === null) return '-';
  const passed = now - seenAt;
  if (passed < SECOND_MS) return 'now';
  if (passed < MINUTE_MS) return `${Math.floor(passed / SECOND_MS)} s`;
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`;
  if (passed < 2 * DAY_MS) return `${Math.floor(passed / HOUR_MS)} h`;
  return `${Math.floor(passed / DAY_MS)} d`;
}

/** Links a transaction or address to its explorer, if the terminal shows links. Explorers have none of a sandbox. */
export function linksOf({ links }: Style, { environment }: Pick<LedgerSwap, 'environment'>) {
  const identity = (text: Visible) => text;
  return (kind: ExplorerKind, { network }: { readonly network: string | null }, paint = identity) => {
    if (links === null || environment !== 'live' || network === null) return paint;
    return (text: Visible) => {
      const url = explorerUrl(network, kind, text, links);
      return url === null || !PRINTABLE.test(url) ? paint(text) : linkTo(url, paint(text));
    };
  };
}

/** A stored explorer may have been changed by hand. */
const PRINTABLE = /^https?:\/\/[!-~]+$/;
