import { bytesToHex } from '@noble/hashes/utils.js';
import { base32nopad, base58 } from '@scure/base';
import { encodeBase58Check } from '../../../swap/addresses/codecs/base58.ts';
import type { PayloadSource } from './payload.ts';
import { markedBytes, scattered } from './payload.ts';

type Form = (source: PayloadSource) => string;

const hash = (source: PayloadSource): string => bytesToHex(markedBytes(source, 32));
const capitals: Form = (source) => hash(source).toUpperCase();
const prefixed: Form = (source) => `0x${hash(source)}`;

// All other networks write 64 lower-case hexadecimal digits.
const FORMS: Readonly<Record<string, Form>> = {
  SOL: (source) => base58.encode(markedBytes(source, 64)),
  NEAR: (source) => base58.encode(markedBytes(source, 32)),
  SUI: (source) => base58.encode(markedBytes(source, 32)),
  APT: prefixed,
  DOT: prefixed,
  KSM: prefixed,
  ZIL: prefixed,
  XRP: capitals,
  XNO: capitals,
  ATOM: capitals,
  OSMO: capitals,
  TIA: capitals,
  SEI: capitals,
  INJ: capitals,
  JUNO: capitals,
  SCRT: capitals,
  AKT: capitals,
  AXL: capitals,
  RUNE: capitals,
  ALGO: (source) => base32nopad.encode(markedBytes(source, 32)),
  // An operation hash of Tezos begins with o.
  XTZ: (source) => encodeBase58Check(Uint8Array.from([5, 116, ...markedBytes(source, 32)])),
  // CID version 1, DAG-CBOR, BLAKE2b-256: begins with bafy2bzace.
  FIL: (source) =>
    `b${base32nopad.encode(Uint8Array.from([1, 0x71, 0xa0, 0xe4, 2, 32, ...markedBytes(source, 32)])).toLowerCase()}`,
  HBAR: hederaTransaction,
};

/** A transaction id in the form of a network by its canonical code, with `SANDBOX` inside where it holds bytes. */
export function transactionId(source: PayloadSource, code: string, evm: boolean): string {
  const form = Object.hasOwn(FORMS, code) ? FORMS[code] : undefined;
  return (form ?? (evm ? prefixed : hash))(source);
}

// The paying account and the second and nanosecond from which the transaction is valid.
function hederaTransaction(source: PayloadSource): string {
  const payer = 10n ** 12n + scattered({ ...source, purpose: 'hedera-payer' }, 32);
  const number = scattered(source, 52);
  const nanoseconds = String(number % 1_000_000_000n).padStart(9, '0');
  return `0.0.${payer}@${1_750_000_000n + number / 1_000_000_000n}.${nanoseconds}`;
}
