import type { SwapInput } from '../../../src/core/swaps/check.ts';
import published from '../../core/swap/address.vectors.json' with { type: 'json' };
import { PAYEES } from './coins.ts';
import { SEED_PHRASE, TAGGED } from './mistyped.ts';

/** A request, and what must result, which no code of the product decides. */
export interface CreateCase {
  readonly asked: SwapInput;
  readonly labels: Readonly<Record<string, string>>;
  /** Code and words of its refusal, after which nothing was sent; null for a request that reaches its review. */
  readonly refusal: RegExp | null;
  /** Printed nowhere, and refused before the ledger is read. */
  readonly secret: string | null;
  /** Memo beside the address in the review. */
  readonly memo?: string | null | undefined;
  /** Words of a warning; null for no warning at all. */
  readonly warning?: RegExp | null | undefined;
  /** Whether the coin list asks for a memo of the payout; by default as it does. */
  readonly isMemoListed?: boolean | undefined;
  /** For a profile with real money. */
  readonly isLive?: boolean | undefined;
  /** How many times the payout of now was reviewed before. */
  readonly reviewed?: number | undefined;
  /** The service computes in doubles, which have more digits than the coin of the deposit has decimals. */
  readonly places?: number | undefined;
  /** A program asks for it with the library. */
  readonly isOfLibrary?: boolean | undefined;
}

/** What is unusual about a request. */
type Unusual = Partial<Omit<CreateCase, 'asked'>> & Partial<SwapInput>;

const COINS: Readonly<Record<string, string>> = { BSC: 'BNB' };

export function on(network: string) {
  return { coin: COINS[network] ?? network, network };
}

/** A usual request but for some parts. */
export function usualSwap(changes: Partial<SwapInput>): SwapInput {
  const to = changes.to ?? on('ETH');
  return {
    from: on(to.coin === 'BTC' ? 'ETH' : 'BTC'),
    to,
    amount: '0.05',
    lastSource: 'deposit',
    type: 'float',
    address: PAYEES.ETH[0],
    memo: null,
    memoWaived: false,
    refundAddress: null,
    minReceive: null,
    tolerance: null,
    ...changes,
  };
}

function request({ labels = {}, refusal = null, secret = null, ...rest }: Unusual): CreateCase {
  const { memo: expected, warning, isMemoListed, isLive, reviewed, places, isOfLibrary, ...changes } = rest;
  const parts = { labels, refusal, secret, warning, isMemoListed, isLive, reviewed, places, isOfLibrary };
  return { ...parts, memo: expected, asked: usualSwap({ memo: expected ?? null, ...changes }) };
}

const PAYOUT = /^invalid_address .*payout address/s;
const REFUND = /^invalid_address .*refund address/s;

/** Networks of the sandbox that have published addresses. */
const NETWORKS =
  'BTC ETH XRP SOL TRX DOGE ADA LTC BCH DASH ZEC XMR TON XLM DOT KSM ATOM OSMO RUNE EOS HBAR ALGO FIL XNO NEAR XTZ SUI APT KAS EGLD';

