import { bytesToWords, decodeBech32, encodeBech32, wordsToBytes } from './bech32.ts';
import { rememberLast } from './remember.ts';

/** A segregated witness program: version 0 to 16, and 2 to 40 bytes. */
export interface WitnessProgram {
  readonly prefix: string;
  readonly version: number;
  readonly program: Uint8Array;
}

/** Decodes a segwit address of any prefix (BIP-173, BIP-350); undefined where any rule is broken. */
export const decodeSegwit = rememberLast((text: string): WitnessProgram | undefined => {
  const decoded = decodeBech32(text);
  const version = decoded?.words[0];
  if (decoded === undefined || version === undefined || version > 16) return undefined;
  if ((decoded.encoding === 'bech32') !== (version === 0)) return undefined;
  const program = wordsToBytes(decoded.words.slice(1));
  if (program === undefined || program.length < 2 || program.length > 40) return undefined;
  if (version === 0 && program.length !== 20 && program.length !== 32) return undefined;
  return { prefix: decoded.prefix, version, program };
});

/** Encodes a segwit address: version 0 as bech32, later ones as bech32m. */
export function encodeSegwit({ prefix, version, program }: WitnessProgram): string {
  const words = [version, ...bytesToWords(program)];
  return encodeBech32({ encoding: version === 0 ? 'bech32' : 'bech32m', prefix, words });
}
