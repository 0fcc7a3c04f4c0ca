import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import type { Step } from '../../../helpers/prompter.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import type { SwapService } from '../../../helpers/swap-service.ts';
import { ADDRESSES, createdAs, startSwapService } from '../../../helpers/swap-service.ts';
import type { GuidedRun } from './wizard.ts';
import { create, ledger } from './wizard.ts';

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

const pricesAsked = ({ service }: Reviewed) =>
  service.requests.filter(
    ({ endpoint, query }) => endpoint === 'exchange-coin' && query.get('amount') !== MIN,
  );

const sentAmount = ({ service }: Reviewed) =>
  service.requests.flatMap(({ endpoint, body }) =>
    endpoint === 'create-transaction' ? [/"depositAmount":([^,]+)/.exec(body)?.[1]] : [],
  );

test.each([0, 1, 3600])(
  'confirming after %i s requests the price again and reports a change within the tolerance',
  async (seconds) => {
    const run = await reviewed({ receive: ['2.5', '2.475'] }, [], [seconds]);
    expect(run.error).toBeNull();
    expect(pricesAsked(run)).toHaveLength(2);
    expect(run.stderr).toContain('\nThe price has changed: reviewed 2.5 ETH, now 2.475 ETH (−1.0 %).\n');
    expect(run.service.posts()).toBe(1);
  },
);

test('a review names the place, which is named again before sending, and warns of an unverified address', async () => {
  const run = await reviewed({ receive: ['2.5'] }, ['-a', ADDRESSES.eth.toLowerCase()], [0]);
  expect(run.stderr).toMatch(/ Profile +env\n Environment +sandbox\n Service +127\.0\.0\.1:\d+\n/);
  expect(run.stderr).toContain('warning: The address is all lower case');
  expect(run.stderr).toMatch(/^profile env · sandbox · 127\.0\.0\.1:\d+$/m);
});

test('a better price is reported and accepted', async () => {
  const run = await reviewed({ receive: ['2.5', '5'] }, ['--fixed'], [16]);
  expect(run.stderr).toContain('reviewed 2.5 ETH, now 5 ETH (+100.0 %).');
  expect(run.service.posts()).toBe(1);
});

test('a price drop beyond the tolerance repeats the review until a price is confirmed', async () => {
  const run = await reviewed({ receive: ['2.5', '2.47', '1.2'] }, [], [0, 16, 1]);
  expect(run.error).toBeNull();
  expect(run.stderr).toContain('warning: the price has changed: reviewed 2.5 ETH, now 2.47 ETH (−1.2 %).');
  expect(run.stderr).toContain('warning: the price has changed: reviewed 2.47 ETH, now 1.2 ETH (−51.4 %).');
  expect(run.stderr.match(/ You receive .*/g)).toEqual([
    ' You receive     about 2.5 ETH on ETH',
    ' You receive     about 2.47 ETH on ETH',
    ' You receive     about 1.2 ETH on ETH',
  ]);
  expect(run.prompter.asked).toHaveLength(3);
  expect(run.service.posts()).toBe(1);
});

test.each([
  [['--tolerance', '50%'], '1.25', 1],
  [['--tolerance', '49.9%'], '1.25', 2],
  [['--tolerance', '0%'], '2.499999999999999999', 2],
  [['--fixed'], '2.499999999999999999', 2],
  [['--fixed', '--tolerance', '1%'], '2.475', 1],
])('with %j, a drop from 2.5 to %s is confirmed %i times in total', async (args, now, times) => {
  const run = await reviewed(
    { receive: ['2.5', now] },
    args,
    Array.from({ length: times }, () => 16),
  );
  expect(run.prompter.asked).toHaveLength(times);
  expect(run.service.posts()).toBe(1);
});

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

test('--receive sends the current deposit and asks again if it rose beyond the tolerance', async () => {
  const run = await reviewed(
    { receive: ['0.1'], amount: ['0.004', '0.00402', '0.005'] },
    ['--receive'],
    [16],
  );
  expect(run.stderr).toContain('reviewed 0.004 BTC to send, now 0.00402 BTC (+0.5 %).');
  expect(sentAmount(run)).toEqual(['0.00402']);
  const risen = await reviewed({ receive: ['0.1'], amount: ['0.004', '0.005'] }, ['--receive'], [16, 1]);
  expect(risen.prompter.asked).toHaveLength(2);
  expect(sentAmount(risen)).toEqual(['0.005']);
});

test('--min-receive is checked against the new price, and a miss asks what to change', async () => {
  const home = await temporaryFolder();
  const args = ['--min-receive', '2.48', '--tolerance', '10%'];
  await expect(reviewed({ receive: ['2.5', '2.47'] }, args, [16])).rejects.toThrow(
    'Unexpected question: What do you want to change?',
  );
  expect(await ledger(home)).toEqual([]);
});

const UNASKED = { terminals: [] };

test('--yes requests a single quote before the create', async () => {
  for (const options of [UNASKED, {}]) {
    const run = await reviewed({ receive: ['2.5', '1.25'] }, ['--yes', '--json'], [], options);
    expect(run.error).toBeNull();
    expect(run.service.requests.map(({ endpoint }) => endpoint).slice(-2)).toEqual([
      'exchange-coin',
      'create-transaction',
    ]);
    expect(run.service.count('exchange-coin')).toBe(1);
  }
});

test('--receive rounds a deposit up to the decimals of its network and reports the rounding', async () => {
  const doubles: Prices = { receive: ['0.1'], amount: ['0.436463890791166'] };
  const run = await reviewed(doubles, ['--receive'], [1]);
  expect(run.stderr).toContain(
    ' You send           0.4364639 BTC on BTC\n   rounded up from  0.436463890791166\n',
  );
  expect(sentAmount(run)).toEqual(['0.4364639']);
  const piped = await reviewed(doubles, ['--receive', '--yes', '--json'], [], UNASKED);
  expect(piped.stderr).toContain(
    'The deposit of 0.436463890791166 BTC is rounded up to 0.4364639, which can be paid on BTC.\n',
  );
  expect(JSON.parse(piped.stdout)).toMatchObject({ deposit: { amount: '0.4364639' } });
  const dry = await reviewed(doubles, ['--receive', '--dry-run', '--json'], [], UNASKED);
  expect(dry.stderr).toContain('is rounded up to 0.4364639');
  expect(dry.stdout).toContain('"depositAmount":0.4364639,');
});
