import { execFileSync } from 'node:child_process';
import { DatabaseSync } from '@photostructure/sqlite';
import { PROGRAM } from './server.mjs';

const AMOUNT = '0.12345678';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const OPEN = 3;
const APART_MS = 60_000;
/** The copies are live swaps of a shop, with the account of the sandbox, so that a policy can be replayed over them. */
const LIVE = { profile: 'shop', environment: 'live', host: 'swap.example' };

/**
 * Fills the ledger of an environment with paid swaps of the sandbox, a minute apart, each with an amount of its own, and
 * three open ones. The program makes one of them, which is then copied: the rows are as it writes them.
 */
export function fillLedger(env, swaps) {
  const program = (...args) =>
    execFileSync(process.execPath, [PROGRAM, ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const create = ['create', 'BTC', 'ETH', AMOUNT, '--address', ADDRESS, '--sandbox', '--yes', '--json'];
  const { order } = JSON.parse(program(...create));
  program('sandbox', 'trigger', 'success', '--order', order);
  program('status', order, '--sandbox');
  copyEntry(env.SWAPCTL_LEDGER, order, swaps - OPEN - 1);
  for (let index = 0; index < OPEN; index += 1) program(...create);
}

/** Adds so many copies of an entry, each under a number of its own and a minute before the last one. */
function copyEntry(file, order, copies) {
  const database = new DatabaseSync(file);
  const columns = database
    .prepare('pragma table_info(intents)')
    .all()
    .map(({ name }) => name);
  const indexes = database
    .prepare("select name, sql from sqlite_master where tbl_name = 'intents' and sql like 'CREATE INDEX%'")
    .all();
  // Filling a table and then making its indexes takes a fifth of the time of filling it with them.
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  database.exec('pragma synchronous = off');
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${copies})
    insert into intents (${columns.join(', ')})
    select ${columns.map((column) => copied(column, order)).join(', ')}
    from intents, numbers where order_number = '${order}'`);
  for (const { sql } of indexes) database.exec(sql);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** A column of a copy: its number in ids and texts, and times as long before as its number says. */
function copied(column, order) {
  const earlier = (time) => `${time} - n * ${APART_MS}`;
  if (column === 'id') return "printf('%s-%d', id, n)";
  if (column in LIVE) return `'${LIVE[column]}'`;
  if (column === 'order_number') return "printf('ORDER%d', n)";
  if (['requested_at', 'counted_at', 'seen_at', 'changed_at'].includes(column)) return earlier(column);
  if (!['snapshot', 'first_snapshot', 'request', 'deposit_amount', 'figures', 'search'].includes(column))
    return column;
  const numbered = `replace(replace(${column}, '${order}', printf('ORDER%d', n)), '${AMOUNT}', printf('0.%08d', n * 7919 % 100000000))`;
  return column === 'figures'
    ? `replace(${numbered}, cast(seen_at as text), cast(${earlier('seen_at')} as text))`
    : numbered;
}
