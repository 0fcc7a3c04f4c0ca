import { PAYEES } from './coins.ts';
import type { Edits } from './misinformed.ts';
import { SEED_PHRASE, TAGGED } from './mistyped.ts';
import refusals from './refused.json' with { type: 'json' };

/** Keys that are pressed at a question, in place of words that are typed. */
export const [ENTER, ESC, CTRL_C] = ['<Enter>', '<Esc>', '<Ctrl-C>'];

/** What stands in a command line for the number of the order before it. */
export const ORDER = '<order>';

/** A coin on a network. */
export interface Asset {
  readonly coin: string;
  readonly network: string;
}

/** A swap to create. */
export interface Wanted {
  readonly from: Asset;
  readonly to: Asset;
  readonly amount: string;
  /** The side that the amount is of. */
  readonly side: 'deposit' | 'receive';
  readonly address: string;
  readonly memo: string | null;
  readonly refund: string | null;
  readonly labels: readonly string[];
  /** Per cent that the payout may fall; by default as it is documented. */
  readonly tolerance: number;
}

/** What the service says to one question about the price, after the other. */
export interface Price {
  readonly deposit: string;
  readonly receive: string;
}

/** What goes wrong once the service has answered a create. */
export type Breakage =
  | 'output full'
  | 'output closed'
  | 'output breaks'
  | 'ledger full'
  | 'comparison breaks';

/** A command line, what is answered to its questions, and what must result, which no code of the product decides. */
export interface Dialog {
  readonly args: readonly string[];
  /** The swap that it creates; null for none. */
  readonly wanted: Wanted | null;
  /** One after the other, for the questions that are asked. */
  readonly answers: readonly string[];
  /** Standard input, where no question is asked. */
  readonly input: string;
  /** What was typed before any question was there. */
  readonly ahead: readonly string[];
  /** A terminal, one whose standard output is a pipe, or none. */
  readonly at: 'terminal' | 'redirected' | 'pipe';
  readonly prices: readonly Price[];
  /** What the order pays; by default the last price. */
  readonly pays: string | null;
  /** The deposit that the service hears of, where it would refuse that of the command line. */
  readonly served: string | null;
  /** What the answers to a create and those about an order say in place of the truth. */
  readonly edits: Edits;
  readonly later: Edits;
  readonly breaks: readonly Breakage[];
  /** Milliseconds that the create takes, and after which the command line waits no more. */
  readonly takes: number;
  readonly timeout: number;
  /** Ctrl-C while the order is followed. */
  readonly isStopped: boolean;
  /** The policy requires an approval, which is granted while it is waited for. */
  readonly isApproved: boolean;
  /** Hours by which the clock of the machine is ahead. */
  readonly hoursAhead: number;
  /** No question about an order is answered. */
  readonly isUnreached: boolean;
  /** The ledger is another one, without entries. */
  readonly isForgotten: boolean;
  /** No coin list is stored. */
  readonly isUnlisted: boolean;
  /** A network that swapctl does not know, and the one that the service has in its place. */
  readonly renamed: readonly [name: string, network: string] | null;
  /** Minutes that pass before it. */
  readonly after: number;
  /** Creates and refund addresses that the service gets. */
  readonly creates: number;
  readonly updates: number;
  readonly exitCode: number;
  /** What must be read before anything is sent, or at the last question. */
  readonly before: readonly (RegExp | string)[];
  /** Whether the order may be paid. */
  readonly isFundable: boolean;
  /** What the code to scan holds: the exact amount as a URI, or the address alone; `$` stands for the address. */
  readonly code: string | null;
  /** What is printed in the end, or never. */
  readonly prints: RegExp | null;
  readonly neverPrints: readonly string[];
  /** What the ledger has of the order. */
  readonly recorded: 'created' | 'unknown';
  /** Ctrl-C at each of its questions, one after the other. */
  readonly isCutShort: boolean;
}

const NOTHING: Dialog = {
  args: [],
  wanted: null,
  answers: [],
  input: '',
  ahead: [],
  at: 'terminal',
  prices: [],
  pays: null,
  served: null,
  edits: {},
  later: {},
  breaks: [],
  takes: 0,
  timeout: Number.POSITIVE_INFINITY,
  isStopped: false,
  isApproved: false,
  hoursAhead: 0,
  isUnreached: false,
  isForgotten: false,
  isUnlisted: false,
  renamed: null,
  after: 0,
  creates: 0,
  updates: 0,
  exitCode: 0,
  before: [],
  isFundable: true,
  code: null,
  prints: null,
  neverPrints: [],
  recorded: 'created',
  isCutShort: false,
};

const native = (coin: string): Asset => ({ coin, network: coin });

const TO_ETH: Wanted = {
  from: native('BTC'),
  to: native('ETH'),
  amount: '0.1',
  side: 'deposit',
  address: PAYEES.ETH[0],
  memo: null,
  refund: null,
  labels: [],
  tolerance: 1,
};
const TO_XRP: Wanted = { ...TO_ETH, to: native('XRP'), address: PAYEES.XRP[1], memo: '271828' };
const TO_BTC: Wanted = { ...TO_ETH, to: native('BTC'), address: PAYEES.BTC[0] };
const OF_XRP: Wanted = { ...TO_BTC, from: native('XRP'), amount: '120' };

function argsOf({ from, to, amount, side, address, memo, refund, labels }: Wanted): readonly string[] {
  return [
    ...['create', `${from.coin}:${from.network}`, `${to.coin}:${to.network}`, amount, '--address', address],
    ...(side === 'receive' ? ['--receive'] : []),
    ...(memo === null ? [] : ['--memo', memo]),
    ...(refund === null ? [] : ['--refund-address', refund]),
    ...labels.flatMap((label) => ['--label', label]),
  ];
}

type Unusual = Partial<Dialog> & { readonly more?: readonly string[] };

