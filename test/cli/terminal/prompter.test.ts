import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { shown, type Visible, visible } from '../../../src/base/text.ts';
import { createPrompter } from '../../../src/cli/terminal/prompter.ts';
import { GoneBack, type Prompter } from '../../../src/cli/terminal/questions.ts';
import { createStyle, PLAIN } from '../../../src/cli/terminal/style.ts';
import { CTRL_C, CTRL_D, DOWN, ENTER, ESC, type Keyboard, keyboard } from './keyboard.ts';

const HIDDEN = 'a\u001b[2J\u202eb\u200bc';
const SHOWN = 'a<U+001B>[2J<U+202E>b<U+200B>c';

function prompterAt(
  board: Keyboard,
  { colour = false, signal = new AbortController().signal, width = 80 } = {},
): Prompter {
  return createPrompter(board, signal, {
    noteStyle: async () => (colour ? createStyle(true) : PLAIN),
    noteWidth: width,
  });
}

/** Every kind of question, so that a rule can be held against each. */
const QUESTIONS: Readonly<Record<keyof Prompter, (prompter: Prompter, text: Visible) => Promise<unknown>>> = {
  select: (prompter, text) => prompter.select({ message: text, choices: [{ name: text, value: 1 }] }),
  search: (prompter, text) =>
    prompter.search({ message: text, source: () => [{ name: text, value: 1, description: text }] }),
  input: (prompter, text) => prompter.input({ message: text, validate: () => text }),
  password: (prompter, text) => prompter.password({ message: text, validate: () => text }),
  confirm: (prompter, text) => prompter.confirm({ message: text, default: false }),
};
const KINDS = Object.keys(QUESTIONS) as (keyof Prompter)[];

describe('Esc at a question', () => {
  const question = { message: shown`Coin`, back: true };
  const choices = [{ name: shown`BTC`, value: 1 }];

  test.each<readonly [string, (prompter: Prompter) => Promise<unknown>]>([
    ['select', (prompter) => prompter.select({ ...question, choices })],
    ['search', (prompter) => prompter.search({ ...question, source: () => choices })],
    ['input', (prompter) => prompter.input(question)],
    ['input', (prompter) => prompter.input({ ...question, preview: async () => shown`` })],
    ['confirm', (prompter) => prompter.confirm({ ...question, default: false })],
  ])('goes back from %s and clears the question', async (_, ask) => {
    const board = keyboard();
    const answer = ask(prompterAt(board));
    await board.type(ESC, 'Coin');
    await expect(answer).rejects.toThrow(GoneBack);
    expect(board.raw().split('Coin').at(-1)).toContain('\u001b[2K');
  });

  test.each([
    ['is ignored if going back is not possible, and arrow keys still work', false],
    ['is not triggered by arrow keys', true],
  ])('%s', async (_, back) => {
    const board = keyboard();
    const two = [...choices, { name: shown`ETH`, value: 2 }];
    const answer = prompterAt(board).select({ message: shown`Coin`, choices: two, back });
    if (!back) {
      await board.type(ESC, 'ETH');
      await once(board.stdin, 'keypress');
    }
    await board.type(DOWN, 'ETH');
    await board.type(ENTER, 'ETH');
    expect(await answer).toBe(2);
  });
});

describe('a select list', () => {
  test('leaves room for its question on a terminal with few rows', async () => {
    const board = keyboard();
    Object.assign(board.stderr, { rows: 10 });
    const choices = Array.from({ length: 20 }, (_, index) => ({
      name: visible(`coin ${index}`),
      value: index,
    }));
    const answer = prompterAt(board).select({ message: shown`Coin`, choices });
    await board.type(ENTER, 'coin 3');
    expect(await answer).toBe(0);
    expect(board.seen()).not.toContain('coin 4');
  });

  test.each([
    ['fix', 'fixed'],
    ['FLOAT', 'float'],
    ['eth fi', 'fixed'],
  ])('filters while typing: %s', async (typed, value) => {
    const board = keyboard();
    const answer = prompterAt(board).select({
      message: shown`Rate`,
      choices: [
        { name: shown`floating  2.84 ETH`, value: 'float' },
        { name: shown`fixed     2.81 ETH`, value: 'fixed' },
      ],
      default: value === 'float' ? 'fixed' : 'float',
    });
    await board.type(typed, 'floating');
    await expect
      .poll(() => board.seen().split('Rate').at(-1))
      .not.toContain(value === 'float' ? 'fixed' : 'floating');
    await board.type(ENTER, typed);
    expect(await answer).toBe(value);
  });

  test('starts at the default choice', async () => {
    const board = keyboard();
    const choices = ['a', 'b', 'c'].map((value) => ({ name: visible(`choice ${value}`), value }));
    const answer = prompterAt(board).select({ message: shown`Which`, choices, default: 'b' });
    await board.type(DOWN, 'choice c');
    await board.type(ENTER, 'choice c');
    expect(await answer).toBe('c');
  });
});

