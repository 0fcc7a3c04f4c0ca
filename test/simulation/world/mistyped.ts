import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { Random } from '../random.ts';

/** What no one must give as a memo or a label. */
export const SEED_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** An address with a memo in it. */
export const TAGGED = 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu';

/** What a person types wrongly, or unusually, and how that must end: see `Model.ended`. */
interface Mistyped {
  readonly typed: Partial<SwapInput>;
  readonly create: string;
  /** How a quote must end, which has neither addresses nor a least payout. */
  readonly quote?: string;
}

const XRP = { coin: 'XRP', network: 'XRP' };
const PLACES = 'invalid_amount .* decimals';
const LOW = 'amount_below_min .*minimum';
const HIGH = 'amount_above_max .*maximum';
const FEW = '$|amount_below_min ';
const BACK = 'invalid_address .*refund';
const SAME = 'usage Both sides are ';

const MISTYPED: readonly Mistyped[] = [
  { typed: { address: 'nowhere' }, create: 'invalid_address ' },
  { typed: { from: { coin: 'NOSUCH', network: null } }, create: 'unknown_coin ', quote: 'unknown_coin ' },
  { typed: { to: { coin: 'USDT', network: null } }, create: 'network_required ', quote: FEW },
  { typed: { from: XRP, to: XRP }, create: SAME, quote: 'not_found ' },
  { typed: { amount: '0.0000000000000000001' }, create: PLACES, quote: PLACES },
  { typed: { amount: '0.000001' }, create: LOW, quote: LOW },
  { typed: { amount: '123456789' }, create: HIGH, quote: HIGH },
  { typed: { minReceive: '999999999' }, create: 'invalid_amount .*less than' },
  { typed: { minReceive: '0.000001', tolerance: '0' }, create: '$' },
  { typed: { memo: SEED_PHRASE }, create: 'invalid_memo .*seed phrase.* or stored' },
  { typed: { memo: 'not a tag', memoWaived: false }, create: 'invalid_memo ' },
  { typed: { memo: null, memoWaived: false }, create: '$|memo_required ' },
  { typed: { refundAddress: 'nowhere' }, create: BACK },
  { typed: { from: XRP, refundAddress: TAGGED }, create: `${BACK}|${SAME}`, quote: `not_found |${FEW}` },
  // The refund address may be of another coin.
  { typed: { from: { coin: 'bTC', network: 'bitcoin' } }, create: `$|${SAME}|${BACK}`, quote: `$|${SAME}` },
  { typed: {}, create: '$' },
];

export function mistyped(random: Random): Mistyped {
  return random.pick(MISTYPED);
}
