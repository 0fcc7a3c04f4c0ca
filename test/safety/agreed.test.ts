import { describe, expect, it } from 'vitest';
import { expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import type { Plan } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, createdAs, ORDER, wireSwap } from '../helpers/swap-service.ts';
import type { Change, Lie } from './lies.ts';
import { createOf, here, historyOf, jsonOf, type PAYOUTS } from './lies.ts';

const BURN = '0x000000000000000000000000000000000000dEaD';

/** Lies that a create ends with 7 for. */
const AT_CREATE: readonly Lie[] = [
  {
    name: 'pays a little less than a tenth of the quote',
    change: ({ pairs }) => (pairs.receive.coin.value = 0.2499),
    says: /it pays 0\.2499 instead of 2\.5/,
  },
];

const creating = (change: Change): Plan => ({
  'create-transaction': createdAs(change),
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
        await expectCreate(scene, run, { ...UNKNOWN, says: [/payout amount is missing/] });
      },
    ));
});

describe.concurrent('a deposit address that is odd by our own rules', () => {
  const ODD: readonly (readonly [string, keyof typeof PAYOUTS, Change, string])[] = [
    [
      'without its memo',
      'XRP',
      ({ pairs }) => (pairs.deposit.memo = ''),
      'The network of the deposit needs a memo, and the service gave none.',
    ],
    [
      'whose key no one has',
      'ETH',
      ({ pairs }) => (pairs.deposit.address = BURN),
      'Funds at the deposit address could never be spent.',
    ],
  ];
  it.each(ODD)('%s gets no QR code, and the warning is shown above it', (_name, from, change, says) =>
    inScene(creating(change), async (scene) => {
      const line = createOf(from, from === 'ETH' ? 'BTC' : 'ETH');
      const { stdout, error } = await here(scene, line, true);
      expect(error).toBeNull();
      expect(stdout).not.toMatch(/[▀▄█]/);
      expect(stdout).not.toContain('Send exactly');
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        `${says} Ask the service before you send any money. Do not send anything`,
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
  const paying = (value: number): Plan => {
    const change: Change = ({ pairs }) => (pairs.receive.coin.value = value);
    const fixed = wireSwap({ ...BTC_TO_ETH, typeSwap: 1 });
    change(fixed);
    return { ...creating(change), 'get-transaction': (_seen, response) => sendJson(response, 200, fixed) };
  };
  const WORDS = 'Leaving it unfunded costs nothing.';

  it.each([
    [2.4749, [], '(−1.0 %)'],
    [2.25, [], '(−10.0 %)'],
    [0.25, [], '(−90.0 %)'],
    [2.4749, ['--tolerance', '1%'], '(−1.0 %)'],
  ])('to %d with %j is shown above the instructions', (value, flags, percent) =>
    inScene(paying(value), async (scene) => {
      const { stdout, error } = await here(scene, createOf('BTC', 'ETH', [...flags, '--no-qr']), true);
      expect(error).toBeNull();
      const text = stdout.replace(/\s+/g, ' ');
      const reported = `The order pays ${value} ETH instead of the 2.5 ETH in the quote ${percent}. ${WORDS} Send exactly`;
      expect(text).toContain(reported);
    }),
  );

  it.each([
    [2.475, []],
    [2.6, []],
    [2.25, ['--tolerance', '10%']],
    [2.5, ['--fixed']],
    [2.499, ['--fixed', '--tolerance', '0.04%']],
    [2.0, ['--fixed', '--tolerance', '20%']],
  ])('to %d with %j is within what was agreed', (value, flags) =>
    inScene(paying(value), async (scene) => {
      const ran = await here(scene, createOf('BTC', 'ETH', [...flags, '--json']));
      expect(jsonOf(ran)).toMatchObject({ fundable: true, doubts: [], asked: { deposit: '0.1' } });
      expect(ran.stderr).not.toContain(WORDS);
    }),
  );

  it.each([
    [2.499, [], '2.5', '(−0.04 %)'],
    [2.4749, ['--tolerance', '1%'], '2.475', '(−1.0 %)'],
  ])('to %d at a fixed rate with %j is an order in doubt, now and later', (value, flags, least, percent) =>
    inScene(paying(value), async (scene) => {
      const line = createOf('BTC', 'ETH', ['--fixed', ...flags]);
      const { stdout, error } = await here(scene, line, true);
      expect(error).toBeNull();
      const text = stdout.replace(/\s+/g, ' ');
      expect(text).toContain(
        `The order pays ${value} ETH instead of the 2.5 ETH in the quote ${percent}. ${WORDS} Do not send anything`,
      );
      expect(text).not.toMatch(/[▀▄█]/);
      const doubted = { fundable: false, paymentUri: null, doubts: ['amount_changed'] };
      expect(await historyOf(scene)).toMatchObject([{ outcome: 'created', ...doubted }]);
      const status = await here(scene, ['status', ORDER, '--json']);
      expect(jsonOf(status)).toMatchObject(doubted);
      expect(status.stderr).toContain(
        `${ORDER} does not match what was agreed: it pays ${value}, less than the ${least} agreed at its fixed rate. Do not fund it.`,
      );
    }),
  );
});
