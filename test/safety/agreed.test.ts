import { describe, expect, it } from 'vitest';
import type { SwapResult } from '../../src/ledger/swap-result.ts';
import { expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import type { RanHere } from '../helpers/run-here.ts';
import { AT_TERMINAL, runHere } from '../helpers/run-here.ts';
import type { Scene } from '../helpers/scene.ts';
import { inScene, profileAt } from '../helpers/scene.ts';
import type { CreateBody, Plan, WireSwap } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, ORDER, swapText, wireSwap } from '../helpers/swap-service.ts';

type Change = (swap: WireSwap) => unknown;

/** One lie of a service. */
interface Lie {
  readonly name: string;
  readonly change: Change;
  /** What is said of it at the create, and afterwards. */
  readonly says: RegExp;
}

const BURN = '0x000000000000000000000000000000000000dEaD';

/** Lies that a create ends with 7 for. */
const AT_CREATE: readonly Lie[] = [
  { name: 'pays nothing', change: ({ pairs }) => (pairs.receive.coin.value = 0), says: /it pays nothing/ },
  {
    name: 'pays a 24,500th of the quote',
    change: ({ pairs }) => (pairs.receive.coin.value = 0.000102),
    says: /it pays 0\.000102 instead of 2\.5/,
  },
  {
    name: 'pays a little less than a tenth of the quote',
    change: ({ pairs }) => (pairs.receive.coin.value = 0.2499),
    says: /it pays 0\.2499 instead of 2\.5/,
  },
  {
    name: 'pays a hundred times the quote',
    change: ({ pairs }) => (pairs.receive.coin.value = 250),
    says: /it pays 250 instead of 2\.5/,
  },
  {
    name: 'names no payout address',
    change: ({ pairs }) => (pairs.receive.address = ''),
    says: /does not say to which address it pays/,
  },
  {
    name: 'names no payout coin',
    change: ({ pairs }) => (pairs.receive.coin.name = ''),
    says: /does not say which coin on which network it pays/,
  },
  {
    name: 'names no payout network',
    change: ({ pairs }) => (pairs.receive.coin.network = ''),
    says: /does not say which coin on which network it pays/,
  },
  {
    name: 'names no coin to deposit',
    change: ({ pairs }) => (pairs.deposit.coin.name = ''),
    says: /does not say which coin on which network it takes/,
  },
  {
    name: 'names no network to deposit on',
    change: ({ pairs }) => (pairs.deposit.coin.network = ''),
    says: /does not say which coin on which network it takes/,
  },
  {
    name: 'names no payout',
    change: ({ pairs }) => Object.assign(pairs.receive.coin, { value: null }),
    says: /does not say how much it pays/,
  },
  {
    name: 'names another address for the payout transaction',
    change: ({ receiveTransaction }) => (receiveTransaction.address = ADDRESSES.otherEth),
    says: /payout goes to another address: 0x\w{40} instead of 0x/,
  },
  { name: 'is frozen', change: (swap) => (swap.status = 11), says: /is in frozen already/ },
  { name: 'is paused', change: (swap) => (swap.status = 10), says: /is in pause already/ },
  { name: 'has succeeded', change: (swap) => (swap.status = 4), says: /ended already, as success/ },
  { name: 'was sent back', change: (swap) => (swap.status = 13), says: /ended already, as refund/ },
  { name: 'has failed', change: (swap) => (swap.status = 6), says: /ended already, as error/ },
  { name: 'has its deposit', change: (swap) => (swap.status = 1), says: /begun already/ },
  { name: 'is new with a deposit', change: (swap) => (swap.txId = 'f00d'), says: /begun already/ },
  {
    name: 'is new and paid out',
    change: ({ receiveTransaction }) => (receiveTransaction.txId = 'f00d'),
    says: /begun already/,
  },
];

const creating = (change: Change): Plan => ({
  'create-transaction': (seen, response) => sendJson(response, 201, swapText(seen, change)),
});

describe.concurrent('a create answered with an order that', () => {
  it.each(AT_CREATE)('$name is never shown as one to fund', ({ change, says }) =>
    inScene(creating(change), async (scene) => {
      const run = await scene.create();
      await expectCreate(scene, run, { ...UNKNOWN, httpStatus: 201, says: [says, /Do not fund it/] });
      const [line] = await historyOf(scene);
      expect(line).toMatchObject({ outcome: 'unknown', order: ORDER, fundable: false, paymentUri: null });
    }),
  );

  it('has no payout is a contradiction of --min-receive too', () =>
    inScene(
      creating(({ pairs }) => Object.assign(pairs.receive.coin, { value: null })),
      async (scene) => {
        const run = await scene.create(['--min-receive', '2.4']);
        await expectCreate(scene, run, { ...UNKNOWN, says: [/does not say how much it pays/] });
      },
    ));
});

