import { expect, it } from 'vitest';
import { looksSecret } from '../../../src/core/swap/secret-forms.ts';

it('a text looks secret only in forms that no order number has', () => {
  expect(['whsec_abc', 'ab'.repeat(32), 'zoo '.repeat(12)].map(looksSecret)).toEqual([true, true, true]);
  expect(['9f86d081884c7d659a2feaa0c55ad015', 'SB-1', '1234567890'.repeat(6)].map(looksSecret)).toEqual([
    false,
    false,
    false,
  ]);
});
