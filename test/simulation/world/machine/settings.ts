import { dirname } from 'node:path';
import { CACHE, CONFIG, type Home } from './home.ts';
import { COINS, CREATE, FINE, LISTED, ofRoot, QUOTE, REFUSED, type Scene, SET, WRONG } from './scene.ts';

const FOLDER = dirname(CONFIG);

/** A configuration that is neither read nor written. */
function refused(
  what: string,
  change: (home: Home) => void,
  { message, hint }: { readonly message: string; readonly hint: string },
): readonly Scene[] {
  const prints = `"code":"storage_failed","message":"${message}","hint":"${hint}"`;
  return [QUOTE, SET].map((args) => ({ what, change, args, exitCode: 11, isSilent: true, prints }));
}

/** The configuration, which has the secret of the profile. */
const CONFIGURATIONS: readonly Scene[] = [
  { what: 'a profile', args: QUOTE, exitCode: 0 },
  ...[0o644, 0o640, 0o604, 0o620, 0o602].flatMap((mode) =>
    refused(`a configuration of mode ${mode.toString(8)}`, (home) => home.open(CONFIG, mode), {
      message: `Other users can read {home}/${CONFIG}, which contains secrets.`,
      hint: `Run: chmod 600 {home}/${CONFIG}`,
    }),
  ),
  ...[0o755, 0o750, 0o711].flatMap((mode) =>
    refused(`its folder of mode ${mode.toString(8)}`, (home) => home.open(FOLDER, mode), {
      message: `Other users can read {home}/${FOLDER}, which contains secrets.`,
      hint: `Run: chmod 700 {home}/${FOLDER}`,
    }),
  ),
  ...ofRoot(
    refused('a configuration of another user', (home) => home.giveAway(CONFIG), {
      message: `{home}/${CONFIG}, which contains secrets, belongs to another user (uid 1234).`,
      hint: `Run swapctl as that user, or take ownership: sudo chown 0 {home}/${CONFIG}`,
    }),
  ),
  ...[
    'http://swaps.example/api',
    'ftp://swaps.example',
    'swaps.example',
    'https://u:p@swaps.example',
  ].flatMap((baseUrl): readonly Scene[] => [
    {
      what: `the stored base URL ${baseUrl}`,
      change: (home) => home.write(CONFIG, home.config({ baseUrl })),
      ...WRONG,
    },
    {
      what: `the base URL ${baseUrl} of the environment`,
      env: (home) => ({ ...variables(home), SWAPCTL_BASE_URL: baseUrl }),
      ...WRONG,
    },
  ]),
  {
    what: 'a new setting',
    args: SET,
    exitCode: 0,
    isSilent: true,
    mistake: (home) =>
      (home.mode(CONFIG) & 0o077) === 0 && home.read(CONFIG).includes('never')
        ? null
        : 'it is not stored, or open',
  },
];

/** The key pair of the environment. */
function variables({ account: { baseUrl, credentials } }: Home) {
  return {
    SWAPCTL_BASE_URL: baseUrl,
    SWAPCTL_PUBLIC_KEY: credentials.publicKey,
    SWAPCTL_SECRET: credentials.secret,
  };
}

