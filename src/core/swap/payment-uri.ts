import { type Decimal, significantPlaces, toSmallestUnit } from './amount.ts';
import { findNetwork } from './networks/networks.ts';

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

/** Names of the native coin, of 18 decimals, of EVM networks by their code. */
const EVM_COINS: Readonly<Record<string, readonly string[]>> = {
  ETH: ['ETH'],
  ETC: ['ETC'],
  BSC: ['BNB'],
  MATIC: ['POL', 'MATIC'],
  ARBITRUM: ['ETH'],
  OPTIMISM: ['ETH'],
  BASE: ['ETH'],
  AVAXC: ['AVAX'],
};

const WEI_PLACES = 18;

/**
 * Text for a payment's QR code: a URI with the exact amount where wallets agree on one (BIP 21, EIP-681 for native
 * coins), otherwise the bare address. A token would need its contract's address in the URI. A payment with a memo has
 * no URI either: wallets that ignore the memo would lose the money. The bare address is also used where the URI cannot
 * carry the amount to the last digit.
 */
export function paymentUriOrAddress({ coin, network, address, amount, memo }: Payment): string {
  if (memo !== null || !/^[0-9]+(\.[0-9]+)?$/.test(amount)) return address;
  const code = coin.toUpperCase();
  const { code: chain = '', chainId = null } = findNetwork(network) ?? {};
  const scheme = code === chain ? BIP21_SCHEMES.get(code) : undefined;
  if (scheme !== undefined)
    return `${address.includes(':') ? address : `${scheme}:${address}`}?amount=${amount}`;
  const isNative = EVM_COINS[chain]?.includes(code) === true;
  if (chainId === null || !isNative || significantPlaces(amount) > WEI_PLACES) return address;
  return `ethereum:${address}@${chainId.replace('eip155:', '')}?value=${toSmallestUnit(amount, WEI_PLACES)}`;
}
