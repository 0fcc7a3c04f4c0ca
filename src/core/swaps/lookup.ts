import { type ErrorCode, StorageError, type SwapctlError } from '../../base/errors.ts';
import { relativeTime, rfc3339, wireTime } from '../../base/time.ts';
import type { RequestTurns } from '../client/turns.ts';
import { agreementOf, type CreateIntent, type Entry } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { agreedAmounts, type SwapResult, swapResult } from '../ledger/swap-result.ts';
import type { Doubt, DoubtCode } from '../swap/agreement/agreed.ts';
import { codesOf, doubtsOf } from '../swap/agreement/agreement.ts';
import { isUntouched } from '../swap/agreement/fundable.ts';
import type { Swap } from '../swap/swap.ts';
import type { Ports, Service } from './ports.ts';

/** A swap as the service describes it, and how it differs from what was agreed. */
export interface ComparedSwap {
  /** With the end of its deposit window, if known. */
  readonly swap: Swap;
  /** The doubts with their words; `doubts` has their codes. */
  readonly found: readonly Doubt[];
  readonly doubts: readonly DoubtCode[];
}

/** What a swap is compared and shown with: its entry, or a request that no ledger has. */
export type KnownSwap = Parameters<typeof agreementOf>[0] &
  Parameters<typeof agreedAmounts>[0] &
  Pick<Entry, 'refundAddress' | 'labels' | 'outcome'>;

/** Compares a swap with its ledger entry, which is null for an order that the ledger does not have. */
export async function compareAnswer(
  { now }: Pick<Ports, 'now'>,
  service: Service,
  entry: KnownSwap | null,
  answer: Swap,
): Promise<ComparedSwap> {
  const { environment } = service;
  const seen = withExpiry(service, answer);
  const nothing = { terms: null, first: null, furthest: null, environment };
  const found = await doubtsOf(entry === null ? nothing : agreementOf(entry, now()), seen);
  return { swap: seen, found, doubts: codesOf(found) };
}

/** An order that the ledger does not have, compared with what may have been agreed about it. */
export interface ComparedUnrecorded extends ComparedSwap {
  /** The request of the create of unknown outcome that may have made it; null if there is none. */
  readonly request: CreateIntent | null;
  /** Its entry, if another process has recorded the order since. */
  readonly entry: Entry | null;
}

/** Maximum time between the request of an unknown create and the order that it may have made, because clocks differ. */
const MAX_APART_MS = 24 * 3_600_000;

/** Compares an order, not recorded or paid, with the unknown create it contradicts least. Throws `storage_failed`. */
export async function compareUnrecorded(ports: Ports, service: Service, answer: Swap) {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  // In this order: a create whose order is recorded in between is among the first, or found by the second.
  const unsettled = isUntouched(answer) ? await ledger.unsettled(owner) : [];
  const entry = await ledger.byOrder(owner, answer.order);
  const compared = await compareAnswer(ports, service, entry, answer);
  let closest: ComparedUnrecorded = { ...compared, request: null, entry };
  if (entry !== null) return closest;
  const made = wireTime(answer.createdAt ?? answer.startedAt);
  for (const create of unsettled) {
    if (made !== null && Math.abs(made - create.requestedAt) > MAX_APART_MS) continue;
    const compared = await compareAnswer(ports, service, create, answer);
    if (closest.request === null || compared.found.length < closest.found.length)
      closest = { ...compared, request: create.request, entry };
  }
  return closest;
}

/** A swap of the built-in service with the end of its deposit window, for which the API has no field. */
function withExpiry({ depositWindow }: Service, swap: Swap): Swap {
  const start = wireTime(swap.createdAt ?? swap.startedAt);
  if (swap.expiresAt !== null || depositWindow === undefined) return swap;
  if (start === null || swap.type === null) return swap;
  return { ...swap, expiresAt: rfc3339(start + depositWindow(swap.type)) };
}

/** Milliseconds since 1970 by the clock that ends deposit windows: the service's if known, else this machine's. */
export function serviceTime(ports: Pick<Ports, 'now'>, { clockAhead }: Pick<Service, 'clockAhead'>): number {
  return ports.now() + (clockAhead?.() ?? 0);
}

/** How long ago a swap was requested, in words: by the clock of the built-in service if that created it. */
export function requestedWords(
  ports: Pick<Ports, 'now'>,
  service: Pick<Service, 'clockAhead'>,
  { requestedAt, first }: Pick<Entry, 'requestedAt' | 'first'>,
): string {
  const created =
    service.clockAhead === undefined ? null : wireTime(first?.createdAt ?? first?.startedAt ?? null);
  return created === null
    ? relativeTime(rfc3339(requestedAt), ports.now())
    : relativeTime(rfc3339(created), serviceTime(ports, service));
}

/** A compared swap as it is shown; never fundable if its create did not make the order, or `isCurrent` is false. */
export function shownSwap(
  ports: Pick<Ports, 'now'>,
  service: Service,
  entry: KnownSwap | null,
  {
    swap,
    doubts,
    isCurrent = true,
  }: { readonly swap: Swap; readonly doubts: readonly string[]; readonly isCurrent?: boolean },
): SwapResult {
  const { profile, environment } = service;
  return swapResult(swap, {
    refundAddress: entry?.refundAddress ?? null,
    asked: entry === null ? null : agreedAmounts(entry),
    labels: entry?.labels ?? {},
    isCurrent: isCurrent && (entry === null || entry.outcome === 'created'),
    profile,
    environment,
    doubts,
    now: serviceTime(ports, service),
  });
}

