import * as crypto from 'node:crypto';
import { simulated } from './clock.ts';

// The names below stand before those of the star.
export * from 'node:crypto';

const signatures = new Map<string, string>();
/** Those of some hundred worlds. */
const MAX_SIGNATURES = 2_000;

/** Signs each text once with each key, as the key pairs of a world sign the names of a few endpoints all the time: a thirtieth of its time. */
export function createHmac(algorithm: string, key: string | Buffer) {
  if (typeof key !== 'string') return crypto.createHmac(algorithm, key);
  return {
    update: (text: string) => ({
      digest: () => {
        const name = `${algorithm} ${key} ${text}`;
        const signature =
          signatures.get(name) ?? crypto.createHmac(algorithm, key).update(text).digest('hex');
        if (signatures.size >= MAX_SIGNATURES) signatures.clear();
        signatures.set(name, signature);
        return signature;
      },
    }),
  };
}

export function randomBytes(count: number): Buffer {
  return simulated.random.bytes(count);
}

export function randomInt(bound: number): number {
  return simulated.random.below(bound);
}

export function randomUUID(): string {
  const hex = simulated.random.bytes(16).toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
