import { describe, expect, it } from 'vitest';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import type { Plan } from '../helpers/swap-service.ts';
import { ADDRESSES, BTC_TO_ETH, createdAs, ORDER, wireSwap } from '../helpers/swap-service.ts';
import type { Change } from './commands.ts';
import { createOf, here, historyOf, jsonOf, type PAYOUTS } from './commands.ts';

const BURN = '0x000000000000000000000000000000000000dEaD';

const creating = (change: Change): Plan => ({ 'create-transaction': createdAs(change) });

describe.concurrent('a deposit address that is unsafe by the rules of its network', () => {
  const ODD: readonly (readonly [string, keyof typeof PAYOUTS, Change, string])[] = [
    [
      'without its memo',
      'XRP',
      ({ pairs }) => (pairs.deposit.memo = ''),
      'The network of the deposit needs a memo, and the service gave none.',
    ],
    [
      'that no one can spend from',
      'ETH',
      ({ pairs }) => (pairs.deposit.address = BURN),
      'Funds at the deposit address could never be spent.',
    ],
  ];
  it.each(ODD)('%s is shown with a warning and without a QR code', (_name, from, change, says) =>
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

  it('that equals the refund address makes the order not fundable', () =>
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

describe.concurrent('an order whose payout differs from the quote of 2.5', () => {
  const paying = (value: number): Plan => {
    const change: Change = ({ pairs }) => (pairs.receive.coin.value = value);
    const fixed = wireSwap({ ...BTC_TO_ETH, typeSwap: 1 });
    change(fixed);
    return { ...creating(change), 'get-transaction': (_seen, response) => sendJson(response, 200, fixed) };
  };
  const WORDS = 'Leaving it unfunded costs nothing.';

  it.each([
    [2.4749, '(−1.0 %)'],
    [0.25, '(−90.0 %)'],
  ])('that pays %d is shown with the drop in percent', (value, percent) =>
    inScene(paying(value), async (scene) => {
      const { stdout, error } = await here(scene, createOf('BTC', 'ETH', ['--no-qr']), true);
      expect(error).toBeNull();
      const text = stdout.replace(/\s+/g, ' ');
      const reported = `The order pays ${value} ETH instead of the 2.5 ETH in the quote ${percent}. ${WORDS} Send exactly`;
      expect(text).toContain(reported);
    }),
  );
});
