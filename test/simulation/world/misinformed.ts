import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { PAYEES } from './coins.ts';
import { on, usualSwap } from './create-cases.ts';
import { TAGGED } from './mistyped.ts';

/** Parts of an answer by path: a value as JSON; undefined for none. */
export type Edits = Readonly<Record<string, string | undefined>>;

/** An answer that is not the service's, and what must become of it, which no code of the product is asked about. */
export interface Misinformed {
  readonly about: 'quote' | 'create' | 'status';
  readonly asked: SwapInput;
  /** What the answer says in place of the truth. */
  readonly edits: Edits;
  /** What the answer to the create says instead. */
  readonly createEdits: Edits;
  /** Status and body of another answer. */
  readonly instead: readonly [status: number, text: string, retryAfter?: string] | null;
  /** For a profile with real money. */
  readonly isLive: boolean;
  /** Whether the coin list asks for a memo of the deposit. */
  readonly isMemoListed: boolean;
  /** Whether the program knows no more than the order number. */
  readonly isAlone: boolean;
  /** What is reported of it: code, outcome and message of an error, or what is returned. */
  readonly report: RegExp;
}

type Unusual = Partial<Omit<Misinformed, 'about' | 'edits' | 'report' | 'asked'>> & Partial<SwapInput>;

function answerOf(about: Misinformed['about']) {
  return (
    edits: Edits,
    report: RegExp,
    {
      createEdits = {},
      instead = null,
      isLive = false,
      isMemoListed = false,
      isAlone = false,
      ...changes
    }: Unusual = {},
  ): Misinformed => ({
    about,
    edits,
    report,
    createEdits,
    instead,
    isLive,
    isMemoListed,
    isAlone,
    asked: usualSwap(changes),
  });
}

const quote = answerOf('quote');
const create = answerOf('create');
const status = answerOf('status');

const text = (value: string) => JSON.stringify(value);

const UNUSABLE = /^bad_response /;
const GOOD = /^fundable new doubts:$/m;

const FIXED = { type: 'fixed' } as const;

const QUOTES: readonly Misinformed[] = [
  quote({}, /^0\.05 pays/),
  quote({ pair: '"btc/eth"' }, /^0\.05 pays/),
  quote({ amount: '0.05000000000000001' }, /pays/),
  ...['"ETH_BTC"', '"BTC_LTC"'].map((pair) => quote({ pair }, UNUSABLE)),
  ...['0.06', '0.04', '0', '-0.05'].map((amount) => quote({ amount }, UNUSABLE)),
  ...['0.1', '99'].map((receive) => quote({ receive }, UNUSABLE)),
  ...['0', '-1'].map((receive) => quote({ receive }, /^bad_response .*greater than zero/)),
  ...['0', '-1'].map((exchangeRate) => quote({ exchangeRate }, UNUSABLE)),
  quote({ minAmount: '-1' }, UNUSABLE),
  ...['0', 'null', undefined].map((maxAmount) => quote({ maxAmount }, /at most null$/)),
  quote({ maxAmount: '"12345678901234567.123456789"' }, /at most 12345678901234567\.123456789$/),
  quote({ maxAmount: '-1' }, UNUSABLE),
];

