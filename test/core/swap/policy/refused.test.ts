import { expect, it } from 'vitest';
import { MAX_POLICY_LENGTH, parsePolicy } from '../../../../src/core/swap/policy/policy.ts';
import { KEY } from './samples.ts';

/** What is said of a policy, each problem with its line. */
function problemsOf(text: string): readonly string[] {
  const verdict = parsePolicy(text);
  return verdict.ok ? [] : verdict.problems.map(({ line, message }) => `${line}: ${message}`);
}

const NO_POLICY = [
  '1: A policy must be an object with version and rules.',
  '1: The key version is missing.',
  '1: The key rules is missing.',
];
const approve = { by: [KEY], within: '15m' };
const cap = { coin: 'BTC', amount: '1', per: '24h' };
const count = { most: 1, per: '1h' };

const NO_ADDRESS = 'Expected an address, or @name of a saved one.';
const NO_TIME = 'until must be a time such as 2027-01-31T00:00:00Z.';
const BOTH_OR_NEITHER = 'approve needs coin and above together, or neither for every swap.';
const REQUIRABLE = 'refundAddress, idempotencyKey, minReceive or label:<key>';
/** The forms of private keys of Bitcoin and of Stellar. */
const BTC_KEY = 'KwYgW8gcxj1JWJXhPSu4Fqwzfhp5Yfi42mdYmMa4XqK7NJxXUSK7';
const XLM_KEY = 'SCZANGBA5YHTNYVVV4C3U252E2B6P6F5T3U6MM63WBSBZATAQI3EBTQ4';

const RULES: readonly (readonly [rule: object, problem: string])[] = [
  [{}, 'This rule is empty.'],
  [{ open: { most: 1 }, count }, 'A rule can have only one key; write a second rule.'],
  [{ payout: {} }, 'payout needs addresses, seen or both.'],
  [{ payout: { addresses: 'bc1q0123456789' } }, 'addresses must be a list in square brackets.'],
  [{ payout: { addresses: ['x'] } }, NO_ADDRESS],
  [{ payout: { addresses: [{ address: 'x' }] } }, 'Expected an address.'],
  [{ payout: { addresses: [{ network: 'TRX' }] } }, 'The key address is missing.'],
  [{ payout: { addresses: ['a'.repeat(257)] } }, NO_ADDRESS],
  [{ payout: { addresses: [BTC_KEY] } }, NO_ADDRESS],
  [{ payout: { addresses: [{ address: XLM_KEY }] } }, 'Expected an address.'],
  [{ payout: { addresses: [12345678] } }, NO_ADDRESS],
  [{ payout: { seen: 0 } }, 'seen must be a whole number from 1 to 1000000.'],
  [{ open: { most: '1' } }, 'most must be a whole number from 0 to 1000000.'],
  [{ open: { most: 1_000_001 } }, 'most must be a whole number from 0 to 1000000.'],
  [{ cap: { ...cap, per: 'order', by: 'label:team' } }, 'by cannot be used with per order.'],
  [{ cap: { ...cap, by: 'team' } }, 'by must be label:<key>, such as label:team.'],
  [{ cap: { ...cap, amount: '0' } }, 'amount is refused: it must be greater than zero.'],
  [{ count: { most: 1, per: '0h' } }, 'per must be a duration such as 30s, 15m, 24h or 7d.'],
  [{ approve: { ...approve, coin: 'BTC' } }, BOTH_OR_NEITHER],
  [{ approve: { ...approve, above: '1' } }, BOTH_OR_NEITHER],
  [{ approve: { ...approve, coin: 'B T C', above: '1' } }, '"B T C" is not a coin such as BTC or USDT:TRX.'],
  [{ cap: { ...cap, coin: 5 } }, '"5" is not a coin such as BTC or USDT:TRX.'],
  [{ cap: { ...cap, coin: true } }, 'A value of the type true is not a coin such as BTC or USDT:TRX.'],
  [{ require: [5] }, `Unknown value "5" in require. Use ${REQUIRABLE}.`],
  [{ allow: { type: 'both' } }, 'type must be fixed or float.'],
  [{ suspend: { network: 'T R X' } }, '"T R X" is not a network such as TRX.'],
  [{ suspend: { network: 5 } }, '"5" is not a network such as TRX.'],
  [{ suspend: { pair: {} } }, 'pair must be two coins, such as BTC/ETH or BTC/USDT:TRX.'],
  [{ suspend: { coin: 'BTC', reason: 5 } }, 'reason must be a string of 1 to 500 characters.'],
  [{ suspend: { coin: 'BTC', network: 'TRX' } }, 'suspend needs one of coin, network, pair.'],
  [{ suspend: {} }, 'suspend needs one of coin, network, pair.'],
  [{ suspend: { pair: 'BTC/ETH', side: 'deposit' } }, 'side cannot be used with pair.'],
  [{ suspend: { pair: 'BTC' } }, 'pair must be two coins, such as BTC/ETH or BTC/USDT:TRX.'],
  [{ suspend: { pair: 'BTC/ETH/XRP' } }, 'pair must be two coins, such as BTC/ETH or BTC/USDT:TRX.'],
  [{ suspend: { coin: 'BTC', side: 'payout' } }, 'side must be deposit or receive.'],
  [{ suspend: { coin: 'BTC', until: '2027-01-31' } }, NO_TIME],
  [{ suspend: { coin: 'BTC', until: '2027-13-31T00:00:00Z' } }, NO_TIME],
  [{ suspend: { coin: 'BTC', reason: 'a'.repeat(501) } }, 'reason must be a string of 1 to 500 characters.'],
  [{ suspend: { coin: 'BTC', reason: '' } }, 'reason must be a string of 1 to 500 characters.'],
];

