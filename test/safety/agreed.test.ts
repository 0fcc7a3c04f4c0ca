import { describe, expect, it } from 'vitest';
import { inScene } from '../helpers/scene.ts';
import type { Plan } from '../helpers/swap-service.ts';
import { createdAs, ORDER } from '../helpers/swap-service.ts';
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
});
