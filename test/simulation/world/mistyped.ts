import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { Random } from '../random.ts';

/** What no one must give as a memo or a label. */
export const SEED_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** An address with a memo in it. */
export const TAGGED = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';

/** What a person types wrongly, or unusually. */
export function mistyped(random: Random): Partial<SwapInput> {
  return random.pick<Partial<SwapInput>>([
    { address: 'nowhere' },
    { from: { coin: 'NOSUCH', network: null } },
    { to: { coin: 'USDT', network: null } },
    { from: { coin: 'XRP', network: 'XRP' }, to: { coin: 'XRP', network: 'XRP' } },
    { amount: '0.0000000000000000001' },
    { amount: '0.000001' },
    { amount: '123456789' },
    { minReceive: '999999999' },
    { minReceive: '0.000001', tolerance: '0' },
    { memo: SEED_PHRASE },
    { memo: 'not a tag', memoWaived: false },
    { memo: null, memoWaived: false },
    { refundAddress: 'nowhere' },
    { from: { coin: 'XRP', network: 'XRP' }, refundAddress: TAGGED },
    { from: { coin: 'bTC', network: 'bitcoin' } },
    {},
  ]);
}
