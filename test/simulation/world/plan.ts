import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import type { Side } from '../../../src/core/swap/swap.ts';
import { Random } from '../random.ts';
import { PAYEES } from './coins.ts';
import { FAULTS, type Fault, type FaultRates } from './faults.ts';
import type { Part } from './lies.ts';
import type { Habit } from './people.ts';
import { themedPlan } from './themes.ts';

/** Kinds of actors. */
export const ACTORS = [
  'create',
  'twins',
  'batch',
  'status',
  'listen',
  'watch',
  'clerk',
  'refund',
  'staff',
  'report',
] as const;

/** Those who work with a policy, in a world that has one. */
export const KEEPERS = ['owner', 'approver', 'api', 'regular'] as const;

/** Those of worlds with a theme alone. */
const OF_THEMES = ['deadline', 'borrower'] as const;

/** Those who are drawn apart. */
const DESK = 'desk';

export type ActorKind =
  | (typeof ACTORS)[number]
  | (typeof KEEPERS)[number]
  | (typeof OF_THEMES)[number]
  | typeof DESK;

/** A cap on the deposits of a coin; by team, each value of that label has its own, and the swaps without it. */
interface CapPlan {
  readonly coin: string;
  readonly amount: string;
  readonly minutes: number;
  readonly isByTeam?: boolean;
}

/** Limits of the creates of a world. Amounts are decimal texts. */
export interface PolicyPlan {
  readonly caps: readonly CapPlan[];
  readonly count: { readonly most: number; readonly minutes: number } | null;
  /** Deposits of more than this want a signature. */
  readonly approve: {
    readonly coin: string;
    readonly above: string;
    /** Two rules want one each, with a key of its own. */
    readonly isDouble?: boolean;
  } | null;
  /** Swaps that may be open at the same time. */
  readonly open?: number | null;
  /** The only addresses to which payouts and refunds may go; null for any. */
  readonly payees?: readonly string[] | null;
}

/** One who does something in a world. */
export interface ActorPlan {
  /** Stays the same when others are left out. */
  readonly id: string;
  readonly kind: ActorKind;
  /** How much it does. */
  readonly size: number;
  /** Works with the second key pair, on the same ledger. */
  readonly isOther?: boolean;
  /** Shortest and longest pause between two things that it does, in seconds; by default of its kind. */
  readonly pauses?: readonly [number, number];
  /** Gives each swap a key of its own, and creates it once more with it. */
  readonly isKeyed?: boolean;
  /** The coin that it gives; by default any. */
  readonly coin?: string;
  /** Wants one and the same swap again and again, as all others do who are like that. */
  readonly isAlike?: boolean;
  /**
   * Reviews creates at a terminal, runs lists with other flags, uses one key for two swaps, and types mistakes; a clerk
   * dismisses also what has an order.
   */
  readonly isVaried?: boolean;
  /** A clerk who dismisses a create that is still under way. */
  readonly isImpatient?: boolean;
  /** A clerk who always takes an order for another one that is alike; an approver who signs everything. */
  readonly isHurried?: boolean;
  /** The side whose amount its swaps name; by default any. */
  readonly side?: Side;
}

/** What a world is made of; the same plan gives the same story. */
export interface Plan {
  readonly seed: number;
  readonly actors: readonly ActorPlan[];
  readonly faults: FaultRates;
  /** Requests per minute that the service takes from a key. */
  readonly serviceLimit: number;
  /** Processes know when the window of an order ends. */
  readonly knowsWindows: boolean;
  /** Milliseconds by which the clock of a machine may differ. */
  readonly clocksDiffer: number;
  /** Milliseconds by which all clocks are set back, where they are; by default any time, and perhaps of one machine. */
  readonly setBackBy?: number;
  /** Goes on for hours: creates follow lost and overdue ones, and stops last. */
  readonly isLong?: boolean;
  /** The second key pair is the first one at another host, which is live. */
  readonly areHosts?: boolean;
  readonly policy?: PolicyPlan | null;
  /** The owner's key is pinned, and no one who acts has it. */
  readonly isPinned?: boolean;
  /** Policies that the owner sets, one after the other, in place of stopping creates. */
  readonly policies?: readonly PolicyPlan[];
  /** The promise that the world is about; none for an ordinary one. */
  readonly theme?: string;
  /** What people do with orders that they are shown; by default all of it. */
  readonly habits?: readonly Habit[];
  /** The only requests at which the network fails; by default any. */
  readonly only?: readonly EndpointName[];
  /** What someone at a desk does again and again, in place of everything. */
  readonly errand?: ErrandName;
  /** The only part of an answer that a lie changes; by default any. */
  readonly lieAbout?: Part | undefined;
}

