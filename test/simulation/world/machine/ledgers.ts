import { DatabaseSync } from '../../../../src/core/database/sqlite/connection.ts';
import { type Home, LEDGER } from './home.ts';
import { CREATE, type Scene } from './scene.ts';

const LOG = `${LEDGER}-wal`;
const KEPT = ['history', '--json'];

/** Runs SQL on a database file, past swapctl. */
function execute(home: Home, sql: string): void {
  const database = new DatabaseSync(home.at(LEDGER));
  database.exec(sql);
  database.close();
}

/** Another process writes to the ledger, and goes on writing. */
export function lock(home: Home): void {
  const database = new DatabaseSync(home.at(LEDGER));
  home.closers.push(() => database.close());
  database.exec('begin immediate');
}

/** The ledger as a process leaves it: here, SQLite closes it only once its statements are collected. */
function close(home: Home): void {
  const bytes = home.bytes(LEDGER);
  forget(home);
  home.write(LEDGER, bytes);
}

function forget(home: Home): void {
  for (const name of home.names()) if (name.startsWith(LEDGER)) home.delete(name);
}

/** The ledger as a killed process leaves it: what it wrote last is in the log. */
function leaveLog(home: Home, sql: string): void {
  const database = new DatabaseSync(home.at(LEDGER));
  database.exec(`pragma wal_autocheckpoint = 0; ${sql}`);
  const [file, log] = [home.bytes(LEDGER), home.bytes(LOG)];
  database.close();
  home.write(LEDGER, file);
  home.write(LOG, log);
}

/** SQLite cannot write without this file, and follows no link to it. */
const makeUnwritable = (home: Home) => home.link(`${LEDGER}-shm`, 'nowhere');

/** What a ledger became of, none of which may be used, overwritten or replaced by a new one; and what is said. */
const RUINS: readonly (readonly [string, (home: Home) => void, RegExp])[] = [
  ['without its end', (home) => home.cut(LEDGER, 20_000), /its end is missing/],
  ['of which a few bytes are left', (home) => home.cut(LEDGER, 50), /its end is missing/],
  ['of which nothing is left', (home) => home.cut(LEDGER, 0), /it is empty/],
  ['of another program', (home) => execute(home, 'drop table swapctl_schema'), /another program/],
  [
    'of another program, which others may read',
    (home) => {
      execute(home, 'drop table swapctl_schema');
      home.open(LEDGER, 0o644);
    },
    /another program/,
  ],
  ['that is a text', (home) => home.write(LEDGER, 'dear diary, '.repeat(500), 0o644), /not a database/],
  ['that others can read', (home) => home.open(LEDGER, 0o640), /chmod 600/],
  ['whose log others can read', (home) => home.write(LOG, 'what was written last', 0o640), /chmod 600/],
  [
    'that was moved away from its log',
    (home) => {
      home.write(LOG, 'what was written last');
      home.delete(LEDGER);
    },
    /is missing, but its log/,
  ],
  [
    'of the next version',
    (home) => execute(home, "update swapctl_schema set version = version + 1 where name = 'ledger'"),
    /newer swapctl/,
  ],
  ['that cannot be written', makeUnwritable, /./],
];

export const LEDGERS: readonly Scene[] = [
  { what: 'a create', args: CREATE, exitCode: 0, creates: 1 },
  ...RUINS.map(([what, change, said]): Scene => {
    let before = '';
    const state = (home: Home) => `${home.state(LEDGER)} ${home.state(LOG)}`;
    return {
      what: `a ledger ${what}`,
      first: [CREATE],
      change: (home) => {
        close(home);
        change(home);
        before = state(home);
      },
      args: CREATE,
      exitCode: 11,
      said,
      mistake: (home, { stderr }) => {
        if (!/chmod 600/.test(said.source) && stderr.includes('chmod')) return `advises ${stderr}`;
        return state(home) === before ? null : 'it has changed';
      },
    };
  }),
  {
    what: 'a home folder that cannot be written',
    env: () => ({ HOME: '/dev/null' }),
    args: CREATE,
    exitCode: 11,
  },
  {
    what: 'the history of a ledger that cannot be written',
    first: [CREATE],
    change: (home) => {
      close(home);
      makeUnwritable(home);
    },
    args: KEPT,
    exitCode: 0,
    said: /"outcome":"created"/,
  },
  {
    what: 'the history of one with a log',
    first: [CREATE],
    change: (home) => {
      close(home);
      leaveLog(home, 'update intents set labels = \'{"note":"LOGGED"}\'');
      makeUnwritable(home);
    },
    args: KEPT,
    exitCode: 0,
    said: /LOGGED/,
  },
  {
    what: 'a foreign order without an amount to deposit',
    first: [CREATE],
    change: (home) => forget(home),
    args: ['status', '{order}', '--json'],
    says: (text) => text.replace('"value":0.1', '"value":null'),
    exitCode: 0,
    said: /"fundable":false/,
  },
];
