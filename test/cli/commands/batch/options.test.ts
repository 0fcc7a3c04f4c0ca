import { describe, expect, it } from 'vitest';
import { batchCommand } from '../../../../src/cli/commands/batch/batch.ts';
import { optionsOf, words } from '../options.ts';

const plain = {
  ...{ file: 'rows.csv', output: null, tolerance: null, labels: {}, yes: false, dryRun: false },
  ...{ budget: null, map: new Map(), resume: false, repeat: false },
};

describe('swapctl batch', () => {
  it.each([
    ['rows.csv', plain],
    ['- --yes', { ...plain, file: '-', yes: true }],
    ['rows.csv --dry-run', { ...plain, dryRun: true }],
    ['rows.csv -y -o out.CSV', { ...plain, yes: true, output: 'out.CSV' }],
    ['rows.csv --output out.ndjson', { ...plain, output: 'out.ndjson' }],
    ['rows.csv --budget 600/60s', { ...plain, budget: { requests: 600, durationMs: 60_000 } }],
    ['rows.csv --tolerance 0.5%', { ...plain, tolerance: '0.5' }],
    ['rows.csv --label team=ops --label run=7', { ...plain, labels: { team: 'ops', run: '7' } }],
    ['rows.csv --resume', { ...plain, resume: true }],
    ['rows.csv --repeat', { ...plain, repeat: true }],
    ['rows.csv --repeat --resume', 'usage: --resume and --repeat cannot be combined.'],
    [
      'rows.csv --map From=Von,min-receive=Mind --map label.note=Text',
      {
        ...plain,
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
