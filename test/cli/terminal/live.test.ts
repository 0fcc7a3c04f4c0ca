import { expect, test } from 'vitest';
import { ClosedPipe } from '../../../src/base/errors.ts';
import { type Visible, visible } from '../../../src/base/text.ts';
import { createLiveBlock } from '../../../src/cli/terminal/live.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';

/** A terminal of which a test keeps what was written, and says when a second passes or the size changes. */
function terminal({ quiet = false } = {}) {
  const printed = {
    text: '',
    width: 40,
    height: 10,
    resized: [] as (() => void)[],
    ticks: [] as (() => void)[],
  };
  let broken: Error | null = null;
  const listen = (list: (() => void)[]) => (received: () => void) => {
    list.push(received);
    return () => void list.splice(list.indexOf(received), 1);
  };
  const block = createLiveBlock({
    write: async (text) => {
      if (broken !== null) throw broken;
      printed.text += text;
    },
    get width() {
      return printed.width;
    },
    get height() {
      return printed.height;
    },
    style: PLAIN,
    quiet,
    onResize: listen(printed.resized),
    everySecond: listen(printed.ticks),
  });
  return {
    printed,
    block,
    break: (error: Error) => {
      broken = error;
    },
    /** What was written since the last call. */
    since: () => {
      const text = printed.text.replaceAll(/\u001b\[(\?2026[hl]|K)/g, '');
      printed.text = '';
      return text;
    },
  };
}

const lines = (...texts: readonly string[]): readonly Visible[] => texts.map(visible);

test('a live block redraws only the lines that changed', () => {
  const { printed, block, since } = terminal();
  block.show(() => lines('one', 'two'));
  expect(printed.text).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
  expect(since()).toBe('one\ntwo\n');
  block.show(() => lines('one', 'two'));
  expect(since()).toBe('');
  block.show(() => lines('one', 'three'));
  expect(since()).toBe('\u001b[2A\r\nthree\n');
  block.show(() => lines('three'));
  expect(since()).toBe('\u001b[2A\rthree\n\u001b[J');
});

test('a live block prints output above an empty frame immediately', () => {
  const { printed, block } = terminal();
  block.show(() => lines());
  block.above(() => undefined);
  expect(printed.text).toMatch(/\u001b\[\?2026l$/);
});

test('a live block is redrawn every second with the current terminal size', () => {
  const { printed, block, since } = terminal();
  block.show(({ width, height }) => lines(`${width} x ${height}`));
  printed.height = 5;
  for (const tick of printed.ticks) tick();
  expect(since()).toMatch(/^40 x 9\n.*40 x 4\n$/s);
});

test('a live block is cleared completely when the window becomes narrower', () => {
  const { printed, block, since } = terminal();
  block.show(() => lines('x'.repeat(35), 'short', ''));
  since();
  printed.width = 20;
  for (const resized of printed.resized) resized();
  expect(since()).toBe(`\u001b[4A\r\u001b[J${'x'.repeat(35)}\nshort\n\n`);
});

test('a live block lets the terminal wrap lines longer than the window', () => {
  const { block, since } = terminal();
  const long = 'f'.repeat(64);
  block.show(() => lines(long, 'a'));
  expect(since()).toBe(`\u001b[J${long}\na\n`);
  block.show(() => lines(long, 'b'));
  expect(since()).toBe(`\u001b[3A\r\u001b[J${long}\nb\n`);
});

test('a live block leaves out its last lines where wrapped lines would make it scroll', () => {
  const { block, since } = terminal();
  const long = 'f'.repeat(360);
  block.show(() => lines(long, 'a', 'b'));
  expect(since()).toBe(`\u001b[J${long}\n`);
});

test('a live block prints other output above itself', () => {
  const { printed, block, since } = terminal();
  block.show(() => lines('block'));
  since();
  block.above(() => {
    printed.text += 'a warning\n';
  });
  expect(since()).toBe('\u001b[1A\r\u001b[Ja warning\nblock\n');
});

test('a live block is redrawn completely at the cursor after Ctrl-Z', () => {
  const { block, since } = terminal();
  block.show(() => lines('one', 'two'));
  block.leave();
  since();
  block.show(() => lines('one', 'two'));
  expect(since()).toBe('one\ntwo\n');
});

test('a live block rings the bell unless quiet is set', () => {
  const [loud, quiet] = [terminal(), terminal({ quiet: true })];
  for (const { block } of [loud, quiet]) block.bell();
  expect([loud.since(), quiet.since()]).toEqual(['\u0007', '']);
});

test('a live block keeps its last frame and draws nothing after its end', () => {
  const { printed, block, since } = terminal();
  block.show(() => lines('last'));
  since();
  block.end();
  expect([printed.ticks, printed.resized]).toEqual([[], []]);
  expect(since()).toBe('');
});

test('a live block reports a terminal that can no longer be written to', async () => {
  const { printed, block, break: breakOff } = terminal();
  block.show(({ height }) => lines(`${height}`));
  printed.height = 5;
  breakOff(new ClosedPipe());
  for (const tick of printed.ticks) tick();
  await expect(block.closed).rejects.toThrow(ClosedPipe);
});
