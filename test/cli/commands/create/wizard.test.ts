import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { onEachService } from '../../../helpers/services.ts';
import {
  BTC_ADDRESS,
  create,
  EDIT,
  ENTER,
  ETH_ADDRESS,
  expectNothingSent,
  ledger,
  NO,
  orders,
  TRX_ADDRESS,
  XRP_ADDRESS,
  YES,
} from './wizard.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const FROM_NOTHING: readonly Step[] = [
  { search: 'Coin to send', term: 'btc', pick: 'BTC ' },
  { search: 'Coin to receive', term: 'tether', pick: 'USDT:TRX' },
  { select: 'Which amount do you want to enter?', pick: 'the BTC you send' },
  {
    input: 'Amount of BTC to send (you can send ',
    refused: [
      ['', 'it is empty'],
      ['0,1', 'it contains a comma'],
      ['0.123456789', '8 decimals; try 0.12345678.'],
      ['0.00000001', 'The minimum deposit is '],
      ['100000', 'The maximum deposit is '],
    ],
    answer: '0.1',
    preview: '0.1 BTC → ',
  },
  { select: 'Rate', pick: 'fixed' },
  {
    input: 'Payout address for USDT on TRX (such as T…)',
    refused: [
      ['', 'Invalid'],
      [ETH_ADDRESS, 'Invalid'],
      [`${TRX_ADDRESS.slice(0, -1)}F`, 'checksum'],
    ],
    answer: TRX_ADDRESS,
  },
  {
    input: 'Refund address for BTC, used if the swap fails (optional, such as bc1q…, bc1p…, 1… or 3…)',
    refused: [[TRX_ADDRESS, 'Invalid']],
    answer: BTC_ADDRESS,
  },
];

