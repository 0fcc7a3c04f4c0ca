import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58xmr } from '@scure/base';
import { expect, test } from 'vitest';
import { parseMonero } from '../../../../src/core/swap/addresses/families/ed25519-accounts.ts';
import { bytes } from './encoders.ts';

const STANDARD =
  '42tvtVeMm96RHKg61ruKsJA4D1SaUBUDoVXJfjyVsHd87HvxrcJhcKF3rmmZGFTaTeEdWNa6WjETK2CXGdXjLy78HA8tEqm';
/** The public keys for spending and for viewing. */
const KEYS = base58xmr.decode(STANDARD).subarray(1, 65);

/** The address with these keys, of another kind or network, and perhaps a payment id. */
function address(tag: number, id: number, keys = KEYS): string {
  const body = bytes([tag], keys, new Uint8Array(id).fill(7));
  return base58xmr.encode(bytes(body, keccak_256(body).subarray(0, 4)));
}

// monero, src/cryptonote_config.h: the main network, the test network and the stage network.
test.each([
  [18, 'standard', false],
  [19, 'integrated', false],
  [42, 'subaddress', false],
  [53, 'standard', true],
  [54, 'integrated', true],
  [63, 'subaddress', true],
  [24, 'standard', true],
  [25, 'integrated', true],
  [36, 'subaddress', true],
])('Monero address prefix %i means kind %s', (tag, kind, testnet) => {
  const id = kind === 'integrated' ? 8 : 0;
  expect(parseMonero(address(tag, id))).toMatchObject({ ok: true, kind, testnet });
  expect(parseMonero(address(tag, 8 - id)).ok).toBe(false);
});

test('a Monero address is rejected unless both keys are points on the curve', () => {
  const none = bytes([2], new Uint8Array(31));
  expect(parseMonero(address(18, 0)).ok).toBe(true);
  expect(parseMonero(address(18, 0, bytes(none, KEYS.subarray(32)))).ok).toBe(false);
  expect(parseMonero(address(18, 0, bytes(KEYS.subarray(0, 32), none))).ok).toBe(false);
});
