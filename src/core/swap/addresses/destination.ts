import { checkMemo, memoPolicy } from '../memo.ts';
import { checkAddress } from './check.ts';
import type { AcceptedAddress, RefusedAddress } from './parsed-address.ts';

/** An accepted address with the memo to send beside it, if any. */
export interface AcceptedDestination {
  readonly ok: true;
  readonly address: AcceptedAddress;
  readonly memo: string | null;
}

/** A refused pair of address and memo; `code` is one of docs/command-line/exit-codes.md, `reason` a full sentence. */
export interface RefusedDestination extends RefusedAddress {
  readonly code: 'invalid_address' | 'memo_required' | 'invalid_memo';
}

/** `memoNeeded`: the service's catalogue asks for a memo. `memoWaived`: the person passed `--no-memo`. */
export interface DestinationOptions {
  readonly memoNeeded?: boolean;
  readonly memoWaived?: boolean;
}

/**
 * Checks an address and its memo together; never throws. A tag inside an X-address or an id inside an M-address fills a
 * missing memo and must equal a given one. A memo that the network or the catalogue demands must be given or waived.
 */
export async function checkDestination(
  network: string,
  address: string,
  memo: string | null | undefined,
  options: DestinationOptions = {},
): Promise<AcceptedDestination | RefusedDestination> {
  const verdict = await checkAddress(network, address);
  if (!verdict.ok) return { ...verdict, code: 'invalid_address' };
  if (verdict.unspendable) return refuse(verdict, 'invalid_address', verdict.warnings.join(' '));
  const inside = verdict.tag ?? verdict.memoId ?? null;
  if (memo === null || memo === undefined) return withoutMemo(verdict, inside, options);
  const checked = await checkMemo(verdict.network, memo, options);
  if (!checked.ok) return refuse(verdict, 'invalid_memo', checked.reason);
  if (inside !== null && inside !== checked.memo)
    return refuse(verdict, 'invalid_memo', 'The memo differs from the one inside the address.');
  if (verdict.network === 'ZEC' && !['sapling', 'unified'].includes(verdict.kind))
    return refuse(verdict, 'invalid_memo', 'Only a shielded Zcash address can have a memo.');
  return { ok: true, address: verdict, memo: checked.memo };
}

function withoutMemo(
  address: AcceptedAddress,
  inside: string | null,
  { memoNeeded = false, memoWaived = false }: DestinationOptions,
): AcceptedDestination | RefusedDestination {
  const wanted = memoNeeded || memoPolicy(address.network) === 'required';
  if (inside === null && wanted && !memoWaived)
    return refuse(
      address,
      'memo_required',
      'This network needs a memo to credit a payment to the right recipient.',
    );
  return { ok: true, address, memo: inside };
}

function refuse(address: AcceptedAddress, code: RefusedDestination['code'], reason: string) {
  return { ok: false as const, network: address.network, code, reason };
}
