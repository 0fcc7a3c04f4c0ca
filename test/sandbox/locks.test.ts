import { describe, expect, it } from 'vitest';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { BOTH_LOCKS, HAS_SQLITE3, locksOf, sqlite3, TELLS_LOCKS } from '../helpers/locks.ts';
import { listeningUrl, startProgram } from '../helpers/program.ts';
import { runHere } from '../helpers/run-here.ts';
import { admin, call, freshFile, NEW_SWAP, newOrder, sandboxForTest } from './sandbox.ts';
import { startHere } from './start-here.ts';

const ROUNDS = 3;
const ORDERS_A_ROUND = 50;

const START = ['sandbox', 'start', '--port', '0', '--admin-port', '0', '--rate-limit', '1000000/60s'];

const ADMIN_CALLS: readonly (readonly [string, string, object?])[] = [
  ['GET', '/info'],
  ['POST', '/orders/ORDER/deposit'],
  ['POST', '/orders/ORDER/move', { verb: 'pause' }],
  ['GET', '/orders?limit=1'],
  ['POST', '/clock/advance', { milliseconds: 1000 }],
  ['GET', '/clock'],
  ['POST', '/clock/reset'],
  ['POST', '/faults', { status: 500, times: 1 }],
  ['GET', '/faults'],
  ['DELETE', '/faults'],
  ['POST', '/partners', { name: 'second' }],
  ['GET', '/partners'],
  ['DELETE', '/partners/second'],
  ['POST', '/reset'],
];

const VERBS: readonly (readonly string[])[] = [
  ['info'],
  ['deposit', 'ORDER'],
  ['move', 'ORDER', 'freeze'],
  ['orders'],
  ['clock'],
  ['clock', 'advance', '1s'],
  ['clock', 'reset'],
  ['fault', 'add', 'get-all-coins', '--status', '500'],
  ['fault', 'list'],
  ['fault', 'clear'],
  ['partner', 'add', 'second'],
  ['partner', 'list'],
  ['partner', 'remove', 'second'],
  ['reset'],
];

describe.runIf(TELLS_LOCKS)('the database of a running sandbox', () => {
  it('stays locked after every admin request, sandbox command and second server in its process', async () => {
    const sandbox = await sandboxForTest({ adminPort: 0, now: Date.now });
    const { database } = sandbox;
    const home = await temporaryFolder();
    const held = () => locksOf(process.pid, database);
    const expectHeld = (after: string) => expect(held(), after).toEqual(BOTH_LOCKS);
    let order = await newOrder(sandbox);
    expectHeld('a create');
    for (const [method, path, body] of ADMIN_CALLS) {
      const { status, text } = await admin(sandbox, method, path.replace('ORDER', order), body);
      expect(status, `${method} ${path}: ${text}`).toBe(200);
      expectHeld(`${method} ${path}`);
    }
    order = await newOrder(sandbox);
    for (const verb of VERBS) {
      const words = verb.map((word) => word.replace('ORDER', order));
      const { error } = await runHere(['sandbox', ...words, '--database', database, '--json'], { home });
      expect(error, words.join(' ')).toBeNull();
      expectHeld(words.join(' '));
    }
    await (await startHere(home, '--database', database)).stop();
    expectHeld('a second server');
  });
});

describe.runIf(HAS_SQLITE3)('a sandbox under load whose database sqlite3 reads', () => {
  it('keeps every acknowledged order, each number once, although it is killed repeatedly', async () => {
    const [database, home] = [freshFile(), await temporaryFolder()];
    const operator = await openOperator({ database });
    const [credentials] = await operator.partners.list();
    if (credentials === undefined) throw new Error('no partner');
    await operator.close();
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = startProgram(START.concat('--database', database), { home });
      const place = { url: await listeningUrl(server), credentials };
      let isOver = false;
      const client = async () => {
        while (!isOver) {
          const answer = await call(place, 'create-transaction', NEW_SWAP).catch(() => undefined);
          if (answer?.status === 201) acknowledged.push(answer.json.orderNumber);
        }
      };
      const clients = [client(), client(), client(), client()];
      for (const target = acknowledged.length + ORDERS_A_ROUND; acknowledged.length < target; ) {
        expect(await sqlite3(database, 'pragma integrity_check')).toBe('ok');
      }
      server.child.kill('SIGKILL');
      await server.ended;
      isOver = true;
      await Promise.all(clients);
    }
    expect(await sqlite3(database, 'pragma integrity_check')).toBe('ok');
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * ORDERS_A_ROUND);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const after = await openOperator({ database });
    const recorded = new Set((await after.orders.list()).map(({ order }) => order));
    expect(acknowledged.filter((order) => !recorded.has(order))).toEqual([]);
    await after.close();
  });
});
