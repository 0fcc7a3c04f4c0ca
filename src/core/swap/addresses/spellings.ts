import { type Family, knownNetworks } from '../networks/networks.ts';
import { PARSERS } from './families/parsers.ts';

/** Families in which nearly any word is an address, or only the case of letters differs between two spellings. */
const WITHOUT_SPELLINGS: ReadonlySet<Family> = new Set(['eos', 'evm', 'graphene', 'hedera', 'near']);

/** The canonical spellings of a text on every known network of which it is an address. */
export function canonicalSpellings(text: string): readonly string[] {
  const networks = knownNetworks().filter(({ family }) => !WITHOUT_SPELLINGS.has(family));
  return networks.flatMap(({ family, code }) => {
    const read = PARSERS[family](text, code);
    return read.ok ? [read.canonical] : [];
  });
}
