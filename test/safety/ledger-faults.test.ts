import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_MORE_ROOM, tamper } from '../helpers/ledger-damage.ts';
import { runProgram } from '../helpers/program.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { runHere } from '../helpers/run-here.ts';
import { inScene, profileAt } from '../helpers/scene.ts';
import { ADDRESSES, type Answer, swapText } from '../helpers/swap-service.ts';

const storageFailed = { code: 'storage_failed', exitCode: 11, outcome: 'nothing-sent' };

it.concurrent.each(['/dev/full', '/dev/null/ledger.db'])('a ledger at %s stops a create', (place) =>
  inScene({}, async (scene) => {
    const run = await scene.create([], { SWAPCTL_LEDGER: place });
    expect(run.error()).toMatchObject(storageFailed);
    expect(scene.service.posts()).toBe(0);
  }),
);

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

it.concurrent.each(ROW_DAMAGES)('a damaged row with $set is skipped with a warning', ({ set, what }) =>
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
    inScene({}, async ({ home, startCreate }) => {
      expect((await startCreate().ended).code).toBe(0);
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

const lost: Answer = (_seen, _response, request) => request.socket.destroy();
const UNKNOWN = { code: 'outcome_unknown', exitCode: 7 };

it.concurrent.each<[name: string, answer: Answer, error: object, says: RegExp]>([
  [
    'created',
    (seen, response) => sendJson(response, 201, swapText(seen)),
    {
      ...UNKNOWN,
      outcome: 'done',
      message: expect.stringMatching(/^Order KQWZPA was created, but the ledger could not be written/),
      details: { order: 'KQWZPA', fundable: true, deposit: { address: ADDRESSES.btcDeposit, amount: '0.1' } },
    },
    /`swapctl history resolve \S+ --order KQWZPA`/,
  ],
  ['lost', lost, { ...UNKNOWN, outcome: 'unknown' }, /an order may exist/],
  [
    'refused',
    (_seen, response) => sendJson(response, 400, { message: 'Invalid withdrawal address.' }),
    { code: 'invalid_withdrawal_address', exitCode: 5, outcome: 'refused' },
    /The ledger still records the outcome as unknown\./,
  ],
])('a create whose ledger fails before it is %s is reported and unknown', (_name, answer, error, says) => {
  let file = '';
  const failing: Answer = (seen, response, request) => {
    tamper(file, NO_MORE_ROOM);
    answer(seen, response, request);
  };
  return inScene({ 'create-transaction': failing }, async (scene) => {
    file = scene.ledgerFile;
    const run = await scene.create();
    expect(run.stdout).toBe('');
    expect(run.error()).toMatchObject(error);
    expect(run.stderr).toMatch(says);
    expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
    expect(scene.service.posts()).toBe(1);
  });
});

it.concurrent.each([
  ['"$0" "$@" > /dev/full', 7],
  ['set -o pipefail; "$0" "$@" | true', 0],
])('a create whose result is lost by `%s` is shown on stderr and recorded', (shell, exit) =>
  inScene({}, async (scene) => {
    const run = await scene.createIn(shell);
    expect([run.code, run.stderr.includes('"error"')]).toEqual([exit, exit !== 0]);
    const whole = ` Order    KQWZPA\n Amount   0.1 BTC\n Network  BTC\n Address  ${ADDRESSES.btcDeposit}\n`;
    expect(run.stderr).toContain(whole);
    expect(await scene.history()).toMatchObject([{ outcome: 'created' }]);
    expect(scene.service.posts()).toBe(1);
  }),
);

it.concurrent.each(['2> /dev/full', '2>&-', '2> >(true)'])('create keeps its exit code with `%s`', (ending) =>
  inScene({ 'create-transaction': lost }, async (scene) => {
    expect((await scene.createIn(`"$0" "$@" ${ending}`)).code).toBe(7);
    expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
  }),
);