/** What only worlds with a theme have someone at a desk do. */
export type ErrandName =
  | 'send while stopped'
  | 'refund raw'
  | 'resend'
  | 'keep a description'
  | 'write'
  | 'try creates'
  | 'misinform'
  | 'rerun'
  | 'type'
  | 'dialogs'
  | 'agent'
  | 'operate';

/** How often each fault strikes where it may, in a world that has it. */
const RATES: Readonly<Record<Fault, readonly number[]>> = {
  killed: [0.0005, 0.003, 0.01],
  interrupted: [0.0005, 0.003],
  'interrupted-sending': [0.05, 0.2],
  refused: [0.02, 0.1],
  'request-lost': [0.02, 0.1],
  'answer-lost': [0.02, 0.2],
  'request-repeated': [0.02, 0.1],
  slow: [0.02, 0.1],
  cut: [0.02, 0.15],
  garbage: [0.02, 0.15],
  tampered: [0.1, 0.4],
  'request-tampered': [0.05, 0.3],
  stale: [0.02, 0.1],
  echo: [0.02, 0.1],
  busy: [0.02, 0.15],
  'disk-full': [0.001, 0.01],
  'end-unwritten': [0.3, 0.8],
  'disk-slow': [0.005, 0.02],
  'clock-back': [1],
  receiver: [0.1, 0.4],
};

const SIZES: Readonly<Record<ActorKind, readonly [number, number]>> = {
  create: [2, 6],
  twins: [1, 3],
  batch: [3, 9],
  status: [1, 3],
  listen: [1, 4],
  watch: [1, 2],
  clerk: [1, 3],
  refund: [2, 5],
  staff: [1, 4],
  report: [1, 2],
  owner: [1, 3],
  approver: [3, 8],
  api: [2, 5],
  regular: [8, 14],
  deadline: [1, 3],
  borrower: [1, 1],
  desk: [25, 40],
};

/** Leaves actors and faults out of a plan by their names. */
export function without(plan: Plan, names: readonly string[]): Plan {
  const actors = plan.actors.filter(({ id }) => !names.includes(id));
  const faults = Object.fromEntries(Object.entries(plan.faults).filter(([name]) => !names.includes(name)));
  return { ...plan, actors, faults };
}

/** Share of the worlds in which two key pairs share the ledger. */
const SHARE_OF_TWO = 0.25;

/** Share of the creates and lists in short worlds that are varied. */
const SHARE_VARIED = 0.5;
const VARIED: readonly ActorKind[] = ['create', 'batch'];

/** Share of the short worlds with someone at a desk. */
const SHARE_WITH_DESK = 0.35;

/** Share of the worlds that have a policy. */
const SHARE_GUARDED = 0.3;

/** Coins with caps that a few swaps reach, and amounts that half of the swaps exceed. */
const LIMITS = [
  { coin: 'BTC', caps: ['0.9', '2'], above: '0.4' },
  { coin: 'ETH', caps: ['9', '20'], above: '4' },
  { coin: 'XRP', caps: ['9000', '20000'], above: '4000' },
] as const;

/** The limits of a world. */
function policyOf(random: Random): PolicyPlan {
  const minutes = () => random.pick([5, 5, 60]);
  return {
    caps: LIMITS.filter(() => random.chance(0.7)).map(({ coin, caps }) => ({
      coin,
      amount: random.pick(caps),
      minutes: minutes(),
    })),
    count: random.chance(0.4) ? { most: random.between(2, 8), minutes: minutes() } : null,
    approve: random.chance(0.5) ? random.pick(LIMITS) : null,
  };
}

/** Share of the worlds that go on for hours. */
const SHARE_LONG = 0.2;

/** The world of a seed, which may have a theme. */
export function planOf(seed: number): Plan {
  const themed = themedPlan(seed);
  if (themed !== null) return themed;
  const random = new Random(`long ${seed}`);
  return random.chance(SHARE_LONG) ? longPlan(seed, random) : shortPlan(seed);
}

