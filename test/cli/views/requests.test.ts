import { expect, test } from 'vitest';
import { requestsView } from '../../../src/cli/commands/sandbox/views/recording.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import type { LoggedRequest } from '../../../src/sandbox/requests/request.ts';

const REQUEST: LoggedRequest = {
  id: 1,
  at: Date.parse('2026-01-31T12:00:00Z'),
  partner: 'default',
  method: 'GET',
  status: 200,
  ms: 5,
  path: '/api/private/exchange-coin',
  endpoint: 'exchange-coin',
  fault: null,
  body: null,
  answer: null,
  query: 'amount=0.1&coinFrom=BTC&coinTo=ETH&lastSource=deposit&typeSwap=2',
};

const screen = async (request: LoggedRequest, width: number) =>
  (await requestsView([request], false).screen(PLAIN, width)).replaceAll(
    /^(?:\S+ )?\d\d:\d\d:\d\d/gm,
    'time',
  );

test('a logged request has its query in the same line, or below if it does not fit', async () => {
  expect(await screen(REQUEST, 200)).toBe(
    'time  default  GET exchange-coin  200  5 ms  amount=0.1 coinFrom=BTC coinTo=ETH lastSource=deposit typeSwap=2\n',
  );
  const lines = (await requestsView([REQUEST], false).screen(PLAIN, 60)).split('\n');
  expect(lines.map((line) => displayWidth(line) <= 60)).toEqual(lines.map(() => true));
  expect(lines.slice(1)).toEqual([
    '          amount=0.1 coinFrom=BTC coinTo=ETH',
    '          lastSource=deposit typeSwap=2',
    '',
  ]);
});

test('a logged request outside the endpoints shows its path and fault, with escaped characters', async () => {
  const odd: LoggedRequest = {
    ...REQUEST,
    path: '/x\u001b',
    query: '',
    status: null,
    partner: null,
    fault: 3,
  };
  expect(await screen(odd, 60)).toBe('time  -  GET /x<U+001B>  cut  5 ms, fault 3\n');
});
