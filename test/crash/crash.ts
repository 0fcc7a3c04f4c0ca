import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, CreateBody, SwapService } from '../helpers/swap-service.ts';
import { startSwapService, swapText } from '../helpers/swap-service.ts';

export { startPostgres } from '../core/database/postgres/server.ts';

/**
 * Who keeps below the cap: swapctl or a program of its library by the policy, or a program that counts what was answered,
 * or in each process.
 */
export type Strategy = (typeof OURS | typeof NAIVE)[number];

/** What the processes of a strategy came to. Amounts are hundredths of a bitcoin. */
export interface CrashCount {
  processes: number;
  killed: number;
  lostAnswers: number;
  orders: number;
  /** Caps, each of an account of its own, and how many of them were used up. */
  caps: number;
  usedUp: number;
  allowed: number;
  made: number;
  over: number;
  /** Orders beyond the first of a job, which has one key and one payout address. */
  duplicates: number;
}

/** Where a run takes place. */
export interface CrashPlace {
  readonly root: string;
  /** A folder of its own, which is removed at the end. */
  readonly home: string;
  /** Path or URL of a fresh ledger. */
  readonly ledger: string;
  readonly milliseconds: number;
  /** Whether the strategies that limit themselves run too. */
  readonly compares: boolean;
}

const PROCESSES = 10;
/** Caps of 0.5 BTC, one after the other; the next begins once so many processes have met the end of the last. */
const CAPS = 6;
const CAP = 50;
const PROCESSES_AT_END = 8;
const HOUR = 3_600_000;
/** Different swaps that the processes of a cap have to create: several times what it allows. */
const JOBS = 12;
const AMOUNTS = ['0.1', '0.10', '0.15', '0.2'];
/** Strategies on one ledger and its policy, and those that limit themselves. */
const OURS = ['swapctl', 'library'] as const;
const NAIVE = ['answer', 'process'] as const;
const STRATEGIES = [...OURS, ...NAIVE];

/** A swap to create once: whoever meets it again repeats it. */
interface Job {
  readonly key: string;
  readonly amount: string;
  /** Payout address of this job alone, by which the service tells jobs apart. */
  readonly address: string;
}

/** Runs many processes that create at the same time, and are killed, against one cap after the other. */
export async function crash(place: CrashPlace): Promise<Record<Strategy, CrashCount>> {
  mkdirSync(place.home, { recursive: true });
  const crashes = new Crashes(place);
  const service = await startSwapService({ 'create-transaction': crashes.answer });
  try {
    return await crashes.run(service);
  } finally {
    await service.close();
    rmSync(place.home, { recursive: true, force: true });
  }
}

const noCount = (): CrashCount => ({
  ...{ processes: 0, killed: 0, lostAnswers: 0, orders: 0, caps: 0, usedUp: 0, allowed: 0, made: 0, over: 0 },
  duplicates: 0,
});

