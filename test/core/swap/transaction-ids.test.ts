import { expect, it } from 'vitest';
import { knownNetworks } from '../../../src/core/swap/networks/networks.ts';
import { expectedFormIfInvalid } from '../../../src/core/swap/transaction-ids.ts';
import { builtInCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';
import { depositTxId } from '../../../src/sandbox/orders/deposit-address/deposit-address.ts';

const HASH = 'b17c0de0'.repeat(8);
const SOLANA = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

it.each([
  ['BTC', HASH, true],
  ['BTC', HASH.toUpperCase(), true],
  ['BTC', `0x${HASH}`, false],
  ['BTC', HASH.slice(1), false],
  ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', false],
  ['ERC20', `0x${HASH}`, true],
  ['ETH', HASH, false],
  ['ETH', '0x52908400098527886E0F7030069857D2E4169EE7', false],
  ['TRX', HASH, true],
  ['SOL', SOLANA, true],
  ['SOL', HASH, false],
  ['XRP', SOLANA, false],
  ['TON', '7MOGY+MSrzHpz0xeThXkwzYn0zqk1DdBkAbqEMRfpuU=', true],
  ['HBAR', '0.0.1234@1750000000.000000001', true],
  ['DOT', '21000000-2', true],
  ['XTZ', 'ooH1zLS2GyU2XRAKjVhGGvHCPYyVFtPXXzkJ5DK2aPh7sXQv3Sb', true],
  ['NONE', 'anything', true],
])('on %s, %s can be a transaction ID: %s', (network, txId, isOne) => {
  expect(expectedFormIfInvalid(network, txId) === null).toBe(isOne);
});

it.each(knownNetworks().map(({ code }) => code))('sandbox transaction IDs on %s are valid', (network) => {
  const [asset] = builtInCatalogue().coins.flatMap((coin) => coin.assets);
  if (asset === undefined) throw new Error('no coin');
  expect(expectedFormIfInvalid(network, depositTxId({ ...asset, network }, 1, 1))).toBeNull();
});
