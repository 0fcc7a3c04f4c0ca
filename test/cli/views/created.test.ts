import { describe, expect, test } from 'vitest';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import { renderCreated } from '../../../src/cli/views/created.ts';
import type { SwapResult } from '../../../src/core/ledger/swap-result.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { IN_LONG_RUN } from '../../helpers/random-runs.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { scannedCodes } from '../terminal/scan.ts';
import { swapIn } from './live/swaps.ts';

const ETH_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Creates a swap in the built-in service and gives its screen beside what the service says of it. */
async function created(from: string, amount: string, flags: readonly string[] = [], columns = 80) {
  const home = await temporaryFolder();
  const args = ['create', from, 'ETH', amount, '-a', ETH_ADDRESS, '--yes', ...flags];
  const { stdout, error } = await runHere(args, { home, terminals: AT_TERMINAL, columns });
  expect(error).toBeNull();
  const [entry] = JSON.parse((await runHere(['history', '--json'], { home })).stdout) as SwapResult[];
  const { address, memo } = entry?.deposit ?? {};
  return { screen: stdout, address: address ?? '', memo: memo ?? null };
}

describe('the screen of a created swap', () => {
  test.each([30, 60, 80, 200])(
    'has no broken values, trailing spaces or double empty lines at %i columns',
    async (columns) => {
      const { screen, address, memo } = await created('XRP', '123.456789', [], columns);
      expect(screen).toContain(address);
      expect(screen).toContain(memo ?? 'a memo');
      expect(screen).toContain('123.456789 XRP');
      expect(screen).not.toMatch(/[^\n ] +\n/);
      expect(screen).not.toContain('\n\n\n');
    },
  );

  test('says not to send anything to an address with hidden characters and draws no QR code', async () => {
    const deposit = { ...SWAP.deposit, address: 'rN7n\u200b' };
    const expiresAt = '2026-02-01T08:45:00.000Z';
    const swap = { ...SWAP, deposit, fundable: false, expiresAt };
    const view = { ...VIEW, swap, qr: true, notices: ['The deposit address is odd.'] };
    const text = await renderCreated(view, PLAIN, 80);
    expect(text).not.toContain('Window');
    expect(text).toContain(' The deposit address is odd.\n\n Do not send anything\n');
    expect(text).toContain('rN7n<U+200B>');
    expect(text).not.toContain('Send exactly');
    expect(text).not.toMatch(/[▀▄█]/);
  });

  test.each([null, '2026-02-01T08:45:00.000Z'])(
    'does not ask for a deposit in its last line if not fundable: %j',
    async (expiresAt) => {
      const swap = { ...SWAP, environment: 'sandbox', fundable: false, expiresAt } as const;
      const text = await renderCreated({ ...VIEW, swap }, PLAIN, 80);
      expect(text).not.toMatch(/pay now|expire|Simulate/);
      expect(text).toContain(' Check it with\n   swapctl status KQWZPA\n');
    },
  );
});

const XRP_ADDRESS = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';
const SWAP = swapIn('new', {
  deposit: { coin: 'XRP', network: 'XRP', amount: '100', memo: '12345', address: XRP_ADDRESS },
  receive: { coin: 'ETH', network: 'ETH', amount: '0.05', address: ETH_ADDRESS },
  profile: 'prod',
  environment: 'live',
  paymentUri: XRP_ADDRESS,
});

/** The time of day on this machine's clock, without seconds. */
const clock = (time: number) => new Date(time).toTimeString().slice(0, 5);

const HALF_HOUR_MS = 30 * 60_000;

/** A screen without codes, of a service that names no deadline. */
const VIEW = { swap: SWAP, notices: [], qr: false, now: 0 };

