import { describe, expect, it } from 'vitest';
import type { Key } from '../../../../src/cli/terminal/live.ts';
import { PLAIN } from '../../../../src/cli/terminal/style.ts';
import { liveFrame } from '../../../../src/cli/views/live/live.ts';
import { type Navigation, pressed, UNTOUCHED } from '../../../../src/cli/views/live/navigation.ts';
import { inSeconds, NOW, swapIn, watched } from './swaps.ts';

/** Thirty swaps, every third one on hold; the higher its number, the younger a swap is. */
const CROWD = Array.from({ length: 30 }, (_, index) =>
  watched(
    swapIn(index % 3 === 0 ? 'pause' : 'exchanging', {
      order: `ORDER${String(index).padStart(2, '0')}`,
      createdAt: inSeconds(index - 100),
      labels: { customer: index === 7 ? 'ada' : 'bob' },
    }),
  ),
);

/** A person at a board, who presses keys: named ones in capitals, and else letters. */
function board(swaps = CROWD, { width = 80, height = 12 } = {}) {
  let frame = { swaps, missed: null, now: NOW, width, height, style: PLAIN };
  let navigation: Navigation = UNTOUCHED;
  let drawn = liveFrame(frame, navigation);
  const draw = () => {
    drawn = liveFrame(frame, navigation);
    navigation = { ...navigation, top: drawn.top };
  };
  const press = (keys: string): boolean => {
    for (const name of keys.match(/[A-Z]+|[^A-Z ]/g) ?? []) {
      const key: Key = /[A-Z]/.test(name) ? { name: name.toLowerCase(), text: '' } : { name, text: name };
      const next = pressed(navigation, key, drawn);
      if (next === null) return false;
      navigation = next;
      draw();
    }
    return true;
  };
  draw();
  return {
    press,
    lines: () => drawn.lines,
    orders: () => drawn.lines.flatMap((line) => /^[ >](ORDER\d+)/.exec(line)?.[1] ?? []),
    selected: () => drawn.lines.flatMap((line) => /^>(ORDER\d+)/.exec(line)?.[1] ?? []),
    navigation: () => navigation,
    grow: (rows: number) => {
      frame = { ...frame, height: rows };
      draw();
    },
  };
}

describe('keys in the live table', () => {
  it('move the selection from row to row and scroll', () => {
    const { press, selected, orders, lines } = board();
    expect(selected()).toEqual([]);
    for (let index = 0; index < 30; index += 1) {
      press('DOWN');
      expect(selected()).toHaveLength(1);
      expect(lines().length).toBeLessThanOrEqual(12);
    }
    expect(orders().at(-1)).toBe('ORDER29');
    expect(selected()).toEqual(['ORDER29']);
    press('DOWN');
    expect(selected()).toEqual(['ORDER29']);
    press('HOME');
    expect([selected(), orders()[0]]).toEqual([['ORDER00'], 'ORDER00']);
    press('UP');
    expect(selected()).toEqual(['ORDER00']);
    press('END');
    expect(selected()).toEqual(['ORDER29']);
  });

  it.each([20, 60, 80, 200])('page through every row at %i columns', (width) => {
    const { press, selected, orders, lines } = board(CROWD, { width, height: 14 });
    const seen = new Set<string>(orders());
    for (let index = 0; index < 40; index += 1) {
      press('PAGEDOWN');
      for (const order of orders()) seen.add(order);
      expect(selected()).toHaveLength(1);
      expect(lines().length).toBeLessThanOrEqual(14);
    }
    expect(seen.size).toBe(30);
    expect(lines().join('\n')).toContain('above)');
    for (let index = 0; index < 40; index += 1) press('PAGEUP');
    expect(selected()).toEqual(['ORDER00']);
  });

  it('keep the selected swap when the sort order changes', () => {
    const { press, selected, orders, lines } = board();
    press('DOWN DOWN');
    expect(selected()).toEqual(['ORDER03']);
    press('s');
    expect(lines().at(-1)).toContain('s sort (oldest)');
    expect(orders().slice(0, 2)).toEqual(['ORDER00', 'ORDER01']);
    expect(selected()).toEqual(['ORDER03']);
    press('s HOME');
    expect(selected()).toEqual(['ORDER29']);
    press('s s HOME');
    expect([lines().at(-1), selected()]).toEqual([expect.stringContaining('(most urgent)'), ['ORDER00']]);
  });

  it('filter while typing by every word of order, status, coin and label', () => {
    const { press, orders, lines, navigation } = board();
    press('/ada');
    expect(orders()).toEqual(['ORDER07']);
    expect(lines().at(-1)).toBe(' Filter: ada_  (Enter to apply, Esc to clear)');
    // A letter is no command while it is typed.
    press('BACKSPACE BACKSPACE BACKSPACE sq');
    expect(navigation().filter).toBe('sq');
    expect(orders()).toEqual([]);
    press('ESCAPE /pause RETURN');
    expect(orders()).toEqual(['ORDER00', 'ORDER03', 'ORDER06', 'ORDER09']);
    expect(lines().at(-2)).toMatch(/^ and 6 more: 6 pause/);
    expect(lines()[0]).toBe(' 30 open, 10 need attention  · sandbox');
    press('ESCAPE');
    expect(navigation()).toEqual(UNTOUCHED);
  });

  it('open the selected or first swap and return to the table', () => {
    const { press, lines, selected } = board();
    press('RETURN');
    expect(lines()[0]).toBe(' ORDER00  BTC → USDT  floating rate  · sandbox');
    press('DOWN');
    expect(lines()[0]).toContain('ORDER00');
    press('ESCAPE');
    expect(selected()).toEqual(['ORDER00']);
    press('RETURN RETURN');
    expect(selected()).toEqual(['ORDER00']);
  });

  it('quit from the table and from an opened swap', () => {
    expect(board().press('q')).toBe(false);
    expect(board().press('RETURN q')).toBe(false);
  });

  it('do nothing if no swap matches the filter', () => {
    const { press, lines } = board();
    press('/nothing RETURN DOWN PAGEUP END RETURN');
    expect(lines().slice(0, 2)).toEqual([
      ' 30 open, 10 need attention  · sandbox',
      ' No swap matches the filter.',
    ]);
  });

  it('keep the screen full at the end of the list, even after the window grows', () => {
    const { press, lines, selected, grow } = board(CROWD, { height: 16 });
    press('END');
    expect(selected()).toEqual(['ORDER29']);
    expect(lines()).toHaveLength(16);
    grow(24);
    expect(lines()).toHaveLength(24);
    press('UP');
    expect(lines()).toHaveLength(24);
  });

  it('are not explained in a window too small for the explanation', () => {
    expect(board(CROWD, { width: 30, height: 7 }).lines().join('\n')).not.toContain('q quit');
    expect(board(CROWD, { width: 30, height: 7 }).orders()).not.toEqual([]);
    expect(board(CROWD, { width: 80, height: 5 }).lines().at(-1)).toContain('q quit');
  });

  it('scroll through 2,000 swaps', () => {
    const many = Array.from({ length: 2_000 }, (_, index) =>
      watched(swapIn('new', { order: `ORDER${index}`, expiresAt: inSeconds(index % 1800) })),
    );
    const { press, selected, lines } = board(many);
    press('PAGEDOWN '.repeat(5));
    expect(selected()).toHaveLength(1);
    press('END');
    expect(selected()).toEqual(['ORDER1799']);
    expect(lines()).toHaveLength(12);
  });
});
