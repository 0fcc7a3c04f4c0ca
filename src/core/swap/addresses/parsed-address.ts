/** A parsed address; `checksummed`: a typing error would show, so the text can hardly mean anything else. */
export interface ParsedAddress {
  readonly ok: true;
  readonly kind: string;
  readonly canonical: string;
  readonly testnet: boolean;
  readonly checksummed: boolean;
  readonly warnings: readonly string[];
  readonly tag?: string;
  readonly memoId?: string;
  readonly unspendable?: true;
}

/** Why a text is no address here, in a sentence that never repeats it; `secret`: the kind of key it seems to be. */
export interface ParseFailure {
  readonly ok: false;
  readonly reason: string;
  readonly secret?: string;
}

export type ParseResult = ParsedAddress | ParseFailure;

/** Parser of a family: parses an address of the network with that canonical code. */
export type ParseAddress = (address: string, code: string) => ParseResult;

/** Makes a parsed address: checksummed, of the main network and without warnings unless `more` says otherwise. */
export function accepted(kind: string, canonical: string, more: Partial<ParsedAddress> = {}): ParsedAddress {
  return { ok: true, kind, canonical, testnet: false, checksummed: true, warnings: [], ...more };
}

/** {@link accepted} for an address in which a typing error would not show. */
export function unchecked(kind: string, canonical: string, ...warnings: readonly string[]): ParsedAddress {
  return accepted(kind, canonical, { checksummed: false, warnings });
}

export function refused(reason: string): ParseFailure {
  return { ok: false, reason };
}

const UNSPENDABLE_WORDS = 'This is a burn or system address: no one can ever spend what is sent to it.';

/** The failures that most parsers share; `system` is an address that no one can spend from, or the network's own. */
export const REFUSED = {
  checksum: refused('The address has the wrong checksum.'),
  length: refused('The address has the wrong checksum or length.'),
  network: refused('The address has the wrong checksum, length or network.'),
  system: refused(UNSPENDABLE_WORDS),
};

/** Marks a burn or system address that reference tests list as valid: XRP, EOS, Filecoin, Nano, Kaspa, Hedera. */
export const UNSPENDABLE = { unspendable: true, warnings: [UNSPENDABLE_WORDS] } as const;

/** Marks an address with a right checksum and an invalid public key, as other libraries create them. */
export const KEY_NOT_ON_CURVE = {
  unspendable: true,
  warnings: ['The public key inside this address is invalid: no one can ever spend what is sent to it.'],
} as const;

/**
 * An address that may receive a payout or refund, once the person has confirmed its warnings. `network` is the
 * canonical code, `canonical` the text to send to the service, each warning one full sentence, `tag` the tag of an
 * X-address, `memoId` the id of an M-address; `verified` is false if swapctl knows no rule. `unspendable` marks a
 * correct address without a key: it may be described, but not paid.
 */
export interface AcceptedAddress extends Omit<ParsedAddress, 'checksummed'> {
  readonly network: string;
  readonly verified: boolean;
}

/** An address that must not be paid; `reason` is a full sentence that never repeats the address. */
export interface RefusedAddress {
  readonly ok: false;
  readonly network: string;
  readonly reason: string;
  readonly expected?: string;
  /** Whether it looks like a key or a seed, and must not be shown. */
  readonly secret?: true;
}

/** Result of `checkAddress`, by `ok`: an address with its canonical text and warnings, or the reason for a refusal. */
export type AddressVerdict = AcceptedAddress | RefusedAddress;
