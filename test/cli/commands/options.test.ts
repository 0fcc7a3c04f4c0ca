import { addressCommand } from '../../../src/cli/commands/address/address.ts';
import { authCommand } from '../../../src/cli/commands/auth/auth.ts';
import { coinsCommand, networksCommand } from '../../../src/cli/commands/coins/coins.ts';
import { historyCommand } from '../../../src/cli/commands/history/history.ts';
import { runCommand, triggerCommand } from '../../../src/cli/commands/sandbox/laboratory/verbs.ts';
import { sandboxStartCommand } from '../../../src/cli/commands/sandbox/start.ts';
import { itReads } from './options.ts';

const UNSORTED = { columns: null, sort: null, reverse: false };
const ANY_COIN = { search: null, network: null, side: null, refresh: false, limit: null, listing: UNSORTED };
itReads(coinsCommand, 'coins', [
  ['', ANY_COIN],
  ['usd', { ...ANY_COIN, search: 'usd' }],
  ['-n trx --deposit', { ...ANY_COIN, network: 'trx', side: 'deposit' }],
  ['--network TRX --receive --refresh', { ...ANY_COIN, network: 'TRX', side: 'receive', refresh: true }],
  ['-L 5', { ...ANY_COIN, limit: 5 }],
  ['--limit 9999999', { ...ANY_COIN, limit: 9_999_999 }],
  ['--deposit --receive', 'usage: --deposit and --receive cannot be combined.'],
  [
    '-L 1.5',
    "error: option '-L, --limit <n>' argument '1.5' is invalid. Use a whole number from 1 to 9999999.",
  ],
  ['a b', "error: too many arguments for 'coins'. Expected 1 argument but got 2."],
]);

itReads(networksCommand, 'networks', [
  ['usdt', { coin: 'usdt' }],
  ['USDT:TRX', 'usage: Pass only the coin, without a network.'],
  ['₿', 'usage: Invalid coin ₿: use a code such as BTC or USDT:TRX.'],
  ['', "error: missing required argument 'coin'"],
]);

itReads(addressCommand, 'address', [
  ['BTC bc1', { network: 'BTC', address: 'bc1', memo: null }],
  ['XRP r1 -m 7', { network: 'XRP', address: 'r1', memo: '7' }],
  ['- bc1', 'usage: With -, addresses and memos are read from standard input.'],
  ['- --memo 7', 'usage: With -, addresses and memos are read from standard input.'],
]);

const ANY_ENTRY = {
  search: null,
  statuses: [],
  coin: null,
  since: null,
  until: null,
  labels: {},
  csv: false,
  format: null,
  limit: null,
  listing: UNSORTED,
};
itReads(historyCommand, 'history', [
  ['', ANY_ENTRY],
  ['KQW', { ...ANY_ENTRY, search: 'KQW' }],
  [
    '--columns Order,label.team --sort -deposit.amount --reverse',
    {
      ...ANY_ENTRY,
      listing: {
        columns: ['order', 'label.team'],
        sort: { column: 'deposit.amount', descending: true },
        reverse: true,
      },
    },
  ],
  ['--sort -amount', 'usage: Unknown column amount.'],
  ['--status unknown --coin btc -L 3', { ...ANY_ENTRY, statuses: ['unknown'], coin: 'btc', limit: 3 }],
  [
    '--since 2026-01-31 --until 2026-01-31',
    { ...ANY_ENTRY, since: Date.UTC(2026, 0, 31), until: Date.UTC(2026, 1, 1) },
  ],
  ['--since 2026-01-31T12:00:00+01:00', { ...ANY_ENTRY, since: Date.UTC(2026, 0, 31, 11) }],
  ['--status SUCCESS', { ...ANY_ENTRY, statuses: ['success'] }],
  ['--status pause --status new,frozen', { ...ANY_ENTRY, statuses: ['pause', 'new', 'frozen'] }],
  ['--coin USDT:TRX', 'usage: Pass only the coin, without a network.'],
  ['--status done', 'usage: Unknown status or outcome done.'],
  ['--label a=b --label c=d=e', { ...ANY_ENTRY, labels: { a: 'b', c: 'd=e' } }],
  ['--csv', { ...ANY_ENTRY, csv: true }],
  ['--format koinly', { ...ANY_ENTRY, format: 'koinly' }],
  ['--format beancount', 'usage: --format beancount and --json cannot be combined.', { json: true }],
  [
    '--format ledger',
    "error: option '--format <format>' argument 'ledger' is invalid. Allowed choices are koinly, beancount.",
  ],
  [
    '--since last-week',
    'usage: Invalid time last-week: use a day such as 2026-01-31 or yesterday, a time such as 2026-01-31T12:00:00Z, or a duration such as 7d.',
  ],
]);