/** A world in which someone creates swaps of one coin for hours, within the windows of its caps. */
function longPlan(seed: number, random: Random): Plan {
  const { policy: _, actors: few, ...plan } = shortPlan(seed);
  const limit = random.pick(LIMITS);
  const minutes = random.pick([60, 120, 180]);
  const coins = LIMITS.flatMap(({ coin }) => PAYEES[coin]);
  const policy: PolicyPlan = {
    caps: [
      { coin: limit.coin, amount: random.pick(limit.caps), minutes, isByTeam: random.chance(0.5) },
      ...(random.chance(0.3) ? [{ coin: limit.coin, amount: limit.caps[1], minutes: 2 * minutes }] : []),
    ],
    count: random.chance(0.3) ? { most: random.between(4, 8), minutes } : null,
    approve: null,
    open: random.chance(0.4) ? random.between(2, 5) : null,
    payees: random.chance(0.2) ? coins.filter(() => random.chance(0.7)) : null,
  };
  const kinds: readonly ActorKind[] = [
    'regular',
    'regular',
    ...(random.chance(0.5) ? (['listen', 'listen'] as const) : (['status'] as const)),
    ...(random.chance(0.4) ? (['clerk'] as const) : []),
    ...(random.chance(0.5) ? (['owner'] as const) : []),
    ...(random.chance(0.3) ? (['refund'] as const) : []),
  ];
  const areTwo = few.some(({ isOther }) => isOther === true);
  const actors = kinds.map((kind, index) => {
    const actor = { id: `${kind}-${index + 1}`, kind, size: random.between(...SIZES[kind]) };
    return areTwo && index === 1 ? { ...actor, isOther: true } : actor;
  });
  const lost = random.chance(0.7) ? { 'answer-lost': 0.2 } : {};
  const faults = { ...plan.faults, ...lost };
  return { ...plan, actors, faults, policy, isLong: true, areHosts: random.chance(0.5) };
}

/** Faults that are drawn apart, or that only worlds with a theme have. */
const APART: readonly Fault[] = ['end-unwritten', 'interrupted-sending'];

function shortPlan(seed: number): Plan {
  const random = new Random(`plan ${seed}`);
  const kinds = (Object.keys(FAULTS) as Fault[]).filter((kind) => !APART.includes(kind));
  const share = random.pick([0, 0.1, 0.25, 0.5]);
  const drawn = (kind: Fault, from: Random) =>
    from.chance(share) ? [[kind, from.pick(RATES[kind])] as const] : [];
  // Drawn apart, as a policy is below.
  const ends = drawn('end-unwritten', new Random(`ends ${seed}`));
  const faults = Object.fromEntries([...kinds.flatMap((kind) => drawn(kind, random)), ...ends]);
  const wanted: readonly ActorKind[] = [
    'create',
    random.pick(['create', 'batch']),
    ...Array.from({ length: random.between(1, 3) }, () => random.pick(ACTORS)),
  ];
  // Drawn apart, so that a world without a policy is the same whatever policies are like.
  const apart = new Random(`policy ${seed}`);
  const policy = apart.chance(SHARE_GUARDED) ? policyOf(apart) : null;
  const policyActors: ActorKind[] = [
    ...(policy !== null && apart.chance(0.4) ? (['owner'] as const) : []),
    ...(policy?.approve != null ? (['approver'] as const) : []),
    ...(policy !== null && apart.chance(0.5) ? (['api'] as const) : []),
  ];
  // Drawn apart as well: whoever changes refund addresses is stopped and asked for approvals as all others.
  const refunds = new Random(`refunds ${seed}`);
  if (refunds.chance(policy === null ? 0.1 : 0.5)) policyActors.push('refund');
  const isSetBack = policy !== null && apart.chance(0.4);
  const sharing = new Random(`accounts ${seed}`);
  const areTwo = sharing.chance(SHARE_OF_TWO);
  const actors = [...wanted, ...policyActors].map((kind, index): ActorPlan => {
    const isWanted = index < wanted.length;
    const actor = {
      id: `${kind}-${index + 1}`,
      kind,
      size: (isWanted ? random : apart).between(...SIZES[kind]),
    };
    // The policy is of the first one.
    return areTwo && isWanted && sharing.chance(0.5) ? { ...actor, isOther: true } : actor;
  });
  const desks = new Random(`desk ${seed}`);
  for (const [index, actor] of actors.entries())
    if (VARIED.includes(actor.kind) && desks.chance(SHARE_VARIED))
      actors[index] = { ...actor, isVaried: true };
  if (desks.chance(SHARE_WITH_DESK))
    actors.push({ id: `desk-${actors.length + 1}`, kind: DESK, size: desks.between(...SIZES[DESK]) });
  return {
    seed,
    actors,
    faults: isSetBack ? { ...faults, 'clock-back': 1 } : faults,
    serviceLimit: random.chance(0.15) ? 40 : 1200,
    knowsWindows: random.chance(0.5),
    clocksDiffer: random.chance(0.3) ? 5_000 : 0,
    policy,
  };
}
