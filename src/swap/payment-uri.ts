import { type Decimal, significantPlaces, toSmallestUnit } from './amount.ts';
import { findNetwork } from './networks/networks.ts';

/** Amount and destination of a payment. */
interface Payment {
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  readonly amount: Decimal;
  readonly memo: string | null;
}

/** URI schemes in the manner of BIP 21 for coins paid on their own chain, amounts in whole coins; ZIP 321 for Zcash. */
const BIP21_SCHEMES: ReadonlyMap<string, string> = new Map([
  ['BTC', 'bitcoin'],
  ['LTC', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['DASH', 'dash'],
  ['BCH', 'bitcoincash'],
  ['ZEC', 'zcash'],
]);

/** EIP-155 chain ids of networks whose native coin has 18 decimals, by network code, with the names of that coin. */
const EVM_CHAINS: ReadonlyMap<string, { readonly coins: readonly string[]; readonly id: number }> = new Map([
  ['ETH', { coins: ['ETH'], id: 1 }],
  ['ETC', { coins: ['ETC'], id: 61 }],
  ['BSC', { coins: ['BNB'], id: 56 }],
  ['MATIC', { coins: ['POL', 'MATIC'], id: 137 }],
  ['ARBITRUM', { coins: ['ETH'], id: 42161 }],
  ['OPTIMISM', { coins: ['ETH'], id: 10 }],
  ['BASE', { coins: ['ETH'], id: 8453 }],
  ['AVAXC', { coins: ['AVAX'], id: 43114 }],
]);

const WEI_PLACES = 18;

/**
 * Text for a payment's QR code: a URI with the exact amount where wallets agree on one (BIP 21, EIP-681 for native
 * coins), otherwise the bare address. A token would need its contract's address in the URI. A payment with a memo has
 * no URI either: wallets that ignore the memo would lose the money. The bare address is also used where the URI cannot
 * carry the amount to the last digit.
 */
export function paymentText({ coin, network, address, amount, memo }: Payment): string {
  if (memo !== null || !/^[0-9]+(\.[0-9]+)?$/.test(amount)) return address;
  const code = coin.toUpperCase();
  const chain = findNetwork(network)?.code ?? '';
  const scheme = code === chain ? BIP21_SCHEMES.get(code) : undefined;
  if (scheme !== undefined)
    return `${address.includes(':') ? address : `${scheme}:${address}`}?amount=${amount}`;
  const evm = EVM_CHAINS.get(chain);
  if (evm?.coins.includes(code) !== true || significantPlaces(amount) > WEI_PLACES) return address;
  return `ethereum:${address}@${evm.id}?value=${toSmallestUnit(amount, WEI_PLACES)}`;
}
