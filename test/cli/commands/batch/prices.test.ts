import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compareDecimals, differenceOf, ExactSum } from '../../../../src/core/swap/amount.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { createdAs, sendQuote } from '../../../helpers/swap-service.ts';
import { amounts, deskWith, resultsOf } from './desk.ts';

const NOW = 1_790_000_000_000;
const TRON = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
const AT_ONCE = ['--json', '--budget', '9999/60s'];

/** The part of a review that is a price. */
interface Review {
  readonly totals: readonly { readonly side: string; readonly amount: string }[];
}

/** The sum of the payouts that a review shows. */
function payoutOf({ stdout }: { readonly stdout: string }): string | undefined {
  return (JSON.parse(stdout) as Review).totals.find(({ side }) => side === 'receive')?.amount;
}

it('the review of a batch estimates the payout of the built-in service, including a flat fee', async () => {
  const home = await temporaryFolder();
  const file = join(home, 'rows.csv');
  const small = ['0.0031', '0.0033', '0.0035', '0.0043', '0.0059'];
  const rows = [...small.map((amount) => `${amount},,`), '0.0031,,fixed', '9.5,true,', '9.5,true,fixed'].map(
    (row) => `ETH,USDT:TRX,${TRON},${row}\n`,
  );
  writeFileSync(file, `from,to,address,amount,receive,type\n${rows.join('')}`);
  // The price stands still.
  const run = (flag: string) => runHere(['batch', file, flag, ...AT_ONCE], { home, now: () => NOW });
  const reviewed = payoutOf(await run('--dry-run')) ?? '0';
  const made = await run('--yes');
  expect(made.error).toBeNull();
  const paid = new ExactSum();
  for (const { swap } of resultsOf(made)) paid.add(swap?.receive.amount ?? '0');
  // The service rounds each payout to six decimals.
  expect(compareDecimals(differenceOf(paid.amount, reviewed), '0.000008')).toBeLessThanOrEqual(0);
});

it('a batch reports an order that pays less than reviewed, even if the last quote was lower too', async () => {
  let asked = 0;
  const desk = await deskWith({
    'exchange-coin': ({ query }, response) => {
      asked += 1;
      const amount = Number(query.get('amount'));
      sendQuote(response, amount, (asked === 1 ? 25 : 24.8) * amount);
    },
    'create-transaction': createdAs((swap) => (swap.pairs.receive.coin.value = 2.465)),
  });
  const run = await desk.run(['batch', desk.file('rows.csv', amounts('0.1')), '--yes', ...AT_ONCE]);
  expect(run.error).toBeNull();
  expect(run.stderr).toContain(
    'The order pays 2.465 ETH instead of the 2.5 ETH in the review (−1.4 %). Leaving it unfunded costs nothing.',
  );
});