const NO_LOGIN = {
  name: null,
  baseUrl: null,
  publicKey: null,
  withSecret: false,
  environment: null,
  support: null,
  keychain: false,
  yes: false,
};
itReads(authCommand, 'auth login', [
  ['', NO_LOGIN],
  [
    '--base-url https://a.example.com/ --public-key k',
    { ...NO_LOGIN, name: 'prod', baseUrl: 'https://a.example.com', publicKey: 'k' },
    { profile: 'prod' },
  ],
  ['--yes', { ...NO_LOGIN, yes: true }],
  ['--keychain', { ...NO_LOGIN, keychain: true }],
  ['--with-secret --environment live', { ...NO_LOGIN, withSecret: true, environment: 'live' }],
  ['--support help@swap.example', { ...NO_LOGIN, support: 'help@swap.example' }],
  ['--support http://a.example', 'usage: The support contact must be an https URL or an email address.'],
  ['--environment prod', 'usage: --environment must be sandbox or live.'],
  ['', 'usage: The profile name env is reserved by swapctl; choose another.', { profile: 'env' }],
  [
    '--base-url http://a.example.com',
    'insecure_url: The base URL must start with https: (http: is allowed only for loopback addresses).',
  ],
  ['--secret s', "error: unknown option '--secret'"],
]);

const BTC = { coin: 'BTC', network: null };
const NEW_ORDER = { order: null, from: BTC, to: { coin: 'ETH', network: 'ETH' }, database: undefined };
itReads(triggerCommand, 'trigger', [
  ['success', { ...NEW_ORDER, scenario: 'success' }],
  ['Frozen --order KQWZPA', { ...NEW_ORDER, scenario: 'frozen', order: 'KQWZPA' }],
  ['error --to BTC --database d', { ...NEW_ORDER, scenario: 'error', to: BTC, database: 'd' }],
  ['froze', 'usage: Unknown scenario froze. Did you mean frozen?'],
  ['error --from a:b:c', 'usage: Invalid coin a:b:c: use a code such as BTC or USDT:TRX.'],
  [
    'error --order KQWZPA --from BTC',
    'usage: --from and --to apply only to a new order, and cannot be combined with --order.',
  ],
  ['', "error: missing required argument 'scenario'"],
]);

const RUN = { file: 'a.json', junit: null, against: null, seed: null, database: undefined };
itReads(runCommand, 'run', [
  ['a.json', RUN],
  ['a.json --junit r.xml --seed 7 --database d', { ...RUN, junit: 'r.xml', seed: 7, database: 'd' }],
  ['a.json --against http://127.0.0.1:1', { ...RUN, against: 'http://127.0.0.1:1' }],
  [
    'a.json --against u --seed 7',
    'usage: --seed and --against cannot be combined: the running service has its own seed.',
  ],
  ['', "error: missing required argument 'file'"],
]);

const START = { port: 4010, host: '127.0.0.1', timeScale: 1 };
itReads(sandboxStartCommand, 'start', [
  ['', START],
  ['--rough --port 0', { ...START, port: 0, rough: true }],
  ['--rough doubles,exact-case', { ...START, rough: 'doubles,exact-case' }],
  ['--port 0 --host ::1 --database x.db', { ...START, port: 0, host: '::1', database: 'x.db' }],
  ['--time-scale 10 --seed 7 --catalog c.json', { ...START, timeScale: 10, seed: 7, catalog: 'c.json' }],
  ['--rate-limit 5/2m', { ...START, rateLimit: { count: 5, windowSeconds: 120 } }],
  ['--tls-cert c --tls-key k --admin-port 0', { ...START, adminPort: 0, tlsCert: 'c', tlsKey: 'k' }],
  ['--ephemeral --ui 0 --magic', { ...START, ephemeral: true, ui: 0, magic: true }],
  ['--scenario frozen --overlay o.json', { ...START, scenario: 'frozen', overlay: 'o.json' }],
  ['--ephemeral --database x.db', 'usage: --ephemeral and --database cannot be combined.'],
  ['--tls-cert c', 'usage: --tls-cert and --tls-key must be used together.'],
  ['--port 65536', "error: option '--port <n>' argument '65536' is invalid. Use a port from 0 to 65535."],
  [
    '--rate-limit 120',
    "error: option '--rate-limit <limit>' argument '120' is invalid. Use requests per period, such as 120/60s.",
  ],
]);
