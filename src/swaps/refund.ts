import { badResponse, type RefundUpdate } from '../client/decode.ts';
import type { Received } from '../client/send.ts';
import { confirmsRefund, unconfirmedRefund } from '../client/writes.ts';
import { StorageError } from '../errors.ts';
import type { Entry } from '../ledger/entry.ts';
import { memoPolicy } from '../swap/memo.ts';
import type { Asset } from '../swap/swap.ts';
import { type CheckedDestination, checkedAddress } from './destination.ts';
import {
  type JudgedStranger,
  type JudgedSwap,
  judgedStranger,
  judgedSwap,
  warnOfFindings,
} from './lookup.ts';
import type { Ports, Service } from './ports.ts';

/** A swap whose refund address is to be set. */
export interface SwapToRefund {
  /** As the ledger spells it, if it has the order. */
  readonly order: string;
  readonly entry: Entry | null;
  readonly judged: JudgedSwap & Partial<Pick<JudgedStranger, 'request'>>;
  /** What was deposited, and on which network. */
  readonly deposit: Asset;
}

/** Reads a swap, warns if it is not as agreed, and records what was seen. Throws the service's or the ledger's error. */
export async function swapToRefund(ports: Ports, service: Service, given: string): Promise<SwapToRefund> {
  const owner = await ports.owner();
  const ledger = await ports.ledger();
  const entry = await ledger.byOrder(owner, given);
  const order = entry?.order ?? given;
  const { value: answer, httpStatus } = await service.client.transaction(order);
  const judged =
    entry === null
      ? await judgedStranger(ports, service, answer)
      : await judgedSwap(ports, service, entry, answer);
  await warnOfFindings(ports, entry, judged);
  await ledger.seen(owner, { swap: judged.swap, doubts: judged.doubts, at: ports.now() });
  // The deposit was sent on the network agreed at creation, whatever the service reports now.
  const agreed = entry?.request?.deposit ?? null;
  const network = agreed?.network ?? answer.deposit.network;
  if (network === null) throw badResponse('it does not show the network of the deposit', httpStatus);
  const coin = agreed?.coin ?? answer.deposit.coin ?? 'the deposit';
  return { order, entry, judged, deposit: { coin, network } };
}

/** Checks a refund address for the network of the deposit. Throws `invalid_address`. */
export async function checkedRefund(
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
export async function confirmedRefund(
  answered: Received<RefundUpdate>,
  network: string,
  wanted: { readonly order: string; readonly address: string },
): Promise<string | null> {
  const { order, address } = wanted;
  if (!(await confirmsRefund(answered.value, network, wanted)))
    throw unconfirmedRefund(answered, address, order);
  return answered.value.message;
}

/**
 * Records a refund address that has been set, and returns the ledger's failure, because the result must be shown
 * anyway.
 */
export async function recordRefundAddress(
  ports: Ports,
  { judged: { swap, doubts, request = null } }: SwapToRefund,
  address: string,
): Promise<StorageError | null> {
  try {
    const ledger = await ports.ledger();
    await ledger.refundAddressSet(await ports.owner(), { swap, doubts, request, at: ports.now() }, address);
    return null;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return new StorageError(
      `The refund address is set, but the ledger could not be written. ${error.message}`,
      'Run the same command again once the ledger can be written.',
      'done',
    );
  }
}
