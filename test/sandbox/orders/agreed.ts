import type { Catalogue } from '../../../src/sandbox/catalogue/catalogue.ts';
import type { NewOrder } from '../../../src/sandbox/orders/create.ts';

/** A new order of 0.1 BTC, as create-transaction makes it. */
export function agreedOrder(catalogue: Catalogue, now: number): NewOrder {
  const depositAsset = catalogue.findAsset('BTC', 'BTC', 'deposit');
  if (depositAsset === undefined) throw new Error('BTC is in every catalogue.');
  const side = { coin: 'BTC', name: 'Bitcoin', network: 'BTC', amount: '0.1', fee: '0', confirmations: 2 };
  return {
    agreed: {
      partnerKey: 'key',
      type: 'float',
      receive: { ...side, address: 'a', memo: '' },
      minAmount: '0.001',
      refundAddress: '',
      createdAt: now,
      windowMs: 1,
      confirmationMs: 2,
      exchangeMs: 3,
    },
    deposit: side,
    depositAsset,
    generation: 0,
  };
}
