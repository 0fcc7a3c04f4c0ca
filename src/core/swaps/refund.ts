import type { StorageError } from '../../base/errors.ts';
import { badResponse, type RefundUpdate } from '../client/decode.ts';
import type { Received } from '../client/send.ts';
import { confirmsRefund, unconfirmedRefund } from '../client/writes.ts';
import type { Entry } from '../ledger/entry.ts';
import type { GivenApproval } from '../ledger/policy/approvals.ts';
import type { Decision } from '../ledger/policy/judge.ts';
import { memoPolicy } from '../swap/memo.ts';
import type { Asset, Swap } from '../swap/swap.ts';
import type { Meanwhile } from './create.ts';
import { type CheckedDestination, checkedAddress } from './destination.ts';
import type { RefundAtDoor } from './door.ts';
import type { JudgedStranger, JudgedSwap } from './lookup.ts';
import type { Service } from './ports.ts';

/** A swap whose refund address is to be set. */
export interface SwapToRefund {
  /** As the ledger spells it, if it has the order. */
  readonly order: string;
  readonly entry: Entry | null;
  readonly judged: JudgedSwap & Partial<Pick<JudgedStranger, 'request'>>;
  /** What was deposited, and on which network. */
  readonly deposit: Asset;
}

/** What setting a refund address works with. `refunds` is the ledger's part: its policy and entries, or none of them. */
export interface RefundPorts {
  service(): Promise<Service>;
  readonly refunds: RefundRecords;
}

/** The ledger's part in setting a refund address. */
export interface RefundRecords {
  /** Reads a swap, warns if it is not as agreed, and records what was seen. Throws the service's or the ledger's error. */
  find(
    service: Service,
    order: string,
  ): Promise<Omit<SwapToRefund, 'deposit'> & { readonly answer: Received<Swap> }>;
  /** The policy's current decision; nothing is counted. Null where there is no policy. */
  decision(refund: RefundAtDoor): Promise<Decision | null>;
  /** Sends the address. Throws `policy_refused`, `approval_required` or `stopped` before anything is sent. */
  send(service: Service, refund: RefundAtDoor): Promise<Received<RefundUpdate>>;
  /** Records the address, and returns the ledger's failure, because the result must be shown anyway. */
  record(found: SwapToRefund, address: string): Promise<StorageError | null>;
}

/** A refund address to be reviewed. */
export interface RefundReview {
  readonly service: Service;
  readonly found: SwapToRefund;
  readonly address: string;
  readonly warnings: readonly string[];
  /** Null without a ledger. */
  readonly decision: Decision | null;
}

/** How a refund address is set. */
export interface RefundOptions {
  readonly approval: GivenApproval;
  /** The address, once the swap is known. */
  address(found: SwapToRefund): Promise<string>;
  /** Reviews it, and throws or returns false to end without sending; null for a caller whose request is the yes. */
  readonly confirm: ((review: RefundReview) => Promise<boolean>) | null;
  /** Called before anything is sent. */
  announce?(review: Omit<RefundReview, 'decision'>): void | Promise<void>;
  readonly meanwhile?: Meanwhile;
}

/** A refund address that the service confirmed. */
export interface RefundSet extends Omit<RefundReview, 'decision'> {
  /** The service's message. */
  readonly message: string | null;
  /** The address is set, but could not be written to the ledger. */
  readonly ledgerError: StorageError | null;
}

/**
 * Sets a refund address: swap, address, policy's decision, review, request, echo, record. Command, MCP, library and
 * laboratory call it. Null if `confirm` said no. Throws `invalid_address`, what the policy throws, or `bad_response` if the
 * service does not confirm the address.
 */
export function setRefundAddress(
  ports: RefundPorts,
  order: string,
  options: RefundOptions & { readonly confirm: null },
): Promise<RefundSet>;
export function setRefundAddress(
  ports: RefundPorts,
  order: string,
  options: RefundOptions,
): Promise<RefundSet | null>;
export async function setRefundAddress(
  { service: serviceOf, refunds }: RefundPorts,
  order: string,
  options: RefundOptions,
): Promise<RefundSet | null> {
  const service = await serviceOf();
  const found = await foundSwap(refunds, service, order);
  const { address, warnings } = await checkedRefund(service, found, await options.address(found));
  const atDoor: RefundAtDoor = {
    ...{ order: found.order, address, deposit: found.deposit, approval: options.approval },
    amount: found.judged.swap.deposit.amount,
    labels: found.entry?.labels ?? {},
  };
  const { confirm, announce, meanwhile = (send) => send() } = options;
  const review = { service, found, address, warnings };
  if (confirm !== null && !(await confirm({ ...review, decision: await refunds.decision(atDoor) })))
    return null;
  await announce?.(review);
  const answered = await meanwhile(() => refunds.send(service, atDoor));
  const message = await confirmedRefund(answered, found.deposit.network, { order: found.order, address });
  return { ...review, message, ledgerError: await refunds.record(found, address) };
}

async function foundSwap(refunds: RefundRecords, service: Service, given: string): Promise<SwapToRefund> {
  const { answer, ...found } = await refunds.find(service, given);
  const { deposit } = answer.value;
  // The deposit was sent on the network agreed at creation, whatever the service reports now.
  const agreed = found.entry?.request?.deposit ?? null;
  const network = agreed?.network ?? deposit.network;
  if (network === null) throw badResponse('it does not show the network of the deposit', answer.httpStatus);
  return { ...found, deposit: { coin: agreed?.coin ?? deposit.coin ?? 'the deposit', network } };
}

/** Checks a refund address for the network of the deposit. Throws `invalid_address`. */
async function checkedRefund(
  { environment }: Pick<Service, 'environment'>,
  { deposit: { network }, judged: { swap } }: SwapToRefund,
  typed: string,
): Promise<CheckedDestination> {
  const checked = await checkedAddress({ network, address: typed, environment, what: 'refund' });
  const warnings = [...checked.warnings];
  if (swap.final)
    warnings.push(`The swap is final (${swap.status}); a new refund address may have no effect.`);
  if (memoPolicy(network) === 'required')
    warnings.push(
      `${network} often needs a memo, but the service has no field for a refund memo: use an address that needs none, not a deposit address of an exchange.`,
    );
  return { ...checked, warnings };
}

/** The service's message about a refund address that it confirms. Throws `bad_response` if it does not. */
async function confirmedRefund(
  answered: Received<RefundUpdate>,
  network: string,
  wanted: { readonly order: string; readonly address: string },
): Promise<string | null> {
  const { order, address } = wanted;
  if (!(await confirmsRefund(answered.value, network, wanted)))
    throw unconfirmedRefund(answered, address, order);
  return answered.value.message;
}