/** Somebody creates a swap; by default a person who says yes. */
function create(wanted: Wanted, { more = [], ...unusual }: Unusual = {}): Dialog {
  const args = [...argsOf(wanted), ...more];
  return { ...NOTHING, args, wanted, answers: ['y'], creates: 1, ...unusual };
}

/** A script creates a swap. */
function scripted(wanted: Wanted, { more = [], ...unusual }: Unusual = {}): Dialog {
  return create(wanted, { at: 'pipe', answers: [], ...unusual, more: ['--yes', ...more] });
}

/** Somebody is at a create, and nothing is sent. */
function unsent(wanted: Wanted, exitCode: number, unusual: Unusual = {}): Dialog {
  return create(wanted, { answers: [], ...unusual, creates: 0, exitCode });
}

function command(args: readonly string[], unusual: Partial<Dialog> = {}): Dialog {
  return { ...NOTHING, args, ...unusual };
}

const [DECLINED, INTERRUPTED, USAGE, UNREADABLE, NEEDED] = [10, 130, 2, 6, 8];

/** The order is made, and no one may take that for something to repeat. */
const LATE = { exitCode: 7 } as const;
const UNRECORDED = { ...LATE, recorded: 'unknown' } as const;
const UNPAYABLE = { ...UNRECORDED, isFundable: false } as const;

const VALUE = 'pairs.deposit.coin.value';
const ADDRESS = 'pairs.deposit.address';
const PAID_ELSEWHERE = { 'pairs.receive.address': JSON.stringify(PAYEES.ETH[1]) };
const MEMO_77 = { 'pairs.deposit.memo': '"77"' };

const price = (receive: string, deposit = '0.1'): Price => ({ deposit, receive });
const priced = (...receive: readonly string[]) => ({ prices: receive.map((each) => price(each)) });
const small = (amount: string) => ({ ...TO_ETH, amount });
const xrp = (amount: string) => ({ ...OF_XRP, amount });

/** Answers at the review, and those that were typed before it. */
const ANSWERS: readonly Dialog[] = [
  create(TO_ETH),
  create(small('0.11'), { answers: ['YES'] }),
  unsent(small('0.12'), DECLINED, { answers: [ENTER] }),
  unsent(small('0.12'), DECLINED, { answers: ['n'] }),
  unsent(small('0.12'), DECLINED, { answers: ['maybe', 'yep', 'No'] }),
  unsent(small('0.12'), INTERRUPTED, { answers: [CTRL_C] }),
  unsent(small('0.12'), INTERRUPTED, { answers: [ESC, CTRL_C] }),
  unsent(small('0.12'), DECLINED, { answers: [ESC, ESC, 'n'] }),
  unsent(small('0.12'), DECLINED, { answers: ['e', 'nothing', ENTER] }),
  unsent(small('0.12'), DECLINED, { ahead: ['y'], answers: [ENTER] }),
  unsent(small('0.12'), DECLINED, { ahead: ['y', 'y', 'yes'], answers: ['n'] }),
  create(small('0.13'), { answers: ['e', 'amount', 'the BTC you send', '0.14', 'y'], wanted: small('0.14') }),
];

/** Without a terminal nothing is asked, and nothing is sent without `--yes`. */
const SCRIPTS: readonly Dialog[] = [
  unsent(small('0.15'), USAGE, { at: 'pipe', prints: /--yes/ }),
  unsent(small('0.15'), USAGE, { at: 'pipe', more: ['--json'], prints: /--yes/ }),
  unsent(small('0.15'), USAGE, { more: ['--no-input'], prints: /--yes/ }),
  unsent(small('0.15'), 0, { at: 'pipe', more: ['--dry-run'], prints: /"?depositAmount"?.*0\.15/ }),
  unsent(small('0.15'), 0, { more: ['--dry-run', '--yes'], prints: /depositAmount.*0\.15/ }),
  scripted(small('0.15'), { code: 'bitcoin:$?amount=0.15' }),
  scripted(small('0.16'), { more: ['--json'], code: 'bitcoin:$?amount=0.16' }),
  scripted(small('0.17'), { at: 'terminal' }),
  ...[['--memo', '1'], ['--no-memo']].map((more) =>
    unsent(TO_XRP, USAGE, {
      at: 'pipe',
      more: ['--yes', ...(more[0] === '--memo' ? ['--no-memo'] : []), ...more],
    }),
  ),
  unsent({ ...TO_XRP, memo: null }, USAGE, { at: 'pipe', more: ['--no-memo', '--memo', '1', '--yes'] }),
  unsent({ ...TO_XRP, memo: null }, USAGE, { at: 'pipe', more: ['--yes'], prints: /memo/ }),
  scripted({ ...TO_XRP, memo: null }, { more: ['--no-memo'] }),
];

/** The price moves between the review and the create. */
const PRICES: readonly Dialog[] = [
  create(TO_ETH, priced('2.5', '2.5')),
  create(TO_ETH, priced('2.5', '2.475')),
  create(TO_ETH, priced('2.5', '2.9')),
  create(TO_ETH, { ...priced('2.5', '2.47'), answers: ['y', 'y'] }),
  create(TO_ETH, { ...priced('2.5', '2.47', '2.4'), answers: ['y', 'y', 'y'] }),
  unsent(TO_ETH, DECLINED, { ...priced('2.5', '2.47'), answers: ['y', ENTER] }),
  create(TO_ETH, {
    ...priced('2.5', '2.26'),
    more: ['--tolerance', '10%'],
    wanted: { ...TO_ETH, tolerance: 10 },
  }),
  create(TO_ETH, {
    ...priced('2.5', '2.499999'),
    more: ['--fixed'],
    answers: ['y', 'y'],
    wanted: { ...TO_ETH, tolerance: 0 },
  }),
  scripted(TO_ETH, { ...priced('2.5', '1.5'), more: ['--json'], pays: '2.5' }),
  create(TO_ETH, { ...priced('2.5', '2.49'), pays: '2.4', prints: /2\.49.*2\.4/ }),
  create(TO_ETH, { ...priced('2.5', '2.5'), pays: '2.48' }),
  create(TO_ETH, { ...priced('2.5', '2.49', '2.49'), pays: '2.47', answers: ['y'] }),
  create(TO_ETH, { ...priced('2.6', '2.5', '2.51'), pays: '2.48', answers: ['y', 'y'] }),
];

