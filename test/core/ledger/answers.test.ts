import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerCounter } from '../../../src/core/ledger/answers.ts';
import { EVERY_ENTRY } from '../../../src/core/ledger/filter.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { tamper } from '../../helpers/ledger-damage.ts';
import { createdSwap, ledgerAt } from './events/ledgers.ts';

it('API responses are counted by account, endpoint and kind, and written after a minute', async () => {
  let now = 5;
  const written: (readonly [string, readonly object[]])[] = [];
  const write = async (...counts: readonly [string, readonly object[]]) => void written.push(counts);
  const counter = answerCounter(write, () => now);
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

it('response counts are added up by hour and account, and read for one account or all', async () => {
  const ledger = await ledgerAt(join(await temporaryFolder(), 'ledger.db'));
  const hour = 3_600_000;
  const ok = (count: number) => [{ endpoint: 'rate', answer: 'ok', count }] as const;
  await ledger.health.addAnswers('a', ok(1), 5 * hour - 1);
  await ledger.health.addAnswers('a', ok(2), 5 * hour);
  await ledger.health.addAnswers('a', ok(4), 6 * hour - 1);
  await ledger.health.addAnswers('b', ok(8), 6 * hour);
  const read = async (account: string | null, since: number) =>
    (await ledger.health.answers(account, since)).map(({ count }) => count);
  expect([await read('a', 5 * hour), await read('a', 5 * hour - 1)]).toEqual([[6], [7]]);
  expect([await read(null, 6 * hour - 1), await read(null, 6 * hour)]).toEqual([[14], [8]]);
});

it('a swap whose stored figures are unreadable counts as status unknown and not funded', async () => {
  const file = join(await temporaryFolder(), 'ledger.db');
  const ledger = await ledgerAt(file);
  await createdSwap(ledger, 'AAAAAA', 7);
  tamper(file, `update intents set figures = '{'`);
  const swaps = [];
  for await (const swap of ledger.health.swaps(EVERY_ENTRY)) swaps.push(swap);
  const unknown = { status: 'unknown', funded: false, doubtful: false, durationMs: null };
  expect(swaps).toMatchObject([{ requestedAt: 7, ...unknown }]);
});
