import { describe, expect, it } from 'vitest';
import { addressCommand } from '../../../src/cli/commands/address/address.ts';
import { authCommand } from '../../../src/cli/commands/auth/auth.ts';
import { coinsCommand, networksCommand } from '../../../src/cli/commands/coins/coins.ts';
import { historyCommand } from '../../../src/cli/commands/history/history.ts';
import { runCommand, triggerCommand } from '../../../src/cli/commands/sandbox/laboratory/verbs.ts';
import { sandboxStartCommand } from '../../../src/cli/commands/sandbox/start.ts';
import { words } from '../../helpers/words.ts';
import { optionsOf } from './options.ts';

describe('swapctl coins', () => {
  const listing = { columns: null, sort: null, reverse: false };
  const none = { search: null, network: null, side: null, refresh: false, limit: null, listing };
  it.each([
    ['', none],
    ['usd', { ...none, search: 'usd' }],
    ['-n trx --deposit', { ...none, network: 'trx', side: 'deposit' }],
    ['--network TRX --receive --refresh', { ...none, network: 'TRX', side: 'receive', refresh: true }],
    ['-L 5', { ...none, limit: 5 }],
    ['--limit 9999999', { ...none, limit: 9_999_999 }],
    ['--deposit --receive', 'usage: --deposit and --receive cannot be combined.'],
    [
      '-L 1.5',
      "error: option '-L, --limit <n>' argument '1.5' is invalid. Use a whole number from 1 to 9999999.",
    ],
    ['a b', "error: too many arguments for 'coins'. Expected 1 argument but got 2."],
  ])('maps `%s` to options or a usage error', async (line, expected) => {
    expect(await optionsOf(coinsCommand, ['coins', ...words(line)])).toEqual(expected);
  });
});

it.each([
  ['usdt', { coin: 'usdt' }],
  ['USDT:TRX', 'usage: Pass only the coin, without a network.'],
  ['₿', 'usage: Invalid coin ₿: use a code such as BTC or USDT:TRX.'],
  ['', "error: missing required argument 'coin'"],
])('swapctl networks maps `%s` to options or a usage error', async (line, expected) => {
  expect(await optionsOf(networksCommand, ['networks', ...words(line)])).toEqual(expected);
});

it.each([
  ['BTC bc1', { network: 'BTC', address: 'bc1', memo: null }],
  ['XRP r1 -m 7', { network: 'XRP', address: 'r1', memo: '7' }],
  ['BTC', 'usage: Missing address.'],
  ['- bc1', 'usage: With -, addresses and memos are read from standard input.'],
  ['- --memo 7', 'usage: With -, addresses and memos are read from standard input.'],
])('swapctl address maps `%s` to options or a usage error', async (line, expected) => {
  expect(await optionsOf(addressCommand, ['address', ...words(line)])).toEqual(expected);
});

describe('swapctl history', () => {
  const all = {
    search: null,
    statuses: [],
    coin: null,
    since: null,
    until: null,
    labels: {},
    csv: false,
    format: null,
    limit: null,
    listing: { columns: null, sort: null, reverse: false },
  };
  it.each([
    ['', {}, all],
    ['KQW', {}, { ...all, search: 'KQW' }],
    [
      '--columns Order,label.team --sort -deposit.amount --reverse',
      {},
      {
        ...all,
        listing: {
          columns: ['order', 'label.team'],
          sort: { column: 'deposit.amount', descending: true },
          reverse: true,
        },
      },
    ],
    ['--columns ordr', {}, 'usage: Unknown column ordr.'],
    ['--sort -amount', {}, 'usage: Unknown column amount.'],
    ['--columns order', { json: true }, 'usage: --columns and --json cannot be combined.'],
    ['--status unknown --coin btc -L 3', {}, { ...all, statuses: ['unknown'], coin: 'btc', limit: 3 }],
    [
      '--since 2026-01-31 --until 2026-01-31',
      {},
      { ...all, since: Date.UTC(2026, 0, 31), until: Date.UTC(2026, 1, 1) },
    ],
    ['--since 2026-01-31T12:00:00+01:00', {}, { ...all, since: Date.UTC(2026, 0, 31, 11) }],
    ['--status SUCCESS', {}, { ...all, statuses: ['success'] }],
    ['--status pause --status new,frozen', {}, { ...all, statuses: ['pause', 'new', 'frozen'] }],
    ['--coin USDT:TRX', {}, 'usage: Pass only the coin, without a network.'],
    ['--status done', {}, 'usage: Unknown status or outcome done.'],
    ['--label a=b --label c=d=e', {}, { ...all, labels: { a: 'b', c: 'd=e' } }],
    ['--label a', {}, 'usage: Invalid label: it is not key=value.'],
    ['--csv', {}, { ...all, csv: true }],
    ['--csv', { json: true }, 'usage: --csv and --json cannot be combined.'],
    [
      '--since last-week',
      {},
      'usage: Invalid time last-week: use a day such as 2026-01-31 or yesterday, a time such as 2026-01-31T12:00:00Z, or a duration such as 7d.',
    ],
  ])('maps `%s` with global flags %j to options or an error', async (line, flags, expected) => {
    expect(await optionsOf(historyCommand, ['history', ...words(line)], flags)).toEqual(expected);
  });
});