const RECEIVED: Wanted = { ...TO_ETH, amount: '2.5', side: 'receive' };

/** The service computes the deposit. */
const COMPUTED: readonly Dialog[] = [
  create(RECEIVED, { prices: [price('2.5', '0.091111111'), price('2.5', '0.091111111')] }),
  create(RECEIVED, { prices: [price('2.5', '0.0911111101'), price('2.5', '0.0911999999')] }),
  create(RECEIVED, { prices: [price('2.5', '0.09'), price('2.5', '0.0905')] }),
  create(RECEIVED, { prices: [price('2.5', '0.09'), price('2.5', '0.092')], answers: ['y', 'y'] }),
  scripted(RECEIVED, { prices: [price('2.5', '0.0900000000000001')] }),
  scripted(
    { ...RECEIVED, from: native('XRP'), to: native('BTC'), amount: '0.003', address: PAYEES.BTC[1] },
    { prices: [price('0.003', '135.0000001')] },
  ),
  scripted(RECEIVED, {
    prices: [price('2.5', '0.0908')],
    pays: '0.0908',
    creates: 1,
    ...UNPAYABLE,
    prints: /as the amount of ETH to receive/,
  }),
];

const UNCHECKED = PAYEES.ETH[0].toLowerCase();
const TOKEN: Asset = { coin: 'USDT', network: 'ETH' };

/** What the review, and then the screen of the order, must have. */
const SCREENS: readonly Dialog[] = [
  create({ ...TO_XRP, refund: PAYEES.BTC[1], labels: ['team=till', 'note=Network LIVE'] }),
  create(OF_XRP, { code: '$' }),
  create({ ...OF_XRP, refund: PAYEES.XRP[0] }, { before: [/memo/] }),
  create({ ...TO_ETH, address: UNCHECKED, amount: '0.18' }, { before: [/checksum/] }),
  create(xrp('121'), { more: ['--color', 'always'] }),
  create(small('0.19'), { more: ['--color', 'always'] }),
  create(small('0.12345678'), { code: 'bitcoin:$?amount=0.12345678' }),
  create(small('0.00000012'), {
    served: '0.1',
    prices: [price('0.0000034', '0.00000012')],
    code: 'bitcoin:$?amount=0.00000012',
  }),
  create(
    { ...TO_ETH, from: native('DOGE'), amount: '123456789012.12345678' },
    {
      served: '2000',
      prices: [price('43000000', '1234567890.12345678')],
      code: 'dogecoin:$?amount=123456789012.12345678',
    },
  ),
  create(
    { ...OF_XRP, from: native('ETH'), amount: '1.000000000000000001' },
    { code: 'ethereum:$@1?value=1000000000000000001' },
  ),
  create({ ...OF_XRP, from: native('ZEC'), amount: '3.5' }, { edits: MEMO_77, code: '$' }),
  create({ ...OF_XRP, from: TOKEN, amount: '250.5' }, { code: '$' }),
  create({ ...TO_ETH, to: TOKEN, amount: '0.2' }, { code: 'bitcoin:$?amount=0.2' }),
  create({ ...TO_ETH, to: { coin: 'USDT', network: 'BSC' }, amount: '0.2' }),
  create(small('0.21'), { at: 'redirected' }),
  create(xrp('122'), { at: 'redirected', more: ['--json'], code: '$' }),
];

/** Orders that must not be paid. */
const DOUBTED: readonly Dialog[] = [
  create(small('0.22'), {
    edits: { [VALUE]: 'null' },
    ...UNPAYABLE,
    prints: /the amount to deposit is missing/,
  }),
  create(small('0.22'), { edits: { [VALUE]: '0.23' }, ...UNPAYABLE }),
  create(small('0.22'), { edits: PAID_ELSEWHERE, ...UNPAYABLE }),
  create(small('0.23'), { edits: { [ADDRESS]: '"1111111111111111111114oLvT2"' }, isFundable: false }),
  create(small('0.23'), { edits: MEMO_77, isFundable: false }),
];

/** The order exists, but its screen, its record or the program fails. */
const BROKEN: readonly Dialog[] = [
  scripted(small('0.24'), { breaks: ['output full'], ...LATE }),
  scripted(xrp('123'), { breaks: ['output full'], ...LATE, more: ['--json'] }),
  create(xrp('124'), { breaks: ['output full'], ...LATE }),
  scripted(xrp('125'), { breaks: ['output closed'] }),
  create(small('0.25'), { breaks: ['output closed'] }),
  create(small('0.26'), { breaks: ['output breaks'], ...LATE }),
  scripted(small('0.27'), { breaks: ['output breaks'], ...LATE, more: ['--json'] }),
  scripted(xrp('126'), { breaks: ['ledger full'], ...UNRECORDED }),
  scripted(small('0.28'), { breaks: ['ledger full'], ...UNRECORDED, more: ['--json'] }),
  create(small('0.29'), { breaks: ['ledger full'], ...UNRECORDED }),
  ...(['output full', 'output closed'] as const).map((output, index) =>
    scripted(xrp(`12${7 + index}`), { breaks: ['ledger full', output], ...UNRECORDED }),
  ),
  create(small('0.3'), { breaks: ['comparison breaks'], ...UNPAYABLE }),
  scripted(small('0.31'), { breaks: ['comparison breaks'], ...UNPAYABLE }),
  scripted(small('0.32'), { takes: 9_000, timeout: 3_000 }),
  create(small('0.33'), { takes: 9_000, timeout: 3_000, more: ['--timeout', '3s'] }),
  scripted(small('0.34'), { more: ['--watch', '--json'], isStopped: true, exitCode: INTERRUPTED }),
  create(small('0.35'), { more: ['--watch'], isStopped: true, exitCode: INTERRUPTED }),
];

