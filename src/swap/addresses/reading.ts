/**
 * What a family makes of an address on its network.
 * `checksummed` says that a typing error would have been noticed, so the text can hardly mean anything else.
 */
export interface Reading {
  readonly ok: true;
  readonly kind: string;
  readonly canonical: string;
  readonly testnet: boolean;
  readonly checksummed: boolean;
  readonly warnings: readonly string[];
  readonly tag?: string;
  readonly memoId?: string;
}

/** Why a family does not take a text as an address: one full sentence that never repeats the text. */
export interface Misreading {
  readonly ok: false;
  readonly reason: string;
}

/** A family's one function: reads an address of the network with that canonical code. */
export type ReadAddress = (address: string, code: string) => Reading | Misreading;

/** Makes a reading: checksummed, of the main network and without warnings unless `more` says otherwise. */
export function reading(kind: string, canonical: string, more: Partial<Omit<Reading, 'ok'>> = {}): Reading {
  return { ok: true, kind, canonical, testnet: false, checksummed: true, warnings: [], ...more };
}

/** Makes a misreading with its reason. */
export function misread(reason: string): Misreading {
  return { ok: false, reason };
}

/** The refusal of an address that nobody can spend from, or that belongs to the network itself. */
export const SYSTEM_ADDRESS = misread(
  'This is a burn or system address: nobody could ever spend what is sent to it.',
);
