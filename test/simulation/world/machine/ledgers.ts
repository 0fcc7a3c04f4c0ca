import { DatabaseSync } from '../../../../src/core/database/sqlite/connection.ts';
import { type Home, LEDGER } from './home.ts';
import { CREATE, type Scene } from './scene.ts';

const LOG = `${LEDGER}-wal`;
const KEPT = ['history', '--json'];

/** Runs SQL on a database file, past swapctl. */
export function execute(home: Home, sql: string): void {
  const database = new DatabaseSync(home.at(LEDGER));
  database.exec(sql);
  database.close();
}

/** Number of rows of a table. */
export function countOf(home: Home, table: string): number {
  const database = new DatabaseSync(home.at(LEDGER));
  const { count } = database.prepare(`select count(*) as count from ${table}`).get() as { count: number };
  database.close();
  return count;
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

const FILE = `{home}/${LEDGER}`;
const CUT = `"message":"The database ${FILE} is damaged: its end is missing."`;
const FOREIGN = `"message":"The database ${FILE} belongs to another program."`;
const leaveTables = (home: Home) => execute(home, 'drop table swapctl_schema');

/** Ledgers that may not be used, overwritten or replaced by a new one, and what the error says. */
const RUINS: readonly (readonly [string, (home: Home) => void, string])[] = [
  ['without its end', (home) => home.cut(LEDGER, 20_000), CUT],
  ['of which a few bytes are left', (home) => home.cut(LEDGER, 50), CUT],
  [
    'of which nothing is left',
    (home) => home.cut(LEDGER, 0),
    `"message":"The database ${FILE} is damaged: it is empty.","hint":"swapctl never overwrites it; move it away to start with a new one."`,
  ],
  ['of another program', leaveTables, FOREIGN],
  [
    'of another program, which others may read',
    (home) => {
      leaveTables(home);
      home.open(LEDGER, 0o644);
    },
    FOREIGN,
  ],
  [
    'that is a text, which others may read',
    (home) => home.write(LEDGER, 'dear diary, '.repeat(500), 0o644),
    `"message":"The file ${FILE} is not a database.","hint":"Use another file, such as one that does not exist yet; swapctl creates it."`,
  ],
  [
    'that others can read',
    (home) => home.open(LEDGER, 0o640),
    `"message":"Other users can read the database ${FILE}.","hint":"Run: chmod 600 ${FILE}"`,
  ],
  [
    'whose log others can read',
    (home) => home.write(LOG, 'what was written last', 0o640),
    `"message":"Other users can read the database ${FILE}-wal.","hint":"Run: chmod 600 ${FILE}-wal"`,
  ],
  [
    'that was moved away from its log',
    (home) => {
      home.write(LOG, 'what was written last');
      home.delete(LEDGER);
    },
    `"message":"The database ${FILE} is missing, but its log ${FILE}-wal exists.","hint":"Restore the database, or move the log away to start with a new one."`,
  ],
  [
    'of the next version',
    (home) => execute(home, "update swapctl_schema set version = version + 1 where name = 'ledger'"),
    'was written by a newer swapctl (schema ',
  ],
  ['that cannot be written', makeUnwritable, `The database ${FILE} could not be `],
];

export const LEDGERS: readonly Scene[] = [
  { what: 'a create', args: CREATE, exitCode: 0, creates: 1 },
  ...RUINS.map(([what, change, prints]): Scene => {
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
      prints,
      mistake: (home, { stderr }) => {
        if (!prints.includes('chmod') && stderr.includes('chmod')) return `advises ${stderr}`;
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
    prints: /"outcome":"created"/,
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
    prints: /LOGGED/,
  },
  {
    what: 'a foreign order without an amount to deposit',
    first: [CREATE],
    change: (home) => forget(home),
    args: ['status', '{order}', '--json'],
    says: (text) => text.replace('"value":0.1', '"value":null'),
    exitCode: 0,
    prints: /"fundable":false/,
  },
];