describe('swapctl auth login', () => {
  const nothing = {
    name: null,
    baseUrl: null,
    publicKey: null,
    withSecret: false,
    environment: null,
    support: null,
    keychain: false,
    yes: false,
  };
  it.each([
    ['', {}, nothing],
    [
      '--base-url https://a.example.com/ --public-key k',
      { profile: 'prod' },
      { ...nothing, name: 'prod', baseUrl: 'https://a.example.com', publicKey: 'k' },
    ],
    ['--yes', {}, { ...nothing, yes: true }],
    ['--keychain', {}, { ...nothing, keychain: true }],
    ['--with-secret --environment live', {}, { ...nothing, withSecret: true, environment: 'live' }],
    ['--support help@swap.example', {}, { ...nothing, support: 'help@swap.example' }],
    [
      '--support http://a.example',
      {},
      'usage: The support contact must be an https URL or an email address.',
    ],
    ['--environment prod', {}, 'usage: --environment must be sandbox or live.'],
    ['', { profile: 'env' }, 'usage: The profile name env is reserved by swapctl; choose another.'],
    [
      '--base-url http://a.example.com',
      {},
      'insecure_url: The base URL must start with https: (http: is allowed only for loopback addresses).',
    ],
    ['--secret s', {}, "error: unknown option '--secret'"],
  ])('maps `%s` with global flags %j to options or an error', async (line, flags, expected) => {
    expect(await optionsOf(authCommand, ['auth', 'login', ...words(line)], flags)).toEqual(expected);
  });
});

describe('swapctl sandbox trigger', () => {
  const btc = { coin: 'BTC', network: null };
  const open = { order: null, from: btc, to: { coin: 'ETH', network: 'ETH' }, database: undefined };
  it.each([
    ['success', { ...open, scenario: 'success' }],
    ['Frozen --order KQWZPA', { ...open, scenario: 'frozen', order: 'KQWZPA' }],
    ['error --to BTC --database d', { ...open, scenario: 'error', to: btc, database: 'd' }],
    ['froze', 'usage: Unknown scenario froze. Did you mean frozen?'],
    ['error --from a:b:c', 'usage: Invalid coin a:b:c: use a code such as BTC or USDT:TRX.'],
    [
      'error --order KQWZPA --from BTC',
      'usage: --from and --to apply only to a new order, and cannot be combined with --order.',
    ],
    ['', "error: missing required argument 'scenario'"],
  ])('maps `%s` to options or a usage error', async (line, expected) => {
    expect(await optionsOf(triggerCommand, ['trigger', ...words(line)])).toEqual(expected);
  });
});

describe('swapctl sandbox run', () => {
  const plain = { file: 'a.json', junit: null, against: null, seed: null, database: undefined };
  it.each([
    ['a.json', plain],
    ['a.json --junit r.xml --seed 7 --database d', { ...plain, junit: 'r.xml', seed: 7, database: 'd' }],
    ['a.json --against http://127.0.0.1:1', { ...plain, against: 'http://127.0.0.1:1' }],
    [
      'a.json --against u --seed 7',
      'usage: --seed and --against cannot be combined: the running service has its own seed.',
    ],
    ['', "error: missing required argument 'file'"],
  ])('maps `%s` to options or a usage error', async (line, expected) => {
    expect(await optionsOf(runCommand, ['run', ...words(line)])).toEqual(expected);
  });
});

describe('swapctl sandbox start', () => {
  const plain = { port: 4010, host: '127.0.0.1', timeScale: 1 };
  it.each([
    ['', plain],
    ['--rough --port 0', { ...plain, port: 0, rough: true }],
    ['--rough doubles,exact-case', { ...plain, rough: 'doubles,exact-case' }],
    ['--port 0 --host ::1 --database x.db', { ...plain, port: 0, host: '::1', database: 'x.db' }],
    ['--time-scale 10 --seed 7 --catalog c.json', { ...plain, timeScale: 10, seed: 7, catalog: 'c.json' }],
    ['--rate-limit 5/2m', { ...plain, rateLimit: { count: 5, windowSeconds: 120 } }],
    ['--tls-cert c --tls-key k --admin-port 0', { ...plain, adminPort: 0, tlsCert: 'c', tlsKey: 'k' }],
    ['--ephemeral --ui 0 --magic', { ...plain, ephemeral: true, ui: 0, magic: true }],
    ['--scenario frozen --overlay o.json', { ...plain, scenario: 'frozen', overlay: 'o.json' }],
    ['--ephemeral --database x.db', 'usage: --ephemeral and --database cannot be combined.'],
    ['--tls-cert c', 'usage: --tls-cert and --tls-key must be used together.'],
    ['--port 65536', "error: option '--port <n>' argument '65536' is invalid. Use a port from 0 to 65535."],
    [
      '--rate-limit 120',
      "error: option '--rate-limit <limit>' argument '120' is invalid. Use requests per period, such as 120/60s.",
    ],
  ])('maps `%s` to options or a usage error', async (line, expected) => {
    expect(await optionsOf(sandboxStartCommand, ['start', ...words(line)])).toEqual(expected);
  });
});
