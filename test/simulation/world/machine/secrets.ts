import { keychains } from '../../stand-ins/keyring.ts';
import { CONFIG, type Home } from './home.ts';
import { CREATE, QUOTE, type Scene, SET } from './scene.ts';

const LOGIN = [
  ...['auth', 'login', '-p', 'kept', '--base-url', '{url}', '--public-key', '{key}'],
  ...['--environment', 'sandbox', '--with-secret', '--keychain', '--yes'],
];
const isKept = (home: Home) => home.read(CONFIG).includes('kept');

/** A secret in the keychain. */
const KEYCHAINS: readonly Scene[] = [
  {
    what: 'a secret for the keychain',
    args: LOGIN,
    input: '{secret}',
    exitCode: 0,
    mistake: (home) =>
      home.read(CONFIG).split(home.account.credentials.secret).length > 2 ? 'it is in the file, too' : null,
  },
  ...[[LOGIN], [LOGIN, LOGIN]].map((first) => ({
    what: `a secret in the keychain after ${first.length} logins`,
    first,
    args: [...QUOTE, '-p', 'kept'],
    input: '{secret}',
    exitCode: 0,
  })),
  ...[LOGIN.filter((word) => word !== '--keychain'), ['auth', 'logout', '-p', 'kept', '--yes']].map(
    (args) => ({
      what: `a secret in the keychain before ${args.slice(0, 2).join(' ')}`,
      first: [LOGIN],
      args,
      input: '{secret}',
      exitCode: 0,
      mistake: () =>
        [...keychains.stores.values()].every(({ size }) => size === 0) ? null : 'it is still there',
    }),
  ),
  {
    what: 'a locked keychain',
    change: () => {
      keychains.isLocked = true;
    },
    args: LOGIN,
    input: '{secret}',
    exitCode: 11,
    mistake: (home) => (isKept(home) ? 'the profile is stored without its secret' : null),
  },
];

const TICKET = ['history', 'support', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '-o', '{home}/ticket.md'];

/** Files that a person names. */
const OUTPUTS: readonly Scene[] = [
  { what: 'a ticket', first: [CREATE], args: TICKET, exitCode: 0 },
  {
    what: 'a ticket in the place of another file',
    first: [CREATE],
    change: (home) => home.write('ticket.md', 'of somebody'),
    args: TICKET,
    exitCode: 2,
  },
];

const ALSO = ['config', 'set', 'explorer.ETH', 'https://explorer.example/{txId}'];
const LOCK = `${CONFIG}.lock`;
/** What another process has written, and will put in place. */
const DRAFT = `${CONFIG}.0123456789abcdef`;
const missing = (home: Home, ...parts: readonly string[]) =>
  parts.find((part) => !home.read(CONFIG).includes(part)) ?? null;

/** Two processes change the configuration. */
const CHANGES: readonly Scene[] = [
  {
    what: 'two changes at once',
    alsoRun: ALSO,
    args: SET,
    exitCode: 0,
    mistake: (home) => missing(home, 'never', 'explorer.example', 'shop'),
  },
  {
    what: 'a change that takes so long that another one is made',
    during: (home) => {
      home.write(CONFIG, home.config({ support: 'help@swaps.example' }));
      home.delete(LOCK);
    },
    args: SET,
    exitCode: 0,
    mistake: (home) => missing(home, 'never', 'help@swaps.example'),
  },
  {
    what: 'an earlier change that was about to be put in place',
    change: (home) => {
      home.write(DRAFT, home.read(CONFIG));
      home.write(LOCK, '0123456789abcdef');
    },
    args: SET,
    exitCode: 0,
    mistake: (home) => {
      if (home.names().includes(DRAFT)) home.rename(DRAFT, CONFIG);
      return missing(home, 'never');
    },
  },
];

export const SECRETS: readonly Scene[] = [...KEYCHAINS, ...OUTPUTS, ...CHANGES];
