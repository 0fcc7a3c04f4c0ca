/**
 * A parsed address of a network. `checksummed`: a typing error would have been noticed, so the text can hardly mean
 * anything else.
 */
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

/**
 * Why a text is not an address of a network: one full sentence that never repeats the text. `secret` names, with its
 * article, the kind of key that the text seems to be on this network.
 */
export interface ParseFailure {
  readonly ok: false;
  readonly reason: string;
  readonly secret?: string;
}

/** Parser of a family: parses an address of the network with that canonical code. */
export type ParseAddress = (address: string, code: string) => ParsedAddress | ParseFailure;

/** Makes a parsed address: checksummed, of the main network and without warnings unless `more` says otherwise. */
export function parsedAddress(
  kind: string,
  canonical: string,
  more: Partial<Omit<ParsedAddress, 'ok'>> = {},
): ParsedAddress {
  return { ok: true, kind, canonical, testnet: false, checksummed: true, warnings: [], ...more };
}

/** Makes a parse failure with its reason. */
export function parseFailure(reason: string): ParseFailure {
  return { ok: false, reason };
}

const NOBODY_CAN_SPEND = 'This is a burn or system address: nobody could ever spend what is sent to it.';

/** The refusal of an address that nobody can spend from, or that belongs to the network itself. */
export const SYSTEM_ADDRESS = parseFailure(NOBODY_CAN_SPEND);

/**
 * Marks a burn or system address that the network's own validators take as correct.
 * For XRP, EOS, Filecoin, Nano, Kaspa and Hedera, whose reference tests list such addresses as valid.
 */
export const UNSPENDABLE = { unspendable: true, warnings: [NOBODY_CAN_SPEND] } as const;

/**
 * Marks an address with a right checksum and an invalid public key; other libraries create such addresses without being
 * asked to.
 */
export const NO_KEY = {
  unspendable: true,
  warnings: ['The public key inside this address is none: nobody could ever spend what is sent to it.'],
} as const;
