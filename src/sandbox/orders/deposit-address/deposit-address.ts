import { findNetwork } from '../../../swap/networks/networks.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import { addressForm, evmAddress, inventedAddress } from './forms.ts';
import type { PayloadSource } from './payload.ts';
import { markedBytes, scattered } from './payload.ts';
import { transactionId } from './transaction-id.ts';

/** Destination of a deposit; `memo` is empty where the asset needs none. */
export interface DepositTarget {
  readonly address: string;
  readonly memo: string;
}

/**
 * The deposit address of an order: valid in form, without a key behind it, the same for the same order and seed, and
 * different for every other order. It belongs to a test network where the network's addresses can say so; otherwise its
 * payload begins with `SANDBOX` in ASCII. `index` is the order's sequence or its number.
 */
export function depositAddress(
  asset: SandboxAsset,
  index: number | string,
  seed: number | string,
): DepositTarget {
  const { code, evm } = canonical(asset.network);
  const source: PayloadSource = { network: code, index, seed, purpose: 'deposit-address' };
  const form = addressForm(code) ?? (evm ? evmAddress : inventedAddress);
  return { address: form(source), memo: asset.memoNeeded ? memoOf({ ...source, purpose: 'memo' }) : '' };
}

/** Transaction id of an order's deposit, in the form of the asset's network; a second deposit has another `count`. */
export function depositTxId(
  asset: SandboxAsset,
  index: number | string,
  seed: number | string,
  count = 1,
): string {
  return txId(asset, index, seed, `deposit-${count}`);
}

/** Transaction id of an order's payout, in the form of the asset's network. */
export function payoutTxId(
  asset: Pick<SandboxAsset, 'network'>,
  index: number | string,
  seed: number | string,
): string {
  return txId(asset, index, seed, 'payout');
}

function txId(
  asset: Pick<SandboxAsset, 'network'>,
  index: number | string,
  seed: number | string,
  purpose: string,
): string {
  const { code, evm } = canonical(asset.network);
  return transactionId({ network: code, index, seed, purpose }, code, evm);
}

/** Canonical code of a network, so that a catalogue file may say ERC20 for ETH. */
function canonical(network: string): { code: string; evm: boolean } {
  const known = findNetwork(network);
  return { code: known?.code ?? network, evm: known?.family.startsWith('evm') === true };
}

function memoOf(source: PayloadSource): string {
  // A destination tag of XRP has 32 bits, a memo id of Stellar 64; wallets read digits as an id.
  if (source.network === 'XRP') return String(scattered(source, 32));
  if (source.network === 'XLM') return String(scattered(source, 63));
  return `SBX${Buffer.from(markedBytes(source, 15).subarray(7)).toString('hex').toUpperCase()}`;
}
