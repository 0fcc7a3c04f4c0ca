import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aliasesOf,
  isAlias,
  isSameNetwork,
  matchNetwork,
  namedNetwork,
} from '../../../src/core/swap/networks/aliases.ts';
import {
  findNetwork,
  knownNetworks,
  type Network,
  plainCode,
} from '../../../src/core/swap/networks/networks.ts';

/** Every text that may be typed for a network, or be a service's code for it. */
const spellings = ({ code, aliases, name, chainId }: Network): readonly string[] => [
  code,
  ...aliases,
  name,
  plainCode(name),
  ...(chainId === null ? [] : [chainId]),
];
const found = (code: string) => ({ kind: 'found', code });
const ALL = knownNetworks().flatMap((network) => spellings(network).map((text) => ({ network, text })));

describe('a network alias', () => {
  it.each([
    ['TRC20', ['TRX'], 'TRX'],
    ['trc-20', ['TRX', 'ETH'], 'TRX'],
    ['Tron', ['TRX'], 'TRX'],
    ['ERC20', ['ETH', 'TRX', 'BSC'], 'ETH'],
    ['ERC20', ['Ethereum'], 'Ethereum'],
    ['eth', ['ERC20', 'TRC20'], 'ERC20'],
    ['BEP20', ['BSC', 'ETH'], 'BSC'],
    ['BSC', ['BEP20', 'ERC20'], 'BEP20'],
    ['BSC', ['BNB Smart Chain (BEP20)', 'BNB'], 'BNB'],
    ['POLYGON', ['MATIC'], 'MATIC'],
    ['POL', ['MATIC'], 'MATIC'],
    ['MATIC', ['POLYGON'], 'POLYGON'],
    ['eip155:56', ['BSC', 'ETH'], 'BSC'],
    ['EIP155:1', ['BSC', 'ERC20'], 'ERC20'],
    ['eip155:42161', ['ARBITRUM', 'NOVA'], 'ARBITRUM'],
    ['Arbitrum-One', ['ARBITRUM', 'NOVA'], 'ARBITRUM'],
    ['XRP Ledger', ['XRP'], 'XRP'],
    ['avax', ['AVAX-C'], 'AVAX-C'],
    ['SPL', ['SOL', 'ETH'], 'SOL'],
    ['eip155:25', ['CRONOS'], 'CRONOS'],
  ])('%s among %j selects %s', (typed, codes, code) => {
    expect(matchNetwork(codes, typed, codes)).toEqual(found(code));
  });

  it.each([
    ['ERC20', ['ERC20', 'ETH'], 'ERC20'],
    ['eth', ['ERC20', 'ETH'], 'ETH'],
    ['BEP20', ['BSC', 'BEP20'], 'BEP20'],
    ['bnb', ['BSC', 'BNB'], 'BNB'],
    ['Trx', ['TRC20', 'TRX'], 'TRX'],
    // Whatever such a service means by these codes, they are its own.
    ['TRC20', ['ETH', 'TRC20'], 'TRC20'],
    ['POLYGON', ['MATIC', 'POLYGON'], 'POLYGON'],
    ['wXyZ', ['WXYZ'], 'WXYZ'],
    ['usdt', ['USDT', 'usdt'], 'usdt'],
  ])('never overrides a code of the service: %s among %j selects %s', (typed, codes, code) => {
    expect(matchNetwork(codes, typed, codes)).toEqual(found(code));
  });

  it.each([
    ['Ethereum', ['ERC20', 'ETH', 'TRX'], ['ERC20', 'ETH']],
    ['BEP20', ['BSC', 'BNB'], ['BSC', 'BNB']],
    ['POL', ['MATIC', 'POLYGON'], ['MATIC', 'POLYGON']],
    ['Erc-20', ['ERC_20', 'ERC.20'], ['ERC_20', 'ERC.20']],
    ['Usdt', ['USDT', 'usdt'], ['USDT', 'usdt']],
    // Names that people use for each of these chains.
    ['Avalanche', ['AVAXC', 'AVAXX'], ['AVAXC', 'AVAXX']],
    ['POLYGON', ['MATIC', 'ZKEVM'], ['MATIC', 'ZKEVM']],
    ['Arbitrum', ['ARB', 'NOVA'], ['ARB', 'NOVA']],
    ['BNB', ['BSC', 'OPBNB'], ['BSC', 'OPBNB']],
    ['KAVA', ['eip155:2222', 'kava-evm', 'K-A-V-A'], ['eip155:2222', 'kava-evm', 'K-A-V-A']],
    // A code that may be the same chain or a neighbour of it.
    ['Polkadot', ['DOT', 'ASSETHUB'], ['DOT', 'ASSETHUB']],
    ['eip155:25', ['CRONOS', 'CRO'], ['CRONOS', 'CRO']],
  ])('that fits several codes is ambiguous: %s among %j', (typed, codes, choices) => {
    expect(matchNetwork(codes, typed, codes)).toEqual({ kind: 'ambiguous', codes: choices });
  });

  it.each([
    // Vague codes, typed or listed: CRO is Cronos POS too, an asset hub is no relay chain, N3 is no legacy chain.
    ['CRONOS', ['CRO']],
    ['CRO', ['CRONOS']],
    ['eip155:25', ['CRO']],
    ['ASSETHUB', ['DOT']],
    ['Statemine', ['DOT']],
    ['NEP5', ['NEO']],
    ['N3', ['NEO']],
    ['BRC20', ['BTC']],
    ['TRC10', ['TRX']],
    ['HYPEREVM', ['HYPE']],
    ['TERRA', ['LUNA']],
    // What no one calls so.
    ['ETC', ['ETH']],
    ['ETHEREUM', ['ETC', 'ETHW', 'BSC', 'BASE']],
    ['BITCOIN', ['BCH', 'LTC', 'BSV']],
    ['OP', ['OPBNB']],
    ['BSC', ['OPBNB']],
    ['eip155:5', ['ETH']],
    ['eip155:0x1', ['ETH']],
    ['eip155:01', ['ETH']],
    ['ERC721', ['ETH']],
    ['BEP2', ['BSC']],
    ['', ['ETH']],
    ['-', ['ETH']],
    ['constructor', ['ETH']],
    ['__proto__', ['ETH']],
    // Letters that become ASCII in capitals.
    ['ﬁl', ['FIL']],
    ['bıtcoın', ['BTC']],
    ['ＴＲＸ', ['TRX']],
    ['TRX\u200b', ['TRX']],
  ])('that fits no code is unknown: %j among %j', (typed, codes) => {
    expect(matchNetwork(codes, typed, codes)).toEqual({ kind: 'unknown' });
  });

  it('yields to a code the service uses elsewhere, unless either is a token standard', () => {
    expect(matchNetwork(['BSC'], 'BNB', ['BSC', 'BNB'])).toEqual({ kind: 'unknown' });
    expect(matchNetwork(['POLYGON'], 'MATIC', ['POLYGON', 'matic'])).toEqual({ kind: 'unknown' });
    expect(matchNetwork(['POLYGON'], 'POL', ['POLYGON', 'MATIC'])).toEqual(found('POLYGON'));
    expect(matchNetwork(['AVAX-C'], 'AVAXC', ['AVAX-C'])).toEqual(found('AVAX-C'));
    expect(matchNetwork(['ERC20', 'TRC20'], 'ETH', ['ERC20', 'TRC20', 'ETH'])).toEqual(found('ERC20'));
    expect(matchNetwork(['TRX'], 'trc20', ['TRX', 'TRC20'])).toEqual(found('TRX'));
  });

  it('never selects the code of a different network', () => {
    const wrong = ALL.flatMap(({ network, text }) =>
      knownNetworks()
        .filter((other) => other !== network)
        .flatMap((other) =>
          spellings(other)
            .filter((code) => matchNetwork([code], text).kind !== 'unknown')
            .map((code) => `${text} (${network.name}) took ${code} (${other.name})`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('belongs to exactly one known network', () => {
    const names = ALL.filter(({ network, text }) => namedNetwork(text) !== network)
      .filter(({ network, text }) => !network.vague.includes(plainCode(text)))
      .map(({ network, text }) => `${text} of ${network.name}`);
    expect(names).toEqual([]);
    const ids = knownNetworks().flatMap(({ chainId }) => chainId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^eip155:[1-9]\d*$/.test(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(50);
  });

  it('selects only one of the given codes, and a listed code selects itself', () => {
    const text = fc.oneof(
      fc.constantFrom(...ALL.map((each) => each.text)),
      fc.string({ maxLength: 12 }),
      fc.constantFrom('erc20', 'ETH', 'bnb', 'AVAX', 'avalanche', 'cro', 'Cronos'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { maxLength: 6 }),
        text,
        fc.array(text, { maxLength: 6 }),
        (codes, typed, used) => {
          const match = matchNetwork(codes, typed, [...codes, ...used]);
          if (codes.includes(typed)) return match.kind === 'found' && match.code === typed;
          if (match.kind === 'unknown') return true;
          const chosen = match.kind === 'found' ? [match.code] : match.codes;
          if (!chosen.every((code) => codes.includes(code))) return false;
          if (match.kind === 'ambiguous') return chosen.length > 1;
          // One code is taken only where it is certain, and where no other code of the coin has the same rules.
          const [code = ''] = chosen;
          const rivals = codes.filter(
            (other) => other !== code && findNetwork(other) === namedNetwork(typed),
          );
          return (
            code.toLowerCase() === typed.toLowerCase() ||
            (isSameNetwork(code, typed) && namedNetwork(typed) !== undefined && rivals.length === 0)
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is listed for a code only if it selects that code', () => {
    expect(aliasesOf('TRX', ['TRX', 'ETH'])).toEqual(['TRC20', 'TRON']);
    expect(aliasesOf('BSC', ['BSC', 'ETH']).join(' ')).toBe(
      'BEP20 BNB BNBCHAIN BNBSMARTCHAIN BINANCESMARTCHAIN eip155:56',
    );
    expect(aliasesOf('ERC20', ['ERC20'], ['ERC20', 'ETH'])).toEqual(['ETH', 'ETHEREUM', 'eip155:1']);
    expect(aliasesOf('BSC', ['BSC'], ['BSC', 'BNB'])).not.toContain('BNB');
    expect(aliasesOf('ETH', ['ETH', 'ERC20'])).toEqual([]);
    expect(aliasesOf('AVAXC', ['AVAXC', 'AVAXX'])).not.toContain('AVALANCHE');
    expect(aliasesOf('CRO', ['CRO'])).toEqual([]);
    expect(aliasesOf('NOSUCHNET', ['NOSUCHNET'])).toEqual([]);
  });
});

it('isAlias is true for names such as TRC20, and false for codes such as TRX', () => {
  expect(['TRX', 'eth', 'NOSUCHNET', 'CRO'].filter(isAlias)).toEqual([]);
  expect(['TRC20', 'erc-20', 'eip155:1', 'Tron'].filter((text) => !isAlias(text))).toEqual([]);
});

it('isSameNetwork is true only for two names of the same network', () => {
  expect([isSameNetwork('ETH', 'ERC20'), isSameNetwork('ETH', 'TRC20')]).toEqual([true, false]);
});
