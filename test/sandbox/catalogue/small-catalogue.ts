import { type Catalogue, parseCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';

const network = (code: string, decimals: number, more: object = {}): object => ({
  network: code,
  decimals,
  ...more,
});

const COINS = [
  { code: 'BTC', name: 'Bitcoin', usd: '95000', assets: [network('BTC', 8, { confirmations: 2 })] },
  {
    code: 'ETH',
    name: 'Ethereum',
    usd: '3300',
    assets: [network('ETH', 18, { confirmations: 3 }), network('ARBITRUM', 18)],
  },
  {
    code: 'DOGE',
    name: 'Dogecoin',
    usd: '0.32',
    assets: [network('DOGE', 8), network('BSC', 8, { receive: false })],
  },
  { code: 'XRP', name: 'XRP', usd: '2.2', assets: [network('XRP', 6, { memoNeeded: true })] },
  { code: 'IN', name: 'Only In', usd: '1', assets: [network('ETH', 18, { receive: false })] },
  { code: 'OUT', name: 'Only (out)', usd: '1', assets: [network('ETH', 18, { deposit: false })] },
];

/** A catalogue of six coins, for tests that must not depend on the built-in coins. */
export function smallCatalogue(): Catalogue {
  return parseCatalogue(JSON.stringify({ coins: COINS }));
}
