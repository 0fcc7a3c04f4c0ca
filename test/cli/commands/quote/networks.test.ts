import { describe, expect, test } from 'vitest';
import { sendJson } from '../../../helpers/raw-server.ts';
import { pausedClock, runHere } from '../../../helpers/run-here.ts';
import { onEachService } from '../../../helpers/services.ts';
import { listing } from '../../../helpers/swap-service.ts';
import { words } from '../../../helpers/words.ts';
import { deskWith } from '../batch/desk.ts';

type Refusal = Readonly<{ status: number; message: unknown }>;

/** Quotes at a service that refuses a pair of which a network was left out. */
async function quoted({ status, message }: Refusal, args: readonly string[]) {
  const desk = await deskWith({
    'get-all-coins': listing({ XMR: ['XMR'], BTC: ['BTC'], USDT: ['ETH', 'TRX'] }),
    'exchange-coin': ({ query }, response) => {
      if (query.get('networkFrom') === null || query.get('networkTo') === null)
        return sendJson(response, status, { statusCode: status, message });
      const pair = `${query.get('coinFrom')}_${query.get('coinTo')}`;
      const figures = { amount: query.get('amount'), receive: '150', exchangeRate: '150', minAmount: '0.1' };
      sendJson(response, 200, { pair, ...figures });
    },
  });
  const run = await desk.run(['quote', ...args], pausedClock());
  const queries = desk.service.requests.flatMap(({ endpoint, query }) =>
    endpoint === 'exchange-coin' ? [`${query.get('networkFrom')} ${query.get('networkTo')}`] : [],
  );
  return { ...run, queries, lists: desk.service.count('get-all-coins') };
}

const REFUSALS: readonly Refusal[] = [
  { status: 422, message: 'Unprocessable' },
  { status: 400, message: ['networkFrom should not be empty'] },
  { status: 400, message: 'Network is required' },
];

onEachService({}, () => {
  describe.each(REFUSALS)('a service that rejects quotes without networks: $status $message', (refusal) => {
    test('is asked again with the only network of each coin', async () => {
      const { error, stdout, queries, lists } = await quoted(refusal, ['xmr', 'BTC', '1', '--json']);
      expect(error).toBeNull();
      // A search for each of the two coins, and not the whole list.
      expect(lists).toBe(2);
      expect(queries).toEqual(['null null', 'XMR BTC']);
      expect(JSON.parse(stdout)).toMatchObject({
        from: { coin: 'XMR', network: 'XMR' },
        to: { coin: 'BTC', network: 'BTC' },
        receive: '150',
      });
    });

    test('leads to network_required with a runnable command if a coin has several networks', async () => {
      const { error, queries } = await quoted(refusal, ['XMR', 'USDT', '1', '--fixed']);
      expect(error).toMatchObject({
        code: 'network_required',
        exitCode: 2,
        details: { coin: 'USDT', choices: ['USDT:ETH', 'USDT:TRX'] },
        message: 'USDT can be received on several networks, and the service requires one of them.',
        hint: 'Pass one of USDT:ETH, USDT:TRX, as in `swapctl quote XMR:XMR USDT:ETH 1 --fixed`.',
      });
      expect(queries).toEqual(['null null']);
      const line = /`swapctl quote (.*)`/.exec(error?.hint ?? '')?.[1] ?? '';
      expect((await quoted(refusal, line.split(' '))).error).toBeNull();
    });
  });

  test('a quote rejected for another reason is not requested again', async () => {
    const { error, queries } = await quoted({ status: 404, message: 'Not found.' }, ['XMR', 'BTC', '1']);
    expect(error).toMatchObject({ code: 'not_found' });
    expect(queries).toEqual(['null null']);
  });

  test('quote --watch repeats a rejected quote with networks only once', async () => {
    const { queries, error } = await quoted(
      REFUSALS[0] as Refusal,
      words('XMR BTC 1 --watch --interval 10 --timeout 1m'),
    );
    expect(error).toBeNull();
    expect(queries.filter((query) => query === 'null null')).toHaveLength(1);
    expect(queries.length).toBeGreaterThan(3);
  });
});

describe('a coin with several networks in a quote without a network', () => {
  const NOTE =
    'USDT has 11 networks; the service priced its default. Choose one: USDT:ETH, USDT:TRX, USDT:BSC, USDT:SOL, USDT:MATIC, USDT:ARBITRUM, USDT:OPTIMISM, USDT:AVAXC, USDT:TON, USDT:NEAR, USDT:APT.\n';

  test.each([
    [['BTC', 'USDT', '0.01'], NOTE],
    [['USDT', 'BTC', '100', '--json'], NOTE],
    [['BTC', 'USDT', '0.01', '--compare'], NOTE],
    [['BTC', 'USDT', '0.01', '--watch', '-i', '20', '--timeout', '1m'], NOTE],
    [['BTC', 'USDT', '0.01', '--quiet'], ''],
    [['BTC', 'USDT:TRX', '0.01'], ''],
    [['BTC', 'XMR', '0.01'], ''],
  ])('swapctl quote %j prints at most one note about networks', async (args, note) => {
    const { error, stderr } = await runHere(['quote', ...args], pausedClock());
    expect(error).toBeNull();
    expect(stderr.match(/^.*networks.*\n/gm)?.join('') ?? '').toBe(note);
  });
});
