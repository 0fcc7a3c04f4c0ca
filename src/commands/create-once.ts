import type { Context, Service } from '../context.ts';
import { announce, debugLine } from '../context.ts';
import { StorageError, SwapctlError } from '../errors.ts';
import type { CreateIntent } from '../ledger/entry.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { swapResult } from '../ledger/swap-result.ts';
import { compareDecimals } from '../swap/amount.ts';
import type { Swap } from '../swap/swap.ts';
import { visible } from '../swap/text.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Draft } from './create-draft.ts';
import { anotherSwap, recorded, stillUnknown } from './create-earlier.ts';
import { depositAddressDoubt, echoProblem, isPlainOrder } from './create-echo.ts';
import { lateError } from './create-late.ts';
import { profileOwner } from './swap-lookup.ts';

/** A swap that exists, and what is wrong with the way to it, if anything is. */
export interface CreatedSwap {
  readonly swap: SwapResult;
  readonly depositMemoNeeded: boolean;
  /** What is odd about the deposit address, as a clause. */
  readonly depositDoubt: string | null;
  /** How long the service waits for the deposit, in milliseconds; null where nobody knows, or no longer. */
  readonly depositWindowMs: number | null;
  /** The order exists and is shown, but could not be written to the ledger. */
  readonly trouble: StorageError | null;
}

/**
 * Records the intent, sends the create once, and records what came of it. Whatever happens, the ledger says
 * before the first byte leaves that an order may exist.
 */
export async function createOnce(context: Context, draft: Draft, key: string | null): Promise<CreatedSwap> {
  const { service, request } = draft;
  const ledger = await context.ledger();
  const owner = await profileOwner(context);
  const intent: CreateIntent = { ...request, asked: draft.asked };
  const { entry } = await ledger.begin(owner, intent, key, context.now());
  context.signal.throwIfAborted();
  announce(context, service);
  if (!(await ledger.claim(entry.id, owner, intent, context.now())))
    return afterOtherProcess(context, entry.profile, key, intent);
  debugLine(context, `intent ${entry.id} is recorded; sending create-transaction once`);
  const swap = await sent(context, entry.id, () =>
    withProgress(context.streams, 'Creating the swap', () => service.client.create(request)),
  );
  try {
    return await settled(context, draft, entry.id, swap);
  } catch (error) {
    const reason = 'internal error after the answer';
    // What failed may fail again here, and the order number matters more than its record.
    if (!(error instanceof SwapctlError))
      await settle(context, entry.id, 'unknown', reason, plainOrder(swap)).catch(() => undefined);
    throw lateError(error, swap);
  }
}

/** Another process got in between with the same key; its swap is the answer, or its fate is not known yet. */
async function afterOtherProcess(
  context: Context,
  profile: string,
  key: string | null,
  intent: CreateIntent,
): Promise<CreatedSwap> {
  const now = key === null ? null : await (await context.ledger()).byKey(profile, key);
  if (now === null)
    throw new StorageError('The ledger does not let this swap be sent, though nothing else did.');
  if (!sameIntent(now.request, intent)) throw anotherSwap(now, ['coins, amount, address or memo']);
  const swap = now.outcome === 'created' ? await recorded(now) : null;
  if (swap !== null) return swap;
  throw stillUnknown(now);
}

function sameIntent(a: CreateIntent | null, b: CreateIntent): boolean {
  // With --receive the deposit's amount comes from a quote, and two processes may have got two.
  const comparable = (intent: CreateIntent) =>
    JSON.stringify({ ...intent, amount: intent.lastSource === 'deposit' ? intent.amount : null });
  return a !== null && comparable(a) === comparable(b);
}

async function sent(context: Context, id: string, create: () => Promise<Swap>): Promise<Swap> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof SwapctlError)) {
      await settle(context, id, 'unknown', 'internal error while sending');
    } else if (error.outcome === 'unknown') {
      await settle(context, id, 'unknown', error.message);
    } else {
      await settle(context, id, error.outcome === 'refused' ? 'refused' : 'not-sent', error.message);
    }
    throw error;
  }
}

/**
 * What became of the create matters more than its record: a ledger that fails now is told of, and goes on saying
 * that the outcome is unknown.
 */
async function settle(
  context: Context,
  id: string,
  outcome: 'unknown' | 'refused' | 'not-sent',
  reason: string,
  order?: string,
): Promise<void> {
  try {
    await (await context.ledger()).settle(id, outcome, reason, order);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    context.streams.note(`${error.message} The ledger goes on calling the outcome unknown.`, true);
  }
}

async function settled(context: Context, draft: Draft, id: string, swap: Swap): Promise<CreatedSwap> {
  const { service, request, minReceive } = draft;
  const { profile, environment } = service;
  const problem = await echoProblem({ request, minReceive }, swap);
  if (problem !== null) {
    await settle(context, id, 'unknown', problem, plainOrder(swap));
    throw notWhatWasAsked(service, swap, problem);
  }
  const result = swapResult(swap, { refundAddress: request.refundAddress, profile, environment });
  const depositDoubt = await depositAddressDoubt(environment, swap);
  await tellShortfall(context, draft, swap);
  const depositWindowMs = service.depositWindow?.(request.type) ?? null;
  const made = { swap: result, depositMemoNeeded: draft.depositMemoNeeded, depositDoubt, depositWindowMs };
  try {
    const ledger = await context.ledger();
    if (await ledger.created(id, swap, request.refundAddress, context.now()))
      return { ...made, trouble: null };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { ...made, trouble: notRecorded(error, swap) };
  }
  const taken = 'its number is that of an earlier order in the ledger';
  await settle(context, id, 'unknown', taken);
  throw notWhatWasAsked(service, swap, taken);
}

function plainOrder({ order }: Swap): string | undefined {
  return isPlainOrder(order) ? order : undefined;
}

/** A fixed rate that does not hold is worth a word before anything is sent. */
async function tellShortfall(
  { streams }: Context,
  { request, quote }: Draft,
  { receive }: Swap,
): Promise<void> {
  if (request.type !== 'fixed' || receive.amount === null) return;
  if (compareDecimals(receive.amount, quote.receive) >= 0) return;
  await streams.warn(`the swap pays ${receive.amount}, less than the ${quote.receive} of the fixed quote.`);
}

function notRecorded(error: StorageError, { order, deposit }: Swap): StorageError {
  const { address, memo, amount } = deposit;
  return new StorageError(
    `Order ${order} was created, but the ledger could not be written. ${error.message}`,
    'Keep the order number, the deposit address and its memo yourself; an order that nobody funds costs nothing.',
    'done',
    { order, deposit: { address, memo, amount } },
  );
}

function notWhatWasAsked(service: Service, swap: Swap, problem: string): SwapctlError {
  return new SwapctlError(
    'outcome_unknown',
    `Order ${visible(swap.order)} exists, but it is not what was asked for: ${problem}.`,
    {
      httpStatus: service.client.statusOf(swap),
      outcome: 'unknown',
      hint: `Do not fund it: fund only an address that swapctl showed you. An order that nobody funds costs nothing; tell the service behind ${service.host}.`,
      details: { order: swap.order, problem },
    },
  );
}
