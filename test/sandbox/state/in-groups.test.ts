import { describe, expect, it } from 'vitest';
import { BusyError } from '../../../src/core/database/failures.ts';
import { inGroups } from '../../../src/sandbox/state/in-groups.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('items passed to inGroups()', () => {
  it('are processed in groups: those of one turn, then those that arrived in the meantime', async () => {
    const groups: (readonly number[])[] = [];
    const double = inGroups<number, number>(async (items) => {
      groups.push(items);
      await turn();
      return items.map((item) => item * 2);
    });
    const first = [double(1), double(2)];
    await turn();
    const second = [double(3), double(4), double(5)];
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    expect(await double(6)).toBe(12);
  });

  it('are processed at most 64 at a time', async () => {
    const sizes: number[] = [];
    const same = inGroups<number, number>(async (items) => {
      sizes.push(items.length);
      return items;
    });
    await Promise.all(Array.from({ length: 150 }, (_, index) => same(index)));
    expect(sizes).toEqual([64, 64, 22]);
  });

  it('fail if their group fails, without affecting later items', async () => {
    let fails = true;
    const same = inGroups<number, number>(async (items) => {
      if (fails) throw new RangeError('no');
      return items;
    });
    const both = await Promise.allSettled([same(1), same(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await same(3)).toBe(3);
  });

  it('fail with the previous group if it throws BusyError', async () => {
    let waits = 0;
    const same = inGroups<number, number>(async () => {
      waits += 1;
      await turn();
      throw new BusyError('busy', 'wait');
    });
    const all = await Promise.allSettled(Array.from({ length: 150 }, (_, index) => same(index)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(waits).toBe(1);
  });
});