/** From which no one can spend. */
const BURNED: Readonly<Record<string, readonly string[]>> = {
  BTC: ['1BitcoinEaterAddressDontSendf59kuE', '1111111111111111111114oLvT2'],
  ETH: ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dEaD'],
  BSC: ['0x000000000000000000000000000000000000dEaD', '0x0000000000000000000000000000000000000009'],
  DOGE: ['DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
  SOL: ['11111111111111111111111111111111'],
  XRP: ['rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
};

/** Accounts of a network itself: numbers of Hedera and Filecoin, and names of EOS. */
const SYSTEM = /^(0\.0\.\d{1,3}(-|$)|f0\d{1,2}$|eosio(\.|$))/;

/** Forms of addresses that a network has, of which its neighbours' may be. */
const FORMS: Readonly<Record<string, RegExp>> = {
  BTC: /^([123mn]|bc1|tb1)/i,
  ETH: /^0x[0-9a-f]{40}$/i,
  TRX: /^(T|41|0x)/,
  NEAR: /^(?!(bc1|ltc1|addr1|cosmos1|bitcoincash:))/,
};

/** The address as payout and as refund. */
function eitherWay(network: string, address: string, unusual: Unusual = {}): readonly CreateCase[] {
  const { refusal = null } = unusual;
  const payout = request({ to: on(network), address, memoWaived: true, ...unusual });
  const back = { from: on(network), lastSource: 'receive', refundAddress: address } as const;
  const to = network === 'BTC' ? {} : { to: on('BTC'), address: PAYEES.BTC[0] };
  const refund = request({ ...back, ...to, ...unusual, refusal: refusal === PAYOUT ? REFUND : refusal });
  return refusal !== null || network !== 'XRP'
    ? [payout, refund]
    : [payout, { ...refund, warning: /refund memo/ }];
}

const OF_TEST_NETWORKS = new Set(
  published.flatMap(({ network, address }) => {
    const [code, test] = network.split('-');
    return test === undefined ? [] : [`${code} ${address}`];
  }),
);

/** What the publishers say of an address. */
function ofPublished({
  network: given,
  address,
  valid,
  note,
}: (typeof published)[number]): readonly CreateCase[] {
  const [network = '', test] = given.split('-');
  if (note.startsWith('policy:') || !NETWORKS.split(' ').includes(network)) return [];
  // A sandbox pays to test networks too.
  const isOfTest = note.startsWith('testnet') || OF_TEST_NETWORKS.has(`${network} ${address}`);
  const live = { to: on(network), address, memoWaived: true, refusal: PAYOUT, isLive: true };
  if (!valid && isOfTest) return [request(live)];
  if (!valid && /private key|seed/.test(note))
    return eitherWay(network, address, { refusal: /^invalid_address .*(key|seed)/s, secret: address });
  if (!valid) return eitherWay(network, address, { refusal: PAYOUT });
  if (/burn|black hole/.test(note) || SYSTEM.test(address))
    return eitherWay(network, address, { refusal: PAYOUT });
  const others = Object.entries(FORMS).filter(([code, form]) => code !== network && !form.test(address));
  return [
    ...ofUsualForm({ network, address, note }),
    ...(test === undefined ? [] : [request(live)]),
    ...others.flatMap(([code]) => eitherWay(code, address, { refusal: PAYOUT })),
  ];
}

function ofUsualForm({ network, address, note }: Record<'network' | 'address' | 'note', string>) {
  const [payout, refund] = eitherWay(network, address);
  const tag = /tag=(\d+)/.exec(note)?.[1];
  if (payout === undefined || refund === undefined) return [];
  if (tag !== undefined) return tagged(address, tag);
  if (network !== 'ETH') return [payout, refund];
  const warning = /no checksum/.test(note) ? /no checksum/ : null;
  return [
    { ...payout, warning },
    { ...refund, warning },
  ];
}

/** An address with a memo in it. */
function tagged(address: string, tag: string): readonly CreateCase[] {
  const to = on('XRP');
  const inside = request({ to, address });
  return [
    { ...inside, memo: tag },
    request({ to, address, memo: tag }),
    request({ to, address, memo: '77', refusal: /^invalid_memo .*differs/ }),
    request({ to, address, memoWaived: true, refusal: /^invalid_memo .*no-memo/ }),
    request({ from: to, lastSource: 'receive', refundAddress: address, refusal: /^invalid_address .*memo/ }),
  ];
}

const XRP = { to: on('XRP'), address: PAYEES.XRP[0] };
const XLM = { to: on('XLM'), address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' };
const SOL = { to: on('SOL'), address: 'AHy6YZA8BsHgQfVkk7MbwpAN94iyN7Nf1zN4nPqUN32Q' };
const MISSING = /^memo_required /;
const NO_MEMO = /^invalid_memo /;
const WIF = 'L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd';
const LONG_PHRASE = `${'abandon '.repeat(23)}art`;

const MEMOS: readonly CreateCase[] = [
  ...[XRP, XLM].flatMap((to) => [
    request({ ...to, refusal: MISSING }),
    request({ ...to, refusal: MISSING, isMemoListed: false }),
    request({ ...to, memoWaived: true }),
  ]),
  request({ ...SOL, refusal: MISSING, isMemoListed: true }),
  request({ ...SOL }),
  request({ memo: '12', refusal: NO_MEMO }),
  request({ memo: '12', isMemoListed: true }),
  ...['0', '4294967295'].map((memo) => request({ ...XRP, memo })),
  ...['4294967296', '-1', '007', '1.5', ''].map((memo) => request({ ...XRP, memo, refusal: NO_MEMO })),
  ...['a'.repeat(28), 'é'.repeat(14)].map((memo) => request({ ...XLM, memo })),
  ...['a'.repeat(29), 'é'.repeat(20), 'a\u200bb', 'a\u202eb', ' a', 'a\nb'].map((memo) =>
    request({ ...XLM, memo, refusal: NO_MEMO }),
  ),
];

const SECRETS: readonly CreateCase[] = [SEED_PHRASE, LONG_PHRASE, WIF, `key: ${WIF}`].flatMap((secret) => [
  request({ ...XLM, memo: secret, secret, refusal: NO_MEMO }),
  request({ labels: { note: secret }, secret, refusal: /Invalid label/ }),
  request({ labels: { [secret]: 'x' }, secret, refusal: /Invalid label/ }),
  ...(secret.startsWith('key')
    ? []
    : eitherWay('BTC', secret, { secret, refusal: /^invalid_address .*(seed phrase|private key)/s })),
]);

const TEXTS: readonly string[] = ['0', '0.000', '0,05', '5e-2', '+0.05', '0x1', '0.0.5', '', ' 0.05', '-1'];

const AMOUNTS: readonly CreateCase[] = [
  request({ amount: '0.05000001' }),
  request({ amount: '0.050000001', refusal: /^invalid_amount .*8 decimals/ }),
  request({ to: on('BTC'), address: PAYEES.BTC[0], amount: '0.0500000000000000001', refusal: /18 decimals/ }),
  request({ from: XRP.to, amount: '100.0000001', refusal: /^invalid_amount .*6 decimals/ }),
  request({ ...XRP, memoWaived: true, lastSource: 'receive', amount: '100.0000001', refusal: /6 decimals/ }),
  request({ amount: '0.00000001', refusal: /^amount_below_min / }),
  request({ amount: '99999999', refusal: /^amount_above_max / }),
  request({ minReceive: '999999', refusal: /^invalid_amount .*less than/ }),
  request({ minReceive: '0.000001' }),
  ...(['fixed', 'float'] as const).map((type) => request({ type, reviewed: 1.02, refusal: /got worse/ })),
  request({ type: 'fixed', reviewed: 1.005, refusal: /got worse/ }),
  request({ tolerance: '0.1', reviewed: 1.005, refusal: /got worse/ }),
  ...[{}, { from: XRP.to }].map((from) =>
    request({ ...from, lastSource: 'receive', places: from.from === undefined ? 8 : 6 }),
  ),
  ...TEXTS.map((amount) =>
    request({ amount, isOfLibrary: true, refusal: /^invalid_amount .*( is | must | contains | has )/ }),
  ),
];

/** The secret of the profile in a label. */
export function labelled(secret: string): CreateCase {
  return request({ labels: { note: `it is ${secret}` }, secret, refusal: /Invalid label/ });
}

/** Every request. */
export const REQUESTS: readonly CreateCase[] = [
  ...MEMOS,
  ...SECRETS,
  ...AMOUNTS,
  ...tagged(TAGGED, '1'),
  request({
    to: on('BTC'),
    address: 'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA',
    refusal: /another network: Litecoin/,
  }),
  request({ address: 'cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02', refusal: /another network: Cosmos/ }),
  ...eitherWay('BTC', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcq', { refusal: PAYOUT }),
  ...published.flatMap(ofPublished),
  ...Object.entries(BURNED).flatMap(([network, list]) =>
    list.flatMap((address) => eitherWay(network, address, { refusal: PAYOUT })),
  ),
];
