import { expect, it } from 'vitest';
import { answerCounter } from '../../src/ledger/answers.ts';

it('answers are counted by account, endpoint and kind, and written after a minute', async () => {
  let now = 5;
  const written: (readonly [string, readonly object[]])[] = [];
  const counter = answerCounter(
    async (account, counts) => void written.push([account, counts]),
    () => now,
  );
  const answers = [200, 399, 400, 428, 429, 430, 499, 500, 599, null];
  for (const status of answers) await counter.add('a', '/api/v1/rate', status);
  await counter.add('b', '/api/v1/coins', 200);
  now = 60_004;
  await counter.add('a', '/api/v1/rate', 200);
  expect(written).toEqual([]);
  now = 60_005;
  await counter.add('a', '/api/v1/rate', 200);
  const of = (endpoint: string, answer: string, count: number) => ({ endpoint, answer, count });
  const rates = [of('rate', 'ok', 4), of('rate', 'refused', 4), of('rate', 'limited', 1)];
  const all = [
    ['a', [...rates, of('rate', 'failed', 2), of('rate', 'unanswered', 1)]],
    ['b', [of('coins', 'ok', 1)]],
  ];
  expect(written).toEqual(all);
  await counter.flush();
  await counter.add('b', '/api/v1/coins', 200);
  expect(written).toEqual(all);
});
