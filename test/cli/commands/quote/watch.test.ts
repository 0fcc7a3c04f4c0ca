import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { jsonLines } from '../../../helpers/lines.ts';
import { profileEnv, sendJson } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL, pausedClock, type RunHere, runHere } from '../../../helpers/run-here.ts';
import { type SwapService, startSwapService } from '../../../helpers/swap-service.ts';

const RATES = ['28.5', '28.5', '28.7', '28.6'];

/** What the service answers, one after the other, the last one from then on; null, `slow` and `down` are failures. */
let rates: readonly (string | null)[];
let service: SwapService;

beforeEach(async () => {
  let asked = 0;
  rates = RATES;
  service = await startSwapService({
    'exchange-coin': (_, response) => {
      const rate = rates[Math.min(asked, rates.length - 1)] ?? null;
      asked += 1;
      if (rate === 'slow') return void response.writeHead(429, { 'retry-after': '20' }).end('{}');
      if (rate === 'down') return sendJson(response, 500, { message: 'Down for maintenance' });
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

/** Watches until so many lines are written, and then presses Ctrl-C. */
async function interrupted(flags: readonly string[], lines: number, options: Partial<RunHere> = {}) {
  const ctrlC = new AbortController();
  const args = ['quote', 'BTC', 'ETH', '0.1', '--watch', '-i', '0.1', ...flags];
  return runHere(args, {
    env: { ...profileEnv(service.url), TERM: 'xterm' },
    signal: ctrlC.signal,
    onOutput: (stdout) => {
      if (stdout.split('\n').length > lines) ctrlC.abort(new InterruptedError('SIGINT'));
    },
    ...options,
  });
}

async function watch(flags: readonly string[], options: { terminal: boolean; columns?: number }) {
  const args = ['--timeout', '1m', 'quote', 'BTC', 'ETH', '0.1', '--watch', '-i', '10', ...flags];
  const { columns = 80 } = options;
  const terminals = options.terminal ? AT_TERMINAL : [];
  return runHere(args, { env: profileEnv(service.url), terminals, columns, ...pausedClock() });
}

describe('quote --watch ended by Ctrl-C', () => {
  test('ends with the message Stopped. and erases ^C on the terminal', async () => {
    const { stdout, stderr, error } = await interrupted([], 2, { terminals: AT_TERMINAL });
    expect(error).toMatchObject({
      code: 'interrupted',
      exitCode: 130,
      outcome: 'nothing-sent',
      message: 'Stopped.',
    });
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toBe('\r\u001b[K');
  });

  test('prints nothing more in a pipe, not even an escape sequence', async () => {
    const { stdout, stderr, error } = await interrupted(['--json'], 1);
    expect(error?.message).toBe('Stopped.');
    expect([stdout.trimEnd().split('\n').length, stderr]).toEqual([1, '']);
  });

  test('is not reported as a failed poll while a response is pending', async () => {
    const ctrlC = new AbortController();
    await service.close();
    service = await startSwapService({ 'exchange-coin': () => ctrlC.abort(new InterruptedError('SIGINT')) });
    const env = profileEnv(service.url);
    const { stderr, error } = await interrupted([], 9, { signal: ctrlC.signal, env });
    expect(error).toMatchObject({ code: 'interrupted', message: 'Stopped.' });
    expect(stderr).toBe('');
  });
});

describe('quote --watch', () => {
  test('stops at a permanent error after printing the earlier results', async () => {
    rates = ['28.5', null];
    const { stdout, error } = await watch([], { terminal: false });
    expect(error).toMatchObject({ code: 'not_found', exitCode: 3 });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\t0\.10\t2\.5\t28\.5\n$/);
  });

  test('prints only changes, with every digit in a pipe', async () => {
    const { stdout, error } = await watch([], { terminal: false });
    expect(error).toBeNull();
    const changes = ['28.5', '28.7', '28.6'].map((rate) => `0.10\t2.5\t${rate}\n`);
    expect(stdout.replaceAll(/^\S+Z\t/gm, '')).toBe(changes.join(''));
  });

  test('prints an object with type, time and quote per line with --json', async () => {
    const { stdout } = await watch(['--json'], { terminal: false });
    const lines = jsonLines<{ type: string; at: string; quote: { rate: string } }>(stdout);
    expect(lines.map(({ quote }) => quote.rate)).toEqual(['28.5', '28.7', '28.6']);
    for (const line of lines) expect(Object.keys(line)).toEqual(['type', 'at', 'quote']);
    const [{ type, at, quote } = { type: '', at: '', quote: { rate: '' } }] = lines;
    expect(type).toBe('quote');
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(quote).toMatchObject({
      type: 'float',
      pair: 'BTC_ETH',
      amount: '0.10',
      at,
      environment: 'sandbox',
    });
  });

  test('draws a bar per rate on a terminal', async () => {
    const { stdout } = await watch([], { terminal: true });
    expect(stdout.split('\n').map((line) => line.slice(10))).toEqual([
      ' 1 BTC = 28.5 ETH  ▄',
      ' 1 BTC = 28.7 ETH  ▁█',
      ' 1 BTC = 28.6 ETH  ▁█▅',
      '',
    ]);
  });

  test('omits the bars if the terminal is too narrow', async () => {
    const { stdout } = await watch([], { terminal: true, columns: 30 });
    expect(stdout).not.toMatch(/[▁-█]/);
    expect(stdout).toContain('1 BTC = 28.6 ETH\n');
  });
});

describe('quote --watch with a target rate', () => {
  /** Watches for a minute. */
  async function waiting(...flags: readonly string[]) {
    const run = await runHere(['quote', 'BTC', 'ETH', '0.1', '--watch', '--timeout', '1m', ...flags], {
      env: profileEnv(service.url),
      ...pausedClock(),
    });
    const lines = run.stdout.split('\n').slice(0, -1);
    return { ...run, rates: lines.map((line) => line.split('\t')[3]) };
  }

  test.each([
    ['--above', '28.7', ['28.5', '28.7']],
    ['--above', '28.55', ['28.5', '28.7']],
    ['--above', '28.50', ['28.5']],
    ['--below', '28.5', ['28.5']],
    ['--below', '28.500000000000000000000000000001', ['28.5']],
    ['--above', '1', ['28.5']],
  ])('exits with 0 once the rate satisfies %s %s', async (flag, rate, seen) => {
    const { rates, error, stderr } = await waiting(flag, rate);
    expect([error, stderr, rates]).toEqual([null, '', seen]);
  });

  test.each([
    ['--above', '28.700000000000000000000000000001', 'above'],
    ['--below', '28.49', 'below'],
  ])('exits with 8 if the rate does not satisfy %s %s in time', async (flag, rate, side) => {
    const { rates, error } = await waiting(flag, rate);
    expect(rates).toEqual(['28.5', '28.7', '28.6']);
    expect(error).toMatchObject({
      code: 'still_open',
      exitCode: 8,
      outcome: 'done',
      details: { [side]: rate, rate: '28.6' },
      message: `The rate did not reach ${rate} or ${side === 'above' ? 'higher' : 'lower'} in time: last rate 28.6.`,
    });
  });

  test('continues past a failed poll and reports its error', async () => {
    rates = ['28.5', 'down', 'down', 'down', '30'];
    const { rates: seen, error, stderr } = await waiting('--above', '29');
    expect([error, seen]).toEqual([null, ['28.5', '30']]);
    // How often the client itself asks again before it gives up is left to chance.
    expect(stderr).toMatch(/^(The service answered 50\d: Down for maintenance\. Retrying\.\n)+$/);
  });

  test('waits for the Retry-After of the service and prints one note', async () => {
    rates = ['28.5', 'slow', '30'];
    const { rates: seen, error, stderr } = await waiting('--above', '29');
    expect([error, seen]).toEqual([null, ['28.5', '30']]);
    expect(stderr).toMatch(/^Waiting for the service's rate limit; continues at \d\d:\d\d:\d\d\.\n$/);
  });

  test('stays within the shared request budget', async () => {
    const home = await temporaryFolder();
    await runHere(['config', 'set', 'budget', '4/30s'], { home });
    const run = await runHere(['quote', 'BTC', 'ETH', '0.1', '-w', '-i', '1', '--timeout', '1m'], {
      home,
      env: profileEnv(service.url),
      ...pausedClock(),
    });
    expect(run.error).toBeNull();
    // Three in each half of the minute, for one is kept for a person; without a budget it would be sixty.
    expect(service.count('exchange-coin')).toBeGreaterThanOrEqual(6);
    expect(service.count('exchange-coin')).toBeLessThanOrEqual(8);
  });
});
