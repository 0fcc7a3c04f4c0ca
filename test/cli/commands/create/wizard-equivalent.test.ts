import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellQuote } from '../../../../src/base/files.ts';
import type { CreateFlags } from '../../../../src/cli/commands/create/flags.ts';
import { equivalentCommand } from '../../../../src/cli/commands/create/review.ts';
import { anyCharacter } from '../../../helpers/any-character.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { onEachService } from '../../../helpers/services.ts';
import { NO_CREATE_OPTIONS } from '../options.ts';
import { BTC_ADDRESS, create, dryRunBody, NO, TRX_ADDRESS, XRP_ADDRESS } from './wizard.ts';

/** The words of a command line as a shell would hand them over. */
function shellWords(command: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

/** The equivalent command in what was written on stderr. */
function reported(stderr: string): string {
  return stderr.slice(stderr.indexOf('swapctl create'));
}

const CASES: readonly (readonly [name: string, args: readonly string[], steps: readonly Step[]])[] = [
  [
    'with a memo and a refund address',
    ['BTC', 'XRP', '0.1', '--fixed', '-a', XRP_ADDRESS, '-m', '12345', '--refund-address', BTC_ADDRESS],
    [],
  ],
  ['with a waived memo', ['BTC', 'XRP', '0.1', '-a', XRP_ADDRESS, '--no-memo', '--min-receive', '1'], []],
  [
    'with a network chosen in the wizard',
    ['BTC', 'USDT', '0.1', '-a', TRX_ADDRESS],
    [{ search: 'Network on which you receive USDT', pick: 'USDT:TRX' }],
  ],
  [
    'with a memo that needs shell quoting',
    [
      'BTC',
      'ATOM',
      '0.1',
      '-a',
      'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02',
      '-m',
      'it\'s $5; `ls` & "more"',
    ],
    [],
  ],
];

onEachService(
  { 'memo-required': 'a 400 without the memo', 'receive-amount': 'exit 7 where what is received was fixed' },
  () => {
    describe('the equivalent command', () => {
      test.each(CASES)('makes the same request without questions: %s', async (_, args, steps) => {
        const home = await temporaryFolder();
        const { stderr } = await create(home, args, [...steps, NO]);
        const [program, ...words] = shellWords(reported(stderr));
        expect(program).toBe('swapctl');
        const chosen = args.map((word) => (word === 'USDT' ? 'USDT:TRX' : word));
        expect(await dryRunBody(home, words)).toEqual(await dryRunBody(home, ['create', ...chosen]));
      });

      test('has the amount to receive with --receive instead of the deposit', async () => {
        const home = await temporaryFolder();
        const { stderr } = await create(home, ['BTC', 'USDT:TRX', '1000', '-r', '-a', TRX_ADDRESS], [NO]);
        expect(shellWords(reported(stderr)).slice(0, 6)).toEqual(
          'swapctl create BTC:BTC USDT:TRX 1000 --receive'.split(' '),
        );
      });

      test('keeps --profile or --sandbox, the key and the labels', () => {
        const flags: CreateFlags = {
          ...NO_CREATE_OPTIONS,
          from: { coin: 'BTC', network: 'BTC' },
          to: { coin: '$WIF', network: 'SOL' },
          amount: '0.1',
          lastSource: 'deposit',
          type: 'float',
          address: 'abc',
          memo: '-5',
          tolerance: '0.5',
          idempotencyKey: 'k',
          qr: true,
        };
        expect(equivalentCommand(flags, { profile: 'prod' })).toBe(
          "swapctl create BTC:BTC '$WIF:SOL' 0.1 --float --address abc --memo=-5 --tolerance 0.5% --profile prod --idempotency-key k",
        );
        const labels = { team: 'ops', note: "it's late" };
        expect(equivalentCommand({ ...flags, labels }, { profile: 'prod' })).toBe(
          "swapctl create BTC:BTC '$WIF:SOL' 0.1 --float --address abc --memo=-5 --tolerance 0.5% --label team=ops --label 'note=it'\\''s late' --profile prod --idempotency-key k",
        );
        expect(equivalentCommand(flags, { sandbox: true }, 40)).toBe(
          "swapctl create BTC:BTC '$WIF:SOL' 0.1 \\\n  --float \\\n  --address abc \\\n  --memo=-5 \\\n  --tolerance 0.5% \\\n  --sandbox \\\n  --idempotency-key k",
        );
      });
    });
  },
);

test('shellQuote quotes any text so that a shell reads it back unchanged', () => {
  const printable = fc.string({ unit: anyCharacter, maxLength: 20 }).filter((text) => !text.includes('\0'));
  const words = fc.sample(printable, 600);
  expect(shellWords(words.map(shellQuote).join(' '))).toEqual(words);
});
