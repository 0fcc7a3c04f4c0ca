import { UsageError } from '../../../base/errors.ts';
import { counted } from '../../../base/text.ts';
import { rfc3339 } from '../../../base/time.ts';
import { MAX_COIN_LIST_AGE_MS } from '../../../core/client/coin-list-cache.ts';
import { matchingCoins } from '../../../core/client/find-coin.ts';
import { lookUpSwap, serviceTime } from '../../../core/swaps/lookup.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import { refuseSameSides } from '../../../core/swaps/pair.ts';
import { quotePair } from '../../../core/swaps/price.ts';
import { oneOf, RATE_TYPE, TEXT } from '../../operations/schema.ts';
import type { QuoteResult } from '../../views/quote.ts';
import { addressVerdict } from '../shared/addresses/verdict.ts';
import { findAttention, whatNext } from '../shared/attention.ts';
import { shownPolicy } from '../shared/policy-shown.ts';
import { requestBudget, usualRateType } from '../shared/stored-setting.ts';
import { supportTicket } from '../shared/ticket.ts';
import { type CommandTool, READS, READS_HERE, type ToolCall } from './tool.ts';

/** Side and rate type of a price. */
export function priceOf({ context, args }: ToolCall) {
  const [from, to] = [args.coin('from'), args.coin('to')];
  refuseSameSides(from, to);
  const amount = args.amount('amount');
  if (amount === null) throw new UsageError('Missing amount.');
  const type = args.text('type') === 'fixed' ? 'fixed' : args.text('type') === 'float' ? 'float' : null;
  const lastSource = args.on('receive') ? ('receive' as const) : ('deposit' as const);
  return { from, to, amount, lastSource, type: type ?? usualRateType(context) };
}

const MAX_COINS = 50;

async function findCoins({ context, args }: ToolCall): Promise<object> {
  const side = args.text('side');
  // The server lives longer than a command, which keeps its list.
  const kept = await context.coinList();
  const isOld = context.now() - kept.fetchedAt > MAX_COIN_LIST_AGE_MS;
  const { coins } = isOld ? await context.coinList(true) : kept;
  const matching = matchingCoins(coins, {
    search: args.text('search'),
    network: args.text('network'),
    side: side === 'deposit' || side === 'receive' ? side : null,
  });
  const shown = matching.slice(0, MAX_COINS).map((coin) => ({ ...coin, image: null }));
  return { coins: shown, total: matching.length };
}

async function quote(call: ToolCall): Promise<QuoteResult> {
  const { context } = call;
  const { profile, environment } = await context.service();
  const quoted = await quotePair(context, await context.service(), priceOf(call));
  return { ...quoted, at: rfc3339(context.now()), impact: null, profile, environment };
}

async function checkAddress({ context, args }: ToolCall): Promise<object> {
  const { result, hint } = await addressVerdict(context, {
    network: args.required('network'),
    address: args.required('address').trim(),
    memo: args.text('memo'),
  });
  return hint === undefined ? result : { ...result, reason: `${result.reason ?? ''} ${hint}`.trim() };
}

async function swapStatus({ context, args }: ToolCall): Promise<object> {
  const { order, entry } = await namedOrder(context, args.swap(), { whose: 'own', warns: true });
  const service = await context.service();
  const { swap: seen } = await lookUpSwap(context, service, order, { known: entry });
  const swap = { ...seen, seenAt: rfc3339(context.now()) };
  const now = serviceTime(context, service);
  return { ...swap, ...(await whatNext(context, { swap, id: entry?.id ?? null, now })) };
}

const MAX_SWAPS = 20;

/** Time for polls, in milliseconds: hosts wait 60 s for a tool by default. */
const POLL_MS = 20_000;

