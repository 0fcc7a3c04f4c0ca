import { base32nopad, base58, bech32 } from '@scure/base';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAddress } from '../../../src/core/swap/addresses/check.ts';
import { decodeBase58Check, decodeBase58CheckXrp } from '../../../src/core/swap/addresses/codecs/base58.ts';
import { checkMemo } from '../../../src/core/swap/memo.ts';
import { knownNetworks } from '../../../src/core/swap/networks/networks.ts';
import { builtInCatalogue } from '../../../src/sandbox/catalogue/catalogue.ts';
import type { SandboxAsset } from '../../../src/sandbox/catalogue/coin.ts';
import {
  depositAddress,
  depositTxId,
  payoutTxId,
} from '../../../src/sandbox/orders/deposit-address/deposit-address.ts';
import { randomRuns } from '../../helpers/random-runs.ts';

const SEED = 1;
/** Number of orders whose addresses must differ. */
const ORDERS = randomRuns(1000);
const first = new Map<string, SandboxAsset>();
for (const asset of builtInCatalogue().coins.flatMap((coin) => coin.assets)) {
  if (!first.has(asset.network)) first.set(asset.network, asset);
}
const networks = [...first.keys()];
const on = (network: string, changes: Partial<SandboxAsset> = {}): SandboxAsset => {
  const asset = first.get('BTC');
  if (asset === undefined) throw new Error('no BTC');
  return { ...asset, ...first.get(network), network, ...changes };
};
const addressOn = (network: string, index: number | string = 1) =>
  depositAddress(on(network), index, SEED).address;

const TEST_NETWORK = 'BTC LTC DOGE DASH BCH ZEC ADA XMR FIL TON KAS NEAR HBAR'.split(' ');

const nanoBytes = (text: string) => {
  const digits = [...text.slice(5, 57)].map((letter) => '13456789abcdefghijkmnopqrstuwxyz'.indexOf(letter));
  const value = digits.reduce((sum, digit) => sum * 32n + BigInt(digit), 0n);
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
};

/** Decoders of addresses that share no code with the encoders. */
const PAYLOADS: Record<string, (address: string) => Uint8Array | undefined> = {
  TRX: decodeBase58Check,
  XTZ: decodeBase58Check,
  XRP: decodeBase58CheckXrp,
  SOL: base58.decode,
  DOT: base58.decode,
  KSM: base58.decode,
  XLM: base32nopad.decode,
  ALGO: base32nopad.decode,
  XNO: nanoBytes,
  EOS: (address) => Buffer.from(address.toUpperCase()),
};

function payloadOf(network: string, address: string): string {
  const read = PAYLOADS[network];
  if (read !== undefined) return Buffer.from(read(address) ?? []).toString('latin1');
  if (address.startsWith('0x')) return Buffer.from(address.slice(2), 'hex').toString('latin1');
  return Buffer.from(bech32.decodeToBytes(address).bytes).toString('latin1');
}

describe('a deposit address of the sandbox', () => {
  // Loads the address families, so that the first test does not have to.
  beforeAll(() => Promise.all(networks.map((network) => checkAddress(network, addressOn(network)))));

  it.each(networks)('is valid on %s, and belongs to a test network or contains SANDBOX', async (network) => {
    for (const index of [0, 1, 2, 99_999, 'QWERTY', 'any text']) {
      const address = addressOn(network, index);
      const verdict = await checkAddress(network, address);
      expect(verdict).toMatchObject({ ok: true, network, canonical: address, verified: true });
      const testnet = verdict.ok && verdict.testnet;
      expect(testnet).toBe(TEST_NETWORK.includes(network));
      if (!testnet) expect(payloadOf(network, address)).toContain('SANDBOX');
    }
  });

  it.each([
    ['BTC', /^tb1q/],
    ['LTC', /^tltc1q/],
    ['DOGE', /^n/],
    ['DASH', /^y/],
    ['BCH', /^bchtest:q/],
    ['ZEC', /^tm/],
    ['ADA', /^addr_test1q/],
    ['XMR', /^5/],
    ['FIL', /^t1/],
    ['TON', /^0Q/],
    ['KAS', /^kaspatest:q/],
    ['NEAR', /^swap-[0-9a-f]{20}\.sandbox\.testnet$/],
    ['HBAR', /^0\.0\.[0-9]{13}-[a-z]{5}$/],
    ['ETH', /^0x53414[eE]44424[fF]58/],
    ['TRX', /^T/],
    ['XRP', /^r/],
    ['XLM', /^G/],
    ['EOS', /^sandbox[a-z1-5]{5}$/],
    ['ATOM', /^cosmos1/],
    ['EGLD', /^erd1/],
  ])('has the usual form of %s', (network, form) => expect(addressOn(network)).toMatch(form));

  it('is a wallet on Solana', async () => {
    expect(await checkAddress('SOL', addressOn('SOL'))).toMatchObject({ kind: 'wallet' });
  });

  it.each(networks)('is different for each order on %s', (network) => {
    const addresses = Array.from({ length: ORDERS }, (_, index) => addressOn(network, index));
    expect(new Set(addresses).size).toBe(ORDERS);
  });

  it('depends only on the order and the seed', () => {
    expect(addressOn('ETH', 7)).toBe(addressOn('ETH', 7));
    const seeds = [1, 2, 'b'].map((seed) => depositAddress(on('ETH'), 7, seed).address);
    expect(new Set(seeds).size).toBe(3);
  });

  it('is the same for an alias of a network, and exists for an EVM chain outside the catalogue', async () => {
    expect(addressOn('TRC20', 5)).toBe(addressOn('TRX', 5));
    expect(await checkAddress('LINEA', addressOn('LINEA'))).toMatchObject({ ok: true, kind: 'account' });
  });

  const others = knownNetworks().filter(({ code }) => !first.has(code));
  it.each(others)('is valid and unique on $code, outside the catalogue', async ({ code }) => {
    const network = code;
    const addresses = Array.from({ length: 40 }, (_, index) => addressOn(network, index));
    for (const address of addresses) {
      const verdict = await checkAddress(network, address);
      expect(verdict).toMatchObject({ ok: true, network, canonical: address, verified: true });
      expect(verdict.ok && verdict.unspendable).toBe(undefined);
    }
    expect(new Set(addresses).size).toBe(40);
  });

  it('begins with SANDBOX on an unknown network', async () => {
    const address = addressOn('NOSUCHNET');
    expect(address).toMatch(/^SANDBOX[A-Z2-7]{32}$/);
    expect(await checkAddress('NOSUCHNET', address)).toMatchObject({ ok: true, verified: false });
    expect(addressOn('__proto__')).toMatch(/^SANDBOX/);
  });
});

