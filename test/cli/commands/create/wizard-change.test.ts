import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import {
  BTC_ADDRESS,
  create,
  EDIT,
  ETH_ADDRESS,
  expectNothingSent,
  ledger,
  NO,
  XRP_ADDRESS,
  YES,
} from './wizard.ts';

const TO_XRP = ['BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '-m', '12345', '--refund-address', BTC_ADDRESS];

function change(pick: string, ...steps: readonly Step[]): readonly Step[] {
  return [EDIT, { search: 'What do you want to change?', pick }, ...steps];
}

describe('changing a field in the review', () => {
  test('does not offer the memo if the network has none', async () => {
    const home = await temporaryFolder();
    const { prompter } = await create(
      home,
      ['BTC', 'ETH', '0.1', '-a', ETH_ADDRESS],
      [...change('nothing, return to the review'), NO],
    );
    expect(prompter.asked.filter((line) => line.includes('memo'))).toEqual([]);
    await expectNothingSent(home);
  });

  test('shows the prices of both rate types when the rate is changed', async () => {
    const home = await temporaryFolder();
    const { prompter } = await create(home, TO_XRP, [
      ...change('rate (now floating)', { select: 'Rate', pick: 'fixed' }),
      YES,
    ]);
    expect(
      prompter.asked.filter((line) => /^ {2}(floating|fixed {3}) {2}0\.1 BTC → [0-9.]+ XRP$/.test(line)),
    ).toHaveLength(2);
    expect(await ledger(home)).toMatchObject([{ type: 'fixed' }]);
  });
});
