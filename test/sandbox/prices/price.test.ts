import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareDecimals,
  fromSmallestUnit,
  significantPlaces,
  toSmallestUnit,
} from '../../../src/core/swap/amount.ts';
import {
  builtInCatalogue,
  type Catalogue,
  parseCatalogue,
} from '../../../src/sandbox/catalogue/catalogue.ts';
import type { SandboxAsset } from '../../../src/sandbox/catalogue/coin.ts';
import { pairTerms } from '../../../src/sandbox/prices/pair-terms.ts';
import { type Price, type PriceRequest, priceSwap } from '../../../src/sandbox/prices/price.ts';
import { priceFactor } from '../../../src/sandbox/prices/price-walk.ts';
import { IN_LONG_RUN, randomRuns } from '../../helpers/random-runs.ts';

const NOON = Date.UTC(2026, 0, 15, 12);
const catalogue = builtInCatalogue();
const PLAIN = /^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/;

function requestOf(book: Catalogue, from: SandboxAsset, to: SandboxAsset): PriceRequest {
  const usd = (asset: SandboxAsset) => book.findCoin(asset.coin)?.usd ?? '';
  return {
    from,
    to,
    fromUsd: usd(from),
    toUsd: usd(to),
    amount: '1',
    lastSource: 'deposit',
    type: 'float',
    at: NOON,
    seed: 1,
  };
}

function pair(from: string, to: string, changes: Partial<PriceRequest> = {}): PriceRequest {
  const side = (text: string, of: 'deposit' | 'receive') => {
    const [coin = '', network] = text.split(':');
    const asset = catalogue.findAsset(coin, network, of);
    if (asset === undefined) throw new Error(`no ${text}`);
    return asset;
  };
  return { ...requestOf(catalogue, side(from, 'deposit'), side(to, 'receive')), ...changes };
}

function priced(request: PriceRequest): Price {
  const verdict = priceSwap(request);
  if (!verdict.ok) throw new Error(`${verdict.problem} for ${request.amount}`);
  return verdict.price;
}

const deposits = catalogue.coins.flatMap((coin) => coin.assets.filter((asset) => asset.deposit));
const payouts = catalogue.coins.flatMap((coin) => coin.assets.filter((asset) => asset.receive));

/** Any pair of the catalogue with any amount within its limits. */
const withinBounds = fc
  .record({
    from: fc.constantFrom(...deposits),
    to: fc.constantFrom(...payouts),
    type: fc.constantFrom('fixed' as const, 'float' as const),
    at: fc.integer({ min: NOON, max: NOON + 1e11 }),
    seed: fc.integer(),
    share: fc.bigInt({ min: 0n, max: 10n ** 40n }),
  })
  .map(({ from, to, type, at, seed, share }): PriceRequest => {
    const request = { ...requestOf(catalogue, from, to), type, at, seed };
    const { min, max } = priceSwap(request).price;
    const least = toSmallestUnit(min, from.decimals);
    const room = toSmallestUnit(max, from.decimals) - least;
    return { ...request, amount: fromSmallestUnit(least + (room * share) / 10n ** 40n, from.decimals) };
  });

const oddAsset = fc
  .record({
    coin: fc.string(),
    decimals: fc.integer({ min: 0, max: 36 }),
    fee: fc.integer({ min: 0, max: 1e9 }),
    usd: fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 15 })),
  })
  .map(({ coin, decimals, fee, usd: [digits, places] }) => {
    const payoutFee = fromSmallestUnit(BigInt(fee), decimals);
    const fixed = { network: 'N', deposit: true, receive: true, memoNeeded: false, confirmations: 1 };
    const asset: SandboxAsset = { ...fixed, coin, decimals, depositFee: '0', payoutFee };
    return { asset, usd: fromSmallestUnit(BigInt(digits), places) };
  });

const oddPair = fc.record({ from: oddAsset, to: oddAsset, seed: fc.integer() }).map(
  ({ from, to, seed }): PriceRequest => ({
    from: from.asset,
    to: to.asset,
    fromUsd: from.usd,
    toUsd: to.usd,
    amount: '1',
    lastSource: 'deposit',
    type: 'fixed',
    at: NOON,
    seed,
  }),
);