/** Runs in this process, which is quicker, with the same home and service. */
const here = ({ home, service }: Scene, args: readonly string[], terminal = false): Promise<RanHere> =>
  runHere(args, { home, env: profileAt(service.url), ...(terminal ? { terminals: AT_TERMINAL } : {}) });

const jsonOf = <T = SwapResult>({ stdout }: RanHere): T => JSON.parse(stdout) as T;

const historyOf = async (scene: Scene) => jsonOf<SwapResult[]>(await here(scene, ['history', '--json']));

const PAYOUTS = { BTC: ADDRESSES.btcRefund, ETH: ADDRESSES.eth, XRP: ADDRESSES.xrp } as const;

const createOf = (from: keyof typeof PAYOUTS, to: keyof typeof PAYOUTS, more: readonly string[] = []) => [
  ...[
    'create',
    from,
    to,
    '0.1',
    '-a',
    PAYOUTS[to],
    '--yes',
    ...(to === 'XRP' ? ['-m', '12345'] : []),
    ...more,
  ],
];

describe.concurrent('a deposit address that is odd by our own rules', () => {
  const ODD: readonly (readonly [string, keyof typeof PAYOUTS, Change, string])[] = [
    [
      'without its memo',
      'XRP',
      ({ pairs }) => (pairs.deposit.memo = ''),
      'The network of the deposit needs a memo, and the service gave none.',
    ],
    [
      'with a memo that is none',
      'XRP',
      ({ pairs }) => (pairs.deposit.memo = 'twelve'),
      'The deposit memo is none of XRP.',
    ],
    [
      'of another network',
      'BTC',
      ({ pairs }) => (pairs.deposit.address = ADDRESSES.eth),
      'The deposit address is none of BTC.',
    ],
    [
      'with a memo on a network that has none',
      'BTC',
      ({ pairs }) => (pairs.deposit.memo = '7'),
      'The deposit memo is none of BTC.',
    ],
    [
      'that nobody holds the key of',
      'ETH',
      ({ pairs }) => (pairs.deposit.address = BURN),
      'Nobody could ever spend from the deposit address.',
    ],
  ];
  it.each(ODD)('%s gets no code to scan, and the warning stands above it', (_name, from, change, says) =>
    inScene(creating(change), async (scene) => {
      const line = createOf(from, from === 'ETH' ? 'BTC' : 'ETH');
      const { stdout, error } = await here(scene, line, true);
      expect(error).toBeNull();
      expect(stdout).not.toMatch(/[▀▄█]/);
      expect(stdout).not.toContain('Send exactly');
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        `${says} Ask the service before you send anything. Do not send anything`,
      );
      expect(await historyOf(scene)).toMatchObject([
        { outcome: 'created', fundable: false, paymentUri: null, doubts: ['deposit_address_odd'] },
      ]);
      const json = await here(scene, ['status', ORDER, '--json']);
      expect(jsonOf(json).fundable).toBe(false);
    }),
  );

  it('that is the payout address starts no swap', () =>
    inScene(
      creating(({ pairs }) => (pairs.deposit.address = ADDRESSES.btcRefund)),
      async (scene) => {
        const line = createOf('BTC', 'ETH', ['--refund-address', ADDRESSES.btcRefund, '--json']);
        const ran = await here(scene, line);
        expect(jsonOf(ran)).toMatchObject({ fundable: false, doubts: ['deposit_address_odd'] });
        expect(ran.stderr).toContain('The deposit address is the refund address.');
      },
    ));
});

describe.concurrent('a payout that fell short of the quote', () => {
  const paying = (value: number): Plan => creating(({ pairs }) => (pairs.receive.coin.value = value));
  const WORDS = 'It costs nothing to leave it unfunded.';

  it.each([
    [2.4749, [], '(−1.0 %)'],
    [2.25, [], '(−10.0 %)'],
    [0.25, [], '(−90.0 %)'],
    [2.4749, ['--tolerance', '1%'], '(−1.0 %)'],
    [2.499, ['--fixed'], '(−0.04 %)'],
  ])('to %d with %j is told above the instructions', (value, flags, percent) =>
    inScene(paying(value), async (scene) => {
      const { stdout, error } = await here(scene, createOf('BTC', 'ETH', [...flags, '--no-qr']), true);
      expect(error).toBeNull();
      const text = stdout.replace(/\s+/g, ' ');
      const told = `The order pays ${value} ETH where the quote said 2.5 ETH ${percent}. ${WORDS} Send exactly`;
      expect(text).toContain(told);
    }),
  );

  it.each([
    [2.475, []],
    [2.6, []],
    [2.25, ['--tolerance', '10%']],
    [2.5, ['--fixed']],
  ])('to %d with %j is within what was agreed', (value, flags) =>
    inScene(paying(value), async (scene) => {
      const ran = await here(scene, createOf('BTC', 'ETH', [...flags, '--json']));
      expect(jsonOf(ran)).toMatchObject({ fundable: true, doubts: [], asked: { deposit: '0.1' } });
      expect(ran.stderr).not.toContain(WORDS);
    }),
  );
});

