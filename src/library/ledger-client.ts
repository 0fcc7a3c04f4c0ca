import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { StorageError, UsageError } from '../base/errors.ts';
import { rfc3339OrNull } from '../base/time.ts';
import type { BudgetLimit } from '../core/ledger/budget/limit.ts';
import type { SwapEvent } from '../core/ledger/events/event.ts';
import { historyResult, lastObservedSwap, type SwapResult } from '../core/ledger/swap-result.ts';
import { onLedger } from '../core/swaps/create-records.ts';
import { createSwap } from '../core/swaps/create-swap.ts';
import { findSwaps } from '../core/swaps/find.ts';
import { unknownTypeMessage } from '../core/swaps/listen/deliver.ts';
import { deliverTo } from '../core/swaps/listen/deliver-to.ts';
import { functionTarget } from '../core/swaps/listen/targets.ts';
import { lookUpSwap } from '../core/swaps/lookup.ts';
import type { Ports } from '../core/swaps/ports.ts';
import { setRefundAddress, swapToRefund } from '../core/swaps/refund.ts';
import { refundsOnLedger } from '../core/swaps/refund-records.ts';
import { sharedBudget } from '../core/swaps/request-budget.ts';
import { resolveUnknown } from '../core/swaps/resolve.ts';
import { type CallRunner, type ConnectionSettings, callRunner } from './connection.ts';
import { readCreate } from './create.ts';
import { callFields, fieldsOf, readKey, readLabels, readOptionalText, readOrder, readText } from './input.ts';
import { openedLedger } from './partner.ts';
import { pollUntil } from './status.ts';
import type { LedgerSwap, LedgerSwapClient, OpenSwap, RecordedSwap, SwapDescription } from './types.ts';

/** A client with a ledger: where it connects, where the ledger is, and who uses it. */
export interface LedgerConnection extends ConnectionSettings {
  /** An absolute path, or a `postgres://` URL. */
  readonly location: string;
  /** Who acts, as the audit chain names it. */
  readonly actor: string;
  /** Null for the default of the service. */
  readonly budget: BudgetLimit | null;
}

/** The calls of a client that need a ledger. */
export type LedgerCalls = Omit<LedgerSwapClient, 'coins' | 'networks' | 'quote'>;

/** The calls on a ledger, which is opened by the first of them. */
export function ledgerCalls(connection: LedgerConnection): LedgerCalls {
  const ledger = openedLedger({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    location: () => inExistingFolder(connection.location),
    mayBeMissing: () => false,
    actor: () => connection.actor,
    onDamaged: () => undefined,
  });
  return callsOn(callRunner(connection, ledger), connection, () => ledger.close());
}

/** The calls on a ledger; it is closed only once the calls in progress have recorded their outcome. */
export function callsOn(
  runner: CallRunner,
  { budget }: Pick<LedgerConnection, 'budget'>,
  close: () => Promise<void>,
): LedgerCalls {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const within: CallRunner = (call, work) => {
    const result = runner(call, work);
    const forget = () => running.delete(result);
    running.add(result);
    result.then(forget, forget);
    return result;
  };
  const orClosing = (signal = closing.signal) => AbortSignal.any([signal, closing.signal]);
  const read = (ports: Ports, given: string | SwapDescription) => lookUp(ports, budget, orderOf(given));
  return {
    create: (request, call) =>
      within(call, async (ports) => {
        const { asked, ...terms } = readLedgerCreate(request);
        const created = await createSwap(onLedger(ports), asked, { ...terms, confirm: null });
        const { swap, warnings, notices, replayed, ledgerError } = created;
        if (ledgerError !== null) throw ledgerError;
        return { ...swapOf(swap), warnings: [...warnings, ...notices], replayed };
      }),
    status: (given, call) => within(call, (ports) => read(ports, given)),
    waitFor: async (given, options) => {
      const { until, signal } = callFields(options, ['until']);
      const call = { signal: orClosing(signal) };
      return within(call, (ports) => pollUntil(ports, given, (known) => read(ports, known), until));
    },
    setRefundAddress: async (order, address, options) => {
      const { approval, signal } = callFields(options, ['approval']);
      return within({ signal }, (ports) => setOnLedger(ports, order, address, approval));
    },
    find: (text, call) =>
      within(call, async (ports) => {
        const fact = readText(text, 'text');
        const found = await findSwaps(await ports.ledger(), fact, await ports.owner());
        return found.map(({ entry }) => historyResult(entry, ports.now()) as RecordedSwap);
      }),
    open: (call) => within(call, openSwaps),
    follow: async (handle, options) => {
      const { name, events, signal } = readFollow(handle, options);
      // The signal ends it after the delivery in progress, and is no interruption.
      await within(undefined, (ports) =>
        deliverTo(ports, {
          target: functionTarget(ports, name, handle as (event: SwapEvent) => unknown),
          types: events,
          budget,
          stop: orClosing(signal),
        }),
      );
    },
    resolve: (id, outcome, call) =>
      within(call, async (ports) => {
        const entry = await resolveUnknown(ports, readText(id, 'id'), readOutcome(outcome));
        return historyResult(entry, ports.now()) as RecordedSwap;
      }),
    close: async () => {
      closing.abort();
      await Promise.allSettled(running);
      await close();
    },
  };
}

