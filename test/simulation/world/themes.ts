import { Random } from '../random.ts';
import { AGENT_POLICY } from './agents.ts';
import { PAYEES } from './coins.ts';
import type { FaultRates } from './faults.ts';
import { PARTS, type Part } from './lies.ts';
import type { ActorPlan, Plan, PolicyPlan } from './plan.ts';

/** What a theme sets; the rest is that of a world in which nothing goes wrong. */
type Themed = Pick<Plan, 'actors'> & Partial<Omit<Plan, 'seed' | 'actors' | 'theme'>>;

/** What a theme may vary: randomness, and how many worlds of the theme came before. */
type Theme = (random: Random, turn: number) => Themed;

/** One who acts in a themed world. */
type Someone = Omit<ActorPlan, 'id'>;

function actors(...plans: readonly Someone[]): readonly ActorPlan[] {
  return plans.map((plan, index) => ({ ...plan, id: `${plan.kind}-${index + 1}` }));
}

const MINUTE = 60;

/** A policy with nothing but what is given. */
function policy(parts: Partial<PolicyPlan>): PolicyPlan {
  return { caps: [], count: null, approve: null, ...parts };
}

const OF_AGREEMENT: readonly Part[] = [
  'payout address',
  'payout memo',
  'payout coin',
  'payout network',
  'type',
];

/** Answers about the swaps of a coin that has a memo, or is paid for one that has, are changed in a part. */
function lying(part: Part, watches = 1): Themed {
  return {
    actors: actors(
      { kind: 'create', size: 2, coin: part === 'payout memo' ? 'BTC' : 'XRP', pauses: [1, 5] },
      { kind: 'status', size: 6, pauses: [31, 60] },
      ...Array.from({ length: watches }, (): Someone => ({ kind: 'watch', size: watches })),
    ),
    faults: { tampered: 0.6 },
    habits: ['never', 'never', 'soon'],
    lieAbout: part,
  };
}