const WIZARD = ['BTC', 'XRP', 'the BTC you send', '0.36', 'floating', PAYEES.XRP[1], '271828', ENTER];

/** Everything is asked for. */
const ASKED: readonly Dialog[] = [
  command(['create'], {
    answers: [...WIZARD, 'y'],
    wanted: { ...TO_XRP, amount: '0.36' },
    creates: 1,
    isCutShort: true,
  }),
  command(['create'], {
    answers: [...WIZARD, ENTER],
    wanted: { ...TO_XRP, amount: '0.36' },
    exitCode: DECLINED,
  }),
];

/** Networks without rules. */
const UNKNOWN = { renamed: ['NEWNET', 'BSC'] } as const;
const NEW: Asset = { coin: 'BNB', network: 'NEWNET' };
const DEAD = '"0x000000000000000000000000000000000000dEaD"';

const UNRULED: readonly Dialog[] = [
  create({ ...TO_ETH, to: NEW, amount: '0.37' }, { ...UNKNOWN, before: [/not verified/] }),
  create({ ...OF_XRP, from: NEW, amount: '2' }, { ...UNKNOWN, code: '$' }),
  create(
    { ...OF_XRP, from: NEW, amount: '2.1' },
    { ...UNKNOWN, edits: { [ADDRESS]: DEAD }, isFundable: false },
  ),
  command(['address', 'NEWNET', PAYEES.ETH[0], '--json'], { ...UNKNOWN, prints: /"valid": null/ }),
];

/** Private keys and seed phrases, and where people paste them. */
const KEYS = ['KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', `0x${'7'.repeat(64)}`];
const PHRASES = [
  SEED_PHRASE,
  SEED_PHRASE.replaceAll(' ', '-'),
  SEED_PHRASE.replaceAll(' ', ''),
  `${'abandon '.repeat(23)}art`,
];

const refused = (args: readonly string[], unusual: Partial<Dialog> = {}) =>
  command(args, { at: 'pipe', exitCode: USAGE, ...unusual });
const verdict = (network: string, address: string, unusual: Partial<Dialog> = {}) =>
  refused(['address', network, address, '--json'], { prints: /"valid":false/, ...unusual });

/** Addresses that are asked about, and secrets in their place. */
const VERDICTS: readonly Dialog[] = [
  ...['BTC', 'NEAR', 'FOO'].flatMap((network) =>
    [...PHRASES, ...KEYS].map((secret) => verdict(network, secret, { neverPrints: [secret] })),
  ),
  verdict('NEAR', `nsec1${'q'.repeat(58)}`, { neverPrints: ['nsec1'] }),
  verdict('SUI', `0X${'7'.repeat(64)}`, { neverPrints: [`0X${'7'.repeat(64)}`] }),
  ...[PAYEES.BTC[0], 'f1abjxfbp274xpdqcpuaykwkfb43omjotacm2p3za'].map((address) => verdict('NEAR', address)),
  ...['FOO', 'USDT', 'NEWNET', 'Q'].flatMap((network) => [
    verdict(network, PAYEES.ETH[0], { prints: /[Uu]nknown network/ }),
    verdict(network, PAYEES.ETH[0], { prints: /[Uu]nknown network/, isUnlisted: true }),
  ]),
  command(['address', 'NEAR', 'alice.near', '--json'], { prints: /"valid": true/ }),
  command(['address', 'ETH', PAYEES.ETH[0], '--json'], { prints: /"valid": true/, isUnlisted: true }),
];

const SECRET = 'open-sesame';

/** Secrets in the wrong place of a command line. */
const SECRET_FLAGS: readonly Dialog[] = [
  [`--secret=${SECRET}`],
  [`--api-key=${SECRET}`, '--json'],
  [`--private_key=${SECRET}`, '--debug'],
  [`-s${SECRET}`],
  ['--secret', SECRET],
].map((more) => refused(['quote', 'BTC', 'ETH', '1', ...more], { neverPrints: [SECRET] }));

/** What stands in a command line for the secret of the profile. */
export const OWN_SECRET = '<secret>';

/** What a command line must not name. */
const MISPLACED: readonly Dialog[] = [
  refused(['quote', 'BTC', 'ETH', '1', '--sandbox', '-p', 'shop']),
  ...[OWN_SECRET, `it is ${OWN_SECRET}`].flatMap((secret) => [
    refused([...argsOf(small('0.47')), '--yes', '--label', `note=${secret}`], { prints: /[Ll]abel/ }),
    refused([...argsOf({ ...TO_XRP, memo: secret }), '--yes']),
  ]),
];

const of = (amount: string) => scripted(small(amount));
const MEMO_LOST = [/needs a memo/];

/** Sets a refund address; by default a person who says yes. */
function refund(address: string, unusual: Unusual = {}): Dialog {
  const { more = [], ...rest } = unusual;
  return command(['refund', ORDER, address, ...more], { answers: ['y'], updates: 1, ...rest });
}

const [BACK] = PAYEES.BTC;
const OTHER = { [ADDRESS]: JSON.stringify(PAYEES.BTC[0]) };
const NOWHERE = { 'pairs.deposit.coin.network': '""' };
const UNCHANGED = { updates: 0, exitCode: DECLINED };
const AS_SCRIPT = { at: 'pipe', answers: [], more: ['--yes'] } as const;
const NOT_SET = { ...AS_SCRIPT, updates: 0, exitCode: USAGE };
const UNREAD = { isForgotten: true, later: NOWHERE, updates: 0, exitCode: UNREADABLE };

const INSIDE = /"code":"invalid_address".*it contains a memo, but the service has no field for one here/;
const OFTEN = /XRP often needs a memo, but the service has no field for a refund memo/;
const KEYED_AGAIN = { more: ['--yes', '--idempotency-key', 'bill-79'] };

