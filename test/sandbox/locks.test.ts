import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { BOTH_LOCKS, locksOf, TELLS_LOCKS } from '../helpers/locks.ts';
import { runHere } from '../helpers/run-here.ts';
import { admin, newOrder, sandboxForTest } from './sandbox.ts';
import { startHere } from './start-here.ts';

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

it.runIf(TELLS_LOCKS)(
  'the database of a running sandbox stays locked after every admin request, sandbox command and second server in its process',
  async () => {
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
  },
);
