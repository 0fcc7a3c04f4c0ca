import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import type { HistoryResult } from '../../../../src/core/ledger/swap-result.ts';
import { jsonLines } from '../../../helpers/lines.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL } from '../../../helpers/run-here.ts';
import { inScene, type Scene } from '../../../helpers/scene.ts';
import { type Answer, wireSwapIn } from '../../../helpers/swap-service.ts';

const NOT_FOUND = { statusCode: 404, message: 'Transaction not found or access denied' };

/** Knows every order but those that begin with X, and says when each was made. */
const lookUp: Answer = ({ query }, response) => {
  const id = query.get('id') ?? '';
  if (id.startsWith('X')) return sendJson(response, 404, NOT_FOUND);
  return sendJson(response, 200, { ...wireSwapIn(4, id), createdAt: '2026-01-31T11:59:00.000Z' });
};

function listed(scene: Scene, text: string): string {
  const file = join(scene.home, 'orders.csv');
  writeFileSync(file, text);
  return file;
}

describe('history import', () => {
  it('imports each order once with its creation time and skips orders in the ledger', async () => {
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      const { run, service } = scene;
      const file = listed(
        scene,
        '\ufeffOrder number;state\r\n# of the old shop\r\n\r\n"AAAAAA";"x;y"\r\nBBBBBB\r\nAAAAAA\r\n',
      );
      const first = await run(['history', 'import', file, '--json']);
      expect(first.code).toBe(0);
      expect(jsonLines(first.stdout)).toMatchObject([
        { order: 'AAAAAA', outcome: 'imported', swap: { status: 'success', asked: null }, error: null },
        { order: 'BBBBBB', outcome: 'imported' },
      ]);
      const entries = (await run(['history', '--json'])).json<HistoryResult[]>();
      expect(entries.map(({ order, outcome, requestedAt }) => [order, outcome, requestedAt])).toEqual(
        expect.arrayContaining([
          ['AAAAAA', 'created', '2026-01-31T11:59:00.000Z'],
          ['BBBBBB', 'created', '2026-01-31T11:59:00.000Z'],
        ]),
      );
      const again = await run(['history', 'import', file, '--json']);
      expect(jsonLines(again.stdout).map(({ outcome }) => outcome)).toEqual(['known', 'known']);
      expect(service.count('get-transaction')).toBe(2);
    });
  });

  it('counts an order as imported in only one of two concurrent imports', async () => {
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      const file = listed(scene, 'AAAAAA\n');
      const runs = await Promise.all([1, 2].map(() => scene.run(['history', 'import', file, '--json'])));
      const outcomes = runs.flatMap(({ stdout }) => jsonLines(stdout).map(({ outcome }) => outcome));
      expect(outcomes.toSorted()).toEqual(['imported', 'known']);
    });
  });

  it('lists unknown orders at the end and exits with 3', async () => {
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      const file = listed(scene, 'XXXXXX\nAAAAAA\nXYXYXY\n');
      const { code, stdout, stderr } = await scene.run(['history', 'import', file]);
      expect(code).toBe(3);
      expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
        'XXXXXX not_found',
        'AAAAAA imported',
        'XYXYXY not_found',
        '',
      ]);
      expect(stderr).toContain('1 imported, 0 already in the ledger, 2 not found.');
      expect(stderr).toContain('Not found at the service: XXXXXX, XYXYXY\n');
    });
  });

  it('continues past a failed order, exits with 6, and retries only missing orders later', async () => {
    let broken = true;
    const answer: Answer = (seen, response, request) =>
      broken && seen.query.get('id') === 'BBBBBB'
        ? sendJson(response, 200, { nonsense: true })
        : lookUp(seen, response, request);
    await inScene({ 'get-transaction': answer }, async (scene) => {
      const file = listed(scene, 'AAAAAA\nBBBBBB\nCCCCCC\nXXXXXX\n');
      const failed = await scene.run(['history', 'import', file, '--json']);
      expect([failed.code, failed.error()?.code]).toEqual([6, 'bad_response']);
      expect(failed.error()?.['details']).toMatchObject({
        imported: 2,
        failed: ['BBBBBB'],
        notFound: ['XXXXXX'],
      });
      broken = false;
      const before = scene.service.count('get-transaction');
      const again = await scene.run(['history', 'import', file, '--json']);
      expect([again.code, jsonLines(again.stdout).map(({ outcome }) => outcome)]).toEqual([
        3,
        ['known', 'imported', 'known', 'not_found'],
      ]);
      expect(scene.service.count('get-transaction') - before).toBe(2);
    });
  });

  it('stops at the first network error', async () => {
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      const file = listed(scene, 'AAAAAA\nBBBBBB\n');
      await scene.service.stopListening();
      const { code, stdout, error } = await scene.run(['history', 'import', file, '--json']);
      expect([code, error()?.code, jsonLines(stdout).length]).toEqual([6, 'network_error', 1]);
      expect(error()?.['details']).toMatchObject({ imported: 0, left: 1 });
    });
  });

  it('keeps the imported orders when interrupted', async () => {
    const stop = new AbortController();
    const answer: Answer = (seen, response, request) => {
      if (seen.query.get('id') === 'BBBBBB') stop.abort(new InterruptedError('SIGINT'));
      else lookUp(seen, response, request);
    };
    await inScene({ 'get-transaction': answer }, async (scene) => {
      const file = listed(scene, 'AAAAAA\nBBBBBB\n');
      const ended = await scene.here(['history', 'import', file], { signal: stop.signal });
      expect(ended.error).toMatchObject({
        exitCode: 130,
        message: 'Interrupted. Imported orders are kept; run the same command again to continue.',
      });
      const entries = (await scene.run(['history', '--json'])).json<HistoryResult[]>();
      expect(entries.map(({ order }) => order)).toEqual(['AAAAAA']);
    });
  });

  it('stays within the request budget of the profile', async () => {
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      await scene.run(['config', 'set', 'budget', '60/60s']);
      const orders = Array.from({ length: 70 }, (_, index) => `ORDER${index}`);
      let time = Date.parse('2026-02-01T00:00:00Z');
      const began = time;
      const { error, stdout } = await scene.here(['history', 'import', '-'], {
        input: orders.join('\n'),
        terminals: AT_TERMINAL.slice(1),
        now: () => time,
        monotonic: () => time,
        sleep: async (milliseconds) => {
          time += milliseconds;
        },
      });
      expect(error).toBeNull();
      expect(stdout).toContain(' 70/70  ORDER69  success');
      expect(time - began).toBeGreaterThanOrEqual(9000);
    });
  });

  it('rejects lines that are no order number before any request', async () => {
    const text = 'AAAAAA\nB B\n\u001b[2J,x\n';
    const message = '2 lines are not an order number: line 2: B B; line 3: <U+001B>[2J.';
    await inScene({ 'get-transaction': lookUp }, async (scene) => {
      const { code, stdout, error } = await scene.run(['history', 'import', listed(scene, text), '--json']);
      expect([code, stdout, error()?.message]).toEqual([2, '', message]);
      expect(scene.service.count('get-transaction')).toBe(0);
      expect((await scene.run(['history', 'import', '/nowhere/x', '--json'])).code).toBe(2);
    });
  });
});
