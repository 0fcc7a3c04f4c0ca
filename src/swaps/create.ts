import type { Received } from '../client/send.ts';
import { StorageError, SwapctlError } from '../errors.ts';
import { shellQuote } from '../files.ts';
import type { CreateIntent, Entry, Owner } from '../ledger/entry.ts';
import type { GivenApproval } from '../ledger/policy/approvals.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { loadWordLists } from '../swap/addresses/phrases.ts';
import { createProblem, isPlainOrder } from '../swap/agreement/fundable.ts';
import type { Labels } from '../swap/labels.ts';
import type { Swap } from '../swap/swap.ts';
import { type CheckedSwap, intentOf } from './check.ts';
import {
  failedCreate,
  LINKED_OTHERWISE,
  lateError,
  orderDetails,
  orderMismatch,
  readOtherWay,
  shortfall,
  unlessStorageFails,
} from './created.ts';
import { passCreate } from './door.ts';
import { anotherSwap, contentText, RATE_TYPE, REFUND_ADDRESS, stillUnknown } from './idempotency.ts';
import { judgedSwap, shownSwap } from './lookup.ts';
import type { Ports } from './ports.ts';

/** A swap that exists, with notices and, if recording failed, the error. */
export interface CreatedSwap {
  readonly swap: SwapResult;
  /** Sentences to be read before paying. */
  readonly notices: readonly string[];
  /** An idempotency key had created it before. */
  readonly replayed: boolean;
  /** The order exists and is shown, but could not be written to the ledger. */
  readonly ledgerError: SwapctlError | null;
}

/** Options for sending a swap, and how its caller reports it. */
interface Sending {
  readonly idempotencyKey: string | null;
  readonly labels: Labels;
  /** The approval that a policy requires: a named one, any matching one, or none. */
  readonly approval: GivenApproval;
  /** Called before the ledger says that an order may exist. */
  announce(): void;
  /** Runs the one request, and may show that it is in progress. */
  meanwhile<T>(request: () => Promise<T>): Promise<T>;
  /** The swap of a key that another process has used since. */
  broughtBack(entry: Entry): Promise<CreatedSwap>;
}

/**
 * Records the intent, sends the create once, and records its outcome. Before the first byte is sent the ledger says that
 * an order may exist, and all code that judges the answer is loaded: an upgrade may replace the program's files during the request.
 */
export async function createOnce(ports: Ports, draft: CheckedSwap, sending: Sending): Promise<CreatedSwap> {
  const { service, request } = draft;
  const { idempotencyKey: key, labels } = sending;
  await loadWordLists();
  const ledger = await ports.ledger();
  const owner = await ports.owner();
  const intent = intentOf(draft);
  const { entry } = await ledger.begin(owner, { ...intent, labels }, key, ports.now());
  ports.signal.throwIfAborted();
  sending.announce();
  const content = { ...intent, labels };
  const claim = { approval: sending.approval, quote: draft.quote };
  const answer = await passCreate(
    ports,
    { service, owner, id: entry.id, content, request, claim },
    (create) => sent(ports, entry.id, () => sending.meanwhile(create)),
  );
  if (answer === null) return afterOtherProcess(ports, owner, sending, intent);
  try {
    return await settled(ports, draft, { ...entry, request: intent, labels }, answer);
  } catch (error) {
    const reason = 'internal error after the response';
    // Recording may fail for the same reason, and the order number matters more than its record.
    if (!(error instanceof SwapctlError))
      await settle(ports, entry.id, 'unknown', reason, plainOrder(answer.value)).catch(() => undefined);
    throw lateError(error, answer.value);
  }
}

/** Result where another process used the same key first: its swap, or the error for an outcome without one. */
async function afterOtherProcess(
  ports: Ports,
  owner: Owner,
  { idempotencyKey: key, broughtBack }: Sending,
  intent: CreateIntent,
): Promise<CreatedSwap> {
  const now = key === null ? null : await settledElsewhere(ports, owner, key);
  if (now === null)
    throw new StorageError('The ledger refused to record this swap, but no other entry conflicts with it.');
  const different = differentParts(now.request, intent);
  if (different.length > 0) throw anotherSwap(now, different);
  if (now.outcome === 'created') return broughtBack(now);
  if (now.outcome === 'unknown') throw stillUnknown(now);
  const reason = now.reason === null ? '' : ` (${now.reason})`;
  const end =
    // An order may still exist: a person has settled the entry without one.
    now.outcome === 'dismissed'
      ? 'its outcome is unknown and was dismissed'
      : `it created no order: ${now.outcome}${reason}`;
  throw new SwapctlError('rejected', `Another process sent this create: ${end}.`, {
    outcome: 'nothing-sent',
    hint: 'Run the same command again to retry.',
    retryable: true,
  });
}

