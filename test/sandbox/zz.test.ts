import { it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { call, freshFile, NEW_SWAP } from './sandbox.ts';
it('x', async () => {
  const lines: string[] = [];
  const s = await startSandbox({ database: freshFile(), log: (l) => lines.push(l) });
  for (const [e, p] of [['get-all-coins', { limit: 2 }], ['get-coin-network', { coin: 'usdt' }], ['exchange-coin', { amount: '0.1', coinFrom: 'BTC', coinTo: 'ETH', lastSource: 'deposit', typeSwap: 2 }], ['exchange-coin', {}], ['create-transaction', NEW_SWAP], ['create-transaction', {...NEW_SWAP, receiveAddress:'x'}],['get-transaction',{id:'AAAAAA'}]] as const) {
    const a = await call(s, e as any, p);
    console.log(e, a.status, a.text, Object.fromEntries(a.headers));
    if (a.json.orderNumber) { const b = await call(s, 'get-transaction', { id: a.json.orderNumber }); console.log(b.text);
      console.log((await call(s, 'update-refund-address', { id: a.json.orderNumber, refundAddress: 'abc' })).text); }
  }
  await s.close();
  console.log(lines.join('\n'));
});