/** Small worlds, each of which meets one promise again and again. */
const THEMES: Readonly<Record<string, Theme>> = {
  /** A key whose create may have made an order is taken again. */
  keys: (random) => ({
    actors: actors(
      { kind: 'create', size: 2, isKeyed: true, pauses: [1, 20] },
      { kind: 'twins', size: 3, pauses: [1, 5] },
      { kind: 'clerk', size: 1, pauses: [20, 90] },
    ),
    faults: {
      refused: 0.2,
      garbage: 0.2,
      'interrupted-sending': 0.5,
      ...random.pick<FaultRates>([{ 'answer-lost': 0.3 }, { cut: 0.4 }, { slow: 0.4 }, { killed: 0.03 }]),
    },
  }),
  /** Two key pairs, or one at two hosts, have the same keys and one ledger. */
  accounts: (_, turn) => ({
    actors: actors(
      { kind: 'twins', size: 3, pauses: [1, 10] },
      { kind: 'listen', size: 1 },
      { kind: 'listen', size: 1, isOther: true },
    ),
    areHosts: turn % 2 === 0,
    habits: ['soon'],
  }),
  /** Later answers name another deposit address or memo. */
  deposits: (_, turn) => lying(turn % 2 === 0 ? 'deposit address' : 'deposit memo', turn % 4 === 2 ? 2 : 1),
  /** Every other answer is another one in one part. */
  lies: (_, turn) => lying(PARTS[turn % PARTS.length] ?? 'type'),
  /** The windows of orders end while someone polls them. */
  deadlines: () => ({
    actors: actors({ kind: 'create', size: 2 }, { kind: 'deadline', size: 2 }),
    habits: ['never', 'never', 'late'],
    knowsWindows: true,
  }),
  /** Approvals end before they are used. */
  approvals: (random) => {
    const coin = random.pick(['BTC', 'ETH', 'XRP']);
    return {
      actors: actors(
        { kind: 'create', size: 2, isKeyed: true, pauses: [13 * MINUTE, 18 * MINUTE], coin },
        { kind: 'refund', size: 2, pauses: [2 * MINUTE, 18 * MINUTE] },
        { kind: 'approver', size: 8, pauses: [2 * MINUTE, 9 * MINUTE] },
        { kind: 'api', size: 2, pauses: [2 * MINUTE, 5 * MINUTE], coin },
        ...(random.chance(0.5) ? [{ kind: 'owner' as const, size: 1 }] : []),
      ),
      policy: policy({ approve: { coin, above: '0.001' } }),
    };
  },
  /** The owner stops creates while a list is created. */
  stops: () => ({
    actors: actors({ kind: 'batch', size: 12 }, { kind: 'owner', size: 5 }),
    policy: policy({ count: { most: 50, minutes: 60 } }),
    habits: ['never'],
  }),
  /** A cap has a long window, in which orders expire and outcomes stay unknown. */
  caps: (random) => {
    const coin = random.pick(['BTC', 'ETH', 'XRP'] as const);
    const amount = { BTC: '0.9', ETH: '9', XRP: '9000' }[coin];
    return {
      actors: actors(
        { kind: 'regular', size: 7 },
        { kind: 'status', size: 6, pauses: [15 * MINUTE, 35 * MINUTE] },
      ),
      faults: random.chance(0.5) ? { 'answer-lost': 0.15 } : {},
      policy: policy({ caps: [{ coin, amount, minutes: 180, isByTeam: random.chance(0.3) }] }),
      habits: ['never', 'never', 'soon'],
      isLong: true,
    };
  },
  /** Creates are alike, and the answer to one comes to another. */
  alike: () => ({
    actors: actors(
      { kind: 'create', size: 4, isAlike: true, pauses: [1, 5] },
      { kind: 'create', size: 4, isAlike: true, pauses: [1, 5] },
    ),
    only: ['create-transaction'],
    faults: { stale: 0.4 },
  }),
  /** Creates are alike, and while one is under way, a clerk takes the order of another one for its own, or dismisses it. */
  mistaken: (_, turn) => ({
    actors: actors(
      { kind: 'create', size: 3, isAlike: true, pauses: [1, 5] },
      { kind: 'create', size: 3, isAlike: true, pauses: [1, 5] },
      { kind: 'create', size: 3, isAlike: true, pauses: [1, 5] },
      {
        kind: 'clerk',
        size: 14,
        pauses: [2, 9],
        ...(turn % 2 === 0 ? { isHurried: true } : { isImpatient: true }),
      },
    ),
    only: ['create-transaction'],
    faults: { slow: 0.6, cut: 0.5 },
  }),
  /** Orders of creates whose answers were cut are taken up by their numbers, with lies. */
  strangers: (_, turn) => ({
    actors: actors(
      { kind: 'create', size: 3 },
      { kind: 'refund', size: 4, pauses: [5, 30] },
      { kind: 'status', size: 6, pauses: [31, 60] },
    ),
    only: ['create-transaction', 'get-transaction'],
    faults: { cut: 0.5, tampered: 0.5 },
    habits: ['never'],
    lieAbout: OF_AGREEMENT[turn % OF_AGREEMENT.length],
  }),
  /** The answer to a refund address is cut, lost or changed. */
  refunds: (_, turn) => ({
    actors: actors({ kind: 'create', size: 2 }, { kind: 'refund', size: 4, pauses: [5, 60] }),
    only: ['update-refund-address'],
    faults: turn % 2 === 0 ? { cut: 0.2, echo: 0.7 } : { tampered: 0.4, 'answer-lost': 0.2 },
  }),
  /** A list with keys is run again when what the ledger has is old. */
  lists: () => ({
    actors: actors({ kind: 'batch', size: 3, isKeyed: true, pauses: [15 * MINUTE, 19 * MINUTE] }),
    habits: ['soon'],
    knowsWindows: true,
  }),
  /** A key is taken again after the deposit, when its order cannot be polled. */
  again: (_, turn) => ({
    actors: actors({ kind: 'create', size: 3, isKeyed: true, pauses: [60, 240] }),
    only: ['get-transaction'],
    faults: turn % 2 === 0 ? { garbage: 0.7 } : { 'answer-lost': 0.6 },
    habits: ['soon'],
  }),
  /** A policy names some addresses, and others are asked for. */
  payees: () => ({
    actors: actors(
      { kind: 'create', size: 6, pauses: [1, 5] },
      { kind: 'refund', size: 10, pauses: [5, 20] },
    ),
    policy: policy({ payees: Object.values(PAYEES).map(([first]) => first) }),
  }),
  /** Payouts differ from what was agreed, and orders fail. */
  payouts: (_, turn) => ({
    actors: actors(
      { kind: 'create', size: 4 },
      { kind: 'status', size: 8, pauses: [40, 80] },
      ...(turn % 2 === 0 ? [] : [{ kind: 'staff' as const, size: 12, pauses: [5, 20] as const }]),
    ),
    faults: turn % 2 === 0 ? { tampered: 0.6 } : {},
    lieAbout: 'payout amount',
    habits: ['soon'],
  }),
  /** More swaps are open than the budget of requests can poll; and the service asks for pauses of which some are shorter. */
  budget: (_, turn) => ({
    actors: actors(
      { kind: 'create', size: 11, pauses: [0, 1] },
      { kind: 'status', size: 3, pauses: [31, 32] },
      ...(turn % 2 === 0 ? [] : [{ kind: 'listen' as const, size: 1 }]),
    ),
    habits: ['never'],
    only: ['get-transaction'],
    faults: turn % 5 === 3 ? { busy: 0.9 } : {},
  }),
  /** Listeners are killed, and their receivers refuse. */
  events: () => ({
    actors: actors(
      { kind: 'create', size: 2 },
      { kind: 'listen', size: 2 },
      { kind: 'listen', size: 2 },
      { kind: 'staff', size: 1, pauses: [10, 40] },
    ),
    faults: { receiver: 0.3, killed: 0.003 },
    habits: ['soon'],
  }),
  /** The clocks of two machines are far apart, and a cap has a short window. */
  clocks: () => ({
    actors: actors(
      { kind: 'create', size: 8, coin: 'BTC', pauses: [5, 25] },
      { kind: 'create', size: 8, coin: 'BTC', pauses: [5, 25] },
    ),
    policy: policy({ caps: [{ coin: 'BTC', amount: '2', minutes: 5 }] }),
    clocksDiffer: 40 * MINUTE * 1000,
    habits: ['never'],
  }),
  /** The owner changes the policy while creates are reviewed, and while a list is created. */
  policies: () => ({
    actors: actors(
      { kind: 'batch', size: 8 },
      { kind: 'create', size: 3, isVaried: true, pauses: [1, 10] },
      { kind: 'create', size: 3, isVaried: true, pauses: [1, 10] },
      { kind: 'owner', size: 20, pauses: [2, 20] },
    ),
    policy: policy({}),
    policies: [
      ...[0, 1].map((place) => policy({ payees: Object.values(PAYEES).map((each) => each[place] ?? '') })),
      policy({ count: { most: 4, minutes: 1 } }),
    ],
    habits: ['never'],
  }),
};

