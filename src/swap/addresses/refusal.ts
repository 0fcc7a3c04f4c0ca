import type { Network } from '../networks/network.ts';
import { secretReason } from './precheck.ts';
import type { RefusedAddress } from './verdict.ts';

/** The network that an address is checked for: its canonical code, and its row in the table if it has one. */
export interface Target {
  readonly code: string;
  readonly network: Network | undefined;
}

/** What 32 or 64 bytes in hexadecimal are called in a refusal. */
export const KEY_OR_HASH = 'a private key or a hash';

/** Refuses an address for a reason: a full sentence that never repeats it. */
export function refuse({ code, network }: Target, reason: string): RefusedAddress {
  return { ok: false, network: code, reason, ...(network && { expected: network.expected }) };
}

/** Refuses a key or a seed, named with its article, which must not be shown. */
export function refuseSecret(target: Target, kind: string): RefusedAddress {
  return { ...refuse(target, secretReason(kind)), secret: true };
}

/** Why a network that is none takes no address of an EVM chain. */
export const EVM = 'This is an address of Ethereum or another EVM network.';

/** Whether a text is 0x and 40 digits: not one network's own, but nobody writes anything else like this, and it is the slip that costs most. */
export function looksLikeEvm(address: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(address);
}

/** Why an address of a known network is refused on another known one. */
export function belongsTo(network: Network): string {
  return `This is an address of another network: ${network.name}.`;
}
