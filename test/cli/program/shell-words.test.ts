import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { exitStatusError } from '../../../src/cli/commands/shared/watch.ts';
import { personNeeded } from '../../../src/cli/views/attention.ts';
import { findCoin } from '../../../src/core/client/find-coin.ts';
import { lateError } from '../../../src/core/swaps/created.ts';
import { refuseSameSides } from '../../../src/core/swaps/pair.ts';
import { swapIn } from '../views/live/swaps.ts';

/** Words that a service may give as an order number or a code. */
const HOSTILE = ["A';id;'", '$(id)', '`id`', 'A B', 'A&B|C', '#A', 'A>B', '"A', '*'];

function hintOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SwapctlError) return error.hint ?? '';
  }
  return '';
}

/** Sentences with a command that holds a word from outside, and the arguments that the command must have. */
function commandsWith(word: string): (readonly [string, readonly string[]])[] {
  const open = swapIn('new', { order: word });
  const coin = { code: word, name: word, image: null, deposit: [], receive: [] };
  const same = { coin: word, network: 'ETH' };
  return [
    [exitStatusError([open], true, false)?.hint ?? '', ['status', word, '--watch']],
    [personNeeded(swapIn('refund', { order: word })) ?? '', ['refund', word]],
    [(lateError(new TypeError('Oh.'), { order: word }) as SwapctlError).hint ?? '', ['status', word]],
    [hintOf(() => findCoin([coin], { coin: word, network: 'BSC' }, 'receive')), ['networks', word]],
    [hintOf(() => refuseSameSides(same, same)), ['networks', word.toUpperCase()]],
  ];
}

it('a command in a hint is split by a shell into the intended arguments, even with hostile text', () => {
  const cases = HOSTILE.flatMap(commandsWith);
  const lines = cases.map(([text]) => {
    const quoted = /`(swapctl .*?)`(?=[.;]|$)/s.exec(text)?.[1];
    return quoted ?? text.slice(text.indexOf('swapctl '));
  });
  const script = `swapctl() { printf '%s\\n' "$@"; echo; }\n${lines.join('\n')}\n`;
  const output = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(output.split('\n\n').slice(0, -1)).toEqual(cases.map(([, words]) => words.join('\n')));
});
