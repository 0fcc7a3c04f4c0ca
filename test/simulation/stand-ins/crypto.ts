import { simulated } from './clock.ts';

// The names below stand before those of the star.
export * from 'node:crypto';

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
