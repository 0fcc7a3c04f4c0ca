import { beforeEach, expect, test } from 'vitest';
import { openOperator } from '../../../../src/sandbox/operator/operator.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { admin as adminOf, diffOf, testSandbox } from '../../../sandbox/sandbox.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const sandbox = (...words: string[]) => runHere(['sandbox', ...words], { home });
const snapshot = (...words: string[]) => sandbox('snapshot', ...words);

test('sandbox snapshot saves, lists, compares, loads and removes a state', async () => {
  const saved = await snapshot('save', 'empty', '--json');
  expect(JSON.parse(saved.stdout)).toMatchObject({ name: 'empty', orders: 0, replaced: false });
  await sandbox('partner', 'add', 'rival');
  await sandbox('fault', 'add', 'all', '--status', '500');
  await sandbox('clock', 'advance', '10m');
  const diff = await snapshot('diff', 'empty');
  expect(diff.stdout).toBe(
    'partner\trival\tadded\t\t\t\nfault\t1\tadded\t\t\t{"status":500}\nclock\t\tchanged\tadvancedSeconds\t0\t600\n',
  );
  expect(JSON.parse((await snapshot('diff', 'empty', '--json')).stdout)).toMatchObject({
    from: { name: 'empty' },
    to: { name: null },
    same: false,
    orders: { added: [], removed: [], changed: [] },
    partners: { added: [{ name: 'rival' }], removed: [], changed: [] },
    faults: { added: [{ id: 1, rule: { status: 500 } }], removed: [], changed: [] },
    clock: { changes: { advancedSeconds: [0, 600] } },
  });
  expect((await snapshot('save', 'busy')).error).toBeNull();
  expect((await snapshot('list')).stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
    'empty',
    'busy',
    '',
  ]);
  const loaded = await snapshot('load', 'empty', '--json');
  expect(JSON.parse(loaded.stdout)).toMatchObject({ name: 'empty', orders: 0 });
  const same = await snapshot('diff', 'empty');
  expect([same.stdout, same.stderr]).toEqual(['', 'No differences.\n']);
  expect(JSON.parse((await snapshot('diff', 'busy', 'empty', '--json')).stdout)).toMatchObject({
    partners: { added: [], removed: [{ name: 'rival' }] },
  });
  expect((await snapshot('list', '--remove', 'busy', '--json')).stdout).toBe(
    '{"name":"busy","removed":true}\n',
  );
});

test('sandbox snapshot diff is a table on a terminal', async () => {
  await snapshot('save', 'a');
  await sandbox('partner', 'add', 'rival');
  const diff = await runHere(['sandbox', 'snapshot', 'diff', 'a'], { home, terminals: AT_TERMINAL });
  expect(diff.stdout).toMatch(/KIND +NAME +CHANGE +PATH +BEFORE +AFTER[\s\S]*partner +rival +added/);
});

test('sandbox snapshot list shows the age and the clock offset of each snapshot on a terminal', async () => {
  const at = Date.parse('2026-03-01T12:00:00Z');
  const after = (minutes: number, words: string[], columns = 60) =>
    runHere(['sandbox', ...words], {
      home,
      terminals: AT_TERMINAL,
      columns,
      now: () => at + minutes * 60_000,
    });
  await after(0, ['snapshot', 'save', 'empty']);
  await after(0, ['clock', 'advance', '90m']);
  await after(10, ['snapshot', 'save', 'later']);
  expect((await after(130, ['snapshot', 'list'])).stdout).toBe(
    [
      ' NAME   SAVED        CLOCK         ORDERS',
      ' empty  2 hours ago  real time          0',
      ' later  2 hours ago  1 hour ahead       0',
      '',
    ].join('\n'),
  );
  const piped = await runHere(['sandbox', 'snapshot', 'list'], { home, now: () => at });
  expect(piped.stdout).toBe(
    [
      'empty\t2026-03-01T12:00:00.000Z\t2026-03-01T12:00:00.000Z\t0',
      'later\t2026-03-01T12:10:00.000Z\t2026-03-01T13:40:00.000Z\t0',
      '',
    ].join('\n'),
  );
});

test('the admin port offers the same snapshot operations with the same JSON', async () => {
  const place = await testSandbox({ adminPort: 0 });
  const admin = (method: string, path: string, body?: object) => adminOf(place, method, path, body);
  const saved = await admin('POST', '/snapshots', { name: 'a' });
  const { replaced: _, ...plain } = saved.json;
  expect(Object.keys(saved.json)).toEqual(['name', 'savedAt', 'now', 'orders', 'replaced']);
  expect((await admin('GET', '/snapshots')).json).toEqual([plain]);
  await admin('POST', '/clock/advance', { milliseconds: 1000 });
  const operator = await openOperator({ database: place.database, now: place.clock.now });
  expect((await admin('GET', '/snapshots/a/diff')).json).toEqual(await diffOf(operator, 'a', null));
  await operator.close();
  expect((await admin('POST', '/snapshots/a/load')).json).toEqual(plain);
  expect((await admin('GET', '/snapshots/a/diff?with=a')).json.same).toBe(true);
  expect((await admin('DELETE', '/snapshots/a')).json).toEqual({ name: 'a', removed: true });
  expect((await admin('POST', '/snapshots/a/load')).status).toBe(404);
  expect((await admin('POST', '/snapshots', { name: 'a b' })).status).toBe(400);
  await place.stop();
});
