import { expect, test } from 'vitest';
import { MAX_LISTED, someOf } from '../../src/base/text.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
])('a short list such as %j is shown in full', (words, reported) => expect(someOf(words)).toBe(reported));

test('a long list is cut to its first items and the number of the rest', () => {
  expect(someOf(['a', 'b', 'c', 'd'], '; ', 3)).toBe('a; b; c and 1 more');
  const words = Array.from({ length: 200_000 }, (_, index) => String(index));
  expect(someOf(words)).toBe(`${words.slice(0, MAX_LISTED).join(', ')} and 199980 more`);
});
