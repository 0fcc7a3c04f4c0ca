import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { profileEnv, sendJson } from '../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import type { SwapService } from '../helpers/swap-service.ts';
import { startSwapService } from '../helpers/swap-service.ts';

const RATES = ['28.5', '28.5', '28.7', '28.6'];

/** What the service answers, one after the other, the last one from then on; null is a failure. */
let rates: readonly (string | null)[];
let service: SwapService;

beforeEach(async () => {
  let asked = 0;
  rates = RATES;
  service = await startSwapService({
    'exchange-coin': (_, response) => {
      const rate = rates[Math.min(asked, rates.length - 1)] ?? null;
      asked += 1;
      if (rate === null) return sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      sendJson(
        response,
        200,
        `{"pair":"BTC_ETH","amount":0.10,"exchangeRate":${rate},"receive":2.5,"minAmount":0.001,"maxAmount":9}`,
      );
    },
  });
});

afterEach(() => service.close());

async function watch(flags: readonly string[], options: { terminal: boolean; columns?: number }) {
  const home = await temporaryFolder();
  const args = ['--timeout', '1s', 'quote', 'BTC', 'ETH', '0.1', '--watch', '-i', '0.1', ...flags];
  const { columns = 80 } = options;
  const terminals = options.terminal ? AT_TERMINAL : [];
  return runHere(args, { home, env: profileEnv(service.url), terminals, columns });
}

describe('quote --watch', () => {
  test('stops at an answer that will not mend itself, after what it has told', async () => {
    rates = ['28.5', null];
    const { stdout, error } = await watch([], { terminal: false });
    expect(error).toMatchObject({ code: 'not_found', exitCode: 3 });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\t0\.10\t2\.5\t28\.5\n$/);
  });

  test('tells each change once, in a pipe with every digit', async () => {
    const { stdout, error } = await watch([], { terminal: false });
    expect(error).toBeNull();
    const cells = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(1));
    expect(cells).toEqual([
      ['0.10', '2.5', '28.5'],
      ['0.10', '2.5', '28.7'],
      ['0.10', '2.5', '28.6'],
    ]);
  });

  test('gives one object per line with --json', async () => {
    const { stdout } = await watch(['--json'], { terminal: false });
    const quotes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(quotes.map(({ rate }) => rate)).toEqual(['28.5', '28.7', '28.6']);
    expect(quotes[0]).toMatchObject({ pair: 'BTC_ETH', amount: '0.10', environment: 'sandbox' });
  });

  test('draws the rates as bars on a terminal', async () => {
    const { stdout } = await watch([], { terminal: true });
    expect(stdout.split('\n').map((line) => line.slice(10))).toEqual([
      ' 1 BTC = 28.5 ETH  ▄',
      ' 1 BTC = 28.7 ETH  ▁█',
      ' 1 BTC = 28.6 ETH  ▁█▅',
      '',
    ]);
  });

  test('leaves the bars out where the terminal has no room for them', async () => {
    const { stdout } = await watch([], { terminal: true, columns: 30 });
    expect(stdout).not.toMatch(/[▁-█]/);
    expect(stdout).toContain('1 BTC = 28.6 ETH\n');
  });
});