/** Refuses a file in a folder that does not exist: a typo would be a second ledger, without the keys of the first. */
function inExistingFolder(location: string): string {
  const folder = dirname(location);
  // A URL is not a path.
  if (!isAbsolute(location) || existsSync(folder)) return location;
  const message = `The folder of the ledger does not exist: ${folder}.`;
  throw new StorageError(message, 'Create it, or correct the path.');
}

function readLedgerCreate(request: unknown) {
  const given = fieldsOf(request, 'request');
  const { idempotencyKey, labels, approval, ...swap } = given;
  const id = readOptionalText(approval, 'approval');
  return {
    asked: readCreate(swap),
    key: readKey(idempotencyKey),
    labels: readLabels(labels),
    approval: id === null ? null : { id },
  };
}

/** Names that other targets have. */
const OTHER_TARGETS = ['http', 'exec'];

function readFollow(handle: unknown, options: unknown) {
  if (typeof handle !== 'function') throw new UsageError('The handler must be a function.');
  const { name, events = null, signal } = callFields(options, ['name', 'events']);
  const text = readText(name, 'name');
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(text) || OTHER_TARGETS.includes(text))
    throw new UsageError('"name" must be 1 to 64 letters, digits, dots, hyphens and underscores.');
  const isTypes = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((type) => typeof type === 'string' && type !== '');
  if (events !== null && !isTypes(events))
    throw new UsageError('"events" must be an array of event types, such as [\'swap.*\'].');
  const problem = unknownTypeMessage(events ?? []);
  if (problem !== null) throw new UsageError(problem);
  return { name: text, events, signal };
}

/** What a person found out: an order number, or null for none. */
function readOutcome(outcome: unknown): string | null {
  const { order, dismissed } = fieldsOf(outcome, 'outcome', ['order', 'dismissed']);
  if (order !== undefined && dismissed === undefined) return readOrder(order);
  if (order === undefined && dismissed === true) return null;
  throw new UsageError('Pass either { order } or { dismissed: true }.');
}

function orderOf(given: string | SwapDescription): string {
  return readOrder(typeof given === 'object' && given !== null ? given.order : given);
}

/** Reads a swap within the budget, compares it with what was agreed, and records what was seen. */
async function lookUp(ports: Ports, budget: BudgetLimit | null, order: string): Promise<LedgerSwap> {
  await ports.ledger();
  const limit = await sharedBudget(ports, budget, () => undefined);
  const turns = { limit, timeLeft: () => Number.POSITIVE_INFINITY };
  const { swap, unrecorded } = await lookUpSwap(ports, await ports.service(), order, { turns });
  // A swap that could not be compared or recorded must not be taken for one that was.
  if (unrecorded !== null) throw unrecorded;
  return swapOf(swap);
}

async function setOnLedger(ports: Ports, order: unknown, address: unknown, approval: unknown) {
  const [number, wanted] = [readOrder(order), readText(address, 'address')];
  const id = readOptionalText(approval, 'approval');
  const refunds = refundsOnLedger(ports);
  const found = await swapToRefund(refunds, number);
  const given = { address: wanted, approval: id === null ? null : { id } };
  const set = await setRefundAddress(refunds, found, given);
  if (set.ledgerError !== null) throw set.ledgerError;
  const { message, warnings } = set;
  const { environment } = found.service;
  return { order: found.order, refundAddress: set.address, message, environment, warnings };
}

async function openSwaps(ports: Ports): Promise<readonly OpenSwap[]> {
  const [ledger, owner, now] = [await ports.ledger(), await ports.owner(), ports.now()];
  return (await ledger.open(owner)).map((entry) => ({
    ...swapOf(lastObservedSwap(entry, now, Number.NEGATIVE_INFINITY)),
    seenAt: rfc3339OrNull(entry.seenAt),
    ageMs: entry.seenAt === null ? null : Math.max(0, now - entry.seenAt),
  }));
}

/** A swap of the ledger that has an order. */
function swapOf(swap: SwapResult): LedgerSwap {
  const { order, statusCode, status, ...rest } = swap;
  const known = { order: order ?? '', statusCode: statusCode ?? -1 };
  return { ...rest, ...known, status: status as LedgerSwap['status'] };
}
