import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Signer } from '../../../src/core/ledger/policy/changes.ts';
import type { PolicyPlan } from './plan.ts';

// The same in every world, so that its story is the same: the private half of an Ed25519 key in its DER form.
const KEY = createPrivateKey({
  key: Buffer.from(`302e020100300506032b657004220420${'11'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const RAW = createPublicKey(KEY).export({ format: 'der', type: 'spki' }).subarray(12);

/** The one who approves. */
export const APPROVER: Signer = {
  publicKey: `ed25519:${RAW.toString('base64')}`,
  sign: (statement) => sign(null, Buffer.from(statement), KEY).toString('base64'),
};

/** One who has the approver's public key alone, and gives zeros as a signature. */
export const IMPOSTOR: Signer = { ...APPROVER, sign: () => Buffer.alloc(64).toString('base64') };

/** The policy of a world, as an owner writes it; one of the keys must approve. */
export function policyText(
  { caps, count, approve, open, payees }: PolicyPlan,
  keys = [APPROVER.publicKey],
): string {
  const rules = [
    ...caps.map(({ coin, amount, minutes, isByTeam }) => ({
      cap: { coin, amount, per: `${minutes}m`, ...(isByTeam === true ? { by: 'label:team' } : {}) },
    })),
    ...(open == null ? [] : [{ open: { most: open } }]),
    ...(payees == null ? [] : [{ payout: { addresses: payees } }]),
    ...(count === null ? [] : [{ count: { most: count.most, per: `${count.minutes}m` } }]),
    ...(approve === null
      ? []
      : [{ approve: { coin: approve.coin, above: approve.above, by: keys, within: '15m' } }]),
  ];
  return JSON.stringify({ version: 1, rules });
}
