import type { GlobalFlags } from '../../context.ts';
import { shellQuote } from '../../files.ts';
import { coinLabel } from '../../swap/coin-ref.ts';
import { displayWidth } from '../../terminal/width.ts';
import { joined, shown, type Visible, visible } from '../../text.ts';
import type { CompleteFlags } from './options.ts';

/**
 * The command that creates the same swap without questions, quoted for a POSIX shell. It names networks and rate type
 * even where they are the default. Once the swap is `created` it leaves out the idempotency key, which would only return
 * this swap; before that it keeps the key and leaves out `--yes`. It is broken into lines where it is wider than `width`.
 */
export function equivalentCommand(
  flags: CompleteFlags,
  globals: GlobalFlags,
  width: number = Number.POSITIVE_INFINITY,
  created = true,
): Visible {
  const words = [
    ['swapctl create', coin(flags.from), coin(flags.to), flags.amount].join(' '),
    ...options(flags, globals),
    ...(created ? ['--yes'] : option('idempotency-key', flags.idempotencyKey)),
  ].map(visible);
  const line = joined(words, shown` `);
  return displayWidth(line) <= width ? line : joined(words, shown` \\\n  `);
}

function coin(ref: CompleteFlags['from']): string {
  return shellQuote(coinLabel(ref));
}

function options(flags: CompleteFlags, globals: GlobalFlags): string[] {
  const { lastSource, type, address, memo, memoWaived, refundAddress, minReceive, tolerance, labels } = flags;
  return [
    ...(lastSource === 'receive' ? ['--receive'] : []),
    `--${type}`,
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