interface PollOptions {
  /** Its entry, if just read. */
  readonly known?: Entry | null;
  /** Warnings that are not printed again. */
  readonly alreadyPrinted?: Set<string>;
  readonly turns?: RequestTurns;
  /** Called if the ledger cannot be read or written, instead of a note for each poll. */
  readonly onLedgerError?: (error: StorageError) => void;
}

/** A swap that was read, and why the ledger does not have what was seen; null if it has, or does not know the order. */
export type LookedUp = Awaited<ReturnType<typeof lookUpSwap>>;

/** Reads a swap from the service, compares it with its ledger entry, warns of doubts, and records what was seen. */
export async function lookUpSwap(
  ports: Ports,
  service: Service,
  order: string,
  { known = null, alreadyPrinted, turns, onLedgerError = noteUnrecorded(ports) }: PollOptions = {},
) {
  const owner = await ports.owner();
  let isCompared = true;
  let unrecorded: StorageError | null = null;
  const onUnwritten = (error: StorageError) => {
    unrecorded = error;
    onLedgerError(error);
  };
  const onUnread = (error: StorageError) => {
    isCompared = false;
    onUnwritten(error);
  };
  const before = known ?? (await withLedger(ports, (ledger) => ledger.byOrder(owner, order), onUnread));
  const { value: seen } = await service.client.transaction(before?.order ?? order, turns);
  const stranger =
    before === null ? await withLedger(ports, () => compareUnrecorded(ports, service, seen), onUnread) : null;
  const entry = before ?? stranger?.entry ?? null;
  const compared = stranger ?? (await compareAnswer(ports, service, entry, seen));
  await warnOfDoubts(ports, entry, compared, alreadyPrinted);
  const seenNow = { swap: compared.swap, doubts: compared.doubts, at: ports.now() };
  if (entry !== null) await withLedger(ports, (ledger) => ledger.seen(owner, seenNow, entry), onUnwritten);
  if (!isCompared && isUntouched(seen))
    await warnOnce(
      ports,
      `${seen.order} could not be compared with what was agreed. Do not fund it until the ledger can be read.`,
      alreadyPrinted,
    );
  return { swap: shownSwap(ports, service, entry, { ...compared, isCurrent: isCompared }), unrecorded };
}

/** Runs work on the ledger. A failure is reported and gives null, because a read must not fail when the ledger does. */
async function withLedger<T>(
  ports: Ports,
  work: (ledger: Ledger) => Promise<T>,
  onError: (error: StorageError) => void,
): Promise<T | null> {
  try {
    return await work(await ports.ledger());
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    onError(error);
    return null;
  }
}

/** A handler of a failed write: it notes the error, and that the polled state was not recorded. */
export function noteUnrecorded({ notify }: Pick<Ports, 'notify'>): (error: StorageError) => void {
  return (error) =>
    void notify({ level: 'note', text: `${error.message} The polled state was not recorded.` });
}

/** Warns of every difference between a swap and what was agreed, before the swap is shown. */
export async function warnOfDoubts(
  { notify }: Pick<Ports, 'notify'>,
  entry: Entry | null,
  { swap, found }: ComparedSwap,
  alreadyPrinted: Set<string> = new Set(),
): Promise<void> {
  const warn = (words: string) => warnOnce({ notify }, words, alreadyPrinted);
  if (entry?.outcome === 'unknown' && entry.reason !== null)
    await warn(
      `${swap.order} did not match the request when it was created: ${entry.reason}. Do not fund it.`,
    );
  if (found.length === 0) return;
  const advice = isUntouched(swap) ? 'Do not fund it. Ask the service.' : 'Ask the service.';
  await warn(
    `${swap.order} does not match what was agreed: ${found.map(({ words }) => words).join('; ')}. ${advice}`,
  );
}

async function warnOnce(
  { notify }: Pick<Ports, 'notify'>,
  words: string,
  alreadyPrinted: Set<string> = new Set(),
): Promise<void> {
  if (alreadyPrinted.has(words)) return;
  alreadyPrinted.add(words);
  await notify({ level: 'warning', text: words });
}

/** Whether an error is about one order, so that the others of its profile can still be polled. */
export function isForOneOrder({ code }: SwapctlError): boolean {
  return ABOUT_ONE_ORDER.has(code);
}

/** Whether every other order would fail in the same way. */
export function isUnreachable({ code }: SwapctlError): boolean {
  return code === 'network_error' || code === 'timeout';
}

const REFUSED: readonly ErrorCode[] = ['not_found', 'rejected', 'validation_failed'];
const ABOUT_ONE_ORDER = new Set<ErrorCode>([...REFUSED, 'bad_response', 'service_error']);

/** The orders as the ledger spells them; one that it lacks is read and recorded. Throws the service's error. */
export async function recordedOrders(ports: Ports, orders: readonly string[]): Promise<readonly string[]> {
  const [service, ledger, owner] = [await ports.service(), await ports.ledger(), await ports.owner()];
  const recorded: string[] = [];
  for (const order of orders) {
    const entry = await ledger.byOrder(owner, order);
    if (entry === null) {
      const { value: answer } = await service.client.transaction(order);
      const { found, ...stranger } = await compareUnrecorded(ports, service, answer);
      await warnOfDoubts(ports, null, { found, ...stranger });
      await ledger.imported(owner, { ...stranger, at: ports.now() });
    }
    recorded.push(entry?.order ?? order);
  }
  return [...new Set(recorded)];
}
