import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { tamper } from '../../../helpers/ledger-damage.ts';
import { scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL } from '../../../helpers/run-here.ts';
import { AT_ONCE, amounts, created, deskWith, endsOf, ledgerOf, resultsOf, YES } from './desk.ts';

describe('a batch that runs again', () => {
  it('continues past rows whose process died, and reports their outcomes as unknown', async () => {
    const desk = await deskWith();
    const six = desk.file('six.csv', amounts(1, 2, 3, 4, 5, 6));
    let waits = 0;
    const run = await desk.run(['batch', six, '--json', ...AT_ONCE], {
      terminals: AT_TERMINAL,
      prompter: {
        ...scriptedPrompter([]),
        confirm: async () => {
          expect((await desk.batch(amounts(1, 2, 3, 4, 5))).error).toBeNull();
          tamper(
            ledgerOf(desk),
            "UPDATE intents SET outcome = 'unknown', order_number = NULL, snapshot = NULL, first_snapshot = NULL",
          );
          return true;
        },
      },
      sleep: async () => {
        waits += 1;
      },
    });
    expect(endsOf(run).map(([row, outcome]) => [row, outcome])).toEqual([
      ...[1, 2, 3, 4, 5].map((row) => [row, 'unknown']),
      [6, 'created'],
    ]);
    expect(run.error?.exitCode).toBe(7);
    expect(waits).toBe(5 * 139);
  });

  it('finishes the rows in progress when interrupted and skips them when run again', async () => {
    const abort = new AbortController();
    const waiting: (() => void)[] = [];
    const well = created();
    let isFree = false;
    const desk = await deskWith({
      'create-transaction': (seen, response, request) => {
        const answer = () => well(seen, response, request);
        if (isFree) answer();
        else waiting.push(answer);
        if (waiting.length === 5) {
          isFree = true;
          abort.abort(new InterruptedError('SIGTERM'));
          for (const each of waiting.splice(0)) each();
        }
      },
    });
    const values = Array.from({ length: 12 }, (_, index) => index + 1);
    const file = desk.file('rows.csv', amounts(...values));
    const out = join(desk.home, 'out.jsonl');
    const run = await desk.run(['batch', file, ...YES, ...AT_ONCE, '-o', out], { signal: abort.signal });
    expect(run.error).toMatchObject({
      code: 'interrupted',
      exitCode: 143,
      message:
        'Interrupted after 5 of 12 rows: 5 created. Run the same command again to continue; no row is created twice.',
    });
    expect(endsOf(run).map(([row, outcome]) => [row, outcome])).toEqual(
      [1, 2, 3, 4, 5].map((row) => [row, 'created']),
    );
    expect(readFileSync(out, 'utf8')).toBe(run.stdout);
    expect(desk.service.posts()).toBe(5);
    const rest = await desk.run(['batch', file, ...YES, ...AT_ONCE]);
    expect(rest.error).toBeNull();
    expect(resultsOf(rest).length).toBe(12);
    expect(desk.service.posts()).toBe(12);
  });
});
