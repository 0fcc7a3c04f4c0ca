import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { create, ETH_ADDRESS, ledger, NO, XRP_ADDRESS, YES } from './wizard.ts';

const SEND: Step = { search: 'Coin to send', term: 'btc', pick: 'BTC ' };
const RECEIVE: Step = { search: 'Coin to receive', term: 'eth', pick: 'ETH ' };
const WHICH: Step = { select: 'Which amount', pick: 'you send' };
const AMOUNT: Step = { input: 'Amount of BTC', answer: '0.1' };
const RATE: Step = { select: 'Rate', pick: 'floating' };
const ADDRESS: Step = { input: 'Payout address', answer: ETH_ADDRESS };
const REFUND: Step = { input: 'Refund address', answer: '' };

test.each<readonly [string, readonly Step[]]>([
  ['the first question asks it again', [{ back: 'Coin to send' }, SEND, RECEIVE, WHICH, AMOUNT]],
  ['the second question asks the first', [SEND, { back: 'Coin to receive' }, SEND, RECEIVE, WHICH, AMOUNT]],
  ['the amount returns to the side question', [SEND, RECEIVE, WHICH, { back: 'Amount of' }, WHICH, AMOUNT]],
  [
    'three questions in a row goes back three questions',
    [SEND, RECEIVE, { back: 'Which amount' }, { back: 'Coin to receive' }, SEND, RECEIVE, WHICH, AMOUNT],
  ],
])('Esc at %s', async (_, steps) => {
  const home = await temporaryFolder();
  const { error } = await create(home, [], [...steps, RATE, ADDRESS, REFUND, YES]);
  expect(error).toBeNull();
  expect(await ledger(home)).toMatchObject([
    { deposit: { coin: 'BTC', amount: '0.1' }, receive: { coin: 'ETH', address: ETH_ADDRESS } },
  ]);
});

test('Esc goes back past flags, and a new coin needs its own address and memo', async () => {
  const home = await temporaryFolder();
  const { error } = await create(
    home,
    ['--float'],
    [
      SEND,
      RECEIVE,
      WHICH,
      AMOUNT,
      { back: 'Payout address' },
      { back: 'Which amount' },
      { search: 'Coin to receive', term: 'xrp', pick: 'XRP' },
      WHICH,
      AMOUNT,
      { input: 'Payout address for XRP', answer: XRP_ADDRESS },
      { back: 'Memo for XRP' },
      { input: 'Payout address for XRP', answer: XRP_ADDRESS },
      { input: 'Memo for XRP', answer: '' },
      { back: 'Are you sure' },
      { input: 'Memo for XRP', answer: '12345' },
      REFUND,
      YES,
    ],
  );
  expect(error).toBeNull();
  expect(await ledger(home)).toMatchObject([{ receive: { coin: 'XRP', memo: '12345' } }]);
});

test('Esc at the review asks what to change, and Esc at that question returns to the review', async () => {
  const home = await temporaryFolder();
  const { error, stderr } = await create(
    home,
    ['BTC', 'ETH', '0.1', '-a', ETH_ADDRESS],
    [
      { back: 'Create this swap?' },
      { search: 'What do you want to change?', pick: 'amount' },
      { back: 'Which amount' },
      { back: 'What do you want to change?' },
      NO,
    ],
  );
  expect(error).toMatchObject({ code: 'declined' });
  expect(stderr.split(' Review\n')).toHaveLength(3);
});
