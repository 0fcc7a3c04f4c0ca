import { describe, expect, it } from 'vitest';
import { readFigures, storedFigures, swapFigures } from '../../../../src/core/ledger/report/swap-figures.ts';
import { INTENT, swapOf } from '../entries.ts';

const SOURCE = {
  request: INTENT,
  first: null,
  swap: swapOf('AAAAAA', 4),
  doubts: [],
  labels: {},
  requestedAt: 1_000,
};

/** Wrong values, by their positions in the stored list. */
const WRONG: readonly (readonly [at: readonly number[], value: unknown])[] = [
  [[0, 1, 2, 3, 4, 5, 6, 7], 7],
  [[3, 4, 5, 6, 7], '1e9'],
  [[8], '9'],
  [[9, 10, 11, 12], null],
  [[9, 10], 1],
  [[11], []],
  [[11], 'ops'],
];

describe('the figures of a swap', () => {
  it('state whether it was funded, and prefer the paid amount to the promised one', () => {
    const promised = swapOf('AAAAAA', 9);
    const paid = { ...promised, receive: { ...promised.receive, paidAmount: '7' } };
    const of = (swap: typeof promised | null) => {
      const figures = swapFigures({ ...SOURCE, swap });
      return [figures?.funded, figures?.receive, figures?.deposit];
    };
    expect(of(null)).toEqual([false, null, null]);
    const nothing = swapFigures({ ...SOURCE, swap: null, request: null });
    expect(nothing).toMatchObject({ status: null, depositCoin: null, receiveCoin: null, promised: null });
    expect(of(promised)).toEqual([false, '250.000001', INTENT.amount]);
    expect(of(paid)).toEqual([false, '7', INTENT.amount]);
    expect(of(swapOf('AAAAAA', 1))[0]).toBe(true);
    expect(swapFigures({ ...SOURCE, doubts: ['amount_changed'] })?.doubtful).toBe(true);
    expect(swapFigures(SOURCE)?.doubtful).toBe(false);
  });

  it('are read back unchanged', () => {
    expect(readFigures(storedFigures(SOURCE))).toEqual(swapFigures(SOURCE));
  });

  it.each([
    ...['', '{}', '7', '[]', 'no JSON'].map((text) => [text]),
    ...WRONG.flatMap(([positions, value]) =>
      positions.map((at) => [
        JSON.stringify(Object.assign(JSON.parse(storedFigures(SOURCE)), { [at]: value })),
      ]),
    ),
  ])('are null if the column contains %s', (text) => expect(readFigures(text)).toBeNull());

  it.each([
    ['1970-01-01T00:00:03.000Z', '1970-01-01T00:00:02.000Z', '1970-01-01T00:00:10.000Z', null, 7_000],
    [null, '1970-01-01T00:00:02.000Z', '1970-01-01T00:00:10.000Z', null, 8_000],
    [null, null, '1970-01-01T00:00:10.000Z', '10:00:00', 9_000],
    [null, null, '1970-01-01T00:00:01.000Z', '10:00:00', 0],
    [null, null, '1970-01-01T00:00:00.000Z', '02:03:04', 7_384_000],
    [null, null, null, '100:00:59', 360_059_000],
    [null, null, null, '1:60:00', null],
    [null, null, null, '1:00', null],
    [null, null, null, null, null],
  ])('include its duration: created %s, started %s, ended %s, %s', (...times) => {
    const [createdAt, startedAt, endedAt, duration, durationMs] = times;
    const swap = { ...SOURCE.swap, createdAt, startedAt, endedAt, duration };
    expect(swapFigures({ ...SOURCE, swap })?.durationMs).toBe(durationMs);
  });
});
