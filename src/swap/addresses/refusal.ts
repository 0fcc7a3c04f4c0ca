import type { Network } from '../networks/network.ts';
import { secretReason } from './precheck.ts';
import type { RefusedAddress } from './verdict.ts';

/** The network that an address is checked for: its canonical code, and its row in the table if it has one. */
export interface Target {
  readonly code: string;
  readonly network: Network | undefined;
}

/** Name of 32 or 64 bytes in hexadecimal in a refusal. */
export const KEY_OR_HASH = 'a private key or a hash';

/** Refuses an address for a reason: a full sentence that never repeats it. */
export function refuse({ code, network }: Target, reason: string): RefusedAddress {
  return { ok: false, network: code, reason, ...(network && { expected: network.expected }) };
}

/** Refuses a key or a seed, which is named with its article and never shown. */
export function refuseSecret(target: Target, kind: string): RefusedAddress {
  return { ...refuse(target, secretReason(kind)), secret: true };
}

/** Reason why a network that is not an EVM chain refuses an EVM address. */
export const EVM = 'This is an address of Ethereum or another EVM network.';

/**
 * Whether a text is 0x and 40 digits. Many networks share this form, but nothing else looks like it, and sending to the
 * wrong one is the costliest mistake.
 */
export function looksLikeEvm(address: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(address);
}

/** Reason for refusing an address of one known network on another. */
export function belongsTo(network: Network): string {
  return `This is an address of another network: ${network.name}.`;
}
