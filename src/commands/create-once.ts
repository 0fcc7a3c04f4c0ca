import type { Context, Service } from '../context.ts';
import { announce, debugLine } from '../context.ts';
import { StorageError, SwapctlError, UsageError } from '../errors.ts';
import type { CreateIntent, Entry } from '../ledger/entry.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { swapResult } from '../ledger/swap-result.ts';
import { sameAmount } from '../swap/amount.ts';
import type { Swap } from '../swap/swap.ts';
import type { CreateFlags } from './create.ts';
import type { Draft } from './create-draft.ts';
import { echoProblem } from './create-echo.ts';
import { ownerOf } from './swap-lookup.ts';

/** A swap that exists, and what is wrong with the way to it, if anything is. */
export interface CreatedSwap {
  readonly swap: SwapResult;
  readonly depositMemoNeeded: boolean;
  /** The order exists and is shown, but could not be written to the ledger. */
  readonly trouble: StorageError | null;
}

/**
 * The swap that was made with this idempotency key, or null where none was. Throws `outcome_unknown` where one
 * may have been, and a usage error where the key stands for another swap.
 */
export async function earlierSwap(context: Context, flags: CreateFlags): Promise<CreatedSwap | null> {
  if (flags.idempotencyKey === null || flags.dryRun) return null;
  const { name } = await context.profile();
  const entry = await (await context.ledger()).byKey(name, flags.idempotencyKey);
  if (entry === null) return null;
  refuseOtherSwap(entry, flags);
  if (entry.outcome === 'unknown') throw stillUnknown(entry);
  if (entry.outcome !== 'created') return null;
  context.streams.note(`This idempotency key has been used: here is the swap it created.`);
  return recorded(entry);
}

function recorded(entry: Entry): CreatedSwap | null {
  if (entry.swap === null) return null;
  return { swap: swapResult(entry.swap, entry), depositMemoNeeded: false, trouble: null };
}

function refuseOtherSwap(entry: Entry, flags: CreateFlags): void {
  const { request } = entry;
  if (request === null || !differs(request, flags)) return;
  throw new UsageError(
    'This idempotency key stands for another swap, with other coins, amount or address.',
    'Use a new key for a new swap; see `swapctl history --json`.',
    'usage',
    { idempotencyKey: flags.idempotencyKey, order: entry.order },
  );
}

function differs(request: CreateIntent, flags: CreateFlags): boolean {
  const other = (asked: string | null | undefined, sent: string | null) =>
    asked !== null && asked !== undefined && asked.toLowerCase() !== sent?.toLowerCase();
  if (other(flags.from?.coin, request.deposit.coin) || other(flags.from?.network, request.deposit.network))
    return true;
  if (other(flags.to?.coin, request.receive.coin) || other(flags.to?.network, request.receive.network))
    return true;
  if (flags.lastSource !== null && flags.lastSource !== request.lastSource) return true;
  // With --receive the deposit's amount comes from a quote, so only a deposit's own amount can be compared.
  if (flags.amount !== null && request.lastSource === 'deposit')
    return !sameAmount(flags.amount, request.amount);
  return false;
}

function stillUnknown(entry: Entry): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `A create with this idempotency key was sent at ${new Date(entry.requestedAt).toISOString()} and its outcome is unknown: an order may exist.`,
    {
      outcome: 'unknown',
      hint: 'It costs nothing unless it is funded; fund only an address that swapctl showed you. Use another key to create a swap anew.',
      details: { idempotencyKey: entry.idempotencyKey, order: entry.order },
    },
  );
}

/**
 * Records the intent, sends the create once, and records what came of it. Whatever happens, the ledger says
 * before the first byte leaves that an order may exist.
 */
export async function createOnce(context: Context, draft: Draft, key: string | null): Promise<CreatedSwap> {
  const { service, request } = draft;
  const ledger = await context.ledger();
  const owner = await ownerOf(context, service);
  const { entry } = await ledger.begin(owner, request, key, context.now());
  context.signal.throwIfAborted();
  announce(context, service);
  if (!(await ledger.claim(entry.id, request, context.now()))) return afterOtherProcess(context, entry, key);
  debugLine(context, `intent ${entry.id} is recorded; sending create-transaction once`);
  const swap = await sent(context, entry.id, () => service.client.create(request));
  return settled(context, draft, entry.id, swap);
}

/** Another process got in between with the same key; its swap is the answer, or its fate is not known yet. */
async function afterOtherProcess(context: Context, entry: Entry, key: string | null): Promise<CreatedSwap> {
  const now = key === null ? null : await (await context.ledger()).byKey(entry.profile, key);
  const swap = now?.outcome === 'created' ? recorded(now) : null;
  if (swap !== null) return swap;
  throw stillUnknown(now ?? entry);
}

async function sent(context: Context, id: string, create: () => Promise<Swap>): Promise<Swap> {
  try {
    return await create();
  } catch (error) {
    const ledger = await context.ledger();
    if (!(error instanceof SwapctlError)) {
      await ledger.settle(id, 'unknown', 'internal error while sending');
    } else if (error.outcome !== 'unknown') {
      await ledger.settle(id, error.outcome === 'refused' ? 'refused' : 'not-sent', error.message);
    } else {
      await ledger.settle(id, 'unknown', error.message);
    }
    throw error;
  }
}

async function settled(context: Context, draft: Draft, id: string, swap: Swap): Promise<CreatedSwap> {
  const ledger = await context.ledger();
  const { service, request } = draft;
  const problem = echoProblem(request, swap);
  if (problem !== null) {
    await ledger.settle(id, 'unknown', problem, swap.order);
    throw notWhatWasAsked(service, swap, problem);
  }
  let trouble: StorageError | null = null;
  try {
    await ledger.created(id, swap, request.refundAddress, context.now());
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    trouble = error;
  }
  const { profile, environment } = service;
  const result = swapResult(swap, { refundAddress: request.refundAddress, profile, environment });
  return { swap: result, depositMemoNeeded: draft.depositMemoNeeded, trouble };
}

function notWhatWasAsked(service: Service, swap: Swap, problem: string): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `Order ${swap.order} exists, but it is not what was asked for: ${problem}.`,
    {
      outcome: 'unknown',
      hint: `Do not fund it. Tell the service behind ${service.host}; an order that nobody funds costs nothing.`,
      details: { order: swap.order, problem },
    },
  );
}
