import { type Catalogue, parseCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';

const on = (network: string, decimals: number, more: object = {}): object => ({ network, decimals, ...more });
const eth = [on('ETH', 18, { confirmations: 3 }), on('ARBITRUM', 18)];
const doge = [on('DOGE', 8), on('BSC', 8, { receive: false })];

const COINS = [
  { code: 'BTC', name: 'Bitcoin', usd: '95000', assets: [on('BTC', 8, { confirmations: 2 })] },
  { code: 'ETH', name: 'Ethereum', usd: '3300', assets: eth },
  { code: 'DOGE', name: 'Dogecoin', usd: '0.32', assets: doge },
  { code: 'XRP', name: 'XRP', usd: '2.2', assets: [on('XRP', 6, { memoNeeded: true })] },
  { code: 'IN', name: 'Only In', usd: '1', assets: [on('ETH', 18, { receive: false })] },
  { code: 'OUT', name: 'Only (out)', usd: '1', assets: [on('ETH', 18, { deposit: false })] },
];

/** A catalogue of six coins, for tests that must not depend on the built-in coins. */
export function smallCatalogue(): Catalogue {
  return parseCatalogue(JSON.stringify({ coins: COINS }));
}
