import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { create, EDIT, expectNothingSent, XRP_ADDRESS } from './wizard.ts';

const ROAD: readonly (readonly [question: string, answer: Step])[] = [
  ['Coin to send', { search: 'Coin to send', term: 'usdt', pick: 'USDT:TRX' }],
  ['Coin to receive', { search: 'Coin to receive', term: 'xrp', pick: 'XRP' }],
  ['Which amount', { select: 'Which amount', pick: 'you send' }],
  ['Amount of USDT', { input: 'Amount of USDT', answer: '100' }],
  ['Rate', { select: 'Rate', pick: 'floating' }],
  ['Payout address', { input: 'Payout address', answer: XRP_ADDRESS }],
  ['Memo for XRP', { input: 'Memo for XRP', answer: '' }],
  ['Are you sure that the recipient', { confirm: 'Are you sure that the recipient', answer: true }],
  ['Refund address', { input: 'Refund address', answer: '' }],
  ['Create this swap?', EDIT],
  ['What do you want to change?', { search: 'What do you want to change?', pick: 'rate' }],
  ['Rate', { select: 'Rate', pick: 'fixed' }],
  ['Create this swap?', EDIT],
];

/** The command that leads back, after so many of the answers. */
function wayBack(answered: number): string {
  return [
    'swapctl create',
    ...(answered >= 1 ? ['USDT:TRX'] : []),
    ...(answered >= 2 ? ['XRP:XRP'] : []),
    ...(answered >= 4 ? ['100'] : []),
    ...(answered >= 5 ? ['--float'] : []),
    ...(answered >= 6 ? [`--address ${XRP_ADDRESS}`] : []),
    ...(answered >= 8 ? ['--no-memo'] : []),
  ].join(' ');
}

test.each(ROAD.map(([question], index) => [question, index] as const))(
  'leaving at question "%s" (number %i) exits with 130 and prints a command to continue',
  async (question, index) => {
    const home = await temporaryFolder();
    const steps = [...ROAD.slice(0, index).map(([, answer]) => answer), { leave: question }];
    const { error, stdout, stderr } = await create(home, [], steps, { columns: 200 });
    expect(error).toMatchObject({ code: 'interrupted', exitCode: 130, outcome: 'nothing-sent' });
    expect(stdout).toBe('');
    const printed = stderr.split('\n');
    const isReviewed = index >= 6;
    expect(printed.at(-3)).toBe(
      ` Nothing was sent. To ${isReviewed ? 'get back to this review' : 'continue from here'}, run:`,
    );
    const fixed = index === ROAD.length - 1;
    expect(printed.at(-2)).toBe(`   ${wayBack(index).replace('--float', fixed ? '--fixed' : '--float')}`);
    await expectNothingSent(home);
  },
);
