import { checkMemo, memoPolicy } from '../memo.ts';
import { findNetwork } from '../networks/networks.ts';
import type { Swap } from '../swap.ts';
import { type Agreement, doubts } from './agreed.ts';
import { addressVerdict, hiddenMemo } from './spelling.ts';

/**
 * Oddities of a deposit address by the rules of its network, while a deposit is possible. No wallet pays to an address
 * with a wrong checksum, and a service may know a form that this version does not, so it is a doubt and not a
 * contradiction.
 */
export async function oddDepositAddress(agreed: Agreement, { deposit, final }: Swap) {
  const { address, network } = deposit;
  if (final || address === null || network === null) return [];
  const own = ownAddress(agreed, address, network);
  const words = own ?? (await oddByRules(agreed, address, network, deposit.memo));
  return doubts('deposit_address_odd', words).map((doubt) => ({ ...doubt, isShown: true as const }));
}

/** Doubt about a deposit address that is the person's own: such a deposit would not start a swap. */
function ownAddress({ terms }: Agreement, address: string, network: string): string | null {
  if (terms === null) return null;
  const same = (other: string | null) => other !== null && other.toLowerCase() === address.toLowerCase();
  if (same(terms.address) && terms.receive.network.toLowerCase() === network.toLowerCase())
    return 'the deposit address is the payout address';
  return same(terms.refundAddress) ? 'the deposit address is the refund address' : null;
}

async function oddByRules(
  { terms, environment }: Agreement,
  address: string,
  network: string,
  memo: string | null,
): Promise<string | null> {
  if (BURN_ADDRESS.test(address)) return UNSPENDABLE;
  const needed = memoPolicy(network) === 'required' || terms?.depositMemoNeeded === true;
  const missing = needed && memo === null ? MEMO_MISSING : null;
  if (findNetwork(network) === undefined) return missing;
  const verdict = await addressVerdict(network, address);
  if (!verdict.ok) return `the deposit address is not valid on ${network}`;
  if (verdict.unspendable === true) return UNSPENDABLE;
  if (verdict.testnet && environment === 'live') return 'the deposit address belongs to a test network';
  const embeddedMemo = hiddenMemo(verdict);
  if (embeddedMemo !== null)
    return memo === null || memo === embeddedMemo ? null : 'the deposit address contains a different memo';
  return missing ?? (await depositMemoProblem(network, memo, needed));
}

async function depositMemoProblem(network: string, memo: string | null, memoNeeded: boolean) {
  if (memo === null) return null;
  return (await checkMemo(network, memo, { memoNeeded })).ok
    ? null
    : `the deposit memo is not valid on ${network}`;
}

const UNSPENDABLE = 'funds at the deposit address could never be spent';
const MEMO_MISSING = 'the network of the deposit needs a memo, and the service gave none';

/** The two addresses of EVM networks that coins are burned at, known or not. */
const BURN_ADDRESS = /^0x0{36}(?:0000|dead)$/i;