/** Themes of some seeds only: see {@link TURNS}. */
const FROM_SEED_10: Readonly<Record<string, Theme>> = {
  /** The price moves between the request of an approval and its use. */
  prices: () => ({
    actors: actors(
      { kind: 'create', size: 4, isKeyed: true, pauses: [30, 90], coin: 'BTC', side: 'receive' },
      { kind: 'approver', size: 12, pauses: [10, 40] },
    ),
    policy: policy({ approve: { coin: 'BTC', above: '0.0001' } }),
    only: ['exchange-coin'],
    faults: { tampered: 0.5 },
    lieAbout: 'price',
    habits: ['never'],
  }),
  /** One key is used for two swaps, of which the service refuses some; under a cap, for two that have nothing in common. */
  others: (_, turn) => ({
    actors: actors({ kind: 'twins', size: turn % 4 === 2 ? 40 : 10, isVaried: true, coin: 'BTC' }),
    only: ['create-transaction'],
    faults: turn % 2 === 0 ? { busy: 0.4, refused: 0.2 } : {},
    policy: turn % 4 === 2 ? policy({ caps: [{ coin: 'BTC', amount: '5', minutes: 180 }] }) : null,
    habits: ['never'],
  }),
  /** An order of long ago is taken for that of an unknown create, where the owner's key is pinned. */
  older: () => ({
    actors: actors(
      { kind: 'create', size: 6, isAlike: true, pauses: [2 * MINUTE, 6 * MINUTE] },
      { kind: 'create', size: 6, isAlike: true, pauses: [2 * MINUTE, 6 * MINUTE] },
      { kind: 'clerk', size: 3, pauses: [26 * MINUTE, 30 * MINUTE], isHurried: true },
    ),
    only: ['create-transaction'],
    faults: { 'answer-lost': 0.5, 'request-lost': 0.3 },
    policy: policy({ count: { most: 50, minutes: 60 } }),
    isPinned: true,
  }),
  /** The order of an unknown create ends within the window of a cap, and someone sees that. */
  ended: (_, turn) => ({
    actors: actors(
      { kind: 'create', size: 8, coin: 'BTC', pauses: [6 * MINUTE, 12 * MINUTE] },
      { kind: 'watch', size: 10, pauses: [5 * MINUTE, 10 * MINUTE] },
      ...(turn % 3 === 2
        ? [{ kind: 'clerk' as const, size: 8, pauses: [5 * MINUTE, 10 * MINUTE] as const, isVaried: true }]
        : []),
    ),
    only: ['create-transaction'],
    faults: { tampered: 0.7 },
    lieAbout: 'payout address',
    policy: policy({ caps: [{ coin: 'BTC', amount: '0.9', minutes: 180 }] }),
    habits: ['never'],
  }),
  /** The service moves deposits to another network, and someone types a refund address of that one. */
  moved: () => ({
    actors: actors(
      { kind: 'create', size: 2, pauses: [1, 5] },
      { kind: 'refund', size: 8, pauses: [5, 30], isVaried: true },
    ),
    only: ['get-transaction'],
    faults: { tampered: 0.6 },
    lieAbout: 'moved deposit',
    habits: ['never'],
  }),
  /** Orders pay less than was quoted, or refunds cannot have the memo that they need: whoever creates is told. */
  warnings: () => ({
    actors: actors(
      { kind: 'create', size: 3, coin: 'XRP', pauses: [1, 5] },
      { kind: 'create', size: 3, coin: 'XRP', pauses: [1, 5] },
      { kind: 'create', size: 3, coin: 'XRP', pauses: [1, 5] },
    ),
    only: ['create-transaction'],
    faults: { tampered: 0.5 },
    lieAbout: 'low payout',
    habits: ['never'],
  }),
};

