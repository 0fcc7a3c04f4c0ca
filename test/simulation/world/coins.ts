import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { Random } from '../random.ts';

/** What people swap: coins with addresses of theirs, and how much of them is usual, in thousandths. */
const COINS = {
  BTC: {
    addresses: ['tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y99', 'tb1q2dq5u3zzfavymdehz6vweadeurx27y6qcldk9u'],
    thousandths: [2, 900],
  },
  ETH: {
    addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
    thousandths: [50, 9_000],
  },
  XRP: {
    addresses: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH'],
    thousandths: [60_000, 9_000_000],
  },
} as const;

type CoinCode = keyof typeof COINS;

/** Addresses of people, by coin. */
export const PAYEES = {
  BTC: COINS.BTC.addresses,
  ETH: COINS.ETH.addresses,
  XRP: COINS.XRP.addresses,
} as const;

const CODES: readonly CoinCode[] = ['BTC', 'ETH', 'XRP'];

/** Addresses that a lie puts in the place of the true ones. */
export const OTHER_ADDRESSES: readonly string[] = CODES.flatMap((code) => COINS[code].addresses);

/** An amount that a person would type. */
function amountOf(code: CoinCode, random: Random): string {
  const [least, most] = COINS[code].thousandths;
  const thousandths = random.between(least, most);
  return `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`;
}

/** A swap that somebody wants, perhaps of a coin, or with the amount of a side. */
export function wantedSwap(random: Random, coin?: string, side?: SwapInput['lastSource']): SwapInput {
  const from = CODES.find((code) => code === coin) ?? random.pick(CODES);
  const to = random.pick(CODES.filter((code) => code !== from));
  const lastSource = side ?? (random.chance(0.2) ? 'receive' : 'deposit');
  const hasMemo = to === 'XRP' && random.chance(0.7);
  return {
    from: { coin: from, network: from },
    to: { coin: to, network: to },
    amount: amountOf(lastSource === 'deposit' ? from : to, random),
    lastSource,
    type: random.chance(0.3) ? 'fixed' : 'float',
    address: random.pick(COINS[to].addresses),
    memo: hasMemo ? String(random.between(1, 999_999)) : null,
    memoWaived: to === 'XRP' && !hasMemo,
    refundAddress: random.chance(0.3) ? COINS[from].addresses[0] : null,
    minReceive: null,
    tolerance: random.chance(0.3) ? '5' : null,
  };
}

/** A swap that differs from another one in one part, mostly in one that its order would not give away. */
export function anotherSwap(asked: SwapInput, random: Random): SwapInput {
  const { to, type, amount, address, refundAddress } = asked;
  const memo = String(random.between(1, 999_999));
  const others = Object.values(PAYEES).find((list) => list.some((each) => each === address)) ?? [];
  return {
    ...asked,
    ...random.pick<Partial<SwapInput>>([
      ...(to.coin === 'XRP' ? [1, 2, 3, 4].map(() => ({ memo, memoWaived: false })) : []),
      ...others.flatMap((each) => (each === address ? [] : [{ address: each }])),
      { amount: (Number(amount) * 1.25).toFixed(3) },
      { type: type === 'fixed' ? 'float' : 'fixed' },
      { refundAddress: refundAddress === null ? refundAddressOf(asked.from.coin, random) : null },
    ]),
  };
}

/** An address of a coin to which refunds may go. */
export function refundAddressOf(code: string, random: Random): string {
  const coin = CODES.find((each) => each === code) ?? 'BTC';
  return random.pick(COINS[coin].addresses);
}

/** Whether an address is one of a coin. */
export function isAddressOf(code: string, address: string): boolean {
  return CODES.some((each) => each === code && COINS[each].addresses.some((own) => own === address));
}

/** The coin on whose network a service has moved the deposits of another one. */
export function movedTo(code: string): string {
  return CODES[((CODES as readonly string[]).indexOf(code) + 1) % CODES.length] ?? code;
}

/** The body of a create that someone writes by hand. */
export function rawCreate({ from, to, amount, address, type, memo, refundAddress }: SwapInput): string {
  const sides = { depositCoin: from.coin, depositNetwork: from.network, receiveCoin: to.coin };
  const receive = { receiveNetwork: to.network, receiveAddress: address, memo: memo ?? '' };
  const refund = refundAddress === null ? {} : { refundAddress };
  const text = JSON.stringify({ ...sides, ...receive, ...refund });
  const rest = `"depositAmount":${amount},"typeSwap":${type === 'fixed' ? 1 : 2},"lastSource":"deposit"`;
  return `${text.slice(0, -1)},${rest}}`;
}