describe('the deposit window of a created swap', () => {
  const NOW = Date.UTC(2026, 0, 31, 12, 0, 30);
  const ends = (from: number) => new Date(from + HALF_HOUR_MS).toISOString();

  test('is counted from the time given by the service, not by the local clock', async () => {
    const startedAt = '2026-02-01T08:15:00.000Z';
    const swap = { ...SWAP, startedAt, expiresAt: ends(Date.parse(startedAt)) };
    const text = await renderCreated({ ...VIEW, now: NOW, swap }, PLAIN, 80);
    expect(text).toContain(
      ` Window   30 minutes left, until ${clock(Date.parse(startedAt) + HALF_HOUR_MS)}\n`,
    );
  });

  test.each([null, '', 'yesterday'])('is counted from now without a start time: %j', async (startedAt) => {
    const swap = { ...SWAP, startedAt, expiresAt: ends(NOW) };
    const text = await renderCreated({ ...VIEW, now: NOW, swap }, PLAIN, 80);
    expect(text).toContain(` Window   30 minutes left, until ${clock(NOW + HALF_HOUR_MS)}\n`);
  });

  test('is not shown if the service gives no deadline', async () => {
    const text = await renderCreated(VIEW, PLAIN, 100);
    expect(text).not.toContain('Window');
    expect(text).toContain(
      'The service gives no deadline; pay promptly, before the order expires. Watch it with\n',
    );
    expect(await renderCreated({ ...VIEW, isWatched: true }, PLAIN, 100)).not.toContain('--watch');
  });
});

describe.runIf(IN_LONG_RUN)('the QR codes of a created swap', () => {
  test('for BTC are a URI with the address and the exact amount', async () => {
    const { screen, address } = await created('BTC', '0.12345678');
    expect(scannedCodes(screen)).toEqual([`bitcoin:${address}?amount=0.12345678`]);
    expect(screen).toContain('Scan for the address and the exact amount.');
  });

  test('for a token are only the address, with a note to enter the amount', async () => {
    const { screen, address } = await created('USDT:ETH', '100');
    expect(scannedCodes(screen)).toEqual([address]);
    expect(screen).toContain('Scan for the address; enter the amount yourself.');
  });

  test('for a network with memos are one code for the address and one for the memo', async () => {
    const { screen, address, memo } = await created('XRP', '100');
    expect(memo).not.toBeNull();
    expect(scannedCodes(screen)).toEqual([address, memo]);
    expect(screen).toContain('Send the memo too: a deposit without it is lost.');
  });

  test('are not drawn with --no-qr', async () => {
    const { screen } = await created('XRP', '100', ['--no-qr']);
    expect(screen).not.toMatch(/[▀▄█]/);
  });
});

describe('the deposit window of a created swap in the built-in service', () => {
  test.each([
    ['BTC', '--fixed', '20 minutes', 20],
    ['BTC', '--float', '30 minutes', 30],
    ['XRP', '--float', '30 minutes', 30],
  ])('is shown for %s %s', async (coin, flag, words, minutes) => {
    const before = Date.now();
    const { screen } = await created(coin, coin === 'BTC' ? '0.1' : '100', [flag, '--no-qr']);
    const ends = [before, Date.now()].map((time) => clock(time + minutes * 60_000));
    const [, reported = '', until = ''] = /^ Window {3}(.* left), until (\d\d:\d\d)$/m.exec(screen) ?? [];
    expect(reported).toBe(`${words} left`);
    expect(ends).toContain(until);
    expect(screen).toContain(' Unfunded orders expire. Watch this one with\n');
  });

  test('shows the remaining time of an earlier swap', async () => {
    const home = await temporaryFolder();
    const args = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--idempotency-key', 'k'];
    const first = await runHere(args, { home, terminals: AT_TERMINAL });
    const later = () => Date.now() + 10 * 60_000;
    const again = await runHere(args, { home, terminals: AT_TERMINAL, now: later });
    expect(first.stdout).toContain('Window   30 minutes left');
    expect(again.stdout).toContain('Send exactly');
    expect(again.stdout).toContain('Window   20 minutes left');
    const over = () => Date.now() + 40 * 60_000;
    const ended = await runHere(args, { home, terminals: AT_TERMINAL, now: over });
    expect(ended.stdout).not.toContain('Send exactly');
    expect(ended.stdout).not.toMatch(/[▀▄█]/);
  });

  test('is not part of the JSON output', async () => {
    const args = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--json'];
    expect((await runHere(args)).stdout).not.toMatch(/window/i);
  });
});
