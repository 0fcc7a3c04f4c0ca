import type { StorageError } from '../../base/errors.ts';
import { badResponse, type RefundUpdate } from '../client/decode.ts';
import type { Decoded } from '../client/send.ts';
import { confirmsRefund, unconfirmedRefund } from '../client/writes.ts';
import type { Entry } from '../ledger/entry.ts';
import type { ApprovalSelection } from '../ledger/policy/approvals.ts';
import type { Decision } from '../ledger/policy/evaluate.ts';
import { memoPolicy } from '../swap/memo.ts';
import type { Asset, Swap } from '../swap/swap.ts';
import { type CheckedDestination, checkedAddress } from './destination.ts';
import type { ComparedSwap, ComparedUnrecorded } from './lookup.ts';
import type { Service } from './ports.ts';
import type { RefundToSubmit } from './submit.ts';

/** A swap whose refund address is to be set. */
export interface SwapToRefund {
  readonly service: Service;
  /** As the ledger spells it, if it has the order. */
  readonly order: string;
  readonly entry: Entry | null;
  readonly compared: ComparedSwap & Partial<Pick<ComparedUnrecorded, 'request'>>;
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
  ): Promise<Omit<SwapToRefund, 'service' | 'deposit'> & { readonly answer: Decoded<Swap> }>;
  /** The policy's current decision; nothing is counted. Null without a ledger. */
  decision(refund: RefundToSubmit): Promise<Decision | null>;
  /** Sends the address. Throws `policy_refused`, `approval_required` or `stopped` before anything is sent. */
  send(service: Service, refund: RefundToSubmit): Promise<Decoded<RefundUpdate>>;
  /** Records the address, and returns the ledger's failure, because the result must be shown anyway. */
  record(found: SwapToRefund, address: string): Promise<StorageError | null>;
}

/** An address for a refund, as it was typed, and the approval of setting it. */
export interface WantedRefund {
  readonly address: string;
  readonly approval: ApprovalSelection;
}

/** A refund address that the service confirmed. */
export interface ConfirmedRefund extends CheckedDestination {
  readonly message: string | null;
  /** The address is set, but could not be written to the ledger. */
  readonly ledgerError: StorageError | null;
}

/** Reads an order by `find`; its deposit is as agreed, else as answered. `bad_response` if its network is unknown. */
export async function swapToRefund({ service: serviceOf, refunds }: RefundPorts, given: string) {
  const service = await serviceOf();
  const { answer, ...found } = await refunds.find(service, given);
  const { deposit } = answer.value;
  // The deposit was sent on the network agreed at creation, whatever the service reports now.
  const agreed = found.entry?.request?.deposit ?? null;
  const network = agreed?.network ?? deposit.network;
  if (network === null) throw badResponse('it does not show the network of the deposit', answer.httpStatus);
  return { ...found, service, deposit: { coin: agreed?.coin ?? deposit.coin ?? 'the deposit', network } };
}

/** The policy's current decision about a refund address; nothing is sent or counted. Null without a ledger. */
export function refundDecision({ refunds }: RefundPorts, found: SwapToRefund, wanted: WantedRefund) {
  return refunds.decision(toSubmit(found, wanted));
}

/**
 * Sets a refund address: address, policy, request, echo, record. Command, MCP, library and laboratory call it with the
 * result of {@link swapToRefund}. Throws `invalid_address`, what the policy throws, or `bad_response` if the service does
 * not confirm the address.
 */
export async function setRefundAddress(
  { refunds }: RefundPorts,
  found: SwapToRefund,
  { address: typed, approval }: WantedRefund,
): Promise<ConfirmedRefund> {
  const checked = await checkedRefund(found, typed);
  const { address } = checked;
  const answered = await refunds.send(found.service, toSubmit(found, { address, approval }));
  const message = await confirmedRefund(answered, found.deposit.network, { order: found.order, address });
  return { ...checked, message, ledgerError: await refunds.record(found, address) };
}

function toSubmit({ order, deposit, compared, entry }: SwapToRefund, wanted: WantedRefund): RefundToSubmit {
  const { amount } = compared.swap.deposit;
  return { ...wanted, order, deposit, amount, labels: entry?.labels ?? {} };
}

/** Checks a refund address for the network of the deposit. Throws `invalid_address`. */
export async function checkedRefund(
  { service, deposit: { network }, compared: { swap } }: SwapToRefund,
  typed: string,
): Promise<CheckedDestination> {
  const { environment } = service;
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
  answered: Decoded<RefundUpdate>,
  network: string,
  wanted: { readonly order: string; readonly address: string },
): Promise<string | null> {
  const { order, address } = wanted;
  if (!(await confirmsRefund(answered.value, network, wanted)))
    throw unconfirmedRefund(answered, address, order);
  return answered.value.message;
}
