import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { SECRET } from '../../../helpers/scene.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { type Desk, deskWith } from '../batch/desk.ts';
import { create, ledger, NO, YES } from './wizard.ts';

/** A desk whose service fails the quotes with these numbers, counted from 1, and answers all others well. */
async function failing(isFailing: (number: number) => boolean): Promise<Desk> {
  let asked = 0;
  return await deskWith({
    'exchange-coin': ({ query }, response) => {
      asked += 1;
      if (isFailing(asked)) return sendJson(response, 500, { statusCode: 500, message: 'Server error.' });
      const receive = query.get('amount') === '1' ? '25' : '2.5';
      const figures = { receive, exchangeRate: '25', minAmount: '0.001', maxAmount: '100' };
      sendJson(response, 200, { pair: 'BTC_ETH', amount: query.get('amount'), ...figures });
    },
  });
}

const sleep = async () => undefined;

describe('the wizard while the service fails', () => {
  test('reports a failed quote and tries again when the same amount is entered', async () => {
    // The first quote tells the bounds; each failure is tried three times.
    const { home, env } = await failing((number) => number >= 2 && number <= 4);
    const { error } = await create(
      home,
      ['BTC', 'ETH', '-a', ADDRESSES.eth],
      [
        { select: 'Which amount', pick: 'BTC you send' },
        {
          input: 'Amount of BTC to send (you can send 0.001 to 100 BTC)',
          refused: [
            [
              '0.1',
              'No quote: The service answered 500: Server error. Press Enter to try again; the amount itself is fine.',
            ],
          ],
          answer: '0.1',
        },
        { select: 'Rate', pick: 'floating' },
        { input: 'Refund address', answer: '' },
        YES,
      ],
      { env, sleep },
    );
    expect(error).toBeNull();
    expect(await ledger(home)).toMatchObject([{ outcome: 'created', deposit: { amount: '0.1' } }]);
  });

  test('gives up after three quotes for the limits', async () => {
    const { home, env, service } = await failing(() => true);
    const steps = [{ select: 'Which amount', pick: 'BTC you send' }, { leave: 'Amount of BTC to send' }];
    await create(home, ['BTC', 'ETH'], steps, { env, sleep });
    expect(service.count('exchange-coin')).toBe(3);
  });

  test('keeps the answers after a failed quote for the review and offers to try again', async () => {
    // Bounds, amount and both rates are answered; the price of the draft is not.
    const { home, env } = await failing((number) => number >= 5 && number <= 7);
    const { error, stderr } = await create(
      home,
      ['BTC', 'ETH', '-a', ADDRESSES.eth],
      [
        { select: 'Which amount', pick: 'BTC you send' },
        { input: 'Amount of BTC', answer: '0.1' },
        { select: 'Rate', pick: 'floating' },
        { input: 'Refund address', answer: '' },
        { search: 'What do you want to change?', pick: 'nothing, try again' },
        NO,
      ],
      { env, sleep },
    );
    expect(error).toMatchObject({ code: 'declined' });
    expect(stderr).toContain('warning: The service answered 500: Server error.');
  });
});

test('a price that cannot be confirmed is reported, and trying again is the first choice', async () => {
  // The quotes of the draft and of its impact are answered, those after the yes are not.
  const { home, env } = await failing((number) => number >= 3 && number <= 5);
  const { error, stderr } = await create(
    home,
    ['BTC', 'ETH', '0.1', '--float', '-a', ADDRESSES.eth, '--refund-address', ADDRESSES.btcRefund],
    [YES, { search: 'What do you want to change?', pick: '' }, NO],
    { env, sleep },
  );
  expect(error).toMatchObject({ code: 'declined' });
  expect(stderr.replace(/\n {2}/g, ' ')).toContain(
    'warning: The price could not be confirmed; nothing was sent. The service answered 500: Server error.',
  );
});

describe('surrounding spaces and byte order marks', () => {
  test('are removed from typed answers with a notice', async () => {
    const home = await temporaryFolder();
    const { stderr } = await create(
      home,
      ['BTC', 'ETH'],
      [
        { select: 'Which amount', pick: 'BTC you send' },
        { input: 'Amount of BTC', answer: ' 0.1\t', preview: '0.1 BTC → ' },
        { select: 'Rate', pick: 'floating' },
        { input: 'Payout address for ETH', answer: `\ufeff${ADDRESSES.eth} ` },
        { input: 'Refund address for BTC', answer: '  ' },
        YES,
      ],
    );
    expect(stderr).toContain('Removed spaces around the amount.\n');
    expect(stderr).toContain('Removed spaces around the address.\n');
    expect(await ledger(home)).toMatchObject([
      { deposit: { amount: '0.1' }, receive: { address: ADDRESSES.eth }, refundAddress: null },
    ]);
  });

  test.each([
    [['quote', 'BTC', 'ETH', ' 0.1 '], 'amount'],
    [['address', 'ETH', `\u00a0${ADDRESSES.eth}`], 'address'],
    [['create', 'BTC', 'ETH', '0.1\ufeff', '-a', ADDRESSES.eth, '--dry-run'], 'amount'],
    [['create', 'BTC', 'ETH', '0.1', '-a', `${ADDRESSES.eth}\r\n`, '--dry-run'], 'payout address'],
    [
      ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--min-receive', ' 1', '--dry-run'],
      'amount of --min-receive',
    ],
  ])('are removed from the arguments %j with a notice', async (args, what) => {
    const { error, stderr } = await runHere(args);
    expect(error).toBeNull();
    expect(stderr).toBe(`Removed spaces around the ${what}.\n`);
  });

  test('are removed from a key pair in the environment with a notice', async () => {
    const { env, run } = await deskWith();
    const { error, stderr } = await run(['quote', 'BTC', 'ETH', '0.1'], {
      env: { SWAPCTL_PUBLIC_KEY: ` ${env['SWAPCTL_PUBLIC_KEY']}`, SWAPCTL_SECRET: `\ufeff${SECRET}\n` },
    });
    expect(error).toBeNull();
    expect(stderr).toBe('Removed spaces around the public key.\nRemoved spaces around the secret.\n');
  });

  test('are removed only around a value: a space inside an amount is rejected', async () => {
    const { error } = await runHere(['quote', 'BTC', 'ETH', '0 .1']);
    expect(error).toMatchObject({
      code: 'invalid_amount',
      message: 'Invalid amount 0 .1: it contains a space.',
    });
  });
});

test('create and refund show a spinner', async () => {
  const terminal = { home: await temporaryFolder(), terminals: AT_TERMINAL, env: { TERM: 'xterm' } };
  const made = await runHere(['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes'], terminal);
  expect(made.stderr).toContain('⠋ Creating the swap');
  const order = /Order +([A-Z]+)/.exec(made.stdout)?.[1] ?? '';
  const set = await runHere(['refund', order, ADDRESSES.btcRefund, '--yes'], terminal);
  expect(set.error).toBeNull();
  expect(set.stderr).toContain('⠋ Setting the refund address');
});