/** The environment. */
const ENVIRONMENTS: readonly Scene[] = [
  { what: 'a key pair of the environment', env: variables, args: QUOTE, exitCode: 0 },
  ...['PUBLIC_KEY', 'SECRET', 'SECRET_FILE', 'SECRET_COMMAND', 'BASE_URL'].map((name) => ({
    what: `SWAPCTL_${name} alone`,
    env: () => ({ [`SWAPCTL_${name}`]: '{url}' }),
    args: CREATE,
    exitCode: 4,
    isSilent: true,
    prints: 'The environment profile needs ',
  })),
  ...[
    ['net', 'net'],
    ['NET', 'net'],
    ['timer, tls', 'tls'],
    ['timer,Http*', 'http, https, http2'],
    ['*', 'http, https, http2, net, tls, stream, undici, fetch'],
  ].flatMap(([NODE_DEBUG = '', parts]) =>
    [QUOTE, CREATE].map((args) => ({
      what: `NODE_DEBUG=${NODE_DEBUG}`,
      env: () => ({ NODE_DEBUG }),
      ...WRONG,
      args,
      prints: `"code":"invalid_config","message":"NODE_DEBUG makes Node print ${parts}, including the signature of each request. Nothing was sent."`,
    })),
  ),
  ...['timers,httpx', 'nets', 'x*'].map((parts) => ({
    what: `NODE_DEBUG=${parts}`,
    env: () => ({ NODE_DEBUG: parts }),
    ...FINE,
  })),
  {
    what: 'the secret in place of the path of its file',
    env: (home) => {
      const { SWAPCTL_SECRET, ...others } = variables(home);
      return { ...others, SWAPCTL_SECRET_FILE: SWAPCTL_SECRET };
    },
    ...REFUSED,
    prints: 'The file of SWAPCTL_SECRET_FILE could not be read (ENOENT).',
  },
  {
    what: 'a stored ledger beside that of the environment',
    first: [['config', 'set', 'ledger', '{home}/stored.db', '--json']],
    env: () => ({ SWAPCTL_LEDGER: '{home}/own.db' }),
    args: CREATE,
    exitCode: 0,
    creates: 1,
    mistake: (home) => {
      const names = home.names();
      return names.includes('own.db') && !names.includes('stored.db') ? null : `it has ${names.join()}`;
    },
  },
  ...(
    [
      ['-p', { SWAPCTL_PROFILE: 'other' }, ['-p', 'shop'], 0],
      ['a variable', { SWAPCTL_PROFILE: 'other' }, [], 4],
      ['--sandbox', { SWAPCTL_PROFILE: 'other' }, ['--sandbox'], 0],
    ] as const
  ).map(
    ([what, env, flags, exitCode]): Scene => ({
      what: `a profile chosen by ${what}`,
      env: () => env,
      args: [...QUOTE, ...flags],
      exitCode,
    }),
  ),
  ...[CREATE, QUOTE].flatMap((args) =>
    [[], ['--float']].map(
      (flags): Scene => ({
        what: `a stored rate type beside ${args[0]} ${flags}`,
        first: [['config', 'set', 'rate-type', 'fixed', '--json']],
        args: [...args, ...flags],
        exitCode: 0,
        creates: args === CREATE ? 1 : 0,
        prints: `"type":"${flags.length === 0 ? 'fixed' : 'float'}"`,
      }),
    ),
  ),
  {
    what: 'a relative path of the ledger',
    env: () => ({ SWAPCTL_LEDGER: './own.db' }),
    args: CREATE,
    exitCode: 11,
    isSilent: true,
  },
];

/** The stored coin list, which says which networks a coin has. */
const COIN_LISTS: readonly Scene[] = [
  ...(
    [
      // Read, or the others prove nothing.
      ['of its own', () => undefined],
      ['of others', (home, list) => home.open(list, 0o622)],
      ['in an open folder', (home) => home.open(CACHE, 0o777)],
    ] as readonly (readonly [string, (home: Home, list: string) => void])[]
  ).map(
    ([what, change]): Scene => ({
      what: `a coin list ${what}`,
      first: [COINS],
      change: (home) => {
        const list = home.names().find((name) => /coins-.*\.json$/.test(name)) ?? '';
        home.write(list, home.read(list).replaceAll('"BTC"', '"EVIL"'));
        change(home, list);
      },
      ...LISTED,
      mistake: (_, { stdout }) =>
        stdout.includes('EVIL') === (what === 'of its own') ? null : 'it is read, or not',
    }),
  ),
  {
    what: 'a stored list of coins on one network, of which one needs a memo there',
    first: [COINS],
    says: (text) => text.replace(/("subName":"PAXG".*?"memoNeeded":)false/s, '$1true'),
    args: CREATE.map((word) => (word === 'ETH' ? 'PAXG' : word)),
    exitCode: 2,
    prints: '"code":"memo_required"',
    isSilent: true,
  },
  {
    what: 'an open cache folder',
    change: (home) => home.folder(CACHE, 0o777),
    ...LISTED,
    mistake: (home) =>
      home.names().some((name) => name.startsWith(`${CACHE}/`)) ? 'a list is stored there' : null,
  },
  {
    what: 'a cache folder behind a link',
    change: (home) => {
      home.folder('elsewhere', 0o700);
      home.link(CACHE, 'elsewhere');
    },
    ...LISTED,
    mistake: (home) =>
      home.names().some((name) => name.startsWith('elsewhere/')) ? 'a list is stored there' : null,
  },
];

export const SETTINGS: readonly Scene[] = [...CONFIGURATIONS, ...ENVIRONMENTS, ...COIN_LISTS];