class Crashes {
  readonly #place: CrashPlace;
  readonly #counts: Record<Strategy, CrashCount> = {
    swapctl: noCount(),
    library: noCount(),
    answer: noCount(),
    process: noCount(),
  };
  /** What the service made for each key, in hundredths. */
  readonly #made = new Map<string, number>();
  /** Payout addresses that have an order. */
  readonly #paid = new Set<string>();
  #url = '';
  #orders = 0;

  constructor(place: CrashPlace) {
    this.#place = place;
  }

  /** Makes an order, and loses one answer in four. */
  readonly answer: Answer = async (seen, response) => {
    const key = String(seen.headers['x-api-public-key']);
    const count = this.#counts[key.split('-')[0] as Strategy];
    this.#orders += 1;
    const orderNumber = `ORDER${this.#orders}`;
    const text = swapText(seen, (swap) => {
      swap.pairs.receive.coin.value = 25 * swap.pairs.deposit.coin.value;
      Object.assign(swap, { orderNumber });
    });
    const { depositAmount, receiveAddress } = JSON.parse(seen.body) as CreateBody;
    if (this.#paid.has(receiveAddress)) count.duplicates += 1;
    this.#paid.add(receiveAddress);
    this.#made.set(key, (this.#made.get(key) ?? 0) + Math.round(depositAmount * 100));
    count.orders += 1;
    await pause(randomInt(5, 80));
    if (randomInt(4) > 0) response.writeHead(201, { 'content-type': 'application/json' }).end(text);
    else {
      count.lostAnswers += 1;
      response.destroy();
    }
  };

  async run(service: SwapService): Promise<Record<Strategy, CrashCount>> {
    this.#url = service.url;
    await Promise.all(Array.from({ length: CAPS }, (_, round) => this.#prepare(round)));
    const end = performance.now() + this.#place.milliseconds;
    let [round, atEnd] = [0, 0];
    const slot = async (strategy: Strategy) => {
      while (performance.now() < end) {
        if (strategy === 'swapctl' && OURS.every((each) => this.#isUsedUp(`${each}-${round}`))) atEnd += 1;
        if (atEnd === PROCESSES_AT_END && round < CAPS - 1) [round, atEnd] = [round + 1, 0];
        await this.#process(strategy, round);
      }
    };
    const strategies = this.#place.compares ? STRATEGIES : OURS;
    const slots = Array.from({ length: PROCESSES }, () => strategies.map(slot));
    await Promise.all(slots.flat());
    await this.#program(['policy', 'audit', 'verify'], 'swapctl-0', '');
    for (const strategy of strategies)
      for (let each = 0; each <= round; each += 1) this.#sum(this.#counts[strategy], `${strategy}-${each}`);
    return this.#counts;
  }

  /** Whether there is no room for the smallest create. */
  #isUsedUp(key: string): boolean {
    return (this.#made.get(key) ?? 0) > CAP - 10;
  }

  #sum(count: CrashCount, key: string): void {
    const made = this.#made.get(key) ?? 0;
    count.caps += 1;
    count.allowed += CAP;
    count.made += made;
    count.over += Math.max(0, made - CAP);
    if (this.#isUsedUp(key)) count.usedUp += 1;
  }

  /** Sets the cap of a round, and stores the key pair of the command line under a second profile name. */
  async #prepare(round: number): Promise<void> {
    const policy = this.#file(
      'policy.json',
      '{"version":1,"rules":[{"cap":{"coin":"BTC","amount":"0.5","per":"24h"}}]}',
    );
    const login = ['--base-url', this.#url, '--public-key', `swapctl-${round}`, '--with-secret'];
    await this.#program(['auth', 'login', '-p', `other${round}`, ...login], `swapctl-${round}`, 'secret');
    for (const strategy of OURS)
      await this.#program(['policy', 'set', policy, '--yes'], `${strategy}-${round}`, '');
    for (const strategy of NAIVE) this.#file(`${strategy}-${round}`, '');
  }

  /** Runs the program with a key pair to its end; throws where it fails. */
  async #program(args: readonly string[], publicKey: string, input: string): Promise<void> {
    const child = this.#start([join('bin', 'swapctl.js'), ...args], { publicKey, input });
    let reported = '';
    child.stderr?.on('data', (text) => (reported += text));
    const code = await ended(child);
    if (code !== 0) throw new Error(`swapctl ${args.join(' ')} ends with ${code}: ${reported}`);
  }

  /** Starts a program of the repository on the ledger, whose clock may have been set back. */
  #start(
    [program = '', ...args]: readonly string[],
    { publicKey, input = '', clockBack = 0 }: { publicKey: string; input?: string; clockBack?: number },
  ): ChildProcess {
    const { root, home, ledger } = this.#place;
    const clock = ['--require', join(root, 'test', 'crash', 'clock.cjs')];
    const child = spawn(process.execPath, [...clock, join(root, program), ...args], {
      cwd: home,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, SWAPCTL_LEDGER: ledger },
        ...{ SWAPCTL_BASE_URL: this.#url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: 'secret' },
        CRASH_CLOCK_BACK: String(clockBack),
      },
    });
    child.stdin?.on('error', () => undefined).end(input);
    return child;
  }

  /** By how much the clock of a process was set back. Nothing can be known of one that was wrong from the start. */
  #clockBack(publicKey: string): number {
    return (this.#made.get(publicKey) ?? 0) > 0 && randomInt(5) === 0 ? 25 * HOUR : 0;
  }

  #process(strategy: Strategy, round: number): Promise<void> {
    if (strategy === 'swapctl') return this.#swapctl(round);
    return strategy === 'library' ? this.#library(round) : this.#naive(strategy, round);
  }

  /** One process of create, batch or api, which may be killed, or have a clock that was set back. */
  async #swapctl(round: number): Promise<void> {
    const publicKey = `swapctl-${round}`;
    const { key, amount, address } = oneOf(jobsOf(publicKey));
    const yes = ['--yes', '--json', ...oneOf([[], ['-p', `other${round}`]])];
    const from = oneOf(['BTC', 'btc', 'BTC:BTC', 'btc:Bitcoin']);
    // The same body again is another order: what `api` sends has no key.
    const unkeyed = { address: addressOf(randomUUID()), amount: oneOf(AMOUNTS) };
    const body = {
      ...{ depositCoin: oneOf(['BTC', 'btc']), depositNetwork: 'BTC', depositAmount: Number(unkeyed.amount) },
      ...{ receiveCoin: 'ETH', receiveNetwork: 'ETH', receiveAddress: unkeyed.address },
      ...{ lastSource: 'deposit', typeSwap: 2 },
    };
    const args = {
      create: () => ['create', from, 'ETH', amount, '-a', address, '--idempotency-key', key, ...yes],
      batch: () => ['batch', this.#batchFile(publicKey), ...yes, '--budget', '9999999/60s'],
      api: () => ['api', 'create-transaction', '--input', '-', ...yes],
    }[oneOf(['create', 'batch', 'api'] as const)]();
    const clockBack = this.#clockBack(publicKey);
    const child = this.#start([join('bin', 'swapctl.js'), ...args], {
      ...{ publicKey, clockBack, input: JSON.stringify(body) },
    });
    await this.#live(this.#counts.swapctl, child, [400, 2_000]);
  }

  #batchFile(account: string): string {
    const rows = shuffled(jobsOf(account)).map(
      ({ key, amount, address }) => `${oneOf(['BTC', 'btc:btc'])},ETH,${amount},${address},${key}`,
    );
    return this.#file(`${randomUUID()}.csv`, `from,to,amount,address,key\n${rows.join('\n')}\n`);
  }

  /** One process of the back end that uses the library, as `swapctl` above. */
  async #library(round: number): Promise<void> {
    const publicKey = `library-${round}`;
    const args = [this.#url, publicKey, this.#place.ledger, someJobs(publicKey)];
    const child = this.#start([join('test', 'crash', 'backend.mjs'), ...args], {
      ...{ publicKey, clockBack: this.#clockBack(publicKey) },
    });
    await this.#live(this.#counts.library, child, [150, 1_500]);
  }

  async #naive(strategy: (typeof NAIVE)[number], round: number): Promise<void> {
    const program = join(this.#place.root, 'test', 'crash', 'naive.mjs');
    const key = `${strategy}-${round}`;
    const args = [program, strategy, this.#url, key, join(this.#place.home, key), String(CAP), someJobs(key)];
    await this.#live(this.#counts[strategy], spawn(process.execPath, args, { stdio: 'inherit' }), [80, 400]);
  }

  /** Waits for a process, and kills one in three after some time. */
  async #live(
    count: CrashCount,
    child: ChildProcess,
    [soonest, latest]: readonly [number, number],
  ): Promise<void> {
    count.processes += 1;
    const timer =
      randomInt(3) === 0 ? setTimeout(() => child.kill('SIGKILL'), randomInt(soonest, latest)) : null;
    if ((await ended(child)) === null) count.killed += 1;
    if (timer !== null) clearTimeout(timer);
  }

  #file(name: string, text: string): string {
    const file = join(this.#place.home, name);
    writeFileSync(file, text);
    return file;
  }
}

/** Exit code of a process; null where it was killed. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)));
}

function oneOf<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T;
}

/** The jobs of a cap, which are the same for each of its processes. */
function jobsOf(account: string): readonly Job[] {
  return Array.from({ length: JOBS }, (_, index) => ({
    ...{ key: `${account}-job-${index}`, address: addressOf(`${account}-${index}`) },
    amount: AMOUNTS[index % AMOUNTS.length] as string,
  }));
}

/** One job or all of them, as a program's argument. */
function someJobs(account: string): string {
  const jobs = shuffled(jobsOf(account));
  return JSON.stringify(oneOf([jobs, jobs.slice(0, 1)]));
}

function addressOf(seed: string): string {
  return `0x${createHash('sha256').update(seed).digest('hex').slice(0, 40)}`;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const order = new Map(items.map((item) => [item, Math.random()]));
  return items.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
}
