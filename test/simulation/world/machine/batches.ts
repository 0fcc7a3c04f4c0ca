import type { Home } from './home.ts';
import { lock } from './ledgers.ts';
import type { Scene } from './scene.ts';

const ROWS = 'rows.csv';
const RESULT = 'result.jsonl';
const BATCH = ['batch', `{home}/${ROWS}`];

function rows(...amounts: readonly string[]): string {
  const lines = amounts.map((amount) => `BTC,ETH,${amount},0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n`);
  return `from,to,amount,address\n${lines.join('')}`;
}

const withRows = (home: Home) => home.write(ROWS, rows('0.1', '0.2', '0.3', '0.4', '0.5', '0.6'));

export const BATCHES: readonly Scene[] = [
  {
    what: 'a batch whose file is replaced by one of the same size while it asks',
    change: withRows,
    args: BATCH,
    asked: (home) => {
      home.write('rows.new', rows('0.1', '0.2', '0.3', '0.4', '0.5', '0.9'));
      home.rename('rows.new', ROWS);
    },
    exitCode: 2,
    prints: /after\s+it\s+was\s+checked;\s+nothing\s+was\s+sent/,
  },
  ...['{home}/rows.csv', '{home}/./rows.csv', '{home}/link.csv'].map((result) => ({
    what: `a batch whose result would replace its rows, as ${result}`,
    change: (home: Home) => {
      withRows(home);
      home.link('link.csv', ROWS);
    },
    args: [...BATCH, '--yes', '-o', result],
    exitCode: 2,
    isSilent: true,
    prints: /would overwrite the input file/,
  })),
  {
    what: 'a batch with a ledger that another process writes to',
    first: [['history', '--json']],
    change: (home) => {
      withRows(home);
      lock(home);
    },
    args: [...BATCH, '--yes'],
    exitCode: 11,
    isSilent: true,
  },
  {
    what: 'a batch that is ended while it creates',
    change: withRows,
    signal: 'SIGTERM',
    isAnswered: true,
    args: [...BATCH, '--yes', '-o', `{home}/${RESULT}`],
    exitCode: 143,
    creates: 5,
    mistake: (home) => {
      const written = home.state(RESULT).split('"outcome":"created"').length - 1;
      return written === 5 ? null : `its result has ${written} of 5 orders`;
    },
  },
];

const BUDGET = ['config', 'set', 'budget', '1/1h', '--json'];
const IN_TIME = [...BATCH, '--yes', '--json', '--timeout', '10m'];

/** Batches with a stored request budget. */
export const BUDGETS: readonly Scene[] = [
  {
    what: 'a stored budget that leaves a batch no time',
    first: [BUDGET],
    change: withRows,
    args: IN_TIME,
    exitCode: 6,
    mistake: (_, { stderr }) =>
      stderr.includes('Waiting for the request budget') ? 'it waits for it' : null,
  },
  {
    what: 'a stored budget beside that of a batch',
    first: [BUDGET],
    change: withRows,
    args: [...IN_TIME, '--budget', '100/1s'],
    exitCode: 0,
    creates: 6,
  },
];
