import { describe, expect, it } from 'vitest';
import { rateAnswerOf } from '../../../src/core/client/send.ts';

const NOW = Date.UTC(2026, 0, 1);

const read = (headers: Record<string, string | string[]>, retryAfter: string | null = null) => {
  const answer = { status: 200, headers, text: '', retryAfter };
  const { limit, remaining, resetMs, retryAfterMs } = rateAnswerOf(answer, NOW);
  return [limit, remaining, resetMs, retryAfterMs];
};

const all = (limit: string, remaining: string, reset: string) => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': reset,
});

describe('the rate limit in a response', () => {
  it.each([
    [{}, [null, null, null, null]],
    [all('120', '7', '30'), [120, 7, 30_000, null]],
    [{ 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '0' }, [120, 0, null, null]],
    [{ 'ratelimit-limit': '120, 120;w=60' }, [120, null, null, null]],
    [{ ratelimit: 'limit=10, remaining=4, reset=30' }, [10, 4, 30_000, null]],
    [{ ratelimit: '"default";r=4;t=30' }, [null, 4, 30_000, null]],
    [{ ratelimit: 'limit=10', 'ratelimit-limit': '20' }, [20, null, null, null]],
    // Seconds since 1970, as some services give them.
    [{ 'x-ratelimit-reset': `${NOW / 1000 + 45}` }, [null, null, 45_000, null]],
    [{ 'x-ratelimit-reset': `${NOW / 1000 - 45}` }, [null, null, 0, null]],
  ] as const)('is read from %j as %j', (headers, expected) => expect(read(headers)).toEqual(expected));

  it.each([
    ...['-1', '1.5', '1e3', '0x10', 'many', '', ' ', '12 of 60', '1'.repeat(16)].map((text) =>
      all(text, text, text),
    ),
    { ratelimit: 'limit=-1, remaining=1.5, reset=soon' },
    { 'ratelimit-limit': ['120', '60'], 'ratelimit-reset': ['1'] },
  ])('is null with %j', (headers) => expect(read(headers)).toEqual([null, null, null, null]));

  it('includes the pause of Retry-After', () => {
    expect(read({}, '12')[3]).toBe(12_000);
    expect(read({}, new Date(NOW + 5000).toUTCString())[3]).toBe(5000);
    expect(read({}, 'soon')[3]).toBeNull();
  });
});
