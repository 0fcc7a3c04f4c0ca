import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import type { SwapctlError } from '../../src/base/errors.ts';
import { hasHiddenCharacters } from '../../src/base/text.ts';
import { errorWords } from '../../src/main.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { HOSTILE, HOSTILE_SHOWN, startHostileService } from '../helpers/hostile-service.ts';
import { profileEnv, sendJson } from '../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import type { Answer, SwapService } from '../helpers/swap-service.ts';
import { ADDRESSES, createdAs, startSwapService } from '../helpers/swap-service.ts';
import { startAtTerminal } from '../helpers/terminal.ts';

/** Escape sequences of swapctl itself: cursor movement, erased lines, spinner frames and bracketed paste. */
const OWN_SEQUENCES = /\u001b\[(?:\d*[A-GK]|[0-3]?J|\?(?:25|2004|2026)[hl]|\d*;?\d*H)|\u001b\[\d+[mn]/g;

/** Fails if any text of the service reached the terminal unescaped. */
function expectEscaped(screen: string): void {
  expect(screen).toContain(HOSTILE_SHOWN);
  for (const reported of ['\u001b[2J', '\u001b[8m', '\u001b]']) expect(screen).not.toContain(reported);
  const rest = screen.replace(OWN_SEQUENCES, '').replace(/\r?\n|\r/g, '');
  expect(hasHiddenCharacters(rest.replaceAll('\u0008', ''))).toBe(false);
  expect(screen).not.toContain('\u0008\u007f');
  expect(screen).not.toMatch(/^error: all is well/m);
}

/** An error as printed without a terminal. */
const worded = async (error: SwapctlError) => `${await errorWords(error, undefined)}\n`;

/** The output of several commands at a terminal, run in turn in one home. */
async function screenOf(lines: readonly string[], { url }: SwapService): Promise<string> {
  const home = await temporaryFolder();
  const env = { ...profileEnv(url), TERM: 'xterm' };
  let screen = '';
  for (const line of lines) {
    const { stdout, stderr, error } = await runHere(line.split(' '), { home, env, terminals: AT_TERMINAL });
    screen += `${stdout}${stderr}${error === null ? '' : await worded(error)}`;
  }
  return screen;
}

const service = await startHostileService();
afterAll(() => service.close());

describe('a service whose every text has control characters, at a terminal,', () => {
  it('has its text escaped in every question of the wizard', async () => {
    const run = startAtTerminal(['create'], await temporaryFolder(), { env: profileEnv(service.url) });
    const answers: readonly (readonly [after: string | RegExp, keys: string])[] = [
      ['Coin to send', '\r'],
      ['Coin to receive', '\r'],
      ['Which amount', '\r'],
      ['Amount of', '7'],
      [`error: all is well`, '\u007f0.1\r'],
      ['Rate', '\r'],
      ['Payout address', `${ADDRESSES.eth}\r`],
      ['Refund address', '\r'],
      ['Create this swap?', 'e\r'],
      ['What do you want to change?', 'nothing'],
      [/change\? nothing\s+❯ nothing, return to the review/, '\r'],
      [/ Review.* Review.*Create this swap/s, 'y\r'],
    ];
    for (const [after, keys] of answers) {
      await run.shows(after);
      run.type(keys);
    }
    const { screen } = await run.ended;
    expectEscaped(screen);
    expect(screen).toContain('swapctl status');
  });

  it('has its text escaped by every command', async () => {
    const order = 'KQWZPA';
    const lines = [
      'coins',
      'networks BTC',
      'quote BTC ETH 0.1',
      'quote BTC ETH 0.1 --compare',
      'quote BTC ETH:ETH 7',
      'quote BTC ETH 7',
      'quote BTC:NIX ETH 0.1',
      `create BTC ETH:ETH 0.1 --float -a ${ADDRESSES.eth} --yes`,
      `create BTC ETH:ETH 0.1 --float -a ${ADDRESSES.eth} --dry-run --no-input`,
      `status ${order}`,
      'status',
      // At a terminal a refund of a swap in doubt is asked about in spite of --yes.
      `refund ${order} ${ADDRESSES.btcRefund} --yes --no-input --debug`,
      'history',
      'auth status',
    ];
    expectEscaped(await screenOf(lines, service));
  });

  it('has its text escaped if the response to a create contradicts the request', async () => {
    const odd = await startHostileService({
      'create-transaction': createdAs((swap) => {
        swap.orderNumber = HOSTILE;
        swap.pairs.deposit.address = HOSTILE;
        swap.pairs.deposit.memo = HOSTILE;
        swap.pairs.receive.coin.name = HOSTILE;
      }),
    });
    const create = `create BTC ETH:ETH 0.1 --float -a ${ADDRESSES.eth} --yes`;
    const lines = [create, `${create} --json`, 'history', 'history --csv', 'history --json'];
    const screen = await screenOf(lines, odd);
    await odd.close();
    expectEscaped(screen);
  });
});

/** Escape sequences, a forged line of swapctl, and texts wider than any terminal. */
const LONG = `${HOSTILE}${'W\u202e'.repeat(1000)}`;

it('conformance at a real terminal escapes and shortens the texts of a hostile service', async () => {
  const refuse: Answer = (_, response) => sendJson(withRoom(response), 400, { message: [LONG, HOSTILE] });
  const list: Answer = ({ query }, response) => {
    const key = query.get('method') === '2' ? 'withdrawCoins' : 'depositCoins';
    const networks = { deposits: [{ subName: LONG }], withdraws: [{ subName: LONG, memoNeeded: HOSTILE }] };
    const coins = ['BTC', 'ETH', HOSTILE, LONG].map((subName) => ({ subName, name: LONG, networks }));
    sendJson(withRoom(response), 200, { pagination: { pageCount: LONG }, [key]: coins });
  };
  const odd = await startSwapService({
    ...{ 'get-all-coins': list, 'get-coin-network': refuse, 'exchange-coin': refuse },
    ...{ 'get-transaction': refuse, 'create-transaction': refuse, 'update-refund-address': refuse },
  });
  const line = ['conformance', '--write', '--yes'];
  const run = startAtTerminal(line, await temporaryFolder(), { env: profileEnv(odd.url) });
  const { screen } = await run.ended;
  await odd.close();
  expectEscaped(screen);
  expect(screen).not.toContain('W<U+202E>'.repeat(100));
});

/** Reports a large remaining rate limit, so that the checks need no pauses. */
function withRoom(response: ServerResponse): ServerResponse {
  return response.setHeader('RateLimit-Remaining', '1000').setHeader('RateLimit-Reset', '60');
}

it.each([
  ['coins'],
  ['networks', 'BTC'],
  ['quote', 'BTC', 'ETH', '0.1'],
  ['quote', 'BTC', 'ETH:ETH', '7'],
  ['create', 'BTC', 'ETH:ETH', '0.1', '--float', '-a', ADDRESSES.eth, '--yes'],
  ['create', 'BTC', 'ETH:ETH', '0.1', '--float', '-a', ADDRESSES.eth, '--dry-run'],
  ['status', 'KQWZPA'],
  ['status', 'KQWZPA', 'OTHERS'],
  ['refund', 'KQWZPA', ADDRESSES.btcRefund, '--yes'],
  ['history'],
  ['history', '--csv'],
])('`%s %s` escapes control characters of a service, even in decoded JSON', async (...args) => {
  const home = await temporaryFolder();
  for (const flags of [[], ['--json']]) {
    const env = profileEnv(service.url);
    const { stdout, stderr, error } = await runHere([...args, ...flags], { home, env });
    expect(hasHiddenCharacters(`${stdout}${stderr}`.replace(/[\n\t]|\r\n/g, ''))).toBe(false);
    expect(`${stdout}${stderr}`).not.toMatch(/^error: all is well/m);
    if (flags.length === 0) continue;
    const lines = stdout.split('\n').filter((line) => line !== '');
    for (const line of lines) expectEscapedDeep(JSON.parse(line));
    expect(error?.message ?? '').not.toContain('\u001b');
  }
});

/** Checks each key and text as decoded, since JSON escapes hide hidden characters. */
function expectEscapedDeep(value: unknown): void {
  if (typeof value === 'string') expect(hasHiddenCharacters(value)).toBe(false);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      expect(hasHiddenCharacters(key)).toBe(false);
      expectEscapedDeep(item);
    }
}

const LINES: readonly (readonly string[])[] = [
  [HOSTILE],
  ['quote', HOSTILE, 'ETH', '1'],
  ['quote', 'BTC', 'ETH', HOSTILE],
  ['coins', '-n', HOSTILE],
  ['status', HOSTILE],
  ['history', '--status', HOSTILE],
  ['history', '--since', HOSTILE],
  ['history', 'resolve', HOSTILE, '--dismiss'],
  ['address', HOSTILE, HOSTILE],
  ['create', 'BTC', 'ETH', '1', '-a', HOSTILE, '--yes'],
  ['refund', 'KQWZPA', HOSTILE, '--yes'],
  ['auth', 'switch', HOSTILE],
  ['-p', HOSTILE, 'quote', 'BTC', 'ETH', '1'],
  ['help', HOSTILE],
  ['sandbox', 'start', '--catalog', HOSTILE],
  ['sandbox', 'fault', 'add', HOSTILE],
  ['--timeout', HOSTILE, 'coins'],
  ['--color', HOSTILE, 'coins'],
  [`--${HOSTILE}`],
  [`--json=${HOSTILE}`, 'coins'],
  ['coins', '-L', HOSTILE],
];
const VARIABLES = 'SWAPCTL_LEDGER SWAPCTL_PROFILE SWAPCTL_BASE_URL XDG_CONFIG_HOME HTTPS_PROXY'.split(' ');

it('control characters in arguments and variables are escaped in every error', async () => {
  const home = await temporaryFolder();
  const reported = [];
  for (const line of LINES) {
    const { stdout, stderr, error } = await runHere(line, { home });
    expect(error).not.toBeNull();
    reported.push(stdout, stderr, error === null ? '' : await worded(error));
  }
  for (const name of VARIABLES) {
    const run = await runHere(['quote', 'BTC', 'ETH', '1'], { home, env: { [name]: HOSTILE } });
    reported.push(run.stdout, run.stderr, run.error === null ? '' : await worded(run.error));
  }
  const screen = reported.join('');
  expect(screen).toContain(HOSTILE_SHOWN);
  expect(screen).not.toMatch(/^error: all is well/m);
  expect(hasHiddenCharacters(screen.replace(/[\n\t]/g, ''))).toBe(false);
});
