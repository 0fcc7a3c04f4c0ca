import { expect, it } from 'vitest';
import { openCore } from '../../../src/sandbox/open.ts';
import { freshFile } from '../sandbox.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

it('an order that was agreed before the clock was reset does not lie in the future', async () => {
  const core = await openCore({ database: freshFile(), now: () => NOW, steady: () => 0 });
  const depositAsset = core.catalogue.findAsset('BTC', 'BTC', 'deposit');
  if (depositAsset === undefined) throw new Error('BTC is in every catalogue.');
  const side = { coin: 'BTC', name: 'Bitcoin', network: 'BTC', amount: '0.1', fee: '0', confirmations: 2 };
  const agreedAt = (ahead: number) =>
    core.createOrder({
      agreed: {
        partnerKey: 'key',
        type: 'float',
        lastSource: 'deposit',
        receive: { ...side, address: 'a', memo: '' },
        rate: '1',
        minAmount: '0.001',
        maxAmount: '5',
        refundAddress: '',
        createdAt: NOW + ahead,
        windowMs: 1,
        confirmationMs: 2,
        exchangeMs: 3,
      },
      deposit: side,
      depositAsset,
      clockOffset: ahead,
    });
  expect((await agreedAt(10 * DAY)).createdAt).toBe(NOW);
  expect((await agreedAt(0)).createdAt).toBe(NOW);
  await core.database.close();
});