/** Lies that are told after the create. */
const LATER: readonly (Lie & { readonly doubt: string })[] = [
  {
    ...{ name: 'wants a hundred times the deposit', doubt: 'amount_changed' },
    change: ({ pairs }) => (pairs.deposit.coin.value = 10),
    says: /wants a deposit of 10 instead of 0\.1/,
  },
  {
    ...{ name: 'shows no amount', doubt: 'amount_changed' },
    change: ({ pairs }) => Object.assign(pairs.deposit.coin, { value: null }),
    says: /amount to deposit is missing/,
  },
  {
    ...{ name: 'has another deposit address', doubt: 'deposit_changed' },
    change: ({ pairs }) => (pairs.deposit.address = ADDRESSES.otherBtcDeposit),
    says: /another deposit address now: \w+ instead of \w+/,
  },
  {
    ...{ name: 'shows no deposit address', doubt: 'deposit_changed' },
    change: ({ pairs }) => (pairs.deposit.address = ''),
    says: /shows no deposit address any more/,
  },
  {
    ...{ name: 'takes another network', doubt: 'deposit_changed' },
    change: ({ pairs }) => (pairs.deposit.coin.network = 'BSC'),
    says: /another coin or network as deposit: BTC on BSC instead of BTC on BTC/,
  },
  {
    ...{ name: 'has another rate type', doubt: 'type_changed' },
    change: ({ type }) => (type.typeSwap = 1),
    says: /rate is fixed instead of float/,
  },
  {
    ...{ name: 'pays another address', doubt: 'payout_changed' },
    change: ({ pairs }) => (pairs.receive.address = ADDRESSES.otherEth),
    says: /pays to another address: 0x\w+ instead of 0x\w+/,
  },
  {
    ...{ name: 'names no payout address', doubt: 'payout_changed' },
    change: ({ pairs }) => (pairs.receive.address = ''),
    says: /does not say to which address/,
  },
  {
    ...{ name: 'has a memo that nobody gave', doubt: 'payout_changed' },
    change: ({ pairs }) => (pairs.receive.memo = '7'),
    says: /pays with another memo: 7 instead of none/,
  },
  {
    ...{ name: 'pays a hundredth', doubt: 'payout_changed' },
    change: ({ pairs }) => (pairs.receive.coin.value = 0.025),
    says: /pays 0\.025 instead of 2\.5/,
  },
  {
    ...{ name: 'pays nothing', doubt: 'payout_changed' },
    change: ({ pairs }) => (pairs.receive.coin.value = 0),
    says: /pays nothing/,
  },
];

/** A service that tells the truth at the create, and `change` afterwards. */
function later(change: Change): Plan {
  let made: CreateBody = BTC_TO_ETH;
  return {
    'create-transaction': (seen, response) => {
      made = JSON.parse(seen.body) as CreateBody;
      sendJson(response, 201, swapText(seen));
    },
    'get-transaction': (_seen, response) => {
      const swap = wireSwap(made);
      change(swap);
      sendJson(response, 200, swap);
    },
  };
}

const FIXED = createOf('BTC', 'ETH', ['--fixed']);