it.each(RULES.map(([rule, words]) => [words, rule] as const))('a rule is rejected: %s', (words, rule) => {
  expect(problemsOf(JSON.stringify({ version: 1, rules: [rule] }))).toEqual([`1: ${words}`]);
});

it.each<[string, object]>([
  ['addresses of 8 and 256 characters', { payout: { addresses: ['a'.repeat(256), 'a'.repeat(8)], seen: 1 } }],
  ['no open swap', { open: { most: 0 } }],
  ['a million open swaps', { open: { most: 1_000_000 } }],
  ['an approval of every deposit of a coin', { approve: { ...approve, coin: 'BTC', above: '0' } }],
  ['an approval of everything', { approve }],
  ['a reason of 500 characters', { suspend: { coin: 'BTC', reason: 'a'.repeat(500) } }],
])('a rule is accepted: %s', (_, rule) => {
  expect(problemsOf(JSON.stringify({ version: 1, rules: [rule] }))).toEqual([]);
});

it.each([
  ['"x"', NO_POLICY],
  ['{"version":1}', ['1: The key rules is missing.']],
  ['{"rules":[]}', ['1: The key version is missing.']],
  ['{"version":1,"rules":{}}', ['1: rules must be a list of rules.']],
  ['{"version":"1","rules":[]}', ['1: Unsupported policy version; swapctl supports version 1.']],
  ['{"version":1,"rules":[]}\n]', ['1: There is text after the end.']],
  ['{"version":1,"rules":["\\ud800"]}', ['1: This text is not valid Unicode.']],
  [`${'['.repeat(34)}${']'.repeat(34)}`, ['1: This is nested too deeply.']],
  [`${'['.repeat(33)}${']'.repeat(33)}`, NO_POLICY],
  [' '.repeat(MAX_POLICY_LENGTH + 1), [`1: A policy has at most ${MAX_POLICY_LENGTH} characters.`]],
])('an invalid policy text is rejected: $0', (text, problems) => expect(problemsOf(text)).toEqual(problems));

it('a policy of maximum length is accepted', () => {
  expect(problemsOf('{"version":1,"rules":[]}'.padEnd(MAX_POLICY_LENGTH))).toEqual([]);
});
