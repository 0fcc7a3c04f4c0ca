import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_MORE_ROOM, tamper } from '../helpers/ledger-damage.ts';
import { runProgram } from '../helpers/program.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { runHere } from '../helpers/run-here.ts';
import { inScene, ownerAt, profileAt, type Scene } from '../helpers/scene.ts';
import { ADDRESSES, type Answer, type Plan, swapText } from '../helpers/swap-service.ts';

interface Damage {
  readonly name: string;
  /** Damages a ledger with one swap. */
  readonly damage: (ledgerFile: string) => void;
  readonly says: RegExp;
}

const DAMAGES: readonly Damage[] = [
  {
    name: 'with a damaged entry',
    damage: (file) =>
      tamper(file, `update intents set request = 'torn', snapshot = '{', idempotency_key = 'k'`),
    says: /damaged entry/,
  },
  { name: 'full', damage: (file) => tamper(file, NO_MORE_ROOM), says: /no more room/ },
];

let folder: string;
const template = () => join(folder, 'ledger.db');

/** A ledger with one swap, written by another process because this one closes SQLite files late. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapctl-faults-'));
  await inScene({}, async (scene) => {
    expect((await scene.startCreate().ended).code).toBe(0);
    copyFileSync(scene.ledgerFile, template());
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A scene whose ledger has that swap under the key pair of the scene. */
const withLedger = (plan: Plan, act: (scene: Scene) => Promise<void>) =>
  inScene(plan, async (scene) => {
    mkdirSync(dirname(scene.ledgerFile), { recursive: true, mode: 0o700 });
    copyFileSync(template(), scene.ledgerFile);
    tamper(scene.ledgerFile, `update intents set account = '${ownerAt(scene.service.url).account}'`);
    await act(scene);
  });

const storageFailed = { code: 'storage_failed', exitCode: 11, outcome: 'nothing-sent' };

describe.concurrent('a ledger', () => {
  it.each(DAMAGES)('$name stops a create before it is sent and is left unchanged', ({ damage, says }) =>
    withLedger({}, async (scene) => {
      damage(scene.ledgerFile);
      const [bytes, { mode }] = [readFileSync(scene.ledgerFile), statSync(scene.ledgerFile)];
      const run = await scene.create(['--idempotency-key', 'k']);
      expect(run.error()).toMatchObject(storageFailed);
      expect(`${run.error().message} ${run.error().hint}`).toMatch(says);
      expect(run.stdout).toBe('');
      expect(scene.service.posts()).toBe(0);
      expect(statSync(scene.ledgerFile).mode).toBe(mode);
      if (!says.test('no more room')) expect(readFileSync(scene.ledgerFile).equals(bytes)).toBe(true);
    }),
  );

  it('readable by others is fixed by the command in the hint', () =>
    withLedger({}, async (scene) => {
      chmodSync(scene.ledgerFile, 0o640);
      const hint = (await scene.create()).error().hint ?? '';
      execFileSync('sh', ['-c', hint.replace('Run: ', '')]);
      expect(await scene.history()).toMatchObject([{ outcome: 'created' }]);
    }));

  it.each(['/dev/full', '/dev/null/ledger.db'])('at %s stops a create before it is sent', (place) =>
    inScene({}, async (scene) => {
      const run = await scene.create([], { SWAPCTL_LEDGER: place });
      expect(run.error()).toMatchObject(storageFailed);
      expect(scene.service.posts()).toBe(0);
    }),
  );
});

/** How one row may be damaged, and the part that the warning names. */
const ROW_DAMAGES = [
  { set: `request = '{"deposit":'`, what: 'the request' },
  { set: `snapshot = 'torn'`, what: 'the swap as last seen' },
  { set: `first_snapshot = '{"status":'`, what: 'the swap as first seen' },
  { set: `requested_at = 'yesterday'`, what: 'a time' },
];

const COPY = `create table copies as select * from intents;
  update copies set id = 'entry-2', idempotency_key = 'k2', order_number = 'DAMAGED';
  insert into intents select * from copies; drop table copies`;

describe.concurrent('a damaged row of the ledger', () => {
  it.each(ROW_DAMAGES)('with $set is skipped with a warning, and others are listed', ({ set, what }) =>
    inScene({}, async (scene) => {
      expect((await scene.create()).code).toBe(0);
      tamper(scene.ledgerFile, `${COPY}; update intents set ${set} where id = 'entry-2'`);
      const reported = `warning: The ledger has a damaged entry: order DAMAGED (entry entry-2); ${what} cannot be read. It is left out. Restore a backup of the ledger, or ask the service about that order; all other entries are readable.\n`;
      const { home } = scene;
      const env = profileAt(scene.service.url);
      for (const args of [['history'], ['history', '--csv'], ['status', '--max-age', '0s']]) {
        const run = await runHere(args, { home, env });
        expect([run.error, run.stderr]).toEqual([null, reported]);
        expect(run.stdout).toContain('KQWZPA');
        expect(run.stdout).not.toContain('DAMAGED');
      }
      expect((await scene.create(['--idempotency-key', 'k2'])).error()).toMatchObject(storageFailed);
    }),
  );
});

