import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../helpers/lines.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { inScene } from '../../helpers/scene.ts';
import { listing, type Plan } from '../../helpers/swap-service.ts';

const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const TRX = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const XRP = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';

const run = async (args: readonly string[], input?: string) =>
  runHere(['address', ...args, '--json'], { ...(input === undefined ? {} : { input }) });
const errorText = ({ error }: Awaited<ReturnType<typeof run>>) => `${error?.message} ${error?.hint}`;

describe('swapctl address', () => {
  it('redacts private keys and seed phrases in every column of lines from standard input', async () => {
    const lines = [`BTC\t${SEED}`, `${SEED}\tBTC`, `XRP\t${XRP}\t${SEED}`, `${WIF}\tx\t${WIF}`];
    const ran = await run(['-'], `${lines.join('\n')}\n`);
    expect(ran.error?.exitCode).toBe(2);
    expect(ran.stdout + ran.stderr + errorText(ran)).not.toMatch(new RegExp(`${SEED}|${WIF}`, 'i'));
    expect(ran.stdout.match(/<redacted>/g)?.length).toBe(5);
  });

  it.each([
    ['QQQQ', 'abcdef1234567', 'Pass a network such as BTC, ETH or TRX.'],
    ['XYZ', 'abcdef1234567', 'Did you mean XTZ, XYM?'],
    ['USDT', TRX, 'The address looks like one of TRON (TRX).'],
    ['BITCOINN', XRP, 'Did you mean BITCOIN, BITCOINSV? The address looks like one of XRP Ledger (XRP).'],
    ['QQQQ', 'a"b', 'Pass a network such as BTC, ETH or TRX.'],
  ])('rejects the unknown network %s and suggests a fix', async (network, address, hint) => {
    const { error, stdout } = await run([network, address]);
    const reason = `Unknown network ${network}.`;
    expect(error).toMatchObject({ code: 'unknown_network', exitCode: 2, message: reason, hint });
    expect(JSON.parse(stdout)).toMatchObject({ network, valid: false, verdict: 'invalid', reason });
  });

  it('marks a line with an unknown network as invalid and adds the suggestion to its reason', async () => {
    const { error, stdout } = await run(['-'], `TRX\t${TRX}\nUSDT\t${TRX}\n`);
    expect(error).toMatchObject({ code: 'invalid_address', message: '1 line is not payable.' });
    expect(jsonLines(stdout)).toMatchObject([
      { valid: true, verdict: 'valid', reason: null },
      {
        valid: false,
        verdict: 'invalid',
        kind: null,
        reason: 'Unknown network USDT. The address looks like one of TRON (TRX).',
      },
    ]);
  });

  it('rejects an address in place of the network as unknown_network', async () => {
    const { error, stdout } = await run([TRX, 'TRX']);
    expect(stdout).toBe('');
    expect(error).toMatchObject({ code: 'unknown_network', exitCode: 2 });
  });
});

/** A service with one coin, on a network that swapctl has no rules for. */
const LISTING: Plan = { 'get-all-coins': listing({ FOO: ['FooNet'] }) };

it('an address on a network that swapctl has no rules for is unverified instead of unknown once a coin list is stored', () =>
  inScene(LISTING, async ({ here, service }) => {
    const later = { now: () => Date.now() + 40 * 86_400_000 };
    expect((await here(['address', 'foonet', 'abc', '--json'])).error?.code).toBe('unknown_network');
    expect(service.requests).toHaveLength(0);
    await here(['coins', '--json']);
    const asked = service.requests.length;

    const { error, stdout } = await here(['address', 'foonet', 'abcdef1234567', '--json'], later);
    expect(error).toBeNull();
    expect(JSON.parse(stdout)).toMatchObject({
      valid: null,
      verdict: 'unverified',
      kind: 'unverified',
      reason: null,
      warnings: [expect.stringContaining('not verified')],
    });
    const lines = await here(['address', '-'], { input: 'FooNet\tabcdef1234567\n' });
    expect([lines.error, lines.stdout.split('\t')[2]]).toEqual([null, 'unverified']);
    const screen = await here(['address', 'FooNet', 'abcdef1234567'], { terminals: AT_TERMINAL });
    expect(screen.stdout).toContain('Not verified');

    const coin = await here(['address', 'FOO', 'abcdef1234567', '--json'], later);
    expect(coin.error).toMatchObject({
      code: 'unknown_network',
      hint: 'FOO is a coin, on the networks FooNet.',
    });
    // What is valid nowhere is refused on such a network too.
    expect((await here(['address', 'FooNet', 'a"b', '--json'])).error?.code).toBe('invalid_address');
    expect(service.requests).toHaveLength(asked);
  }));
