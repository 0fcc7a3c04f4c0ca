import { findNetwork, knownNetworks, type Network, plainCode } from './networks.ts';

/** What a typed network means among the codes of one coin; `codes` are those between which a person has to choose. */
export type NetworkMatch =
  | { readonly kind: 'found'; readonly code: string }
  | { readonly kind: 'ambiguous'; readonly codes: readonly string[] }
  | { readonly kind: 'unknown' };

let byAlias: ReadonlyMap<string, Network> | undefined;

/** The network that a text means and no other, by its code, aliases, name and chain id. */
function networkByAlias(text: string): Network | undefined {
  byAlias ??= new Map(
    knownNetworks().flatMap((network) => namesOf(network).map((name) => [plainCode(name), network] as const)),
  );
  return byAlias.get(plainCode(text));
}

function namesOf({ code, aliases, vague, name, chainId }: Network): readonly string[] {
  const names = [code, ...aliases, plainCode(name)].filter((each) => !vague.includes(each));
  return [...new Set(names), ...(chainId === null ? [] : [chainId])];
}

/** The network that a text names and no other; undefined for a vague one, which may be another network's too. */
export function namedNetwork(text: string): Network | undefined {
  // Capitals of other scripts can be ASCII letters: those of a ligature, or of a dotless i.
  return /^[\x20-\x7e]+$/.test(text) ? networkByAlias(text) : undefined;
}

/** Whether a typed network is another name for a network that most services have a code of their own for. */
export function isAlias(text: string): boolean {
  const network = namedNetwork(text);
  return network !== undefined && text.toUpperCase() !== network.code;
}

/** Whether two codes or aliases are certain to be one network. */
export function isSameNetwork(a: string, b: string): boolean {
  if (a.toLowerCase() === b.toLowerCase()) return true;
  const network = namedNetwork(a);
  return network !== undefined && network === namedNetwork(b);
}

/** Kinds of token: a service that calls Ethereum `ETH` for ether may call it `ERC20` for tokens. */
const TOKEN_STANDARDS: ReadonlySet<string> = new Set(['ERC20', 'TRC20', 'BEP20', 'SPL']);

/** Names that people use for each of several networks, with the codes of these. */
const AMBIGUOUS_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['AVAX', ['AVAXC', 'AVAXX', 'AVAXP']],
  ['AVALANCHE', ['AVAXC', 'AVAXX', 'AVAXP']],
  ['POLYGON', ['MATIC', 'ZKEVM']],
  ['ARBITRUM', ['ARBITRUM', 'NOVA']],
  ['CRONOS', ['CRO', 'CROPOS']],
  ['CONFLUX', ['CFX', 'CFXESPACE']],
  ['CFX', ['CFX', 'CFXESPACE']],
  ['SEI', ['SEI', 'SEIEVM']],
  ['KAVA', ['KAVA', 'KAVAEVM']],
  ['LUNA', ['LUNA', 'LUNC']],
  ['BNB', ['BSC', 'OPBNB']],
  ['BNBCHAIN', ['BSC', 'OPBNB']],
]);

/**
 * The service's code that a typed network means for a coin on one side of a swap, of whose networks `codes` are all.
 * A code as the service spells it comes first, then one in another case, then an alias. A text that the service uses
 * as a code elsewhere (`used`) is no alias of another code, unless one of the two is a kind of token. Nothing is
 * guessed: where a second code of the coin could be meant too, the answer is both.
 */
export function matchNetwork(
  codes: readonly string[],
  typed: string,
  used: Iterable<string> = [],
): NetworkMatch {
  if (codes.includes(typed)) return { kind: 'found', code: typed };
  const spelled = codes.filter((code) => code.toLowerCase() === typed.toLowerCase());
  if (spelled.length > 0) return oneOf(spelled);
  const meant = namedNetwork(typed);
  if (meant === undefined) return { kind: 'unknown' };
  const fitting = codes.filter((code) => namedNetwork(code) === meant);
  if (fitting.length === 0 || isTaken(typed, fitting, used)) return { kind: 'unknown' };
  const shared = AMBIGUOUS_NAMES.get(plainCode(typed)) ?? [];
  return oneOf(
    codes.filter((code) => {
      const rules = findNetwork(code);
      return rules !== undefined && (rules === meant || shared.includes(rules.code));
    }),
  );
}

function oneOf(codes: readonly string[]): NetworkMatch {
  const [code, ...others] = codes;
  if (code === undefined) return { kind: 'unknown' };
  return others.length === 0 ? { kind: 'found', code } : { kind: 'ambiguous', codes };
}

function isTaken(typed: string, fitting: readonly string[], used: Iterable<string>): boolean {
  if ([typed, ...fitting].some((code) => TOKEN_STANDARDS.has(plainCode(code)))) return false;
  const plain = plainCode(typed);
  for (const code of used) if (plainCode(code) === plain && !fitting.includes(code)) return true;
  return false;
}

/** The aliases that mean one of a coin's codes, as {@link matchNetwork} takes them. */
export function aliasesOf(code: string, codes: readonly string[], used: Iterable<string> = []) {
  const network = namedNetwork(code);
  if (network === undefined) return [];
  const taken = [...used];
  return namesOf(network).filter((name) => {
    const match = matchNetwork(codes, name, taken);
    return match.kind === 'found' && match.code === code && plainCode(name) !== plainCode(code);
  });
}