describe.concurrent('a file size limit', () => {
  it.each([0, 8, 24])('of %i blocks for the ledger stops a create before it is sent', (blocks) =>
    inScene({}, async (scene) => {
      const run = await scene.createIn(`ulimit -f ${blocks}; exec "$0" "$@"`);
      expect(run.error()).toMatchObject(storageFailed);
      expect(run.stdout).toBe('');
      expect(scene.service.posts()).toBe(0);
    }),
  );

  it('leaves no part of a key file or an audit export', () =>
    withLedger({}, async ({ home }) => {
      const key = join(home, '.config', 'swapctl', 'approver.pem');
      // The third link crosses the limit; it is the last one, so that nothing is written after it.
      expect((await runProgram(['policy', 'stop', '--sandbox'], { home })).code).toBe(0);
      const chain = (await runProgram(['policy', 'audit', 'export', '-'], { home })).stdout;
      expect([chain.split('\n').length, chain.length > 1024]).toEqual([4, true]);
      for (const [blocks, args, file] of [
        [0, ['key'], key],
        [1, ['export', join(home, 'audit')], join(home, 'audit')],
      ] as const) {
        const path = ['policy', blocks === 0 ? 'approvals' : 'audit', ...args];
        const shell = `ulimit -f ${blocks}; exec "$0" "$@"`;
        expect(await runProgram(path, { home, shell })).not.toMatchObject({ code: 0 });
        expect(existsSync(file)).toBe(false);
        expect((await runProgram(path, { home })).code).toBe(0);
      }
    }));
});

describe.concurrent('a ledger that cannot be written', () => {
  it('is still read by history and status, and stops a create before it is sent', () =>
    withLedger({}, async (scene) => {
      const options = {
        home: scene.home,
        env: profileAt(scene.service.url),
        shell: 'ulimit -f 0; exec "$0" "$@"',
      };
      const history = await runProgram(['history', '--json'], options);
      expect([history.code, history.stderr]).toEqual([0, '']);
      expect(history.json()).toMatchObject([{ order: 'KQWZPA', outcome: 'created' }]);
      const status = await runProgram(['status', '--json', '--max-age', '0s'], options);
      expect(status.json()).toMatchObject([{ order: 'KQWZPA' }]);
      expect(status.stderr).toMatch(/^The database .*ledger\.db .* The polled state was not recorded\.\n$/);
      expect((await scene.createIn(options.shell)).error()).toMatchObject(storageFailed);
      expect(scene.service.posts()).toBe(0);
    }));
});

/** A scene whose ledger cannot be written from the moment that a create is answered. */
async function failingLedger(answer: Answer, act: (scene: Scene) => Promise<void>): Promise<void> {
  let file = '';
  const plan: Plan = {
    'create-transaction': (seen, response, request) => {
      tamper(file, NO_MORE_ROOM);
      answer(seen, response, request);
    },
  };
  await inScene(plan, async (scene) => {
    file = scene.ledgerFile;
    await act(scene);
  });
}

describe.concurrent('a create whose ledger fails after the POST', () => {
  it('reports the order, its deposit and the command that records it', () =>
    failingLedger(
      (seen, response) => sendJson(response, 201, swapText(seen)),
      async (scene) => {
        const run = await scene.create();
        expect(run.stdout).toBe('');
        expect(run.error()).toMatchObject({ code: 'outcome_unknown', exitCode: 7, outcome: 'done' });
        expect(run.error().message).toMatch(/Order KQWZPA was created, but the ledger could not be written/);
        const deposit = { address: ADDRESSES.btcDeposit, amount: '0.1' };
        expect(run.error()['details']).toMatchObject({ order: 'KQWZPA', fundable: true, deposit });
        expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
        expect(run.error().hint).toMatch(/`swapctl history resolve \S+ --order KQWZPA`/);
        expect(scene.service.posts()).toBe(1);
      },
    ));

  it('reports an unknown outcome', () =>
    failingLedger(
      (_seen, _response, request) => request.socket.destroy(),
      async (scene) => {
        const run = await scene.create();
        expect(run.error()).toMatchObject({ code: 'outcome_unknown', exitCode: 7, outcome: 'unknown' });
        expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
      },
    ));

  it('reports a refusal and that the ledger still records the outcome as unknown', () =>
    failingLedger(
      (_seen, response) => sendJson(response, 400, { message: 'Invalid withdrawal address.' }),
      async (scene) => {
        const run = await scene.create();
        expect(run.error()).toMatchObject({
          code: 'invalid_withdrawal_address',
          exitCode: 5,
          outcome: 'refused',
        });
        expect(run.stderr).toContain('The ledger still records the outcome as unknown.');
        expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
      },
    ));
});
