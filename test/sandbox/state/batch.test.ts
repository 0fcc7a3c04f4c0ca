import { describe, expect, it } from 'vitest';
import { batch, coalesce } from '../../../src/sandbox/state/batch.ts';

describe('work that is shared', () => {
  it('is done once for all who ask in one turn, and again for those who ask later', async () => {
    let done = 0;
    const ask = coalesce(async () => {
      done += 1;
      return done;
    });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect(await ask()).toBe(2);
  });

  it('never begins before somebody who gets its result has asked', async () => {
    let began = 0;
    const ask = coalesce(async () => {
      began += 1;
      const mine = began;
      await new Promise((resolve) => setImmediate(resolve));
      return mine;
    });
    const first = ask();
    await first;
    const second = ask();
    const beganBefore = began;
    expect(await second).toBe(beganBefore + 1);
  });

  it('fails for all who asked and is tried again for the next', async () => {
    let tries = 0;
    const ask = coalesce(async () => {
      tries += 1;
      if (tries === 1) throw new RangeError('no');
      return 'yes';
    });
    const both = await Promise.allSettled([ask(), ask()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask()).toBe('yes');
  });
});

describe('items in batches', () => {
  it('go together while they come in one turn or while the batch before is under way', async () => {
    const batches: (readonly number[])[] = [];
    const add = batch<number, number>(async (items) => {
      batches.push(items);
      await new Promise((resolve) => setImmediate(resolve));
      return items.map((item) => item * 2);
    }, 100);
    const first = [add(1), add(2)];
    await first[0];
    expect(await Promise.all([...first, add(3), add(4), add(5)])).toEqual([2, 4, 6, 8, 10]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('are no more than the largest batch', async () => {
    const sizes: number[] = [];
    const add = batch<number, number>(async (items) => {
      sizes.push(items.length);
      return items;
    }, 4);
    await Promise.all(Array.from({ length: 10 }, (_, index) => add(index)));
    expect(sizes).toEqual([4, 4, 2]);
  });

  it('fail together, and later ones are none the worse', async () => {
    let fails = true;
    const add = batch<number, number>(async (items) => {
      if (fails) throw new RangeError('no');
      return items;
    }, 10);
    const both = await Promise.allSettled([add(1), add(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await add(3)).toBe(3);
  });
});
