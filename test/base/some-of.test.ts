import { expect, test } from 'vitest';
import { MAX_LISTED, someOf } from '../../src/base/text.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
])('%j is told whole', (words, reported) => {
  expect(someOf(words)).toBe(reported);
});

test('the first words of a long list are shown, and how many more there are', () => {
  expect(someOf(['a', 'b', 'c', 'd'], '; ', 3)).toBe('a; b; c and 1 more');
  const words = Array.from({ length: 200_000 }, (_, index) => String(index));
  expect(someOf(words)).toBe(`${words.slice(0, MAX_LISTED).join(', ')} and 199980 more`);
});