/** Orders that are looked at later. */
const LATER: readonly (readonly Dialog[])[] = [
  [
    of('0.38'),
    refund(BACK),
    refund(BACK, { answers: [ENTER], ...UNCHANGED }),
    refund(BACK, { answers: ['n'], ...UNCHANGED }),
    refund(BACK, { answers: [CTRL_C], updates: 0, exitCode: INTERRUPTED }),
    refund(BACK, { ahead: ['y'], answers: [ENTER], ...UNCHANGED }),
    refund(BACK, { ...NOT_SET, more: [], prints: /--yes/ }),
    refund(BACK, AS_SCRIPT),
    refund(PAYEES.ETH[0], NOT_SET),
  ],
  [
    of('0.39'),
    refund(BACK, { later: OTHER, more: ['--yes'], answers: [ENTER], ...UNCHANGED }),
    refund(BACK, { later: OTHER, more: ['--yes'], answers: ['y'] }),
    command(['status', ORDER], {
      later: OTHER,
      prints: /[Dd]o not|ask the service/,
      neverPrints: ['Send exactly'],
    }),
    refund(BACK, { ...AS_SCRIPT, later: OTHER, prints: /deposit_changed|deposit address/ }),
  ],
  [
    scripted(xrp('130')),
    refund(PAYEES.XRP[1], { before: MEMO_LOST }),
    refund(PAYEES.XRP[1], { ...AS_SCRIPT, before: MEMO_LOST }),
    refund(TAGGED, { answers: [], updates: 0, exitCode: USAGE, prints: /memo/ }),
    command(['status', ORDER], { prints: /Send exactly/ }),
  ],
  [
    of('0.41'),
    refund(BACK, { ...AS_SCRIPT, later: NOWHERE }),
    refund(BACK, { ...AS_SCRIPT, ...UNREAD }),
    refund(BACK, { answers: [], ...UNREAD }),
  ],
  [
    scripted(
      { ...TO_ETH, amount: '0.42', labels: ['client=Ada'] },
      { more: ['--idempotency-key', 'bill-77'] },
    ),
    ...[[], ['--json']].map((more) =>
      command(['history', 'support', ORDER, ...more], {
        neverPrints: ['Ada', 'bill-77', 'client', '"shop"'],
      }),
    ),
  ],
  [
    scripted(small('0.43'), { isForgotten: true }),
    ...[[], ['--json']].map((more, index) =>
      command(['status', '--attention', ...more], {
        after: index === 0 ? 26 : 0,
        isUnreached: true,
        exitCode: NEEDED,
        prints: /check it before you pay/,
        neverPrints: ['pay now'],
      }),
    ),
  ],
];

const KEYED = { more: ['--idempotency-key', 'bill-78'] };
const AGAIN: Unusual = {
  ...KEYED,
  answers: [],
  creates: 0,
  neverPrints: ['Send exactly', '"fundable":true'],
};

/** A key is used again, and an order is asked about that is not the one that was requested. */
const KNOWN: readonly (readonly Dialog[])[] = [
  [
    scripted(small('0.48'), KEYED),
    create(small('0.48'), { ...AGAIN, neverPrints: [], prints: /Send exactly/ }),
    scripted(small('0.48'), { ...AGAIN, isUnreached: true }),
    create(small('0.48'), { ...AGAIN, isUnreached: true }),
    scripted(small('0.49'), { ...AGAIN, exitCode: USAGE }),
    scripted(small('0.48'), { ...AGAIN, later: { status: '5' }, prints: /do not fund it/ }),
  ],
  [
    create(small('0.5'), { edits: PAID_ELSEWHERE, ...UNPAYABLE }),
    command(['status', ORDER], { neverPrints: ['Send exactly'], prints: /match/ }),
    command(['status', ORDER, '--json'], { at: 'pipe', neverPrints: ['"fundable":true'], prints: /match/ }),
  ],
  [
    of('0.51'),
    command(['status', ORDER], { later: { status: '3', txId: '"ab`cd\\n# ef"' } }),
    command(['history', 'support', ORDER], { neverPrints: ['\n# ef'], prints: /(``+) ab`cd[^`]* \1/ }),
  ],
];

const SEEN = { txId: '"d0"' };
const NEEDS = { exitCode: NEEDED, prints: /ask the service|Mismatch|refund/ };
const UNPOLLED = { prints: /warning: order \w+: / };

/** What an order says later, which a person must hear of, or need not. */
const STATES: readonly (readonly [later: Edits, needs: Partial<Dialog>])[] = [
  [{}, { prints: /Nothing needs attention/ }],
  [{ status: '3', ...SEEN }, { prints: /Nothing needs attention/ }],
  [{ status: '10', ...SEEN }, NEEDS],
  [{ status: '11', ...SEEN }, NEEDS],
  [{ status: '6', ...SEEN }, NEEDS],
  [{ status: '5', ...SEEN }, NEEDS],
  [{ status: '13', ...SEEN }, NEEDS],
  [{ status: '12', ...SEEN, ...PAID_ELSEWHERE }, NEEDS],
  [OTHER, NEEDS],
];

const [FIRST_OF_LEDGER, ATTENTION] = [{ isForgotten: true }, ['status', '--attention', '--max-age', '0s']];

/** Each is alone in its ledger; what is known stays when the service cannot be reached. */
const NEEDY: readonly (readonly Dialog[])[] = [
  ...STATES.flatMap(([later, needs]) =>
    [null, PAYEES.BTC[0]].map((back) => [
      scripted({ ...TO_ETH, amount: '0.44', refund: back }, FIRST_OF_LEDGER),
      command(ATTENTION, { later, ...(back === null || later['status'] !== '13' ? needs : {}) }),
      ...(needs === NEEDS && back === null
        ? [command(ATTENTION, { ...NEEDS, isUnreached: true, ...(later['status'] === '6' ? UNPOLLED : {}) })]
        : []),
    ]),
  ),
  [
    scripted(small('0.45'), FIRST_OF_LEDGER),
    command(ATTENTION, { after: 26, exitCode: NEEDED, prints: /window ends in/ }),
  ],
  [
    scripted(small('0.46'), { ...FIRST_OF_LEDGER, breaks: ['ledger full'], ...UNRECORDED }),
    command(ATTENTION, { exitCode: NEEDED, prints: /history resolve/ }),
  ],
];