/** Pause between two checks of a create that another process is sending, in milliseconds. */
const CHECK_EVERY_MS = 250;
/**
 * Number of checks; a request is given up after 30 s, so an entry that is not settled by then was left by a process
 * that died.
 */
const MAX_CHECKS = 140;

/** The entry of a key once the process that sends it knows the outcome, which never takes long. */
async function settledElsewhere(ports: Ports, owner: Owner, key: string): Promise<Entry | null> {
  const ledger = await ports.ledger();
  for (let checks = 1; ; checks += 1) {
    const entry = await ledger.byKey(owner, key);
    // The process that received the response writes a reason next to an outcome that stays unknown.
    const isUnderWay = entry?.outcome === 'unknown' && entry.reason === null;
    if (!isUnderWay || checks >= MAX_CHECKS || ports.monotonic() >= ports.deadline()) return entry;
    await ports.sleep(CHECK_EVERY_MS);
  }
}

/** The parts in which two requests under one key differ. */
function differentParts(a: CreateIntent | null, b: CreateIntent): readonly string[] {
  // With --receive the deposit's amount comes from a quote, and two processes may have got two.
  const content = (intent: CreateIntent) => contentText({ ...intent, amount: intent.asked });
  if (a === null || content(a) !== content(b)) return ['coins, amount, address or memo'];
  return [
    ...(a.type === b.type ? [] : [RATE_TYPE]),
    ...(a.refundAddress === b.refundAddress ? [] : [REFUND_ADDRESS]),
  ];
}

async function sent(
  ports: Ports,
  id: string,
  create: () => Promise<Received<Swap>>,
): Promise<Received<Swap>> {
  try {
    return await create();
  } catch (error) {
    const { outcome, reason, order } = failedCreate(error);
    await settle(ports, id, outcome, reason, order);
    throw error;
  }
}

/**
 * Records the outcome of a create. A failing ledger is only noted, because the outcome matters more than its record;
 * the ledger then still says that the outcome is unknown.
 */
async function settle(
  ports: Ports,
  id: string,
  outcome: 'unknown' | 'refused' | 'not-sent',
  reason: string,
  order?: string,
): Promise<void> {
  await unlessStorageFails(ports, async () =>
    (await ports.ledger()).settle(id, { outcome, reason, order, at: ports.now() }),
  );
}

async function settled(
  ports: Ports,
  draft: CheckedSwap,
  entry: Entry,
  answer: Received<Swap>,
): Promise<CreatedSwap> {
  const { service, request } = draft;
  const judged = await judgedSwap(ports, service, entry, answer.value);
  const { swap, findings, doubts } = judged;
  const problem = createProblem(findings, swap);
  if (problem !== null) {
    await settle(ports, entry.id, 'unknown', problem, plainOrder(swap));
    throw orderMismatch(service, answer, `${problem}${readOtherWay(request, answer.value)}`);
  }
  const { refundAddress } = request;
  const known: Entry = { ...entry, outcome: 'created', first: swap, refundAddress };
  const made = {
    swap: shownSwap(ports, service, known, judged),
    notices: [...shortfall(draft, swap), ...findings.map(({ words }) => `${sentenceOf(words)} ${ASK_FIRST}`)],
    replayed: false,
  };
  try {
    const ledger = await ports.ledger();
    if (await ledger.created(entry.id, { swap, doubts, at: ports.now() }, refundAddress))
      return { ...made, ledgerError: null };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { ...made, ledgerError: notRecorded(error, entry.id, made.swap) };
  }
  await settle(ports, entry.id, 'unknown', LINKED_OTHERWISE);
  throw orderMismatch(service, answer, LINKED_OTHERWISE);
}

function plainOrder({ order }: Swap): string | undefined {
  return isPlainOrder(order) ? order : undefined;
}

const ASK_FIRST = 'Ask the service before you send any money.';

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function notRecorded(error: StorageError, id: string, swap: SwapResult): SwapctlError {
  const { order } = swap;
  const record = `swapctl history resolve ${id} --order ${shellQuote(order ?? '')}`;
  return new SwapctlError(
    'outcome_unknown',
    `Order ${order} was created, but the ledger could not be written. ${error.message}`,
    {
      outcome: 'done',
      hint: `Keep the order number, deposit address and memo yourself. Once the ledger works again, record the order with \`${record}\`. An unfunded order costs nothing.`,
      details: { id, ...orderDetails(swap) },
    },
  );
}