describe('a price for an amount to receive', () => {
  it('has the smallest deposit that pays at least the given amount', () => {
    fc.assert(
      fc.property(withinBounds, fc.bigInt({ min: 1n, max: 10n ** 30n }), (request, noise) => {
        const received = toSmallestUnit(priced(request).receive, request.to.decimals);
        const amount = fromSmallestUnit(received - (noise % (received / 10n + 1n)), request.to.decimals);
        const verdict = priceSwap({ ...request, amount, lastSource: 'receive' });
        fc.pre(verdict.ok);
        expect(compareDecimals(verdict.price.receive, amount)).toBeGreaterThanOrEqual(0);
        expect(priced({ ...request, amount: verdict.price.amount })).toEqual(verdict.price);
        const units = toSmallestUnit(verdict.price.amount, request.from.decimals) - 1n;
        const less = priceSwap({ ...request, amount: fromSmallestUnit(units, request.from.decimals) });
        if (less.ok) expect(compareDecimals(less.price.receive, amount)).toBeLessThan(0);
      }),
      { numRuns: randomRuns(3000) },
    );
  });

  it('returns the payout of the deposit for any decimals, prices and fees', () => {
    fc.assert(
      fc.property(oddPair, fc.bigInt({ min: 0n, max: 10n ** 9n }), (request, share) => {
        const terms = pairTerms(request);
        const sent = terms.min + ((terms.max - terms.min) * share) / 10n ** 9n;
        const there = priced({ ...request, amount: fromSmallestUnit(sent, request.from.decimals) });
        expect(there.receive).not.toBe('0');
        const back = priced({ ...request, amount: there.receive, lastSource: 'receive' });
        expect(back.receive).toBe(there.receive);
        expect(compareDecimals(back.amount, there.amount)).toBeLessThanOrEqual(0);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it.each([
    ['BTC', 'ETH', '1'],
    ['BTC', 'ETH', '2.345678'],
    ['BTC', 'USDT:TRX', '1000'],
    ['ETH', 'BTC', '0.12345678'],
    ['USDT:TRX', 'XMR', '1.23456789'],
    ['EOS', 'XNO', '2500.5'],
    ['BTC', 'PEPE', '2000000000'],
  ])('pays a round amount exactly: %s to %s %s', (from, to, amount) => {
    const request = pair(from, to, { amount, lastSource: 'receive' });
    const back = priced(request);
    expect(back.receive).toBe(amount);
    expect(priced({ ...request, amount: back.amount, lastSource: 'deposit' }).receive).toBe(amount);
  });
});

describe('the payout of a price', () => {
  it('is amount times rate minus the payout fee, rounded down by less than two cents', () => {
    fc.assert(
      fc.property(withinBounds, (request) => {
        const { amount, receive, rate } = priced(request);
        const { to, toUsd } = request;
        const places = 100;
        const exact =
          (toSmallestUnit(amount, places) * toSmallestUnit(rate, places)) / 10n ** 100n -
          toSmallestUnit(to.payoutFee, places);
        const lost = exact - toSmallestUnit(receive, places);
        expect(lost).toBeGreaterThanOrEqual(0n);
        expect((lost * toSmallestUnit(toUsd, 20)) / 10n ** 20n).toBeLessThan(2n * 10n ** 98n);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it('is greater than zero, and all amounts are plain, with no more decimals than their assets', () => {
    fc.assert(
      fc.property(withinBounds, (request) => {
        const price = priced(request);
        for (const text of Object.values(price)) expect(text).toMatch(PLAIN);
        expect(price.receive).not.toBe('0');
        expect(significantPlaces(price.amount)).toBeLessThanOrEqual(request.from.decimals);
        expect(significantPlaces(price.receive)).toBeLessThanOrEqual(request.to.decimals);
        expect(price.rate.replace(/^0\.0*|\./g, '').length).toBeLessThanOrEqual(19);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it('never falls as the deposit grows', () => {
    fc.assert(
      fc.property(withinBounds, fc.bigInt({ min: 1n, max: 1000n }), (request, more) => {
        const units = toSmallestUnit(request.amount, request.from.decimals) + more;
        const verdict = priceSwap({ ...request, amount: fromSmallestUnit(units, request.from.decimals) });
        if (verdict.ok) {
          expect(compareDecimals(verdict.price.receive, priced(request).receive)).toBeGreaterThanOrEqual(0);
        } else expect(verdict.problem).toBe('above-maximum');
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it('is half a percent lower at a floating rate and one percent lower at a fixed rate', () => {
    const usdt = pair('USDT:TRX', 'USDT:ETH', { amount: '1000' });
    expect(priced(usdt)).toMatchObject({ rate: '0.995', receive: '992.5' });
    expect(priced({ ...usdt, type: 'fixed' })).toMatchObject({ rate: '0.99', receive: '987.5' });
  });
});

describe('the limits of a pair', () => {
  it('are about 10 and 250,000 dollars, rounded to two digits', () => {
    expect(priceSwap(pair('BTC', 'ETH')).price).toMatchObject({ min: '0.00011', max: '2.6' });
    expect(priceSwap(pair('USDT:TRX', 'BTC', { amount: '100' })).price).toMatchObject({ max: '250000' });
  });

  it('do not depend on time, seed, rate type or side', () => {
    fc.assert(
      fc.property(withinBounds, fc.integer(), fc.boolean(), (request, seed, fixed) => {
        const { min, max } = priceSwap(request).price;
        const other = { ...request, seed, at: NOON, type: fixed ? 'fixed' : 'float', amount: '1' } as const;
        for (const lastSource of ['deposit', 'receive'] as const)
          expect(priceSwap({ ...other, lastSource }).price).toMatchObject({ min, max });
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it.runIf(IN_LONG_RUN)('are priced for every pair, and one unit beyond is rejected', () => {
    const problems: string[] = [];
    for (const from of deposits) {
      for (const to of payouts) {
        const request = requestOf(catalogue, from, to);
        const { min, max } = priceSwap(request).price;
        const priceOf = (change: Partial<PriceRequest>): string => {
          const verdict = priceSwap({ ...request, ...change });
          return verdict.ok ? verdict.price.receive : verdict.problem;
        };
        for (const [bound, beyond, problem] of [
          [min, -1n, 'below-minimum'],
          [max, 1n, 'above-maximum'],
        ] as const) {
          const receive = priceOf({ amount: bound });
          const back = priceOf({ amount: receive, lastSource: 'receive' });
          const amount = fromSmallestUnit(toSmallestUnit(bound, from.decimals) + beyond, from.decimals);
          const refused = priceOf({ amount });
          if (receive === '0' || back !== receive || refused !== problem)
            problems.push(`${from.coin} to ${to.coin}: ${receive}, ${back}, ${refused}`);
        }
      }
    }
    expect(problems).toEqual([]);
  });

  it('apply to the deposit even if the amount to receive is given', () => {
    const small = pair('BTC', 'ETH', { amount: '0.0001', lastSource: 'receive' });
    expect(priceSwap(small)).toEqual({
      ok: false,
      problem: 'below-minimum',
      price: { min: '0.00011', max: '2.6' },
    });
    expect(priceSwap({ ...small, amount: '100000' })).toMatchObject({ problem: 'above-maximum' });
  });

  it('have a higher minimum if the payout fee exceeds ten dollars', () => {
    const book =
      parseCatalogue(`{"coins":[{"code":"A","name":"A","usd":1,"assets":[{"network":"N","decimals":2}]},
      {"code":"B","name":"B","usd":"500","assets":[{"network":"N","decimals":0,"payoutFee":1}]}]}`);
    const [from, to] = [book.findAsset('A', '', 'deposit'), book.findAsset('B', '', 'receive')];
    if (from === undefined || to === undefined) throw new Error('not found');
    const request = { ...requestOf(book, from, to), amount: '3000' };
    expect(priceSwap(request)).toMatchObject({ ok: true, price: { min: '3000' } });
  });
});

describe('an amount with more decimals than its asset', () => {
  it('is rejected on either side', () => {
    const amount = '0.123456789';
    for (const request of [
      pair('BTC', 'ETH', { amount }),
      pair('ETH', 'BTC', { amount, lastSource: 'receive' }),
    ])
      expect(priceSwap(request)).toMatchObject({ ok: false, problem: 'too-many-decimals' });
  });

  it('may end in zeros', () => {
    expect(priced(pair('BTC', 'ETH', { amount: '0.10000000000' })).amount).toBe('0.1');
  });
});

describe('the movement of a price', () => {
  it('stays within two percent for every pair', () => {
    fc.assert(
      fc.property(withinBounds, ({ from, to, fromUsd, toUsd, at, seed }) => {
        const above = priceFactor(from.coin, fromUsd, seed, at) * 10_000n;
        const share = above / priceFactor(to.coin, toUsd, seed, at);
        expect(share).toBeGreaterThanOrEqual(9_800n);
        expect(share).toBeLessThanOrEqual(10_200n);
      }),
    );
  });

  it('is a small step every four seconds', () => {
    const factors = Array.from({ length: 300 }, (_, tick) =>
      priceFactor('BTC', '95000', 7, NOON + tick * 4000),
    );
    const moves = factors.slice(1).map((factor, index) => Number(factor - (factors[index] ?? 0n)));
    expect(moves.every((move) => Math.abs(move) < 600_000)).toBe(true);
    expect(new Set(factors).size).toBeGreaterThan(280);
    expect(priceFactor('BTC', '95000', 7, NOON + 3999)).toBe(factors[0]);
  });

  it('depends only on seed, coin and time', () => {
    const factor = (coin: string, seed: number) => priceFactor(coin, '95000', seed, NOON);
    expect(factor('BTC', 1)).toBe(factor('BTC', 1));
    const factors = [...[1, 2, 2 ** 32 + 1].map((seed) => factor('BTC', seed)), factor('ETH', 1)];
    expect(new Set(factors).size).toBe(4);
    const request = pair('BTC', 'ETH', { amount: '0.1' });
    expect(priced(request)).toEqual(priced(request));
  });

  it('is at most 0.05 percent for a coin of one dollar', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: NOON, max: NOON + 1e11 }), (seed, at) => {
        const moved = priceFactor('USDT', '1', seed, at) - 1_000_000_000n;
        expect(moved > -500_000n && moved < 500_000n).toBe(true);
      }),
    );
  });
});
