import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  BTC_TO_ETH,
  type CreateBody,
  type SwapService,
  startSwapService,
  swapText,
} from '../helpers/swap-service.ts';

export { startPostgres } from '../core/database/postgres/server.ts';

/**
 * How the cap is kept: by the policy of swapctl or its library, or by a program that counts responses, in all processes
 * together or in each process.
 */
export type Strategy = (typeof OURS | typeof NAIVE)[number];

/** The result of a strategy's processes before the first. Amounts are hundredths of a bitcoin. */
const noCount = () => ({
  processes: 0,
  killed: 0,
  lostAnswers: 0,
  orders: 0,
  /** Number of caps, each of its own account, and of those that were used up. */
  caps: 0,
  usedUp: 0,
  allowed: 0,
  made: 0,
  over: 0,
  /** Orders of a job beyond its first, by the job's payout address. */
  duplicates: 0,
});
export type CrashCount = ReturnType<typeof noCount>;

/** The environment of a run. */
export interface CrashPlace {
  readonly root: string;
  /** A temporary folder, which is removed at the end. */
  readonly home: string;
  /** Path or URL of a fresh ledger. */
  readonly ledger: string;
  readonly milliseconds: number;
  /** Whether the naive strategies run too. */
  readonly compares: boolean;
}

const PROCESSES = 10;
/** Number of caps of 0.5 BTC, used in turn; the next begins after PROCESSES_AT_END processes found one used up. */
const CAPS = 6;
const CAP = 50;
const PROCESSES_AT_END = 8;
const HOUR = 3_600_000;
/** Number of swaps that the processes of a cap try to create, several times what it allows. */
const JOBS = 12;
const AMOUNTS = ['0.1', '0.10', '0.15', '0.2'];
/** Strategies with a shared ledger and policy, and naive ones without. */
const OURS = ['swapctl', 'library'] as const;
const NAIVE = ['answer', 'process'] as const;

/** A swap to create once, which several processes attempt. */
interface Job {
  readonly key: string;
  readonly amount: string;
  /** Payout address of this job only, by which the service identifies it. */
  readonly address: string;
}

/** Runs many processes that create swaps at the same time and are killed at random, under one cap after another. */
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

