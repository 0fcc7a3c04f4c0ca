import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { create, XRP_ADDRESS, YES } from './wizard.ts';

const CREATE = ['create', 'BTC', 'XRP', '0.1', '--address', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'];
const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const KEY = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';

const SECRETS = [
  ['a seed phrase', SEED],
  ['a private key', KEY],
  ['a private key or a hash', 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'],
] as const;

test('a private key or seed phrase typed as an answer is hidden and the question is asked again', async () => {
  const home = await temporaryFolder();
  const asked = (question: string, answer: string): readonly Step[] => [
    { input: question, answer: SEED, hidden: true },
    { input: question, answer: KEY, hidden: true },
    { input: question, answer },
  ];
  const { stderr } = await create(
    home,
    ['BTC', 'XRP', '0.1', '--float'],
    [...asked('Payout address', XRP_ADDRESS), ...asked('Memo', '12345'), ...asked('Refund address', ''), YES],
  );
  expect(stderr).toMatch(/Invalid payout address\. This looks like a seed phrase/);
  expect(stderr).not.toContain(KEY);
  // Now the addresses of that swap are offered in a list, whose answer can be typed too.
  const again = await create(
    home,
    ['BTC', 'XRP', '0.1', '--float'],
    [{ search: 'Payout address', term: SEED, pick: '(hidden)' }, { leave: 'Payout address' }],
  );
  expect(again.prompter.asked.join('\n') + again.stderr).not.toContain(SEED);
});

test.each(SECRETS)('%s as memo is rejected first, and neither printed nor stored: %s', async (kind, memo) => {
  const home = await temporaryFolder();
  for (const given of [
    { terminals: [], more: ['--yes', '--json'] },
    { terminals: AT_TERMINAL, more: ['--idempotency-key', 'k1'] },
  ]) {
    const { stdout, stderr, error } = await runHere([...CREATE, '--memo', memo, ...given.more], {
      home,
      terminals: given.terminals,
    });
    expect(error).toMatchObject({
      code: 'invalid_memo',
      message: `Invalid memo. This looks like ${kind}, not a memo: never paste it anywhere, and move the funds if others saw it.`,
      outcome: 'nothing-sent',
    });
    const reported = JSON.stringify([stdout, stderr, error?.message, error?.hint, error?.details]);
    expect(reported).not.toContain(memo.slice(0, 12));
  }
  expect(await readdir(home)).toEqual([]);
});
