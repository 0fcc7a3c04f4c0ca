import { blake2b } from '@noble/hashes/blake2.js';
import { base32nopad } from '@scure/base';
import { allZero, decodeCanonical, startsWith, withoutChecksum } from '../codecs/bytes.ts';
import { accepted, type ParseResult, REFUSED, refused, UNSPENDABLE } from '../parsed-address.ts';

const INT64_MAX = 2n ** 63n - 1n;
const ETHEREUM_NAMESPACE = 10;

// Payload length by protocol: hash of a secp256k1 key, hash of an actor, BLS key.
const LENGTHS: ReadonlyMap<string, readonly [string, number]> = new Map([
  ['1', ['secp256k1', 20]],
  ['2', ['actor', 20]],
  ['3', ['bls', 48]],
]);

const NO_CHECKSUM = 'An id address has no checksum: compare every digit with the source.';

/** Parses a Filecoin address of protocol 0 to 3, or 4 in the Ethereum namespace (`f410f…`); `t…` is a test network. */
export function parseFilecoin(address: string): ParseResult {
  const testnet = address.startsWith('t');
  if (!testnet && !address.startsWith('f')) return refused('The address must begin with f.');
  const protocol = address.charAt(1);
  const rest = address.slice(2);
  if (protocol === '0') return parseId(address, rest, testnet);
  if (protocol === '4') return parseDelegated(address, rest, testnet);
  const [kind, length] = LENGTHS.get(protocol) ?? [];
  if (kind === undefined) return refused('The address is of a kind that does not exist.');
  const payload = decodePayload([Number(protocol)], rest);
  if (payload === undefined || payload.length !== length) return REFUSED.length;
  if (isBurn(payload)) return REFUSED.system;
  return accepted(kind, address, { testnet });
}

function parseId(address: string, digits: string, testnet: boolean): ParseResult {
  if (!/^(0|[1-9]\d{0,18})$/.test(digits) || BigInt(digits) > INT64_MAX)
    return refused('An id address is f0 and a number without leading zeros.');
  // Ids below 100 belong to the network itself: f00 is the system, f05 the market, f099 takes burnt funds.
  const more = digits.length < 3 ? UNSPENDABLE : { warnings: [NO_CHECKSUM] };
  return accepted('id', address, { testnet, checksummed: false, ...more });
}

function parseDelegated(address: string, rest: string, testnet: boolean): ParseResult {
  if (!rest.startsWith('10f')) return refused('The only delegated addresses that can be paid are f410f….');
  const payload = decodePayload([4, ETHEREUM_NAMESPACE], rest.slice(3));
  if (payload?.length !== 20) return REFUSED.length;
  return isBurn(payload) ? REFUSED.system : accepted('delegated', address, { testnet });
}

// Lower-case base32 of the payload and four bytes of BLAKE2b over protocol (and namespace) and payload.
function decodePayload(head: readonly number[], text: string): Uint8Array | undefined {
  if (text !== text.toLowerCase()) return undefined;
  return withoutChecksum(decodeCanonical(base32nopad, text.toUpperCase()), (payload) =>
    blake2b(Uint8Array.from([...head, ...payload]), { dkLen: 4 }),
  );
}

// Zero, or the BLS point at infinity, which the message pool refuses as a receiver.
function isBurn(payload: Uint8Array): boolean {
  return allZero(payload) || (startsWith(payload, [0xc0]) && allZero(payload.subarray(1)));
}