async function needsAttention({ context }: ToolCall): Promise<object> {
  const deadline = context.monotonic() + POLL_MS;
  const timed = { ...context, flags: { ...context.flags, timeout: POLL_MS }, deadline: () => deadline };
  const options = { maxAgeMs: null, budget: requestBudget(context) };
  const { found, failures, swaps } = await findAttention(timed, [], options);
  const [failed] = failures;
  if (failed !== undefined && found.length === 0) throw failed.error;
  const old = swaps.filter(({ isOld }) => isOld).length;
  const text = `${counted(old, 'swap')} could not be polled in time; the last known state is used.`;
  if (old > 0) await context.notify({ level: 'warning', text });
  return { swaps: found.slice(0, MAX_SWAPS), total: found.length };
}

async function supportCase({ context, args }: ToolCall): Promise<object> {
  return (await supportTicket(context, args.swap())).written.ticket;
}

/** Flags that only change what is printed, its age, and whether the command continues. */
const LISTING = ['--columns', '--sort', '--reverse'];
/** Flags that show a swap, and continue until it has ended. */
export const SHOWING = ['--qr', '--no-qr', '--watch', '--exit-status'];
const STATUS_FLAGS = [...LISTING, ...SHOWING, '--interval', '--budget', '--max-age', '--attention'];
/** The rate type is one argument instead of two flags. */
export const RATE_FLAGS = ['--fixed', '--float'];

/** The tools that change nothing. */
export const READING_TOOLS: readonly CommandTool[] = [
  {
    name: 'find_coins',
    title: 'Find coins',
    description: `Coins of the service with their networks for each side; at most ${MAX_COINS}.`,
    command: 'coins',
    leaves: [...LISTING, '--deposit', '--receive', '--refresh', '--limit'],
    adds: { side: oneOf('deposit', 'receive') },
    keys: ['code', 'name', 'deposit', 'receive'],
    list: 'coins',
    annotations: READS,
    run: findCoins,
  },
  {
    name: 'quote',
    title: 'Quote',
    description: 'Price of a pair now. Reserves nothing.',
    command: 'quote',
    leaves: [...RATE_FLAGS, '--compare', '--impact', '--watch', '--interval', '--above', '--below'],
    adds: { type: RATE_TYPE },
    keys: ['pair', 'amount', 'receive', 'rate', 'min', 'max', 'type', 'environment'],
    annotations: READS,
    run: quote,
  },
  {
    name: 'check_address',
    title: 'Check an address',
    description: 'Check an address, and memo, by the rules of its network. Offline.',
    command: 'address',
    leaves: [],
    // The command takes `-` too, for lines of standard input.
    adds: { network: { ...TEXT, description: 'network such as BTC or TRX' } },
    requires: ['address'],
    keys: ['verdict', 'canonical', 'warnings', 'reason'],
    annotations: READS_HERE,
    run: checkAddress,
  },
  {
    name: 'swap_status',
    title: 'Status of a swap',
    description: 'State of a swap now. Only if fundable is true may its deposit be sent.',
    command: 'status',
    leaves: STATUS_FLAGS,
    requires: ['order'],
    shape: 'statusOne',
    keys: ['order', 'status', 'final', 'fundable', 'doubts', 'deposit', 'receive', 'next', 'action'],
    annotations: READS,
    run: swapStatus,
  },
  {
    name: 'needs_attention',
    title: 'What needs attention',
    description: 'Swaps that a person has to act on, and what to do.',
    command: 'status',
    leaves: ['order', ...STATUS_FLAGS],
    shape: 'attention',
    keys: ['order', 'id', 'attention'],
    list: 'swaps',
    annotations: READS,
    run: needsAttention,
  },
  {
    name: 'policy_left',
    title: 'Limits',
    description: 'The policy: its rules, what is left of each limit, and whether creating swaps is stopped.',
    command: 'policy show',
    leaves: [],
    keys: ['policy', 'rules', 'stop', 'suspensions', 'problems'],
    annotations: READS_HERE,
    run: ({ context }) => shownPolicy(context),
  },
  {
    name: 'support_case',
    title: 'Support case',
    description: 'Facts and questions about a swap for the support desk of the service.',
    command: 'history support',
    leaves: ['--output'],
    keys: ['order', 'case', 'questions', 'status'],
    annotations: READS_HERE,
    run: supportCase,
  },
];
