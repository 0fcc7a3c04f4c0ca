import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';

const CREATE = ['create', 'BTC', 'XRP', '0.1', '--address', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'];
const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

const KEY = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';

const SECRETS = [
  ['a seed phrase', SEED],
  ['a private key', KEY],
  ['a private key or a hash', 'e9873d79c6d87dc0fb6a5778633389f4453213303da61f20bd67fc233aa33262'],
] as const;

test.each(SECRETS)('%s as a memo is rejected, and not sent, printed or stored: %s', async (kind, memo) => {
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
