import type { Context } from '../context.ts';
import { SwapctlError, UsageError } from '../errors.ts';
import type { CreateIntent, Entry } from '../ledger/entry.ts';
import { swapResult } from '../ledger/swap-result.ts';
import { sameAmount } from '../swap/amount.ts';
import { rfc3339 } from '../terminal/time.ts';
import type { CreateFlags } from './create.ts';
import { depositAddressDoubt } from './create-echo.ts';
import type { CreatedSwap } from './create-once.ts';
import { checkedAddress, checkedDestination } from './destination.ts';
import { profileOwner } from './swap-lookup.ts';

/**
 * The swap that was made with this idempotency key, or null where none was. Throws `outcome_unknown` where one
 * may have been, and a usage error where the key stands for another swap; a dry run too, for its request would
 * never be sent.
 */
export async function earlierSwap(context: Context, flags: CreateFlags): Promise<CreatedSwap | null> {
  if (flags.idempotencyKey === null) return null;
  const owner = await profileOwner(context);
  const entry = await (await context.ledger()).byKey(owner.profile, flags.idempotencyKey);
  // Of a create that was refused or never sent no order exists, so its key may go with a mended one.
  if (entry === null || entry.outcome === 'refused' || entry.outcome === 'not-sent') return null;
  if (entry.host !== owner.host || entry.environment !== owner.environment) throw anotherService(entry);
  const different = entry.request === null ? [] : await differences(context, entry.request, flags);
  if (different.length > 0) throw anotherSwap(entry, different);
  if (entry.outcome === 'unknown') throw stillUnknown(entry);
  const created = await recorded(entry);
  if (created === null) return null;
  const { order, status, final } = created.swap;
  context.streams.note(usedBefore(entry));
  if (final) context.streams.note(`warning: ${order} has ended as ${status}; do not fund it.`, true);
  return created;
}

function usedBefore({ order, seenAt, requestedAt }: Entry): string {
  return `This idempotency key has been used: here is the swap it created, as last seen at ${rfc3339(seenAt ?? requestedAt)}. Before you fund it, look at it with \`swapctl status ${order}\`.`;
}

/** A created entry as the swap that it stands for; null where no swap was ever seen. */
export async function recorded(entry: Entry): Promise<CreatedSwap | null> {
  if (entry.swap === null) return null;
  const { memoPolicy } = await import('../swap/memo.ts');
  return {
    swap: swapResult(entry.swap, entry),
    depositMemoNeeded: memoPolicy(entry.swap.deposit.network ?? '') === 'required',
    depositDoubt: await depositAddressDoubt(entry.environment, entry.swap),
    depositWindowMs: null,
    trouble: null,
  };
}

/** What the flags ask for otherwise than the recorded request; without a terminal, what is left out is a default. */
async function differences(context: Context, request: CreateIntent, flags: CreateFlags): Promise<string[]> {
  const { from, to, amount } = flags;
  const asks = !context.streams.interactive;
  const other = (asked: string | null | undefined, sent: string) =>
    asked !== null && asked !== undefined && asked.toLowerCase() !== sent.toLowerCase();
  const coins = named([
    [
      'deposit coin',
      other(from?.coin, request.deposit.coin) || other(from?.network, request.deposit.network),
    ],
    ['payout coin', other(to?.coin, request.receive.coin) || other(to?.network, request.receive.network)],
  ]);
  // Addresses of other networks cannot be compared, and need not be.
  if (coins.length > 0) return coins;
  return named([
    ['side of the amount', flags.lastSource !== null && flags.lastSource !== request.lastSource],
    ['amount', amount !== null && !sameAmount(amount, request.asked)],
    ['rate type', (flags.type ?? (asks ? 'float' : request.type)) !== request.type],
    ...(await otherAddresses(context, request, flags, asks)),
  ]);
}

function named(found: readonly (readonly [string, boolean])[]): string[] {
  return found.flatMap(([name, differs]) => (differs ? [name] : []));
}

/** Addresses are compared in the form in which they are sent, so each is checked as it would be for a new swap. */
async function otherAddresses(
  context: Context,
  request: CreateIntent,
  { address, memo, refundAddress }: CreateFlags,
  asks: boolean,
): Promise<[string, boolean][]> {
  const { environment } = await context.profile();
  const payout =
    address === null
      ? null
      : await checkedDestination({
          ...{ network: request.receive.network, address, memo, environment, what: 'payout' },
          memoNeeded: request.memo !== null,
          waived: true,
        });
  const refund =
    refundAddress === null
      ? null
      : await checkedAddress({
          ...{ network: request.deposit.network, address: refundAddress, environment, what: 'refund' },
        });
  return [
    ['payout address', payout !== null && payout.address !== request.address],
    ['memo', payout !== null && (asks || payout.memo !== null) && payout.memo !== request.memo],
    ['refund address', (asks || refund !== null) && (refund?.address ?? null) !== request.refundAddress],
  ];
}

/** The error for a key that stands for a swap with something else in it; `different` says what. */
export function anotherSwap(entry: Entry, different: readonly string[]): UsageError {
  return new UsageError(
    `This idempotency key stands for another swap: the ${different.join(', ')} differ${different.length === 1 ? 's' : ''}.`,
    'Use a new key for a new swap; see `swapctl history --json`.',
    'usage',
    { idempotencyKey: entry.idempotencyKey, order: entry.order, different },
  );
}

function anotherService(entry: Entry): UsageError {
  return new UsageError(
    `This idempotency key was used with another service: ${entry.host} (${entry.environment}).`,
    'Use a new key for a new swap; see `swapctl history --json`.',
    'usage',
    { idempotencyKey: entry.idempotencyKey, order: entry.order, host: entry.host },
  );
}

/** The error for a key whose create was sent and never answered. */
export function stillUnknown(entry: Entry): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `A create with this idempotency key was sent at ${rfc3339(entry.requestedAt)} and its outcome is unknown: an order may exist.`,
    {
      outcome: 'unknown',
      hint: 'It costs nothing unless it is funded; fund only an address that swapctl showed you. Use another key to create a swap anew.',
      details: { idempotencyKey: entry.idempotencyKey, order: entry.order },
    },
  );
}
