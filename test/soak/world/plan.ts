import { Random, weighted } from '../../simulation/random.ts';
import type { Fault, FaultRates } from '../../simulation/world/faults.ts';
import type { Plan, PolicyPlan } from '../../simulation/world/plan.ts';

/** Factor by which people, windows and the service's clock are faster than in the simulation. */
export const PACE = 12;

/** Probability of each fault in a run that has it; faults of disks and clocks are left to the simulation. */
const RATES: Readonly<Partial<Record<Fault, readonly number[]>>> = {
  killed: [0.03, 0.08],
  interrupted: [0.03],
  'request-lost': [0.02, 0.05],
  'answer-lost': [0.03, 0.1],
  'request-repeated': [0.02, 0.05],
  slow: [0.02, 0.05],
  cut: [0.02, 0.06],
  garbage: [0.02, 0.06],
  tampered: [0.02, 0.06],
  'request-tampered': [0.02, 0.05],
  stale: [0.02, 0.05],
  echo: [0.02, 0.05],
  receiver: [0.1, 0.3],
};

/** Share of the faults that a run has, in addition to kills and lost responses, which each run has. */
const SHARE_OF_FAULTS = 0.7;

/** The kinds of actors, repeated by their weight. */
const KINDS = weighted({
  create: 4,
  twins: 2,
  batch: 3,
  status: 1,
  listen: 2,
  watch: 1,
  clerk: 1,
  refund: 1,
  staff: 1,
  report: 1,
  owner: 1,
  approver: 2,
  api: 1,
});

/** Limits that a few swaps reach, with windows of a minute. */
const POLICY: PolicyPlan = {
  caps: [
    { coin: 'BTC', amount: '4', minutes: 1 },
    { coin: 'ETH', amount: '40', minutes: 1 },
  ],
  count: { most: 20, minutes: 1 },
  approve: { coin: 'XRP', above: '6000' },
};

/** The plan of a seed, which is reproducible except for the timing of real processes. */
export function soakPlan(seed: number): Plan & { readonly policy: PolicyPlan } {
  const random = new Random(`soak ${seed}`);
  const isIn = (kind: string) =>
    kind === 'killed' || kind === 'answer-lost' || random.chance(SHARE_OF_FAULTS);
  const faults: FaultRates = Object.fromEntries(
    Object.entries(RATES).flatMap(([kind, rates]) => (isIn(kind) ? [[kind, random.pick(rates)]] : [])),
  );
  return {
    seed,
    actors: [],
    faults,
    policy: POLICY,
    serviceLimit: 1_000_000,
    knowsWindows: false,
    clocksDiffer: 0,
  };
}

/** The next actor. */
export function nextActor(number: number, random: Random) {
  const kind = random.pick(KINDS);
  // The policy belongs to the first key pair.
  const isOther = !['owner', 'approver', 'api'].includes(kind) && random.chance(0.25);
  return { id: `${kind}-${number}`, kind, size: random.between(1, kind === 'batch' ? 6 : 3), isOther };
}