describe.concurrent('a swap that waits for its deposit and', () => {
  it.each(LATER)('$name is in doubt wherever it is shown', ({ change, says, doubt }) =>
    inScene(later(change), async (scene) => {
      const line = createOf('BTC', 'ETH', ['--idempotency-key', 'k']);
      expect((await here(scene, line)).error).toBeNull();
      const status = await here(scene, ['status', ORDER, '--json']);
      expect(status.error).toBeNull();
      expect(status.stderr).toMatch(says);
      expect(status.stderr).toContain('Do not fund it. Ask the service.');
      expect(jsonOf(status).doubts).toContain(doubt);
      expect(jsonOf(status)).toMatchObject({ fundable: false, paymentUri: null, asked: { deposit: '0.1' } });

      const screen = await here(scene, ['status', ORDER], true);
      const top = screen.stdout.replace(/\s+/g, ' ');
      expect(top).toMatch(/^ In doubt: [a-z_, ]+\. Do not send anything\. Ask the service\. KQWZPA/);
      const list = jsonOf<SwapResult[]>(await here(scene, ['status', '--json']));
      const [past] = await historyOf(scene);
      for (const swap of [list[0], past]) {
        expect(swap?.doubts).toContain(doubt);
        expect(swap?.fundable).toBe(false);
      }
      // What was believed stays in the ledger: it is what a person may have copied.
      expect(past?.deposit).toMatchObject({ address: ADDRESSES.btcDeposit, amount: '0.1' });

      const again = await here(scene, [...line], true);
      expect(again.error).toBeNull();
      expect(again.stderr.replace(/\s+/g, ' ')).toMatch(says);
      expect(again.stdout).not.toContain('Send exactly');
      expect(again.stdout).not.toMatch(/[▀▄█]/);

      const refund = await here(scene, ['refund', ORDER, ADDRESSES.btcRefund, '--yes', '--json']);
      expect(refund.stderr).toMatch(says);
    }),
  );

  it('has a fixed payout that shrank is in doubt', () =>
    inScene(
      later(({ pairs }) => (pairs.receive.coin.value = 2.4)),
      async (scene) => {
        await here(scene, FIXED);
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(status.stderr).toContain('it pays 2.4 instead of 2.5. Do not fund it.');
        expect(jsonOf(status)).toMatchObject({ doubts: ['payout_changed'], asked: { receive: '2.5' } });
      },
    ));

  it('has a payout memo that vanished is in doubt', () =>
    inScene(
      later(({ pairs }) => (pairs.receive.memo = '')),
      async (scene) => {
        await here(scene, createOf('BTC', 'XRP'));
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(status.stderr).toContain('it pays without the memo 12345. Do not fund it.');
        expect(jsonOf(status).doubts).toEqual(['payout_changed']);
      },
    ));

  it('is as it was agreed is fundable, in another spelling too', () =>
    inScene(
      later(({ pairs }) => {
        pairs.receive.address = pairs.receive.address.toLowerCase();
        pairs.deposit.coin.name = 'btc';
        pairs.receive.coin.value = 2.3;
      }),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(jsonOf(status)).toMatchObject({ fundable: true, doubts: [] });
        expect(status.stderr).toBe('');
        const screen = await here(scene, ['status', ORDER], true);
        expect(screen.stdout).toContain(' You receive   2.3 ETH\n   agreed      2.5 ETH\n');
      },
    ));

  it('has a number in another case is asked for by the number of the ledger', () =>
    inScene(
      later(({ pairs }) => (pairs.deposit.address = ADDRESSES.otherBtcDeposit)),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER.toLowerCase(), '--json']);
        expect(jsonOf(status)).toMatchObject({ order: ORDER, doubts: ['deposit_changed'], fundable: false });
      },
    ));
});

describe.concurrent('a swap that goes on', () => {
  it('from success back to new is in doubt, each time it is looked at', () => {
    const codes = [4, 9, 9, 4];
    const plan = later((swap) => {
      swap.status = codes.shift() ?? 4;
      if (swap.status === 4) swap.txId = swap.receiveTransaction.txId = 'f00d';
    });
    return inScene(plan, async (scene) => {
      await here(scene, createOf('BTC', 'ETH'));
      const look = async () => jsonOf(await here(scene, ['status', ORDER, '--json']));
      const looks = [await look(), await look(), await look(), await look()];
      expect(looks.map(({ status, doubts, fundable }) => [status, doubts, fundable])).toEqual([
        ['success', [], false],
        ['new', ['went_backwards'], false],
        ['new', ['went_backwards'], false],
        ['success', [], false],
      ]);
    });
  });

  it('with another deposit than was agreed shows both side by side', () =>
    inScene(
      later((swap) => {
        Object.assign(swap, { status: 1, txId: 'f00d' });
        swap.pairs.deposit.coin.value = 0.2;
        swap.pairs.receive.coin.value = 5;
      }),
      async (scene) => {
        await here(scene, createOf('BTC', 'ETH'));
        const status = await here(scene, ['status', ORDER, '--json']);
        expect(jsonOf(status)).toMatchObject({
          ...{ deposit: { amount: '0.2' }, receive: { amount: '5' }, doubts: ['amount_changed'] },
          asked: { deposit: '0.1', receive: '2.5' },
        });
        const screen = await here(scene, ['status', ORDER], true);
        expect(screen.stdout).toContain('   agreed       0.1 BTC\n');
        const list = await here(scene, ['history'], true);
        expect(list.stdout).toContain('0.2 BTC (0.1 agreed)');
        expect(list.stdout).toContain('5 ETH (2.5 agreed)');
      },
    ));
});
