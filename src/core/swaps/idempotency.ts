import { attempt, SwapctlError, UsageError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import { rfc3339 } from '../../base/time.ts';
import { findCoin } from '../client/find-coin.ts';
import type { CreateIntent, Entry, IntentOutcome, Owner } from '../ledger/entry.ts';
import { sameAmount } from '../swap/amount.ts';
import { type Labels, labelsText, labelsWords, sameLabels } from '../swap/labels.ts';
import { isSameNetwork } from '../swap/networks/aliases.ts';
import { amountKey, networkKey } from '../swap/policy/codes.ts';
import type { Asset, CoinOnNetwork, Side, SwapRequest } from '../swap/swap.ts';
import type { SwapInput } from './check.ts';
import { checkedAddress, checkedDestination } from './destination.ts';
import type { Ports } from './ports.ts';

/** What makes two swaps the same: pair, amount, side, payout address and memo. */
export type SwapContent = Pick<
  SwapRequest,
  'deposit' | 'receive' | 'amount' | 'lastSource' | 'address' | 'memo'
>;

/**
 * The content of a swap as a text that is the same for the same swap, regardless of how its codes are written, which
 * code the service now uses for a network, and trailing zeros of the amount. `amount` is the requested one, and the
 * address the one that is sent.
 */
export function contentText({ deposit, receive, amount, lastSource, address, memo }: SwapContent): string {
  const sides = [deposit, receive].flatMap(({ coin, network }) => [coin.toUpperCase(), networkKey(network)]);
  return JSON.stringify([...sides, amountKey(amount), lastSource, address, memo]);
}

/** Outcomes of creates without an order, or that a person has settled: their key can be reused. */
const WITHOUT_ORDER: ReadonlySet<IntentOutcome> = new Set(['refused', 'not-sent', 'dismissed']);

/** The parts of a swap that are compared with the one of its key; null if not given. */
export type DescribedSwap = {
  readonly [K in 'from' | 'to' | 'amount' | 'lastSource' | 'type' | 'address' | 'memo' | 'refundAddress']:
    | SwapInput[K]
    | null;
};

/** The entry of a key with which an order was, or may have been, created, or null. Throws for another account's key. */
export async function entryOfKey(ports: Ports, key: string): Promise<Entry | null> {
  const [entry] = await entriesOfKeys(ports, [key]);
  return entry ?? null;
}

/** The entries of several keys, as {@link entryOfKey} finds them; keys without an order are left out. */
export async function entriesOfKeys(ports: Ports, keys: readonly string[]): Promise<readonly Entry[]> {
  const owner = await ports.owner();
  const entries = await (await ports.ledger()).withKeys(owner, keys);
  const found = entries.filter(({ outcome }) => !WITHOUT_ORDER.has(outcome));
  const own = found.filter(({ account }) => account === owner.account);
  const known = new Set(own.map(({ idempotencyKey }) => idempotencyKey));
  const elsewhere = found.find(({ idempotencyKey }) => !known.has(idempotencyKey));
  if (elsewhere !== undefined) throw anotherAccount(elsewhere, owner);
  return own;
}

/** Throws a usage error for a swap unlike the one of its key; `asWritten`: a memo or refund address left out is none. */
export async function requireSameRequest(
  ports: Ports,
  entry: Entry,
  swap: DescribedSwap,
  asWritten: boolean,
) {
  const { request } = entry;
  if (request === null) return;
  const different = await differences(ports, { ...entry, request }, swap, asWritten);
  if (different.length > 0) throw anotherSwap(entry, different);
}

type Requested = Pick<Entry, 'refundAddress'> & { readonly request: CreateIntent };

/** Fields in which a swap differs from the recorded request; with `asWritten` a missing part means its default. */
async function differences(ports: Ports, entry: Requested, flags: DescribedSwap, asWritten: boolean) {
  const { request } = entry;
  const { from, to, amount } = flags;
  const isOther = async (ref: CoinOnNetwork | null, side: Side) =>
    ref !== null &&
    (ref.coin.toLowerCase() !== request[side].coin.toLowerCase() ||
      !(await isSentNetwork(ports, ref, request[side], side)));
  const coins = named([
    ['deposit coin', await isOther(from, 'deposit')],
    ['payout coin', await isOther(to, 'receive')],
  ]);
  // Addresses of other networks cannot be compared, and need not be.
  if (coins.length > 0) return coins;
  return named([
    ['side of the amount', flags.lastSource !== null && flags.lastSource !== request.lastSource],
    ['amount', amount !== null && !sameAmount(amount, request.asked)],
    [RATE_TYPE, flags.type !== null && flags.type !== request.type],
    ...(await otherAddresses(ports, entry, flags, asWritten)),
  ]);
}

/** Whether a typed network means the one that was sent; if the service cannot tell, an alias counts. */
async function isSentNetwork(ports: Ports, ref: CoinOnNetwork, sent: Asset, side: Side): Promise<boolean> {
  const typed = ref.network ?? sent.network;
  if (typed.toLowerCase() === sent.network.toLowerCase()) return true;
  if (!isSameNetwork(typed, sent.network)) return false;
  const found = await attempt(async () => findCoin((await ports.coinList()).coins, ref, side));
  if (found instanceof SwapctlError) return !(found instanceof UsageError);
  const { networks, network } = found;
  // The service may have renamed the network, unless it lists both codes.
  return network?.network === sent.network || networks.every((listed) => listed.network !== sent.network);
}

function named(found: readonly (readonly [string, boolean])[]): string[] {
  return found.flatMap(([name, differs]) => (differs ? [name] : []));
}

/** Differences of addresses and memo, compared in the form in which they are sent, so each is checked as for a new swap. */
async function otherAddresses(
  ports: Ports,
  { request, refundAddress: current }: Requested,
  { address, memo, refundAddress }: DescribedSwap,
  asWritten: boolean,
): Promise<[string, boolean][]> {
  const { environment } = await ports.owner();
  const { network } = request.receive;
  const memoNeeded = request.memo !== null;
  const to = { network, environment, memo, what: 'payout', memoNeeded, waived: true } as const;
  const payout = address === null ? null : await checkedDestination({ ...to, address });
  const back = { network: request.deposit.network, environment, what: 'refund' } as const;
  const refund = refundAddress === null ? null : await checkedAddress({ ...back, address: refundAddress });
  // `swapctl refund` may have changed it since.
  const known = [request.refundAddress, current];
  return [
    ['payout address', payout !== null && payout.address !== request.address],
    ['memo', payout !== null && (asWritten || payout.memo !== null) && payout.memo !== request.memo],
    [REFUND_ADDRESS, (asWritten || refund !== null) && !known.includes(refund?.address ?? null)],
  ];
}

/** Parts of a swap that are not in its content: with different values it is still the same payment. */
export const RATE_TYPE = 'rate type';
export const REFUND_ADDRESS = 'refund address';
/** The error for a key that belongs to another swap; `different` names the fields that differ. */
export function anotherSwap(
  { idempotencyKey, order }: Pick<Entry, 'idempotencyKey' | 'order'>,
  different: readonly string[],
): UsageError {
  const details = { idempotencyKey, order, different };
  const verb = different.length === 1 ? 'differs' : 'differ';
  // It is the same payment, and a new key would pay it twice.
  if (different.every((field) => field === RATE_TYPE || field === REFUND_ADDRESS))
    return new UsageError(
      `${order === null ? 'An order may already exist' : `Order ${order} already exists`} for this swap, but its ${different.join(' and ')} ${verb}.`,
      whatMayChange(order, different),
      'usage',
      details,
    );
  return new UsageError(
    `This idempotency key was used for another swap${order === null ? '' : ` (order ${order})`}: the ${different.join(', ')} ${verb}.`,
    'Use a new key for a new swap; see `swapctl history --json`.',
    'usage',
    details,
  );
}

function whatMayChange(order: string | null, different: readonly string[]): string {
  const change =
    order !== null && different.includes(REFUND_ADDRESS)
      ? `Change its refund address with \`swapctl refund ${shellQuote(order)} <address>\`; nothing else about an order can be changed.`
      : 'It can no longer be changed.';
  return `${change} To continue with the order, use its values.`;
}

/** The error for a key of another account: a profile that was changed must not silently create everything again. */
function anotherAccount({ host, environment, idempotencyKey, order }: Entry, owner: Owner): UsageError {
  const where = host === owner.host ? 'key pair for this service' : `service: ${host} (${environment})`;
  return new UsageError(
    `This idempotency key was used with another ${where}.`,
    'Use a new key for a new swap; see `swapctl history --json`.',
    'usage',
    { idempotencyKey, order, host },
  );
}

/** The error for a create that was sent but got no response. */
export function stillUnknown(entry: Entry): SwapctlError {
  const { id, idempotencyKey, order } = entry;
  const [what, freed] =
    idempotencyKey === null ? ['create', ''] : ['request with this idempotency key', ', which frees the key'];
  return new SwapctlError(
    'outcome_unknown',
    `A ${what} was sent at ${rfc3339(entry.requestedAt)} and its outcome is unknown: an order may exist.`,
    {
      outcome: 'unknown',
      hint: `It costs nothing unless you fund it; fund only an address that swapctl showed you. Settle it with \`swapctl history resolve ${id} --order <order>\` or \`--dismiss\`${freed}.`,
      details: { id, idempotencyKey, order },
    },
  );
}

/** A sentence about the labels of a key's swap where the ones given again differ; null where none are given, or the same. */
export function labelsNotice({ order, labels: its }: Pick<Entry, 'order' | 'labels'>, labels: Labels) {
  if (Object.keys(labels).length === 0 || sameLabels(its, labels)) return null;
  return `Order ${order} has ${labelsWords(its)}, not ${labelsText(labels)}: labels are not changed. If this is another payment, use another key.`;
}