describe('the deposit memo of a sandbox order', () => {
  it.each(networks.filter((network) => first.get(network)?.memoNeeded))(
    'is valid and unique per order on %s',
    async (network) => {
      const memos = Array.from({ length: 1000 }, (_, index) => depositAddress(on(network), index, SEED).memo);
      const verdicts = await Promise.all(memos.map((memo) => checkMemo(network, memo)));
      expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
      expect(new Set(memos).size).toBe(1000);
    },
  );

  it('is empty if the asset needs none', () => {
    const without = networks.filter((network) => !on(network).memoNeeded);
    expect(without.filter((network) => depositAddress(on(network), 1, 1).memo)).toEqual([]);
  });

  it('has at most 32 bits on XRP and only digits on XLM, and depends on the order number', () => {
    const memoOn = (network: string, order: string) => depositAddress(on(network), order, SEED).memo;
    expect(Number(memoOn('XRP', 'QWERTY'))).toBeLessThan(2 ** 32);
    expect(memoOn('XLM', 'QWERTY')).toMatch(/^[0-9]+$/);
    expect(memoOn('XRP', 'QWERTY')).not.toBe(memoOn('XRP', 'QWERTZ'));
  });

  it('exists on an unknown network if the catalogue requires one', () => {
    expect(depositAddress(on('NOSUCHNET', { memoNeeded: true }), 1, SEED).memo).toMatch(/^SBX[0-9A-F]{16}$/);
  });
});

describe('a transaction id of the sandbox', () => {
  const hex = /^53414e44424f58[0-9a-f]{50}$/;
  const capitals = /^53414E44424F58[0-9A-F]{50}$/;
  it.each([
    ['BTC', hex],
    ['TRX', hex],
    ['XMR', hex],
    ['ETH', /^0x53414e44424f58[0-9a-f]{50}$/],
    ['BSC', /^0x53414e44424f58[0-9a-f]{50}$/],
    ['APT', /^0x53414e44424f58[0-9a-f]{50}$/],
    ['XRP', capitals],
    ['ATOM', capitals],
    ['XNO', capitals],
    ['SOL', /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
    ['SUI', /^[1-9A-HJ-NP-Za-km-z]{43,44}$/],
    ['ALGO', /^[A-Z2-7]{52}$/],
    ['XTZ', /^o[1-9A-HJ-NP-Za-km-z]{50}$/],
    ['FIL', /^bafy2bzace[a-z2-7]{52}$/],
    ['HBAR', /^0\.0\.[0-9]{13}@[0-9]{10}\.[0-9]{9}$/],
    ['NOSUCHNET', hex],
  ])('has the usual form of %s', (network, form) => {
    expect(depositTxId(on(network), 1, SEED)).toMatch(form);
    expect(payoutTxId(on(network), 'QWERTY', SEED)).toMatch(form);
  });

  it.each(networks)('is different for each order, direction and deposit on %s', (network) => {
    const asset = on(network);
    const ids = Array.from({ length: 300 }, (_, index) => [
      depositTxId(asset, index, SEED),
      depositTxId(asset, index, SEED, 2),
      payoutTxId(asset, index, SEED),
    ]).flat();
    expect(new Set(ids).size).toBe(900);
    expect(depositTxId(asset, 5, SEED)).toBe(ids[15]);
  });
});