const ALONE = [
  ...[
    ANSWERS,
    SCRIPTS,
    PRICES,
    COMPUTED,
    SCREENS,
    DOUBTED,
    BROKEN,
    ASKED,
    UNRULED,
    VERDICTS,
    SECRET_FLAGS,
    MISPLACED,
  ],
].flat();

const SEEN_FIRST = { ...FIRST_OF_LEDGER, creates: 1 };
const FULL: Wanted = { ...TO_XRP, refund: BACK };
const TON: Asset = native('TON');
const [TON_ADDRESS, OTHER_XRP] = ['EQAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4wJB', PAYEES.XRP[0]];

/** Something is changed in the review: what follows from it is asked for again. */
const CHANGED: readonly Dialog[] = (
  [
    [
      ['coin to receive', 'TON', PAYEES.XRP[1], TON_ADDRESS, 'abc'],
      { to: TON, address: TON_ADDRESS, memo: 'abc' },
    ],
    [['coin to receive', 'eth', PAYEES.ETH[0]], { to: native('ETH'), address: PAYEES.ETH[0], memo: null }],
    [['payout address', OTHER_XRP, '4294967296', '007', '7'], { address: OTHER_XRP, memo: '7' }],
    [['memo', 'abc', '99'], { memo: '99' }],
    [['memo', ENTER, ENTER, ENTER, 'y'], { memo: null }],
    [['refund address', ENTER], { refund: null }],
    [['amount', 'the XRP you receive', '500'], { amount: '500', side: 'receive', tolerance: 99 }],
    [
      ['coin to send', 'eth', 'the ETH you send', '2', BACK, PAYEES.ETH[0]],
      { from: native('ETH'), amount: '2', refund: PAYEES.ETH[0] },
    ],
  ] as const
).map(([answers, changes]) =>
  create(FULL, { ...SEEN_FIRST, answers: ['e', ...answers, 'y'], wanted: { ...FULL, ...changes } }),
);

const [SEND, RECEIVE, WHICH, FLOAT] = ['btc', 'xrp', 'the BTC you send', 'floating'];
const PAIR = [SEND, RECEIVE, WHICH, '0.1'];
const REST = [FLOAT, PAYEES.XRP[1], '271828', ENTER, 'y'];

/** Esc leads back, question by question, and Ctrl-C leads out of each with a command that leads back. */
const BACKWARDS: readonly Dialog[] = [
  [ESC, ...PAIR, ...REST],
  ['eth', ESC, ...PAIR, ...REST],
  [SEND, RECEIVE, WHICH, ESC, WHICH, '0.1', ...REST],
  [SEND, 'eth', ESC, ESC, ...PAIR, ...REST],
  [SEND, RECEIVE, WHICH, '0.2', FLOAT, ESC, ESC, WHICH, '0.1', ...REST],
  [...PAIR, FLOAT, OTHER_XRP, ESC, PAYEES.XRP[1], ENTER, ESC, '271828', ENTER, 'y'],
].map((answers) => command(['create'], { ...SEEN_FIRST, answers, wanted: TO_XRP }));

const [PHRASE, KEY = ''] = [SEED_PHRASE, KEYS[0]];
/** Twelve words of no list. */
const WORDS = 'ama fides casa luna mare nox pax rex sol terra urbs vita';
const SECRET_TYPED = { args: ['create', 'BTC', 'XRP', '0.1', '--float'], neverPrints: [PHRASE, WORDS, KEY] };