onEachService(
  {
    'no-maximum': 'no maximum to show',
    'memo-required': 'a 400 without the memo',
    'receive-amount': 'exit 7',
  },
  () => {
    describe('the wizard without arguments', () => {
      test('asks for each value once, shows a review, and creates the swap after yes', async () => {
        const { error, stdout, stderr } = await create(home, [], [...FROM_NOTHING, YES]);
        expect(error).toBeNull();
        expect(stderr).toContain('New swap on the built-in sandbox. Nothing is sent until you confirm.');
        for (const line of [
          ' You send        0.1 BTC on BTC\n',
          `   at address    ${TRX_ADDRESS}\n`,
          '   with memo     none\n',
          ` Refund address  ${BTC_ADDRESS}\n`,
          ' Rate type       fixed rate\n',
          ' Environment     sandbox\n',
        ])
          expect(stderr).toContain(line);
        expect(stderr).toMatch(/^ +Fees +about [0-9.]+ [A-Z]+$/m);
        // The service has not given a deadline, so the review has none either.
        expect(stderr).not.toMatch(/deadline|minutes/i);
        expect(stdout).toContain(' Send exactly\n Amount   0.1 BTC\n Network  BTC\n Address  tb1');
        const [order] = await orders(home);
        expect(stdout).toContain(`swapctl status ${order?.['order']} --watch\n`);
        expect(await ledger(home)).toMatchObject([
          { outcome: 'created', order: order?.['order'], type: 'fixed', refundAddress: BTC_ADDRESS },
        ]);
      });

      test('treats Enter at the review as no and prints a command that restores the answers', async () => {
        const { error, stdout, stderr } = await create(home, [], [...FROM_NOTHING, ENTER], { columns: 200 });
        expect(error).toMatchObject({
          code: 'declined',
          exitCode: 10,
          message: 'Declined; nothing was sent.',
        });
        expect(stdout).toBe('');
        await expectNothingSent(home);
        const line = `swapctl create BTC:BTC USDT:TRX 0.1 --fixed --address ${TRX_ADDRESS} --refund-address ${BTC_ADDRESS}`;
        expect(stderr.split(`\n   ${line}\n`)).toHaveLength(2);
        const again = await create(home, line.split(' ').slice(2), [YES]);
        expect(again.error).toBeNull();
        expect(await orders(home)).toHaveLength(1);
      });

      test('can ask for the amount to receive', async () => {
        const steps: readonly Step[] = [
          { select: 'Which amount do you want to enter?', pick: 'the USDT you receive' },
          {
            input: 'Amount of USDT to receive (you can send ',
            refused: [
              ['0.1234567', '6 decimals'],
              ['900000000', 'max amount'],
            ],
            answer: '1000',
            preview: ' → 1000 USDT',
          },
          { select: 'Rate', pick: 'floating' },
          { input: 'Refund address', answer: '' },
          YES,
        ];
        const { error } = await create(home, ['BTC', 'USDT:TRX', '-a', TRX_ADDRESS], steps);
        expect(error).toBeNull();
      });
    });

    describe('the wizard with flags', () => {
      test('asks for the network of a coin given without a network', async () => {
        const steps: readonly Step[] = [
          { search: 'Network on which you receive USDT', term: 'tr', pick: 'USDT:TRX' },
          YES,
        ];
        const { error } = await create(home, ['BTC', 'usdt', '0.1', '-a', TRX_ADDRESS], steps);
        expect(error).toBeNull();
        expect(await ledger(home)).toMatchObject([{ receive: { coin: 'USDT', network: 'TRX' } }]);
      });

      test('does not offer a network already used on the other side for the same coin', async () => {
        const steps: readonly Step[] = [
          { search: 'Network on which you receive USDT', pick: 'USDT:ETH' },
          { leave: 'Create this swap?' },
        ];
        const { prompter } = await create(home, ['USDT:TRX', 'USDT', '100', '-a', ETH_ADDRESS], steps);
        expect(prompter.asked.filter((line) => line.includes('USDT:TRX'))).toEqual([]);
        for (const [from, to] of [
          ['BTC', 'BTC'],
          ['usdt:trx', 'USDT:TRX'],
        ] as const) {
          const { error, prompter: unasked } = await create(home, [from, to], []);
          expect(error).toMatchObject({
            code: 'usage',
            message: expect.stringContaining('there is nothing to swap'),
          });
          expect(unasked.asked).toEqual([]);
        }
      });

      test('asks for a memo on a network with memos, and for confirmation if it is left empty', async () => {
        const memo = 'Memo for XRP, exactly as the recipient gave it (leave empty if there is none)';
        const steps: readonly Step[] = [
          { input: memo, refused: [['abc', 'destination tag']], answer: '' },
          { confirm: 'Are you sure that the recipient does not need a memo?', answer: true },
          YES,
        ];
        const { error, stderr } = await create(home, ['BTC', 'XRP', '0.1', '-a', XRP_ADDRESS], steps);
        expect(error).toBeNull();
        expect(stderr).toContain('Many recipients, exchanges in particular, lose a payout');
      });

      test('does not ask for a memo if the address contains a memo', async () => {
        const xAddress = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';
        const { stderr } = await create(home, ['BTC', 'XRP', '0.1', '-a', xAddress], [YES]);
        expect(stderr).toMatch(/ {3}with memo {5}[0-9]+\n/);
      });

      test('rejects an invalid --address before any question', async () => {
        const { error, prompter } = await create(home, ['BTC', 'ETH', '--address', TRX_ADDRESS], []);
        expect(error).toMatchObject({ code: 'invalid_address', exitCode: 2 });
        expect(prompter.asked).toEqual([]);
      });

      test('rejects an amount outside the limits before it asks for an address', async () => {
        const { error } = await create(home, ['BTC', 'ETH', '0.00000001'], []);
        expect(error).toMatchObject({
          exitCode: expect.toSatisfy((code: number) => code === 2 || code === 5),
        });
        await expectNothingSent(home);
      });
    });

    describe('the coin list of the wizard', () => {
      test('starts with coins used before and leaves out the coin to send', async () => {
        await create(home, ['LTC', 'DOGE', '1', '-a', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'], [YES]);
        const steps: readonly Step[] = [
          { search: 'Coin to send', pick: 'LTC' },
          { search: 'Coin to receive', pick: 'DOGE' },
          { leave: 'Which amount' },
        ];
        const { prompter } = await create(home, [], steps);
        expect(prompter.asked[1]).toMatch(/^ {2}LTC +Litecoin {2}\(used before\)$/);
        const receivable = prompter.asked.slice(prompter.asked.indexOf('Coin to receive') + 1);
        expect(receivable[0]).toMatch(/^ {2}DOGE +Dogecoin {2}\(used before\)$/);
        expect(receivable.filter((line) => /^ {2}LTC /.test(line))).toEqual([]);
      });

      test('lists an exact match of the code first and marks coins that need a memo', async () => {
        const { prompter } = await create(
          home,
          [],
          [{ search: 'Coin to send', term: 'xrp', pick: 'XRP' }, { leave: 'Coin to receive' }],
        );
        expect(prompter.asked[1]).toMatch(/^ {2}XRP +XRP {2}\(needs a memo\)$/);
      });

      /** The labels that a search finds, in their order. */
      async function found(term: string): Promise<readonly string[]> {
        const [pick, leave] = [{ search: 'Coin to send', term, pick: '' }, { leave: 'Coin to receive' }];
        const { prompter } = await create(home, [], [pick, leave]);
        const lines = prompter.asked.slice(1, prompter.asked.indexOf('Coin to receive'));
        return lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split(' ')[0] ?? '');
      }

      test.each([
        ['usdt trx', ['USDT:TRX']],
        ['trx usdt', ['USDT:TRX']],
        ['  USDT   TRX ', ['USDT:TRX']],
        ['usdt:trx', ['USDT:TRX']],
        ['tether trx', ['USDT:TRX']],
        ['cash bitcoin', ['BCH']],
        ['bitcoin bitcoin', ['BTC', 'BCH', 'WBTC:ETH', 'WBTC:ARBITRUM']],
        ['usd trx', ['USDT:TRX', 'USDC:TRX', 'USDD:TRX', 'TUSD:TRX']],
        ['trx nosuch', []],
      ])('finds coins that match every word of %j, in any order', async (term, labels) => {
        if (labels.length === 0) await expect(found(term)).rejects.toThrow('No choice holds');
        else expect(await found(term)).toEqual(labels);
      });

      test('lists a coin before other coins on its network, with used coins first in each group', async () => {
        await create(home, ['USDC:TRX', 'DOGE', '100', '-a', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'], [YES]);
        const labels = await found('trx');
        expect(labels.slice(0, 3)).toEqual(['TRX', 'USDC:TRX', 'USDT:TRX']);
        expect((await found('usd trx'))[0]).toBe('USDC:TRX');
        expect((await found('usdt trx'))[0]).toBe('USDT:TRX');
      });
    });

    describe('the output of the wizard', () => {
      test('is only the swap on standard output if that is redirected', async () => {
        const { stdout, stderr } = await create(home, ['--json'], [...FROM_NOTHING, YES], {
          terminals: ['stdin', 'stderr'],
        });
        const swap = JSON.parse(stdout);
        expect(swap).toMatchObject({ status: 'new', deposit: { amount: '0.1' } });
        expect(stderr).toContain(' Review\n');
        // Whoever was asked sees what to pay as well.
        for (const shown of [swap.order, 'Send exactly', swap.deposit.address])
          expect(stderr).toContain(shown);
      });

      test('names the missing flags if there is no terminal', async () => {
        const { error } = await create(home, ['BTC'], [], { terminals: [] });
        expect(error).toMatchObject({ code: 'usage', exitCode: 2 });
        expect(error?.message).toContain('<to>, <amount>, --address, --yes');
        const whole = await create(home, ['BTC', 'ETH', '0.1', '-a', ETH_ADDRESS], [], { terminals: [] });
        expect(whole.error?.message).toBe('Without a terminal, create needs --yes.');
      });
    });
  },
);

describe('changing a field in the review', () => {
  const asking = (pick: string) => [EDIT, { search: 'What do you want to change?', pick }];

  test('does not offer the memo if the network has none', async () => {
    const steps = [...asking('nothing, return to the review'), NO];
    const { prompter } = await create(home, ['BTC', 'ETH', '0.1', '-a', ETH_ADDRESS], steps);
    expect(prompter.asked.filter((line) => line.includes('memo'))).toEqual([]);
    await expectNothingSent(home);
  });

  test('shows the prices of both rate types when the rate is changed', async () => {
    const toXrp = ['BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '-m', '12345', '--refund-address', BTC_ADDRESS];
    const steps = [...asking('rate (now floating)'), { select: 'Rate', pick: 'fixed' }, YES];
    const { prompter } = await create(home, toXrp, steps);
    const offered = /^ {2}(floating|fixed {3}) {2}0\.1 BTC → [0-9.]+ XRP$/;
    expect(prompter.asked.filter((line) => offered.test(line))).toHaveLength(2);
    expect(await ledger(home)).toMatchObject([{ type: 'fixed' }]);
  });
});