const REFUSED = /^outcome_unknown unknown .*does not match the request/;
const BEGUN = /^outcome_unknown unknown .*(started before|already)/;
const ODD = /^unfundable new doubts: deposit_address_odd$/m;
const ADDRESS = 'pairs.deposit.address';
const MEMO = 'pairs.deposit.memo';
const VALUE = 'pairs.deposit.coin.value';
const OF_XRP = { from: on('XRP'), to: on('BTC'), address: PAYEES.BTC[0], amount: '100' };
const TO_XRP = { to: on('XRP'), address: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', memo: '1' };
/** The address of {@link TO_XRP} with another tag in it. */
const RETAGGED = { 'pairs.receive.address': '"X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS"' };

const CREATES: readonly Misinformed[] = [
  create({}, GOOD),
  create({ 'pairs.deposit.coin.name': '"btc"', 'pairs.receive.coin.network': '"eth"' }, GOOD),
  create({ status: '"9"', [VALUE]: '"0.05"' }, GOOD),
  create({ status: '9.0', [VALUE]: '0.0500' }, GOOD),
  ...[undefined, 'null', '""', '"a\u200bb"', '" a"', '"a\\nb"', text('a'.repeat(257))].map((address) =>
    create({ [ADDRESS]: address }, REFUSED),
  ),
  ...['"1\u200b"', '" 1"', text('1'.repeat(600))].map((memo) => create({ [MEMO]: memo }, REFUSED)),
  ...['"--json"', '"-1"', '"a b"', '"\u00e9"'].map((orderNumber) =>
    create({ orderNumber }, /^outcome_unknown unknown .*order number/),
  ),
  ...[undefined, 'null'].map((value) => create({ [VALUE]: value }, /: the amount to deposit is missing/)),
  ...['0', '-0.05'].map((value) => create({ [VALUE]: value }, REFUSED)),
  ...['1', '3', '10', '11', '5', '6', '13'].map((code) => create({ status: code }, BEGUN)),
  create({ 'receiveTransaction.txId': '"0xf0"' }, BEGUN),
  create({ 'receiveTransaction.amount': '1' }, BEGUN),
  create({ txId: '"d0"' }, BEGUN),
  create({ receivedTime: '"2026-01-01T00:00:01Z"' }, BEGUN),
  create({ confirmation: '2' }, BEGUN),
  create({ [ADDRESS]: '"tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y98"' }, ODD),
  create({ [ADDRESS]: '"1BitcoinEaterAddressDontSendf59kuE"' }, ODD),
  create({ [ADDRESS]: '"11111111111111111111111111111111"', [MEMO]: 'null' }, ODD, {
    from: on('SOL'),
    amount: '5',
  }),
  create({ [ADDRESS]: text(PAYEES.ETH[1]) }, ODD, {
    from: { coin: 'USDT', network: 'ETH' },
    amount: '500',
    address: PAYEES.ETH[1],
  }),
  create({ [ADDRESS]: text(PAYEES.BTC[1]) }, ODD, { refundAddress: PAYEES.BTC[1] }),
  create({ [ADDRESS]: text(PAYEES.BTC[1]) }, ODD, { isLive: true }),
  create({ [MEMO]: 'null' }, ODD, OF_XRP),
  create({ [MEMO]: '"abc"' }, ODD, OF_XRP),
  create({ [ADDRESS]: text(TAGGED), [MEMO]: '"7"' }, ODD, OF_XRP),
  create({ [ADDRESS]: text(TAGGED), [MEMO]: '"1"' }, GOOD, OF_XRP),
  create(RETAGGED, REFUSED, TO_XRP),
  create({ [ADDRESS]: '"0.0.15"' }, ODD, { from: on('HBAR'), amount: '5000' }),
  create({}, ODD, { from: on('SOL'), amount: '5', isMemoListed: true }),
  create({}, GOOD, { from: on('SOL'), amount: '5' }),
];

const END = '2026-01-02T00:00:00Z';
const PAID: Edits = {
  status: '4',
  txId: '"d0"',
  receivedTime: '"2026-01-01T00:00:30Z"',
  'pairs.receive.coin.value': '2',
  'receiveTransaction.txId': '"0xf0"',
  'receiveTransaction.amount': '2',
  'receiveTransaction.fees': '0.002',
};
const EARLIER: Edits = { 'pairs.receive.coin.value': '2', expiresAt: text(END) };
const PAYOUT = 'receiveTransaction.amount';
const OFF = /success final doubts:.* payout_amount_off$/m;
const FINE = /success final doubts:$/m;

const paid = (edits: Edits, report: RegExp, unusual: Unusual = {}) =>
  status({ ...PAID, ...edits }, report, { createEdits: EARLIER, ...unusual });

const STATUSES: readonly Misinformed[] = [
  status({}, GOOD),
  status(RETAGGED, /^unfundable new doubts:.* payout_changed/m, TO_XRP),
  ...['0', '2', '7', '8', '99', '-1'].map((code) =>
    status({ status: code }, /^unfundable unknown doubts:$/m),
  ),
  status({ status: '"3"' }, /exchanging/),
  ...['null', '""', '"x"', '3.5'].map((code) => status({ status: code }, UNUSABLE)),
  paid({}, FINE),
  paid({ status: '12' }, FINE),
  paid({ 'receiveTransaction.txId': 'null' }, /doubts: success_without_payout_tx$/m),
  paid({ txId: '""' }, /doubts: success_without_deposit$/m),
  paid({ receivedTime: '"2026-01-02T00:00:01Z"' }, /doubts: deposit_after_window$/m),
  paid({ receivedTime: '"2026-01-02T00:00:01Z"', expiresAt: text(END) }, /doubts: deposit_after_window$/m),
  paid({ receivedTime: text(END) }, FINE),
  ...['0', '-2', '0.6', '7'].map((amount) => paid({ [PAYOUT]: amount }, OFF)),
  ...['0.7', '6'].map((amount) => paid({ [PAYOUT]: amount }, FINE)),
  paid({ 'pairs.receive.coin.value': '7' }, OFF),
  paid({ 'pairs.receive.coin.value': '0', [PAYOUT]: '0' }, OFF, { isAlone: true }),
  paid({ 'pairs.deposit.coin.value': '0.5' }, OFF),
  paid(
    { 'pairs.deposit.coin.value': '0.1', 'pairs.receive.coin.value': '4', [PAYOUT]: '4' },
    /doubts: amount_changed$/m,
  ),
  ...['1.998', '2.002', '2.000'].map((amount) => paid({ [PAYOUT]: amount }, FINE, FIXED)),
  ...['1.99', '2.01'].map((amount) => paid({ [PAYOUT]: amount }, OFF, FIXED)),
  paid({ [PAYOUT]: '1.998', 'receiveTransaction.fees': '-9' }, OFF, FIXED),
  paid({ [PAYOUT]: '1.998', 'receiveTransaction.fees': 'null' }, OFF, FIXED),
  paid({ [PAYOUT]: '0.6', 'receiveTransaction.fees': '1.5' }, OFF, FIXED),
  paid({ [PAYOUT]: '2.12345678901234567890123' }, / 2\.12345678901234567890123 /),
];

const refusal = (code: number, message: unknown) =>
  [code, JSON.stringify({ statusCode: code, message })] as const;

/** A quote with two payouts. */
const TWO_PAYOUTS =
  '{"pair":"BTC_ETH","amount":0.05,"exchangeRate":28,"receive":1.4,"receive":1.5,"minAmount":0,"maxAmount":5}';

const REFUSALS: readonly Misinformed[] = [
  create({}, /^outcome_unknown unknown .*redirect/, { instead: [302, ''] }),
  create({}, /^outcome_unknown unknown /, { instead: refusal(500, 'Boom') }),
  create({}, /^outcome_unknown unknown /, { instead: refusal(408, 'Late') }),
  create({}, /^validation_failed refused /, { instead: refusal(400, ['a must be a string', 'b']) }),
  create({}, /^invalid_withdrawal_address refused /, {
    instead: refusal(400, 'Invalid withdrawal address.'),
  }),
  create({}, /^rate_limited refused .*7/, { instead: [429, '{"statusCode":429,"message":"Slow"}', '7'] }),
  create({}, /^\S+ refused /, { instead: refusal(422, 'No.') }),
  quote({}, /^\S+ \S+ [ -~]+$/, { instead: refusal(400, 'a\u001b[2Jb\u202ec\ufff9d\u3164e') }),
  quote({}, /^\S+ \S+ [ -~]+$/, { instead: refusal(400, 'a\u001b[2Jb') }),
  quote({}, UNUSABLE, { instead: [200, TWO_PAYOUTS] }),
  quote({}, /^invalid_signature /, { instead: refusal(403, 'Invalid signature.') }),
  quote({}, /^not_found .* after 1 /, { instead: refusal(404, 'Not found.') }),
  quote({}, /^(?!invalid_|no_credentials)\S+ .*403/, { instead: [403, '<html>Denied</html>'] }),
  quote({}, /f19 is wrong; and 5 more/, {
    instead: refusal(
      400,
      Array.from({ length: 25 }, (_, at) => `f${at} is wrong`),
    ),
  }),
];

const OF_PAIR = '\\. The limits of BTC → ETH are [0-9.]+ to [0-9.]+ BTC\\.';
const OF_RECEIVE = { lastSource: 'receive' } as const;
const native = (from: string, to: string) => ({ from: { coin: from, network: null }, to: on(to) });
const LIMITS = [
  ['0.00001', 'below the minimum'],
  ['999', 'above the maximum'],
] as const;

/** Amounts that no answer is asked about, or that the service itself refuses. */
const AMOUNTS: readonly Misinformed[] = [
  quote({}, /^0\.12345678 pays/, { ...native('BTC', 'XRP'), amount: '0.12345678' }),
  quote({}, /BTC has 8 decimals.* after 0 /, { ...native('BTC', 'XRP'), amount: '0.123456789' }),
  quote({}, / pays/, { ...native('XRP', 'BTC'), ...OF_RECEIVE, amount: '0.12345678' }),
  quote({}, /XRP has 6 decimals.* after 0 /, { ...native('BTC', 'XRP'), ...OF_RECEIVE, amount: '0.1234567' }),
  ...LIMITS.flatMap(([amount, words]) => {
    const limit = (asked: string) => new RegExp(` ${asked} is ${words}${OF_PAIR}`);
    return [quote, create].flatMap((ask) => [
      ask({}, limit(`${amount} BTC`), { amount }),
      ask({}, limit(`The deposit for ${amount} ETH`), { ...OF_RECEIVE, amount }),
    ]);
  }),
];

/** Every answer. */
export const ANSWERS: readonly Misinformed[] = [...QUOTES, ...CREATES, ...STATUSES, ...REFUSALS, ...AMOUNTS];

/** Base URLs that no program may use. */
export const UNUSABLE_URLS: readonly string[] = [
  'https://swaps.example/api?',
  'https://swaps.example/api#',
  'https://@swaps.example/api',
  'https://:password@swaps.example/api',
  'https://swaps.example/a//b',
  'http://swaps.example/api',
  'http://127.0.0.1.example/api',
  'http://[::1].example/api',
];

/** Base URLs of which all of a list are one service. */
export const SAME_URLS: readonly (readonly string[])[] = [
  ['http://localhost:8080/api', 'http://127.0.0.1:8080/api', 'http://[::1]:8080/api/'],
  ['https://swaps.example/api', 'https://SWAPS.example./api/', 'https://swaps.example:443/%61pi'],
];

/** What a program passes by mistake, and the part that nothing repeats. */
export const PASSED: readonly (readonly [passed: string, secret: string])[] = [
  [`${'abandon '.repeat(11)}about`, 'abandon abandon'],
  ['-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n-----END PRIVATE KEY-----', 'MC4CAQ'],
  ['postgres://shop:open-sesame@db.example/swaps', 'sesame'],
  ['token=open-sesame', 'sesame'],
  ['whsec_b3Blbi1zZXNh', 'b3Blbi'],
  ['L5nJeqKmpHp4P7F8ZYyjwc5a7P4d8EabuGAzfGJk7yC1BJyzNaEd', 'L5nJeqKmpHp4P7F8'],
  ['open, sesame! '.repeat(50), 'open, sesame! '.repeat(15)],
];

/** Numbers of JSON as they are printed: as text where a double has other digits. */
export const NUMBERS = [
  '9',
  '0.1',
  '"1.50"',
  '"12345678901234567890"',
  '"2.12345678901234567890123"',
  '1e-7',
];
