import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { ADDRESSES, createdAs, type SwapService, startSwapService } from '../../../helpers/swap-service.ts';
import { create, type GuidedRun } from './wizard.ts';

const MIN = '0.001';
const TO_ETH = ['BTC', 'ETH', '0.1', '-a', ADDRESSES.eth];

/** What a service prices 0.1 BTC at, each time that it is asked. */
interface Prices {
  /** Payouts, one after the other; the last one stays. */
  readonly receive: readonly string[];
  /** Deposits that `--receive` is answered with. */
  readonly amount?: readonly string[];
}

interface Reviewed extends GuidedRun {
  readonly service: SwapService;
  readonly home: string;
}

/** Runs another command for the same profile, and returns what it prints. */
type Beside = (args: readonly string[], input?: string) => Promise<string>;

/** Creates with a clock of its own; `wait` seconds pass before each yes. */
async function reviewed(
  prices: Prices,
  args: readonly string[],
  waits: readonly number[],
  options: Parameters<typeof create>[3] = {},
  prepare: (beside: Beside) => Promise<void> = async () => undefined,
): Promise<Reviewed> {
  const home = await temporaryFolder();
  let time = Date.parse('2026-01-31T12:00:00Z');
  let asked = 0;
  const at = (list: readonly string[]) => list[Math.min(asked, list.length - 1)];
  const service = await startSwapService({
    'exchange-coin': ({ query }, response) => {
      const amount =
        query.get('lastSource') === 'receive' ? at(prices.amount ?? ['0.1']) : query.get('amount');
      const receive = at(prices.receive);
      const exchangeRate = (Number(receive) / Number(amount)).toFixed(12);
      const figures = { receive, exchangeRate, minAmount: MIN, maxAmount: 0 };
      // The review compares the rate with the one at the minimum.
      if (query.get('amount') !== MIN) asked += 1;
      sendJson(response, 200, { pair: 'BTC_ETH', amount, ...figures });
    },
    'create-transaction': (seen, response, request) => {
      const paid = prices.receive[Math.min(asked, prices.receive.length) - 1];
      createdAs((swap) => (swap.pairs.receive.coin.value = Number(paid)))(seen, response, request);
    },
  });
  const yesAfter = (seconds: number): Step => {
    let waited = false;
    return {
      input: 'Create this swap? (y/N, e to change something)',
      // The script looks at its answer more than once.
      get answer() {
        if (!waited) time += seconds * 1000;
        waited = true;
        return 'y';
      },
    };
  };
  const own = { home, env: profileAt(service.url), now: () => time };
  onTestFinished(() => service.close());
  await prepare(async (beside, input = '') => (await runHere(beside, { ...own, input })).stdout);
  const run = await create(home, [...TO_ETH, ...args], waits.map(yesAfter), { ...own, ...options });
  return { ...run, service, home };
}

test('a price drop before and during the wait for an approval is compared with the reviewed price', async () => {
  let beside: Beside = async () => '';
  const sleep = async () => {
    const [{ id = '' } = {}] = JSON.parse(await beside(['policy', 'approvals', 'list', '--json'])) as {
      id?: string;
    }[];
    await beside(['policy', 'approvals', 'grant', id, '--yes']);
  };
  const prices = { receive: ['2.5', '2.48', '2.46'] };
  const run = await reviewed(prices, ['--wait'], [0, 0], { sleep }, async (started) => {
    beside = started;
    const { publicKey } = JSON.parse(await beside(['policy', 'approvals', 'key', '--json'])) as {
      publicKey: string;
    };
    const rules = [{ approve: { by: [publicKey], within: '15m' } }];
    await beside(['policy', 'set', '-', '--yes'], JSON.stringify({ version: 1, rules }));
  });
  expect(run.error).toBeNull();
  expect(run.stderr).toContain('warning: the price has changed: reviewed 2.5 ETH, now 2.46 ETH (−1.6 %).');
  expect(run.prompter.asked).toHaveLength(2);
  expect(run.service.posts()).toBe(1);
});
