import { expect, test } from 'vitest';
import { sendJson } from '../../../helpers/raw-server.ts';
import { ADDRESSES, createdAs } from '../../../helpers/swap-service.ts';
import { deskWith } from '../batch/desk.ts';
import { create, YES } from './wizard.ts';

const MIN = '0.001';

test('a price drop before and during the wait for an approval is compared with the reviewed price', async () => {
  const payouts = ['2.5', '2.48', '2.46'];
  let asked = 0;
  const desk = await deskWith({
    'exchange-coin': ({ query }, response) => {
      const receive = payouts[Math.min(asked, payouts.length - 1)];
      const exchangeRate = (Number(receive) / 0.1).toFixed(12);
      // The review compares the rate with the one at the minimum.
      if (query.get('amount') !== MIN) asked += 1;
      const figures = { amount: query.get('amount'), receive, exchangeRate, minAmount: MIN, maxAmount: 0 };
      sendJson(response, 200, { pair: 'BTC_ETH', ...figures });
    },
    'create-transaction': createdAs((swap) => (swap.pairs.receive.coin.value = 2.46)),
  });
  const now = () => Date.parse('2026-01-31T12:00:00Z');
  const approvals = async (...args: readonly string[]) =>
    (await desk.run(['policy', 'approvals', ...args], { now })).stdout;
  const { publicKey } = JSON.parse(await approvals('key', '--json'));
  const rules = [{ approve: { by: [publicKey], within: '15m' } }];
  await desk.run(['policy', 'set', '-', '--yes'], { now, input: JSON.stringify({ version: 1, rules }) });
  const run = await create(desk.home, ['BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--wait'], [YES, YES], {
    env: desk.env,
    now,
    sleep: async () => {
      const [{ id }] = JSON.parse(await approvals('list', '--json'));
      await approvals('grant', id, '--yes');
    },
  });
  expect(run.error).toBeNull();
  expect(run.stderr).toContain('warning: the price has changed: reviewed 2.5 ETH, now 2.46 ETH (−1.6 %).');
  expect(run.stderr).toContain('Waiting for approval apr_');
  expect(run.prompter.asked).toHaveLength(2);
  expect(desk.service.posts()).toBe(1);
});
