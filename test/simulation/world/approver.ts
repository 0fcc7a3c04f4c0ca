import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Signer } from '../../../src/core/ledger/policy/changes.ts';
import type { PolicyPlan } from './plan.ts';

/** A signer whose key is the same in every world, so that its story is the same: `byte` is repeated in its private half. */
function signerOf(byte: string): Signer {
  // An Ed25519 key in its DER form.
  const der = Buffer.from(`302e020100300506032b657004220420${byte.repeat(32)}`, 'hex');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12);
  return {
    publicKey: `ed25519:${raw.toString('base64')}`,
    sign: (statement) => sign(null, Buffer.from(statement), key).toString('base64'),
  };
}

/** The one who approves. */
export const APPROVER = signerOf('11');

/** The one who has to approve as well, in a world where two must. */
export const SECOND = signerOf('22');

/** One who has the approver's public key alone, and gives zeros as a signature. */
export const IMPOSTOR: Signer = { ...APPROVER, sign: () => Buffer.alloc(64).toString('base64') };

/** The shortest time for which the rules of a policy let an approval be used, in milliseconds. */
export const APPROVED_FOR_MS = 15 * 60_000;

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
    ...(approve === null ? [] : [...(approve.isDouble === true ? [[SECOND.publicKey]] : []), keys]).map(
      (by) => ({
        approve: { coin: approve?.coin, above: approve?.above, by, within: by === keys ? '15m' : '60m' },
      }),
    ),
  ];
  return JSON.stringify({ version: 1, rules });
}
