import { describe, expect, it, test } from 'vitest';
import { recordedView, requestsView } from '../../../src/cli/commands/sandbox/views/recording.ts';
import { fittingOrdersView } from '../../../src/cli/commands/sandbox/views/sandbox.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import type { SandboxOrder } from '../../../src/sandbox/operator/order-view.ts';
import type { LoggedRequest } from '../../../src/sandbox/requests/request.ts';

const NOW = Date.UTC(2026, 0, 1);

function order(number: number): SandboxOrder {
  const side = { coin: 'BTC', network: 'BTC', amount: '0.1', address: 'a', memo: null, txId: null };
  return {
    order: `ORDER${number}`,
    partner: 'default',
    status: 9,
    type: 'float',
    deposit: { ...side, confirmations: null },
    receive: { ...side, coin: 'ETH', network: 'ETH', confirmations: null },
    refundAddress: null,
    createdAt: NOW,
    since: NOW,
    endedAt: null,
    transitions: [],
  };
}

const ORDERS = Array.from({ length: 30 }, (_, index) => order(index));

describe('the live table of sandbox orders', () => {
  it.each([80, 40])('shows what fits into 24 rows of %d columns and counts the others', async (width) => {
    const screen = await fittingOrdersView(ORDERS, 1000, { now: NOW, rows: 24 }).screen(PLAIN, width);
    const lines = screen.trimEnd().split('\n');
    const shown = ORDERS.filter(({ order: name }) => new RegExp(`\\b${name}\\b`).test(screen));
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown).toEqual(ORDERS.slice(0, shown.length));
    expect(lines.at(-1)).toBe(` … ${1000 - shown.length} more`);
  });

  it('shows no count if all orders fit, and a note if there are none', async () => {
    const few = fittingOrdersView(ORDERS.slice(0, 3), 3, { now: NOW, rows: 24 });
    expect(await few.screen(PLAIN, 80)).not.toContain('more');
    expect(await fittingOrdersView([], 0, { now: NOW, rows: 24 }).screen(PLAIN, 80)).toBe('No orders yet.');
  });
});

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

const logged = async (request: LoggedRequest, width: number) =>
  (await requestsView([request], false).screen(PLAIN, width)).replaceAll(
    /^(?:\S+ )?\d\d:\d\d:\d\d/gm,
    'time',
  );

test('a logged request has its query in the same line, or below if it does not fit', async () => {
  expect(await logged(REQUEST, 200)).toBe(
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
  expect(await logged(odd, 60)).toBe('time  -  GET /x<U+001B>  cut  5 ms, fault 3\n');
});
