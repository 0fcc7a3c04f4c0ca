import { expect, it } from 'vitest';
import { sameAddress, shortenServiceText } from '../../../src/core/swap/agreement/spelling.ts';
import { BTC, OTHER_BTC } from './agreed-swap.ts';

const ETH = '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CASH = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
/** One account of the XRP Ledger, with three tags and none in the address. */
const CLASSIC = 'rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf';
const WITHOUT_TAG = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb';
const TAG_0 = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc';
const TAG_65591 = 'XVLhHMPHU98es4dbozjVtdWzVrDjtVozpjdhPQVdt3ghaWw';

it.each<[network: string, answered: string, sent: string, isSame: boolean]>([
  ['BTC', BTC, BTC, true],
  ['BTC', BTC, OTHER_BTC, false],
  ['BTC', 'nonsense', 'nonsense', true],
  ['BTC', 'nonsense', 'rubbish', false],
  ['BTC', BTC, 'rubbish', false],
  ['BTC', 'nonsense', BTC, false],
  ['ETH', `0x${ETH}`, `0x${ETH.toLowerCase()}`, true],
  ['NEWCHAIN', '0xABCD', '0xabcd', true],
  ['NEWCHAIN', '0xABCD', '0xabce', false],
  ['BCH', CASH, '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', true],
  ['BCH', CASH, BTC, false],
  ['XRP', WITHOUT_TAG, CLASSIC, true],
  ['XRP', TAG_0, CLASSIC, false],
  ['XRP', TAG_0, TAG_65591, false],
])('on %s the address %s is the same as %s: %s', async (network, answered, sent, isSame) => {
  expect(await sameAddress(network, answered, sent)).toBe(isSame);
});

it('text from the service is repeated up to 256 characters', () => {
  expect(shortenServiceText('a'.repeat(256))).toBe('a'.repeat(256));
  expect(shortenServiceText('a'.repeat(257))).toBe('a text of 257 characters');
});
