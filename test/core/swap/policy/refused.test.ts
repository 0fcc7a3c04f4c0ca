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

const NO_ADDRESS = 'Expected an address, or @name of a saved one.';
const NO_TIME = 'until must be a time such as 2027-01-31T00:00:00Z.';
/** The forms of private keys of Bitcoin and of Stellar. */
const BTC_KEY = 'KwYgW8gcxj1JWJXhPSu4Fqwzfhp5Yfi42mdYmMa4XqK7NJxXUSK7';
const XLM_KEY = 'SCZANGBA5YHTNYVVV4C3U252E2B6P6F5T3U6MM63WBSBZATAQI3EBTQ4';

const RULES: readonly (readonly [rule: object, problem: string])[] = [
  [{ payout: { addresses: ['a'.repeat(257)] } }, NO_ADDRESS],
  [{ payout: { addresses: [BTC_KEY] } }, NO_ADDRESS],
  [{ payout: { addresses: [{ address: XLM_KEY }] } }, 'Expected an address.'],
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
  ['{"rules":[]}', ['1: The key version is missing.']],
  ['{"version":"1","rules":[]}', ['1: Unsupported policy version; swapctl supports version 1.']],
  [`${'['.repeat(34)}${']'.repeat(34)}`, ['1: This is nested too deeply.']],
  [`${'['.repeat(33)}${']'.repeat(33)}`, NO_POLICY],
  [' '.repeat(MAX_POLICY_LENGTH + 1), [`1: A policy has at most ${MAX_POLICY_LENGTH} characters.`]],
])('an invalid policy text is rejected: $0', (text, problems) => expect(problemsOf(text)).toEqual(problems));

it('a policy of maximum length is accepted', () => {
  expect(problemsOf('{"version":1,"rules":[]}'.padEnd(MAX_POLICY_LENGTH))).toEqual([]);
});
