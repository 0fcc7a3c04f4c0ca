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
  TRX_ADDRESS,
  XRP_ADDRESS,
  YES,
} from './wizard.ts';

const TO_XRP = ['BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '-m', '12345', '--refund-address', BTC_ADDRESS];

/** A clock that stands still: the price moves every four seconds, and what is received with it. */
const now = () => Date.UTC(2026, 0, 15, 12);

function change(pick: string, ...steps: readonly Step[]): readonly Step[] {
  return [EDIT, { search: 'What do you want to change?', pick }, ...steps];
}

describe('changing a field in the review', () => {
  test('drops the memo when the coin to receive changes, and asks for a new one', async () => {
    const home = await temporaryFolder();
    const { stderr } = await create(home, TO_XRP, [
      ...change(
        'coin to receive (now XRP)',
        { search: 'Coin to receive', term: 'TON', pick: 'TON ' },
        {
          input: 'Payout address for TON',
          answer: 'EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB',
          refused: [[XRP_ADDRESS, 'Invalid']],
        },
        { input: 'Memo for TON', answer: 'abc' },
      ),
      YES,
    ]);
    expect(stderr.split(' Review\n')[2]).toContain('   with memo     abc\n');
    expect(await ledger(home)).toMatchObject([
      { receive: { coin: 'TON', memo: 'abc' }, refundAddress: BTC_ADDRESS },
    ]);
  });

  test.each<[string, readonly string[], readonly Step[], object]>([
    [
      'drops the memo when the new coin to receive has none',
      TO_XRP,
      change(
        'coin to receive (now XRP)',
        { search: 'Coin to receive', term: 'eth', pick: 'ETH ' },
        { input: 'Payout address for ETH', answer: ETH_ADDRESS },
      ),
      { receive: { coin: 'ETH', address: ETH_ADDRESS, memo: null } },
    ],
    [
      'drops --min-receive with the coin to receive',
      [...TO_XRP, '--min-receive', '10'],
      change(
        'coin to receive (now XRP)',
        { search: 'Coin to receive', term: 'eth', pick: 'ETH ' },
        { input: 'Payout address for ETH', answer: ETH_ADDRESS },
      ),
      { receive: { coin: 'ETH' } },
    ],
    [
      'asks for the memo again after a new payout address',
      TO_XRP,
      change(
        `payout address (now ${XRP_ADDRESS})`,
        { input: 'Payout address for XRP', answer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' },
        { input: 'Memo for XRP', answer: '7' },
      ),
      { receive: { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', memo: '7' } },
    ],
    [
      'can change only the memo',
      TO_XRP,
      change('memo (now 12345)', { input: 'Memo for XRP', answer: '99' }),
      { receive: { address: XRP_ADDRESS, memo: '99' } },
    ],
    [
      'asks for a new refund address when the coin to send changes',
      TO_XRP,
      change(
        'coin to send (now BTC)',
        { search: 'Coin to send', term: 'eth', pick: 'ETH ' },
        { select: 'Which amount do you want to enter?', pick: 'the ETH you send' },
        { input: 'Amount of ETH to send', answer: '2' },
        { input: 'Refund address for ETH', answer: ETH_ADDRESS, refused: [[BTC_ADDRESS, 'Invalid']] },
      ),
      { deposit: { coin: 'ETH', amount: '2' }, receive: { memo: '12345' }, refundAddress: ETH_ADDRESS },
    ],
    [
      'can remove the refund address',
      TO_XRP,
      change(`refund address (now ${BTC_ADDRESS})`, { input: 'Refund address for BTC', answer: '' }),
      { refundAddress: null },
    ],
  ])('%s', async (_, flags, steps, swap) => {
    const home = await temporaryFolder();
    await create(home, flags, [...steps, YES]);
    expect(await ledger(home)).toMatchObject([swap]);
  });

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

  test('keeps the amount to receive when the coin to send changes', async () => {
    const home = await temporaryFolder();
    await create(
      home,
      ['BTC', 'USDT:TRX', '1000', '--receive', '-a', TRX_ADDRESS],
      [...change('coin to send (now BTC)', { search: 'Coin to send', term: 'eth', pick: 'ETH ' }), YES],
      { now },
    );
    expect(await ledger(home)).toMatchObject([{ deposit: { coin: 'ETH' }, receive: { amount: '1000' } }]);
  });

  test('can switch from the amount to send to an amount to receive', async () => {
    const home = await temporaryFolder();
    await create(
      home,
      TO_XRP,
      [
        ...change(
          'amount (now 0.1 BTC)',
          { select: 'Which amount do you want to enter?', pick: 'the XRP you receive' },
          { input: 'Amount of XRP to receive', answer: '500' },
        ),
        YES,
      ],
      { now },
    );
    expect(await ledger(home)).toMatchObject([{ receive: { amount: '500' } }]);
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