const FROM_SEED_32: Readonly<Record<string, Theme>> = {
  /** Earlier events are sent again while a receiver refuses later ones. */
  resent: () => ({
    actors: actors(
      { kind: 'create', size: 4, pauses: [1, 5] },
      { kind: 'listen', size: 7 },
      { kind: 'listen', size: 7 },
      { kind: 'desk', size: 40 },
    ),
    errand: 'resend',
    faults: { receiver: 0.6 },
    habits: ['soon'],
  }),
  /** Two keys must sign an approval, one after the other. */
  signers: () => ({
    actors: actors(
      { kind: 'create', size: 5, isKeyed: true, pauses: [20, 60], coin: 'BTC' },
      { kind: 'refund', size: 3, pauses: [30, 90] },
      { kind: 'approver', size: 14, pauses: [10, 30] },
      // Comes back when the shorter time of the two rules is over.
      { kind: 'create', size: 1, isKeyed: true, pauses: [16 * MINUTE, 20 * MINUTE], coin: 'BTC' },
    ),
    policy: policy({ approve: { coin: 'BTC', above: '0.0001', isDouble: true } }),
    habits: ['never'],
  }),
  /** Creates are stopped where there is no policy, and someone tries each door. */
  doors: () => ({
    actors: actors(
      { kind: 'create', size: 5, pauses: [1, 5] },
      { kind: 'refund', size: 5, pauses: [1, 10] },
      { kind: 'owner', size: 3 },
      { kind: 'desk', size: 8 },
    ),
    errand: 'send while stopped',
    habits: ['never'],
  }),
  /** A refund address is set, its answer is lost, and then the service cannot be reached. */
  unreached: () => ({
    actors: actors(
      { kind: 'create', size: 2, pauses: [1, 5] },
      { kind: 'refund', size: 10, pauses: [5, 30] },
    ),
    only: ['update-refund-address'],
    faults: { cut: 0.4, refused: 0.5 },
    habits: ['never'],
  }),
  /** The price moves between a review, or the check of a list, and its creates. */
  reviews: () => ({
    actors: actors(
      { kind: 'batch', size: 8, pauses: [1, 5], side: 'receive' },
      { kind: 'create', size: 5, isVaried: true, pauses: [1, 5], side: 'receive' },
    ),
    only: ['exchange-coin'],
    faults: { tampered: 0.5 },
    lieAbout: 'price',
    habits: ['never'],
  }),
  /** A program without a ledger compares each answer with the one before, and some lie. */
  descriptions: (_, turn) => ({
    actors: actors({ kind: 'create', size: 3, pauses: [1, 5] }, { kind: 'desk', size: 8 }),
    errand: 'keep a description',
    only: ['get-transaction'],
    faults: { tampered: 0.5 },
    lieAbout: turn % 2 === 0 ? 'deposit address' : 'payout address',
    habits: ['never'],
  }),
};

