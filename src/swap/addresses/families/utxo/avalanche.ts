import { decodeBech32, wordsToBytes } from '../../codecs/bech32.ts';
import { allZero } from '../../codecs/bytes.ts';
import {
  type ParsedAddress,
  type ParseFailure,
  parsedAddress,
  parseFailure,
  SYSTEM_ADDRESS,
} from '../../parsed-address.ts';

const MAIN = 'avax';
const TEST = ['fuji', 'local', 'custom'];

const WITHOUT_CHAIN =
  'The address does not say its chain, as X-avax1… or P-avax1… would: make sure that it is one of this chain.';

/** Parses an address of Avalanche's X-Chain or P-Chain: the letter of the chain, a hyphen, and 20 bytes in bech32. */
export function parseAvalanche(address: string, code: string): ParsedAddress | ParseFailure {
  const chain = code === 'AVAXX' ? 'X' : 'P';
  const bare = !address.includes('-');
  if (!bare && !address.startsWith(`${chain}-`))
    return parseFailure(`The address must begin with ${chain}-avax1.`);
  const rest = bare ? address : address.slice(2);
  const decoded = decodeBech32(rest);
  const bytes = decoded?.encoding === 'bech32' ? wordsToBytes(decoded.words) : undefined;
  const testnet = TEST.includes(decoded?.prefix ?? '');
  if (bytes?.length !== 20 || (!testnet && decoded?.prefix !== MAIN)) {
    return parseFailure('The address has the wrong checksum, length or network.');
  }
  if (allZero(bytes)) return SYSTEM_ADDRESS;
  const canonical = `${bare ? '' : `${chain}-`}${rest.toLowerCase()}`;
  return parsedAddress('account', canonical, { testnet, warnings: bare ? [WITHOUT_CHAIN] : [] });
}
