import { expect, test } from 'vitest';
import { PARSERS } from '../../../src/core/swap/addresses/families/parsers.ts';
import { findNetwork, knownNetworks } from '../../../src/core/swap/networks/networks.ts';

test.each([
  ['btc', 'BTC'],
  ['Bitcoin', 'BTC'],
  ['ERC20', 'ETH'],
  ['erc-20', 'ETH'],
  ['TRC20', 'TRX'],
  ['BEP20', 'BSC'],
  ['BNB', 'BSC'],
  ['POLYGON', 'MATIC'],
  ['POL', 'MATIC'],
  ['ARB', 'ARBITRUM'],
  ['Arbitrum One', 'ARBITRUM'],
  ['OP', 'OPTIMISM'],
  ['AVAX', 'AVAXC'],
  ['AVAX-C', 'AVAXC'],
  ['AVAX C-Chain', 'AVAXC'],
  ['AVAX (C-Chain)', 'AVAXC'],
  ['SPL', 'SOL'],
  ['xrpl', 'XRP'],
  ['BRC20', 'BTC'],
  ['Runes', 'BTC'],
  ['TRC10', 'TRX'],
  ['KRC20', 'KAS'],
  ['Statemine', 'DOT'],
  ['CRO-POS', 'CROPOS'],
  ['AVAX-X', 'AVAXX'],
  ['ZCOIN', 'FIRO'],
])('findNetwork resolves %s to %s', (alias, code) => expect(findNetwork(alias)?.code).toBe(code));

test.each(['', 'NOSUCHNET', 'BTC2', 'AVAXY', '__proto__', 'constructor'])('findNetwork knows no %j', (code) =>
  expect(findNetwork(code)).toBeUndefined(),
);

test('an alias for assets of more than one chain is listed as vague', () => {
  expect(findNetwork('BTC')?.vague).toEqual(['BRC20', 'RUNES']);
  expect(findNetwork('LTC')?.vague).toEqual([]);
});

test('every network code and alias is upper case and unique', () => {
  const codes = knownNetworks().flatMap(({ code, aliases }) => [code, ...aliases]);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[A-Z0-9]+$/.test(code))).toEqual([]);
});

test('every network has a known parser and a valid memo rule', () => {
  for (const { code, name, family, memo, expected } of knownNetworks()) {
    expect(PARSERS, code).toHaveProperty([family]);
    expect([code, name, expected]).not.toContain('');
    if (memo === null) continue;
    const rule = `${memo.need} ${memo.form} ${memo.maxBytes}`;
    expect(rule, code).toMatch(/^(required|optional) (xrp-tag|stellar|graphene|text) [1-9][0-9]{1,3}$/);
  }
});
