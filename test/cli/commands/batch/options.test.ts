import { describe, expect, it } from 'vitest';
import { batchCommand } from '../../../../src/cli/commands/batch/batch.ts';
import { words } from '../../../helpers/words.ts';
import { NO_BATCH_OPTIONS, optionsOf } from '../options.ts';

describe('swapctl batch', () => {
  it.each([
    ['rows.csv', NO_BATCH_OPTIONS],
    ['- --yes', { ...NO_BATCH_OPTIONS, file: '-', yes: true }],
    ['rows.csv --dry-run', { ...NO_BATCH_OPTIONS, dryRun: true }],
    ['rows.csv -y -o out.CSV', { ...NO_BATCH_OPTIONS, yes: true, output: 'out.CSV' }],
    ['rows.csv --output out.ndjson', { ...NO_BATCH_OPTIONS, output: 'out.ndjson' }],
    ['rows.csv --budget 600/60s', { ...NO_BATCH_OPTIONS, budget: { requests: 600, durationMs: 60_000 } }],
    ['rows.csv --tolerance 0.5%', { ...NO_BATCH_OPTIONS, tolerance: '0.5' }],
    ['rows.csv --label team=ops --label run=7', { ...NO_BATCH_OPTIONS, labels: { team: 'ops', run: '7' } }],
    ['rows.csv --resume', { ...NO_BATCH_OPTIONS, resume: true }],
    ['rows.csv --repeat', { ...NO_BATCH_OPTIONS, repeat: true }],
    ['rows.csv --repeat --resume', 'usage: --resume and --repeat cannot be combined.'],
    [
      'rows.csv --map From=Von,min-receive=Mind --map label.note=Text',
      {
        ...NO_BATCH_OPTIONS,
        map: new Map([
          ['from', 'Von'],
          ['min_receive', 'Mind'],
          ['label.note', 'Text'],
        ]),
      },
    ],
    ['rows.csv --map memmo=X', 'usage: Unknown field "memmo" in --map.'],
    ['rows.csv --label team', 'usage: Invalid label: it is not key=value.'],
    ['rows.csv -o out.txt', 'usage: Unknown format of the result file out.txt.'],
  ])('maps `%s` to options or a usage error', async (line, options) => {
    expect(await optionsOf(batchCommand, words(`batch ${line}`))).toEqual(options);
  });

  it.each(['', 'rows.csv --tolerance 1,5%', 'rows.csv --budget 60'])('rejects %j', async (line) => {
    expect(await optionsOf(batchCommand, words(`batch ${line}`))).toMatch(
      /Missing input file|Use a percentage|Use requests/,
    );
  });
});