/** More of the same, each for a promise that an example made before. */
const MORE: readonly (readonly Dialog[])[] = [
  ...[...CHANGED, ...BACKWARDS].map((each) => [each]),
  [
    command(['create'], {
      ...SEEN_FIRST,
      isCutShort: true,
      wanted: { ...TO_XRP, memo: null },
      answers: [...PAIR, FLOAT, PAYEES.XRP[1], ENTER, 'y', ENTER, 'e', 'rate', 'fixed', 'y'],
    }),
  ],
  [
    create(TO_XRP, {
      ...SEEN_FIRST,
      ...SECRET_TYPED,
      prints: /This looks like a seed phrase/,
      answers: [PHRASE, WORDS, KEY, PAYEES.XRP[1], PHRASE, KEY, '271828', PHRASE, KEY, ENTER, 'y'],
    }),
    unsent(TO_XRP, INTERRUPTED, { ...SECRET_TYPED, answers: [PHRASE, CTRL_C] }),
  ],
  ...['49.9%', '50%'].map((percent) => [
    create(TO_ETH, {
      ...priced('2.5', '1.25'),
      more: ['--tolerance', percent],
      answers: percent === '50%' ? ['y'] : ['y', 'y'],
      wanted: { ...TO_ETH, tolerance: parseFloat(percent) },
    }),
  ]),
  [
    unsent(RECEIVED, 0, {
      at: 'pipe',
      more: ['--dry-run', '--json'],
      prices: [price('2.5', '0.091111111')],
      prints: /is rounded up to 0\.09111112.*"depositAmount":0\.09111112/,
    }),
  ],
  [
    unsent(TO_ETH, INTERRUPTED, {
      ...priced('2.5', '2.47'),
      more: ['--min-receive', '2.48', '--tolerance', '10%'],
      answers: ['y', CTRL_C],
      prints: /less than the minimum of 2\.48.*What do you want to change\?/,
    }),
  ],
  [
    create(FULL, {
      ...SEEN_FIRST,
      more: ['--min-receive', '10'],
      answers: ['e', 'coin to receive', 'eth', PAYEES.ETH[0], 'y'],
      wanted: { ...FULL, to: native('ETH'), address: PAYEES.ETH[0], memo: null },
    }),
  ],
  [
    create(
      { ...TO_ETH, amount: '2', side: 'receive' },
      {
        ...SEEN_FIRST,
        answers: ['e', 'coin to send', 'xrp', 'y'],
        wanted: { ...TO_ETH, from: native('XRP'), amount: '2', side: 'receive' },
      },
    ),
  ],
  [create(TO_ETH, { ...priced('2.5', '2.475'), more: ['--fixed', '--tolerance', '1%'], answers: ['y'] })],
  [
    create(TO_ETH, {
      ...priced('2.5', '2.499999999999999999'),
      more: ['--tolerance', '0%'],
      answers: ['y', 'y'],
      wanted: { ...TO_ETH, tolerance: 0 },
    }),
  ],
  ...(
    [
      [
        OF_XRP,
        { 'pairs.deposit.memo': '""' },
        /The network of the deposit needs a memo, and the service gave none/,
      ],
      [
        { ...OF_XRP, from: native('ETH'), amount: '2' },
        { [ADDRESS]: DEAD },
        /Funds at the deposit address could never be spent/,
      ],
    ] as const
  ).map(([wanted, edits, prints]) => [
    create(wanted, { edits, prints, isFundable: false }),
    command(['status', ORDER, '--json'], {
      later: edits,
      prints: /"fundable": false.*"doubts": \[ "deposit_address_odd" \]/,
      neverPrints: ['"paymentUri": "'],
    }),
  ]),
  [
    of('0.52'),
    refund(BACK, { later: PAID_ELSEWHERE, ...NOT_SET, more: [] }),
    refund(BACK, { later: PAID_ELSEWHERE, more: ['--yes'], prints: /Mismatches its payout address is 0x/ }),
    refund(BACK, { later: PAID_ELSEWHERE, ...AS_SCRIPT, prints: /doubts payout_changed / }),
  ],
  [
    of('0.53'),
    refund(BACK, {
      ...AS_SCRIPT,
      ...UNREAD,
      more: ['--yes', '--json'],
      prints: /"code":"bad_response".*does not show the network of the deposit.*"httpStatus":200/,
    }),
  ],
  [
    unsent({ ...OF_XRP, refund: TAGGED }, USAGE, { at: 'pipe', more: ['--yes', '--json'], prints: INSIDE }),
    scripted(xrp('131'), FIRST_OF_LEDGER),
    refund(TAGGED, { ...NOT_SET, more: ['--yes', '--json'], prints: INSIDE }),
    command(['refund', ORDER], {
      answers: [ENTER],
      exitCode: DECLINED,
      prints: /New refund address for XRP of order \w+ \(such as r/,
    }),
    refund(PAYEES.XRP[1], { ...AS_SCRIPT, more: ['--yes', '--json'], before: [OFTEN] }),
  ],
  [create({ ...OF_XRP, refund: PAYEES.XRP[0] }, { before: [OFTEN] })],
  [
    scripted({ ...TO_ETH, amount: '0.54', refund: BACK }, FIRST_OF_LEDGER),
    command(ATTENTION, { later: { status: '6', ...SEEN }, ...NEEDS }),
    command(ATTENTION, { later: { status: '13', ...SEEN }, prints: /Nothing needs attention/ }),
  ],
  [
    scripted(small('0.55'), FIRST_OF_LEDGER),
    command(ATTENTION, {
      later: { status: '4', txId: '""' },
      ...NEEDS,
      prints: /Mismatch \(success_without/,
    }),
  ],
  ...['5', '6'].map((status) => [
    scripted(small('0.56'), FIRST_OF_LEDGER),
    command(ATTENTION, { later: { status }, prints: /Nothing needs attention/ }),
  ]),
  [
    scripted(small('0.57'), KEYED_AGAIN),
    scripted(small('0.57'), {
      ...AGAIN,
      ...KEYED_AGAIN,
      isUnreached: true,
      prints: /could not be polled: .* It is shown as last seen at /,
    }),
  ],
  ...[
    verdict('FOO', SEED_PHRASE, { neverPrints: [SEED_PHRASE], prints: /<redacted>/ }),
    ...[PHRASE, KEY].flatMap((secret) => [
      refused(['address', 'XRP', PAYEES.XRP[1], '--memo', secret, '--json'], {
        neverPrints: [secret],
        prints: /<redacted>/,
      }),
      refused(['address', 'BTC', PAYEES.BTC[0], '--memo', secret, '--json'], {
        neverPrints: [secret],
        prints: /<redacted>/,
      }),
      refused(['address', secret, 'BTC'], { neverPrints: [secret] }),
      refused(['address', secret], { neverPrints: [secret] }),
    ]),
    ...['auth login', 'quote BTC ETH 1', ''].flatMap((words) =>
      ['--secret=', '--password=', '--api-secret=', '--key=', '--secret ', '-s', '-s='].flatMap((flag) =>
        [[], ['--json'], ['--debug']].map((more) =>
          refused([...`${words} ${flag}${SECRET}`.trim().split(' '), ...more], {
            neverPrints: [SECRET],
            prints: /[Uu]nknown flag -/,
          }),
        ),
      ),
    ),
    refused(['auth', 'login', `--with-secret=${SECRET}`], {
      neverPrints: [SECRET],
      prints: /takes no value.*No flag takes a secret/,
    }),
    refused(['auth', 'login', `--key=${SECRET} (Did you mean ${SECRET}?)`], {
      neverPrints: [SECRET],
      prints: /No flag takes a secret/,
    }),
  ].map((each) => [each]),
  [
    create(
      { ...RECEIVED, amount: '72.5' },
      {
        ...SEEN_FIRST,
        answers: ['e', 'coin to send', 'xmr', 'the ETH you receive', '50', 'y'],
        wanted: { ...RECEIVED, from: native('XMR'), amount: '50' },
        prints: /Amount to swap is higher/,
      },
    ),
  ],
];

const APPROVED = { ...FIRST_OF_LEDGER, isApproved: true, more: ['--wait'] };
const SEEN_AHEAD = {
  at: 'pipe',
  isUnreached: true,
  neverPrints: ['Send exactly', '"fundable":true', '"fundable": true', 'pay now'],
} as const;

const UNAPPROVED = { updates: 0, exitCode: 12 };

/** Something changes while an approval is waited for, the clock is set back, or a refund address is set before its order is known. */
const MEANWHILE: readonly (readonly Dialog[])[] = [
  [create(TO_ETH, { ...APPROVED, prices: [price('2.5'), price('2.49'), price('2.48')] })],
  [
    create(TO_ETH, {
      ...APPROVED,
      prices: [price('2.5'), price('2.48'), price('2.46')],
      answers: ['y', 'y'],
    }),
  ],
  [
    create(RECEIVED, {
      ...APPROVED,
      prices: [price('2.5', '0.09'), price('2.5', '0.0907'), price('2.5', '0.0914')],
      answers: ['y', 'y'],
    }),
  ],
  [
    scripted(small('0.58'), { ...FIRST_OF_LEDGER, hoursAhead: 3 }),
    ...[[], ['--json'], ['--attention']].map((more) =>
      command(['status', ...more], {
        ...SEEN_AHEAD,
        exitCode: UNREADABLE,
        prints: /as last polled, by a clock that was ahead/,
      }),
    ),
    ...[['--json'], ['show', ORDER, '--json']].map((more) => command(['history', ...more], SEEN_AHEAD)),
  ],
  [
    create(
      { ...TO_ETH, amount: '0.59', refund: PAYEES.BTC[1] },
      { ...FIRST_OF_LEDGER, ...LATE, edits: PAID_ELSEWHERE, isFundable: false, recorded: 'unknown' },
    ),
    refund(BACK, AS_SCRIPT),
    command(['history', 'resolve', ORDER, '--order', ORDER]),
    command(['status', ORDER, '--json'], { prints: new RegExp(`"refundAddress": "${BACK}"`) }),
  ],
  // What was deposited decides whether its refund address needs an approval; it may be anything if it is not known.
  [
    scripted(small('0.6'), FIRST_OF_LEDGER),
    refund(BACK, { ...AS_SCRIPT, ...UNAPPROVED, isApproved: true }),
    refund(BACK, { ...AS_SCRIPT, ...UNAPPROVED, later: { [VALUE]: 'null' } }),
  ],
];

const FREED = { more: ['--idempotency-key', 'again'] };
const RAW = `depositCoin=BTC depositNetwork=BTC receiveCoin=ETH receiveNetwork=ETH depositAmount=0.62
  receiveAddress=${PAYEES.ETH[0]} typeSwap=1 lastSource=deposit`;
const raw = (endpoint: string, fields: string, ...more: readonly string[]) =>
  ['api', endpoint, ...fields.split(/\s+/).flatMap((field) => ['-f', field]), '--yes', ...more] as const;
const JUDGED = { exitCode: 12, prints: /cannot judge/ };

/** A dismissed create frees its key; and what no policy can judge is not sent while anything is limited. */
const LIMITED: readonly (readonly Dialog[])[] = [
  [
    scripted(small('0.61'), { ...UNPAYABLE, ...FREED, edits: PAID_ELSEWHERE }),
    command(['history', 'resolve', 'again', '--dismiss']),
    scripted(small('0.61'), FREED),
    command(['history', 'resolve', ORDER, '--dismiss'], { exitCode: USAGE }),
  ],
  [
    command(['policy', 'suspend', 'LTC']),
    command(['conformance', '--write', '--yes'], JUDGED),
    command(['sandbox', 'record', '--write', '--output', '/nowhere/calls.har'], JUDGED),
    command(raw('update-refund-address', `id=QQQQQQ refundAddress=${BACK}`), JUDGED),
    command(raw('create-transaction', RAW), { creates: 1 }),
    command(raw('update-refund-address', `id=${ORDER} refundAddress=${BACK}`, '-X', 'PUT'), JUDGED),
    command(raw('create-transaction', RAW), { ...UNPAYABLE, exitCode: 0, creates: 1, edits: PAID_ELSEWHERE }),
    command(['policy', 'unsuspend', 'LTC']),
  ],
  [
    scripted(small('0.63'), FIRST_OF_LEDGER),
    command(ATTENTION, { isUnreached: true, exitCode: UNREADABLE, prints: /ECONNREFUSED/ }),
    command(['history', 'show', 'nothing there'], { exitCode: 3, prints: /no swap with nothing there/ }),
  ],
];

/** What no command takes, and the words that say why. */
const REFUSED = refusals.map(({ says, at, ...given }): readonly Dialog[] => {
  const usual = { at: at === 'terminal' ? at : 'pipe', exitCode: USAGE } as const;
  const prints = new RegExp(says.replace(/[^\w ]/g, '.'));
  const before = given.args.includes(ORDER) ? [scripted(small('0.63'), FIRST_OF_LEDGER)] : [];
  return [...before, command(given.args, { ...usual, prints, ...given })];
});

const OF_OWNER = { exitCode: 12, isApproved: true, prints: /owner/ };

/** Another order than the one that an unknown create is known to have made is linked by the owner alone. */
const LINKED: readonly Dialog[] = [
  scripted(small('0.65'), { ...FIRST_OF_LEDGER, ...UNPAYABLE, ...FREED, edits: PAID_ELSEWHERE }),
  scripted(small('0.66')),
  command(['history', 'resolve', 'again', '--order', ORDER], OF_OWNER),
];

/** All command lines; those of a list are about one order. */
export const DIALOGS: readonly (readonly Dialog[])[] = [
  ...LATER,
  ...KNOWN,
  ...NEEDY,
  ...ALONE.map((each) => [each]),
  ...MORE,
  ...MEANWHILE,
  ...LIMITED,
  ...REFUSED,
  LINKED,
];