const BORROWED = policy({ approve: { coin: 'USDT', above: '100' } });

const FROM_SEED_65: Readonly<Record<string, Theme>> = {
  /** All clocks are set back by hours, so what a list or a listener shows again was seen in the future. */
  setBack: (_, turn) => ({
    actors: actors(
      ...(turn % 2 === 0
        ? []
        : [{ kind: 'listen' as const, size: 3, pauses: [8 * MINUTE, 9 * MINUTE] as const }]),
      { kind: 'batch', size: turn % 2 === 0 ? 2 : 4, isKeyed: true, pauses: [15 * MINUTE, 19 * MINUTE] },
    ),
    faults: { 'clock-back': 1 },
    setBackBy: 180 * MINUTE * 1000,
    habits: ['soon'],
    knowsWindows: true,
  }),
  /** Approvals are used for requests that differ in one part, and after the policy has changed. */
  borrowed: () => ({
    actors: actors(
      { kind: 'borrower', size: 1, pauses: [140, 141] },
      { kind: 'approver', size: 7, pauses: [50, 55], isHurried: true },
      { kind: 'owner', size: 1, pauses: [345, 350] },
    ),
    policy: BORROWED,
    policies: [{ ...BORROWED, count: { most: 99, minutes: 60 } }],
    habits: ['never'],
  }),
  /** The answer to a create is of another order, about which people write, and a clerk finds the right one. */
  relinked: () => ({
    actors: actors(
      { kind: 'create', size: 6, pauses: [1, 5] },
      { kind: 'create', size: 6, pauses: [1, 5] },
      { kind: 'watch', size: 8, pauses: [2, 10] },
      { kind: 'desk', size: 25 },
      { kind: 'clerk', size: 2, pauses: [5 * MINUTE, 6 * MINUTE] },
    ),
    errand: 'write',
    only: ['create-transaction'],
    faults: { stale: 0.5, 'interrupted-sending': 0.4 },
    habits: ['never'],
  }),
};

const FROM_SEED_26: Readonly<Record<string, Theme>> = {
  /** People ask for swaps that are wrong in one part, or that only look so. */
  creates: () => ({ actors: actors({ kind: 'desk', size: 1 }), errand: 'try creates', habits: ['never'] }),
};

