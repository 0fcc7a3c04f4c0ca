import { expect, it } from 'vitest';
import {
  isSignedBy,
  policyStatement,
  settleStatement,
} from '../../../../src/core/ledger/policy/signature.ts';
import { signer } from './gates.ts';

const [one, other] = [signer(), signer()];
const good = one.sign('statement');
const base64 = (...parts: readonly Buffer[]) => Buffer.concat(parts).toString('base64');
const part = (length: number) => Buffer.alloc(length, 2);

it.each([
  ['by the key', true, one.publicKey, good],
  ['by another key', false, other.publicKey, good],
  ['of another statement', false, one.publicKey, one.sign('another')],
  ['that is empty', false, one.publicKey, ''],
  ['that is too short', false, one.publicKey, base64(part(63))],
  ['that is too long', false, one.publicKey, base64(Buffer.from(good, 'base64'), part(1))],
  ['for a key of another kind', false, one.publicKey.replace('ed25519:', 'ed25518:'), good],
  ['for a key that is too short', false, `ed25519:${base64(part(31))}`, good],
  ['for a key that is too long', false, `ed25519:${base64(part(33))}`, good],
  ['for a key that is not on the curve', false, `ed25519:${base64(part(32))}`, good],
])('a signature %s is accepted: %s', (_, expected, key, signature) => {
  expect(isSignedBy(key, 'statement', signature)).toBe(expected);
});

it.each([
  [null, 'swapctl policy\nshop\nnone\nafter'],
  ['before', 'swapctl policy\nshop\nbefore\nafter'],
])('the owner signs the digests of the new policy and the previous one: %j', (before, statement) => {
  expect(policyStatement('shop', before, 'after')).toBe(statement);
});

it.each([
  [null, 'swapctl settle\nshop\nentry\nnone'],
  ['KQWZPA', 'swapctl settle\nshop\nentry\nKQWZPA'],
])('the owner signs the order that an unknown create is settled with: %j', (order, statement) => {
  expect(settleStatement('shop', 'entry', order)).toBe(statement);
});
