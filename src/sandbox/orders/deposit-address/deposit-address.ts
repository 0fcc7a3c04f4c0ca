import { bytesToHex } from '@noble/hashes/utils.js';
import { base32nopad, base58 } from '@scure/base';
import { encodeBase58Check } from '../../../core/swap/addresses/codecs/base58.ts';
import { findNetwork } from '../../../core/swap/networks/networks.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import { addressForm, evmAddress, inventedAddress } from './forms.ts';
import { distinctNumber, type Form, hexadecimal, join, markedBytes, type PayloadSource } from './payload.ts';

/**
 * The deposit address of an order: valid in form, without a key behind it, the same for the same order and seed, and
 * different for every other order. It belongs to a test network where the network's addresses can say so; otherwise its
 * payload begins with `SANDBOX` in ASCII. `index` is the order's sequence or its number;
 * the memo is empty if the asset needs none.
 */
export function depositAddress(asset: SandboxAsset, index: number | string, seed: number | string) {
  const { code, evm } = canonical(asset.network);
  const source: PayloadSource = { network: code, index, seed, purpose: 'deposit-address' };
  const form = addressForm(code) ?? (evm ? evmAddress : inventedAddress);
  return { address: form(source), memo: asset.memoNeeded ? memoOf({ ...source, purpose: 'memo' }) : '' };
}

/** Transaction id of an order's deposit, in the form of the asset's network; a second deposit has another `count`. */
export function depositTxId(asset: SandboxAsset, index: number | string, seed: number | string, count = 1) {
  return transactionId(asset, { index, seed, purpose: `deposit-${count}` });
}

/** Transaction id of an order's payout, in the form of the asset's network. */
export function payoutTxId(
  asset: Pick<SandboxAsset, 'network'>,
  index: number | string,
  seed: number | string,
): string {
  return transactionId(asset, { index, seed, purpose: 'payout' });
}

/** Canonical code of a network, so that a catalogue file may say ERC20 for ETH. */
function canonical(network: string): { code: string; evm: boolean } {
  const known = findNetwork(network);
  return { code: known?.code ?? network, evm: known?.family.startsWith('evm') === true };
}

function memoOf(source: PayloadSource): string {
  // A destination tag of XRP has 32 bits, a memo id of Stellar 64; wallets read digits as an id.
  if (source.network === 'XRP') return String(distinctNumber(source, 32));
  if (source.network === 'XLM') return String(distinctNumber(source, 63));
  return `SBX${Buffer.from(markedBytes(source, 15).subarray(7)).toString('hex').toUpperCase()}`;
}

const hash = (source: PayloadSource): string => bytesToHex(markedBytes(source, 32));
const capitals: Form = (source) => hash(source).toUpperCase();

// All other networks write 64 lower-case hexadecimal digits.
const FORMS: Readonly<Record<string, Form>> = {
  SOL: (source) => base58.encode(markedBytes(source, 64)),
  NEAR: (source) => base58.encode(markedBytes(source, 32)),
  SUI: (source) => base58.encode(markedBytes(source, 32)),
  ...sharedBy(hexadecimal, 'APT', 'DOT', 'KSM', 'ZIL'),
  ...sharedBy(
    capitals,
    'XRP',
    'XNO',
    'ATOM',
    'OSMO',
    'TIA',
    'SEI',
    'INJ',
    'JUNO',
    'SCRT',
    'AKT',
    'AXL',
    'RUNE',
  ),
  ALGO: (source) => base32nopad.encode(markedBytes(source, 32)),
  // An operation hash of Tezos begins with o.
  XTZ: (source) => encodeBase58Check(join([5, 116], markedBytes(source, 32))),
  // CID version 1, DAG-CBOR, BLAKE2b-256: begins with bafy2bzace.
  FIL: (source) =>
    `b${base32nopad.encode(join([1, 0x71, 0xa0, 0xe4, 2, 32], markedBytes(source, 32))).toLowerCase()}`,
  HBAR: hederaTransaction,
};

function sharedBy(form: Form, ...codes: readonly string[]) {
  return Object.fromEntries(codes.map((code) => [code, form]));
}

/** A transaction id in the form of a network, with `SANDBOX` inside where it holds bytes. */
function transactionId({ network }: Pick<SandboxAsset, 'network'>, of: Omit<PayloadSource, 'network'>) {
  const { code, evm } = canonical(network);
  const form = Object.hasOwn(FORMS, code) ? FORMS[code] : undefined;
  return (form ?? (evm ? hexadecimal : hash))({ ...of, network: code });
}

// The paying account and the second and nanosecond from which the transaction is valid.
function hederaTransaction(source: PayloadSource): string {
  const payer = 10n ** 12n + distinctNumber({ ...source, purpose: 'hedera-payer' }, 32);
  const number = distinctNumber(source, 52);
  const nanoseconds = String(number % 1_000_000_000n).padStart(9, '0');
  return `0.0.${payer}@${1_750_000_000n + number / 1_000_000_000n}.${nanoseconds}`;
}
