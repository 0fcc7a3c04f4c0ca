import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A fresh master key, 64 hex digits: random, or the one that belongs to a seed. */
export function masterKey(seed: number | undefined): string {
  if (seed === undefined) return randomBytes(32).toString('hex');
  return createHash('sha256').update(`swapctl sandbox seed ${seed}`).digest('hex');
}

/** Thirty-two pseudorandom bytes, always the same for a master key and a label. */
function derive(key: string, label: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(label).digest();
}

/** A pseudorandom number from 0 to below 1, always the same for a key and a label. */
export function derivedFraction(key: string, label: string): number {
  return derive(key, label).readUInt32BE(0) / 2 ** 32;
}

/** The key pair of the n-th partner: 32 and 64 hex digits. */
export function partnerKeys(key: string, position: number): { publicKey: string; secret: string } {
  return {
    publicKey: derive(key, `partner ${position} public`).toString('hex', 0, 16),
    secret: derive(key, `partner ${position} secret`).toString('hex'),
  };
}