const FROM_SEED_16: Readonly<Record<string, Theme>> = {
  /** A program without a ledger is given answers that are wrong in one part, or that only look so. */
  misinformed: () => ({ actors: actors({ kind: 'desk', size: 1 }), errand: 'misinform', habits: ['never'] }),
  /** Lists are run again: with rows in another order and spelling, with other labels, too late, and once too often. */
  reruns: () => ({
    actors: actors({ kind: 'desk', size: 10, pauses: [9 * MINUTE, 9 * MINUTE] }),
    errand: 'rerun',
    knowsWindows: true,
    habits: ['never'],
  }),
  /** A script runs command lines. */
  typed: () => ({
    actors: actors({ kind: 'desk', size: 1 }, { kind: 'watch', size: 0, isOther: true }),
    errand: 'type',
    habits: ['never'],
  }),
  /** People pay more or less than was agreed, and refund addresses need an approval by what they have paid. */
  paid: () => ({
    actors: actors(
      { kind: 'create', size: 4, isAlike: true, pauses: [1, 5] },
      { kind: 'refund', size: 8, pauses: [30, 90] },
      { kind: 'desk', size: 8, pauses: [30, 90] },
      { kind: 'approver', size: 20, pauses: [20, 60] },
    ),
    errand: 'refund raw',
    policy: policy({ approve: { coin: 'BTC', above: '0.7' } }),
    habits: ['double', 'short'],
  }),
};

const FROM_SEED_44: Readonly<Record<string, Theme>> = {
  /** Somebody at a terminal is asked, and reads what is there before something is sent. */
  dialogs: () => ({
    actors: actors({ kind: 'desk', size: 1 }),
    errand: 'dialogs',
    habits: ['never'],
    knowsWindows: true,
  }),
};

const FROM_SEED_43: Readonly<Record<string, Theme>> = {
  /** Agents ask for swaps and refunds through hosts that may be confused or hostile. */
  agents: () => ({
    actors: actors({ kind: 'desk', size: 1 }, { kind: 'desk', size: 1, isOther: true }),
    errand: 'agent',
    policy: AGENT_POLICY,
    knowsWindows: false,
    habits: ['never'],
  }),
};

const FROM_SEED_19: Readonly<Record<string, Theme>> = {
  /** Command lines are run on a real machine, whose files, environment and programs are not as they should be. */
  machine: () => ({ actors: actors({ kind: 'desk', size: 1 }), errand: 'operate', habits: ['never'] }),
};

/** Lists of themes with turns of their own: every fifteenth seed from the first one; the others of the first 300 stay as they were. */
const TURNS = [
  { themes: FROM_SEED_10, first: 10, last: 300 },
  { themes: FROM_SEED_32, first: 32, last: 137 },
  { themes: FROM_SEED_26, first: 26, last: 71 },
  { themes: FROM_SEED_16, first: 16, last: 61 },
  { themes: FROM_SEED_44, first: 44, last: 149 },
  { themes: FROM_SEED_43, first: 43, last: 88 },
  { themes: FROM_SEED_19, first: 19, last: 19 },
  { themes: FROM_SEED_65, first: 65, last: 110 },
];

/** The world of a seed that has a theme: every third, and those of {@link TURNS}; null for any other. */
export function themedPlan(seed: number): Plan | null {
  if (seed % 3 === 0) return planWith(THEMES, seed, seed / 3 - 1);
  for (const { themes, first, last } of TURNS)
    if (seed % 15 === first % 15 && seed >= first && (seed <= last || seed > 300))
      return planWith(themes, seed, (seed - first) / 15);
  return null;
}

/** A world of a list of themes; `place` counts them from 0, and each theme has its turn. */
function planWith(themes: Readonly<Record<string, Theme>>, seed: number, place: number): Plan {
  const names = Object.keys(themes);
  const name = names[place % names.length] ?? '';
  const theme = themes[name];
  if (theme === undefined) throw new RangeError(`No theme ${name}.`);
  const random = new Random(`theme ${seed}`);
  const plain = { faults: {}, serviceLimit: 1200, knowsWindows: random.chance(0.5), clocksDiffer: 0 };
  return { ...plain, policy: null, ...theme(random, Math.floor(place / names.length)), seed, theme: name };
}