class Crashes {
  readonly #place: CrashPlace;
  readonly #counts: Record<Strategy, CrashCount> = {
    swapctl: noCount(),
    library: noCount(),
    answer: noCount(),
    process: noCount(),
  };
  /** Total amount of orders for each public key, in hundredths of a bitcoin. */
  readonly #made = new Map<string, number>();
  /** Payout addresses that have an order. */
  readonly #paid = new Set<string>();
  #url = '';
  #orders = 0;

  constructor(place: CrashPlace) {
    this.#place = place;
  }

  /** Makes an order, and drops one response in four. */
  readonly answer: Answer = async (seen, response) => {
    const key = String(seen.headers['x-api-public-key']);
    const count = this.#counts[key.split('-')[0] as Strategy];
    this.#orders += 1;
    const text = swapText(seen, (swap) => {
      swap.pairs.receive.coin.value = 25 * swap.pairs.deposit.coin.value;
      Object.assign(swap, { orderNumber: `ORDER${this.#orders}` });
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
    const strategies = this.#place.compares ? [...OURS, ...NAIVE] : OURS;
    const slots = Array.from({ length: PROCESSES }, () => strategies.map(slot));
    await Promise.all(slots.flat());
    await this.#program(['policy', 'audit', 'verify'], 'swapctl-0', '');
    for (const strategy of strategies)
      for (let each = 0; each <= round; each += 1) this.#sum(this.#counts[strategy], `${strategy}-${each}`);
    return this.#counts;
  }

  /** Whether the smallest amount would exceed the cap. */
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

  /** Runs the program with a key pair. Throws if it fails. */
  async #program(args: readonly string[], publicKey: string, input: string): Promise<void> {
    const child = this.#start([join('bin', 'swapctl.js'), ...args], { publicKey, input });
    let reported = '';
    child.stderr?.on('data', (text) => (reported += text));
    const code = await ended(child);
    if (code !== 0) throw new Error(`swapctl ${args.join(' ')} ends with ${code}: ${reported}`);
  }

  /** Starts a program of the repository on the ledger, with its clock set back if given. */
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
        PATH: process.env['PATH'],
        HOME: home,
        SWAPCTL_LEDGER: ledger,
        SWAPCTL_BASE_URL: this.#url,
        SWAPCTL_PUBLIC_KEY: publicKey,
        SWAPCTL_SECRET: 'secret',
        CRASH_CLOCK_BACK: String(clockBack),
      },
    });
    child.stdin?.on('error', () => undefined).end(input);
    return child;
  }

  /** How far the clock of a process is set back, in milliseconds; 0 until the account has an order. */
  #clockBack(publicKey: string): number {
    return (this.#made.get(publicKey) ?? 0) > 0 && randomInt(5) === 0 ? 25 * HOUR : 0;
  }

  #process(strategy: Strategy, round: number): Promise<void> {
    if (strategy === 'swapctl') return this.#swapctl(round);
    return strategy === 'library' ? this.#library(round) : this.#naive(strategy, round);
  }

  /** One process of create, batch or api, which may be killed or have its clock set back. */
  async #swapctl(round: number): Promise<void> {
    const publicKey = `swapctl-${round}`;
    const { key, amount, address } = oneOf(jobsOf(publicKey));
    const yes = ['--yes', '--json', ...oneOf([[], ['-p', `other${round}`]])];
    const from = oneOf(['BTC', 'btc', 'BTC:BTC', 'btc:Bitcoin']);
    // A request of `api` has no key, so the same body again is another order.
    const unkeyed = { address: addressOf(randomUUID()), amount: oneOf(AMOUNTS) };
    const body = {
      ...BTC_TO_ETH,
      depositCoin: oneOf(['BTC', 'btc']),
      depositAmount: Number(unkeyed.amount),
      receiveAddress: unkeyed.address,
    };
    const args = {
      create: () => ['create', from, 'ETH', amount, '-a', address, '--idempotency-key', key, ...yes],
      batch: () => ['batch', this.#batchFile(publicKey), ...yes, '--budget', '9999999/60s'],
      api: () => ['api', 'create-transaction', '--input', '-', ...yes],
    }[oneOf(['create', 'batch', 'api'] as const)]();
    const clockBack = this.#clockBack(publicKey);
    const child = this.#start([join('bin', 'swapctl.js'), ...args], {
      publicKey,
      clockBack,
      input: JSON.stringify(body),
    });
    await this.#live(this.#counts.swapctl, child, [400, 2_000]);
  }

  #batchFile(account: string): string {
    const rows = shuffled(jobsOf(account)).map(
      ({ key, amount, address }) => `${oneOf(['BTC', 'btc:btc'])},ETH,${amount},${address},${key}`,
    );
    return this.#file(`${randomUUID()}.csv`, `from,to,amount,address,key\n${rows.join('\n')}\n`);
  }

  /** One process of a back end that uses the library, which may be killed or have its clock set back. */
  async #library(round: number): Promise<void> {
    const publicKey = `library-${round}`;
    const args = [this.#url, publicKey, this.#place.ledger, someJobs(publicKey)];
    const child = this.#start([join('test', 'crash', 'backend.mjs'), ...args], {
      publicKey,
      clockBack: this.#clockBack(publicKey),
    });
    await this.#live(this.#counts.library, child, [150, 1_500]);
  }

  async #naive(strategy: (typeof NAIVE)[number], round: number): Promise<void> {
    const program = join(this.#place.root, 'test', 'crash', 'naive.mjs');
    const key = `${strategy}-${round}`;
    const args = [program, strategy, this.#url, key, join(this.#place.home, key), String(CAP), someJobs(key)];
    await this.#live(this.#counts[strategy], spawn(process.execPath, args, { stdio: 'inherit' }), [80, 400]);
  }

  /** Waits for a process, or kills it with a probability of one third. */
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

/** The exit code of a process, or null if it was killed. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)));
}

function oneOf<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T;
}

/** The jobs of an account, the same for each of its processes. */
function jobsOf(account: string): readonly Job[] {
  return Array.from({ length: JOBS }, (_, index) => ({
    key: `${account}-job-${index}`,
    address: addressOf(`${account}-${index}`),
    amount: AMOUNTS[index % AMOUNTS.length] as string,
  }));
}

/** One job or all jobs of an account as JSON. */
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
