import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { type Answer, listing, startSwapService } from '../../../helpers/swap-service.ts';

/** Two codes that differ in nothing but case, and one that is not spelled in capitals. */
const CODES = ['BTC', 'WBTC', 'wBTC', 'USDt'];

/** A service that knows its codes in one spelling only. */
const pricing: Answer = ({ query }, response) => {
  const [from, to] = [query.get('coinFrom') ?? '', query.get('coinTo') ?? ''];
  if (![from, to].every((code) => CODES.includes(code)))
    return sendJson(response, 404, { statusCode: 404, message: 'There is no such pair' });
  const pair = `${from}_${to}`.toUpperCase();
  sendJson(response, 200, {
    pair,
    amount: query.get('amount'),
    receive: '2',
    exchangeRate: '2',
    minAmount: '0.1',
  });
};

/** The codes that a quote sends for `from`, and the one that it shows in the end. */
async function quoted(from: string, { stored }: { readonly stored: boolean }) {
  const service = await startSwapService({
    'get-all-coins': listing(Object.fromEntries(CODES.map((code) => [code, ['ETH']]))),
    'exchange-coin': pricing,
  });
  onTestFinished(() => service.close());
  const options = { home: await temporaryFolder(), env: profileAt(service.url) };
  if (stored) expect((await runHere(['coins'], options)).error).toBeNull();
  const { error, stdout } = await runHere(['quote', from, 'BTC', '1', '--json'], options);
  expect(error).toBeNull();
  const sent = service.requests.filter(({ endpoint }) => endpoint === 'exchange-coin');
  return { sent: sent.map(({ query }) => query.get('coinFrom')), shown: JSON.parse(stdout).from.coin };
}

describe.each([{ stored: false }, { stored: true }])(
  'a quote with the coin list stored: $stored',
  (state) => {
    test.each([
      ['wBTC', ['wBTC'], 'wBTC'],
      ['WBTC', ['WBTC'], 'WBTC'],
      ['wbtc', ['WBTC'], 'WBTC'],
      ['Wbtc', ['WBTC'], 'WBTC'],
      ['usdt', ['USDT', 'USDt'], 'USDt'],
      ['USDt', ['USDt'], 'USDt'],
    ])('sends the coin %s as %j', async (typed, sent, shown) => {
      expect(await quoted(typed, state)).toEqual({ sent, shown });
    });
  },
);
