import type { Decimal } from './amount.ts';
import { toSmallestUnit } from './amount.ts';

/** What is to be paid where. */
export interface Payment {
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly amount: Decimal;
  readonly memo: string | null;
}

/** URI schemes in the manner of BIP 21 for coins paid on their own chain, amounts in whole coins. */
const BIP21_SCHEMES: ReadonlyMap<string, string> = new Map([
  ['BTC', 'bitcoin'],
  ['LTC', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['DASH', 'dash'],
  ['BCH', 'bitcoincash'],
  ['ZEC', 'zcash'],
]);

/** EIP-155 chain ids of networks whose native coin has 18 decimals, by network code, with that coin. */
const EVM_CHAINS: ReadonlyMap<string, { readonly coin: string; readonly id: number }> = new Map([
  ['ETH', { coin: 'ETH', id: 1 }],
  ['BSC', { coin: 'BNB', id: 56 }],
  ['ARBITRUM', { coin: 'ETH', id: 42161 }],
  ['OPTIMISM', { coin: 'ETH', id: 10 }],
  ['BASE', { coin: 'ETH', id: 8453 }],
]);

const WEI_PLACES = 18;

/**
 * Text for a payment's QR code: a URI with the exact amount where wallets agree on one (BIP 21, EIP-681 for
 * native coins), else the bare address. A token has no URI without its contract's address, and a payment with
 * a memo has none that every wallet reads whole: a URI that loses the memo would lose the money.
 */
export function paymentText({ coin, network, address, amount, memo }: Payment): string {
  if (memo !== null) return address;
  const scheme = coin === network ? BIP21_SCHEMES.get(coin) : undefined;
  if (scheme !== undefined)
    return `${address.includes(':') ? address : `${scheme}:${address}`}?amount=${amount}`;
  const chain = EVM_CHAINS.get(network);
  if (chain?.coin !== coin) return address;
  return `ethereum:${address}@${chain.id}?value=${toSmallestUnit(amount, WEI_PLACES)}`;
}
