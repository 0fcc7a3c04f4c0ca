import { Random } from '../random.ts';

/** Everything that may go wrong, in words for the story. */
export const FAULTS = {
  killed: 'is killed',
  interrupted: 'is interrupted by Ctrl-C',
  'interrupted-sending': 'is interrupted by Ctrl-C while it waits for an answer',
  refused: 'cannot connect',
  'request-lost': 'its request is lost',
  'answer-lost': 'its answer is lost',
  'request-repeated': 'its request arrives twice',
  slow: 'its request takes very long',
  cut: 'its answer is cut off',
  garbage: 'gets a web page of a proxy in place of the answer',
  tampered: 'gets an answer that says something else',
  'request-tampered': 'its request is changed on the way',
  stale: 'gets the answer to an earlier request',
  echo: 'gets an error that quotes its credentials',
  busy: 'is refused for too many requests',
  'disk-full': 'finds the disk full',
  'disk-slow': 'waits for the disk',
  'clock-back': 'has its clock set back',
  receiver: 'is refused by the receiver of its events',
  'end-unwritten': 'cannot write the end of a swap',
} as const;

export type Fault = keyof typeof FAULTS;

/** Faults of a world with their probability at each point where they may strike. */
export type FaultRates = Readonly<Partial<Record<Fault, number>>>;

/** Decides where faults strike, and counts them. */
export class Faults {
  readonly random: Random;
  readonly counts = new Map<Fault, number>();
  readonly #rates: FaultRates;
  readonly #tell: (words: string) => void;
  #only: Fault | null = null;
  /** Nothing goes wrong any more. */
  isOver = false;

  constructor(seed: string, rates: FaultRates, tell: (words: string) => void) {
    this.random = new Random(`${seed} faults`);
    this.#rates = rates;
    this.#tell = tell;
  }

  has(fault: Fault): boolean {
    return (this.#rates[fault] ?? 0) > 0;
  }

  /** Once nothing else goes wrong any more, this fault alone strikes until it is stopped. */
  failOnly(fault: Fault): { readonly stop: () => void; readonly isOn: () => boolean } {
    this.#only = fault;
    return { stop: () => (this.#only = null), isOn: () => this.#only !== null };
  }

  strikes(fault: Fault, whom: string): boolean {
    const rate = this.#rates[fault];
    if (rate === undefined || (this.isOver && fault !== this.#only) || !this.random.chance(rate))
      return false;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    this.#tell(`${whom} ${FAULTS[fault]}`);
    return true;
  }
}
