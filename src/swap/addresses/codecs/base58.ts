import { base58 } from '@scure/base';
import { attempt } from './attempt.ts';
import { rememberLast } from './remember.ts';

/**
 * Maximum length of a base58 text: an address of several keys or of a whole script can be that long. Decoding then
 * takes 0.03 ms.
 */
const MAX_BASE58_LENGTH = 256;

/** Decodes base58 in Bitcoin's alphabet; undefined where the text is not base58, or is longer than any address. */
export const decodeBase58 = rememberLast((text: string): Uint8Array | undefined => {
  // Checking first is cheaper than the error that the library throws for a wrong letter.
  if (text.length > MAX_BASE58_LENGTH || !/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined;
  return attempt(() => base58.decode(text));
});