describe('every kind of question', () => {
  const ENDS: Readonly<Record<string, (board: Keyboard, abort: AbortController) => Promise<unknown>>> = {
    'Ctrl-C with exit code 130': (board) => board.type(CTRL_C, 'Well?'),
    'Ctrl-D with exit code 130': (board) => board.type(CTRL_D, 'Well?'),
    'the end of the terminal with exit code 130': async (board) => {
      await board.type('x', 'Well?');
      board.stdin.end();
    },
    'SIGTERM with exit code 143': async (board, abort) => {
      await board.type('x', 'Well?');
      abort.abort(new InterruptedError('SIGTERM'));
    },
  };
  test.each(KINDS.flatMap((kind) => Object.entries(ENDS).map((end) => [kind, ...end] as const)))(
    '%s is interrupted by %s',
    async (kind, how, end) => {
      const board = keyboard();
      const abort = new AbortController();
      const answer = QUESTIONS[kind](prompterAt(board, { signal: abort.signal }), shown`Well?`);
      const ended = answer.catch((error: unknown) => error);
      await end(board, abort);
      expect(await ended).toBeInstanceOf(InterruptedError);
      expect(await ended).toMatchObject({ exitCode: Number(how.slice(-3)) });
    },
  );

  test.each(KINDS)('%s escapes hidden characters in all its texts', async (kind) => {
    const board = keyboard();
    const answer = expect(QUESTIONS[kind](prompterAt(board), visible(HIDDEN))).rejects.toThrow(
      InterruptedError,
    );
    const isChecked = kind === 'input' || kind === 'password';
    if (isChecked) await board.type(ENTER, SHOWN);
    await board.type(`x${CTRL_C}`, isChecked ? `> ${SHOWN}` : SHOWN);
    await answer;
    expect(board.raw()).toContain(SHOWN);
    expect(board.raw()).not.toContain('\u001b[2J');
    expect(board.raw()).not.toMatch(/[\u202e\u200b]/);
  });

  test.each(KINDS)('%s has no color unless enabled', async (kind) => {
    const board = keyboard();
    const answer = expect(QUESTIONS[kind](prompterAt(board), shown`Well?`)).rejects.toThrow(InterruptedError);
    await board.type(CTRL_C, 'Well?');
    await answer;
    // biome-ignore lint/complexity/useRegexLiterals: the escape is written out.
    expect(board.raw()).not.toMatch(new RegExp('\u001b\\[[0-9;]*m'));
  });

  test('input is colored if enabled', async () => {
    const board = keyboard();
    const answer = expect(
      QUESTIONS.input(prompterAt(board, { colour: true }), shown`Well?`),
    ).rejects.toThrow();
    await board.type(CTRL_C, 'Well?');
    await answer;
    expect(board.raw()).toContain('\u001b[1mWell?');
  });
});

describe('a preview of an input', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  /** Lets a pause in typing pass, once this is on the screen. */
  async function pauseAfter(board: Keyboard, text: string): Promise<void> {
    await board.type('', text);
    await vi.advanceTimersByTimeAsync(1000);
  }

  test('is shown below the question while typing', async () => {
    const board = keyboard();
    const asked: string[] = [];
    const answer = prompterAt(board).input({
      message: shown`Amount`,
      preview: async (text) => {
        asked.push(text);
        return visible(`${text} BTC is much${HIDDEN}`);
      },
    });
    await board.type('0.', 'Amount');
    await board.type('5', 'Amount 0.');
    await pauseAfter(board, 'Amount 0.5');
    await board.type(ENTER, `0.5 BTC is much${SHOWN}`);
    expect(await answer).toBe('0.5');
    expect(asked).toEqual(['0.5']);
  });

  test('is ignored if it fails', async () => {
    const board = keyboard();
    const preview = vi.fn(() => Promise.reject(new Error('no')));
    const answer = prompterAt(board).input({ message: shown`Amount`, preview });
    await board.type('7', 'Amount');
    await pauseAfter(board, 'Amount 7');
    await board.type(ENTER, 'Amount 7');
    expect(await answer).toBe('7');
    expect(preview).toHaveBeenCalledOnce();
  });
});

