import { expect, test } from 'vitest';
import { recordedView } from '../../../src/cli/commands/sandbox/views/recording.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

const CALL = {
  at: '2026-01-31T12:00:00.000Z',
  method: 'GET',
  endpoint: 'exchange-coin',
  status: 200,
  milliseconds: 21,
  refused: null,
  lost: null,
  deviations: [
    { kind: 'wrong-type', path: 'amount', words: 'amount is no number' },
    { kind: 'unknown-field', path: 'fee', words: 'fee is not in the document\u001b[2J' },
  ],
} as const;

const screen = async (call: Parameters<typeof recordedView>[0]) =>
  (await recordedView(call).screen(PLAIN, 60)).replaceAll(/^\d\d:\d\d:\d\d/gm, 'hh:mm:ss');

test('a recorded request is one line on a terminal, followed by its deviations', async () => {
  expect(await screen(CALL)).toBe(
    [
      'hh:mm:ss  GET   exchange-coin  200  21 ms',
      '                amount is no number',
      '                fee is not in the document<U+001B>[2J',
      '',
    ].join('\n'),
  );
  const refused = 'POST was not forwarded: it would change something at the service.';
  expect(
    await screen({ ...CALL, method: 'POST', endpoint: null, status: null, deviations: [], refused }),
  ).toBe(
    [
      'hh:mm:ss  POST  no endpoint  cut  21 ms',
      '                not forwarded: POST was not forwarded: it',
      '                would change something at the service.',
      '',
    ].join('\n'),
  );
});

test('a recorded request is one row in a pipe', () => {
  expect([...recordedView(CALL).rows()]).toEqual([
    [
      '2026-01-31T12:00:00.000Z',
      'GET',
      'exchange-coin',
      200,
      '21ms',
      'amount is no number; fee is not in the document\u001b[2J',
    ],
  ]);
});