describe('the prompter', () => {
  test('asks two questions in a row on the same terminal', async () => {
    const board = keyboard();
    const prompter = prompterAt(board);
    const first = prompter.input({ message: shown`First` });
    await board.type(`one${ENTER}`, 'First');
    expect(await first).toBe('one');
    const second = prompter.confirm({ message: shown`Second`, default: false });
    await board.type(`y${ENTER}`, 'Second');
    expect(await second).toBe(true);
  });

  test.each([{}, { preview: async () => shown`` }])('shows why it rejects an answer: %j', async (more) => {
    const board = keyboard();
    const validate = (text: string) => text === '12' || `${text} will not do`;
    const answer = prompterAt(board).input({ message: shown`Number`, validate, ...more });
    await board.type(`1${ENTER}`, 'Number');
    await board.type(`2${ENTER}`, '> 1 will not do');
    expect(await answer).toBe('12');
  });

  test('shows the placeholder of an empty answer', async () => {
    const board = keyboard();
    const answer = prompterAt(board).input({ message: shown`Memo`, whenEmpty: shown`none` });
    await board.type(ENTER, 'Memo');
    expect(await answer).toBe('');
    expect(board.seen()).toContain('✔ Memo none');
  });

  test('replaces an answer that must not stay on the screen', async () => {
    const board = keyboard();
    const answer = prompterAt(board).input({ message: shown`Address`, inPlace: () => shown`(hidden)` });
    await board.type(`legal winner${ENTER}`, 'Address');
    expect(await answer).toBe('legal winner');
    expect(board.seen()).toMatch(/✔ Address \(hidden\)$/m);
  });

  test('filters a search list and moves through it', async () => {
    const board = keyboard();
    const names = ['BTC', 'ETH', 'ETC'];
    const answer = prompterAt(board).search({
      message: shown`Coin`,
      source: (term) =>
        names.filter((name) => name.includes(term)).map((name) => ({ name: visible(name), value: name })),
    });
    await board.type('ET', 'BTC');
    const narrowed = /Coin ET(?!.*BTC).*ETC/s;
    await board.type(DOWN, narrowed);
    await board.type(ENTER, narrowed);
    expect(await answer).toBe('ETC');
  });

  test('masks a secret', async () => {
    const board = keyboard();
    const answer = prompterAt(board).password({ message: shown`Secret` });
    await board.type(`hush${ENTER}`, 'Secret');
    expect(await answer).toBe('hush');
    expect(board.raw()).not.toContain('hush');
    expect(board.seen()).toContain('****');
  });

  test('wraps a long question at spaces', async () => {
    const board = keyboard(40);
    const message = shown`Refund address for USDT on TRX, used if the swap fails`;
    const answer = expect(prompterAt(board, { width: 40 }).input({ message })).rejects.toThrow();
    await board.type(CTRL_C, 'Refund');
    await answer;
    expect(board.seen()).toContain('Refund address for USDT on TRX, used\nif the swap fails');
  });

  test('discards a yes typed before a question that needs a fresh answer', async () => {
    for (const ask of [
      (prompter: Prompter) => prompter.confirm({ message: shown`Sure?`, default: false }),
      (prompter: Prompter) => prompter.input({ message: shown`Sure?`, fresh: true }),
    ]) {
      const board = keyboard();
      board.stdin.write(`y${ENTER}`);
      const answer = ask(prompterAt(board));
      await board.type(`n${ENTER}`, 'Sure?');
      expect([false, 'n']).toContain(await answer);
    }
  });

  test.each([
    ['Ctrl-C', (board: Keyboard) => board.stdin.write(`y${CTRL_C}`)],
    ['the end of input', (board: Keyboard) => board.stdin.end(`y${ENTER}`)],
  ])('%s typed before a question that needs a fresh answer interrupts it', async (_, act) => {
    const board = keyboard();
    const answer = prompterAt(board).confirm({ message: shown`Sure?`, default: false });
    act(board);
    await expect(answer).rejects.toThrow(InterruptedError);
  });
});
