import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, SwapService } from '../helpers/swap-service.ts';
import { ADDRESSES, startSwapService, swapText } from '../helpers/swap-service.ts';

export { startPostgres } from '../database/postgres/server.ts';

/** Who keeps below the cap: swapctl by its policy, or a program that counts what was answered, or in each process. */
export type Strategy = 'swapctl' | 'answer' | 'process';

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
}

/** Where a run takes place. */
export interface CrashPlace {
  readonly root: string;
  /** A folder of its own, which is removed at the end. */
  readonly home: string;
  /** Path or URL of a fresh ledger. */
  readonly ledger: string;
  readonly milliseconds: number;
}

const PROCESSES = 10;
/** Caps of 0.5 BTC, one after the other; the next begins once so many processes have met the end of the last. */
const CAPS = 6;
const CAP = 50;
const PROCESSES_AT_END = 8;
const HOUR = 3_600_000;
const BATCH_ROWS = 12;
const NAIVE = ['answer', 'process'] as const;
const STRATEGIES = ['swapctl', ...NAIVE] as const;

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
});

class Crashes {
  readonly #place: CrashPlace;
  readonly #counts: Record<Strategy, CrashCount> = {
    swapctl: noCount(),
    answer: noCount(),
    process: noCount(),
  };
  /** What the service made for each key, in hundredths. */
  readonly #made = new Map<string, number>();
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
    const { depositAmount } = JSON.parse(seen.body) as { depositAmount: number };
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
    const slot = async () => {
      while (performance.now() < end) {
        if (this.#isUsedUp(`swapctl-${round}`)) atEnd += 1;
        if (atEnd === PROCESSES_AT_END && round < CAPS - 1) [round, atEnd] = [round + 1, 0];
        await Promise.all([this.#swapctl(round), ...NAIVE.map((strategy) => this.#naive(strategy, round))]);
      }
    };
    await Promise.all(Array.from({ length: PROCESSES }, slot));
    await this.#program(['audit', 'verify'], 0, '');
    for (const strategy of STRATEGIES)
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

  /** Sets the cap of a round, and stores its key pair under a second profile name. */
  async #prepare(round: number): Promise<void> {
    const policy = this.#file(
      'policy.json',
      '{"version":1,"rules":[{"cap":{"coin":"BTC","amount":"0.5","per":"24h"}}]}',
    );
    const login = ['--base-url', this.#url, '--public-key', `swapctl-${round}`, '--with-secret'];
    await this.#program(['auth', 'login', '-p', `other${round}`, ...login], round, 'secret');
    await this.#program(['policy', 'set', policy, '--yes'], round, '');
    for (const strategy of NAIVE) this.#file(`${strategy}-${round}`, '');
  }

  /** Runs the program to its end; throws where it fails. */
  async #program(args: readonly string[], round: number, input: string): Promise<void> {
    const child = this.#start(args, round, 0, input);
    let told = '';
    child.stderr?.on('data', (text) => (told += text));
    const code = await ended(child);
    if (code !== 0) throw new Error(`swapctl ${args.join(' ')} ends with ${code}: ${told}`);
  }

  #start(args: readonly string[], round: number, clockBack: number, input: string): ChildProcess {
    const { root, home, ledger } = this.#place;
    const clock = ['--require', join(root, 'test', 'crash', 'clock.cjs')];
    const child = spawn(process.execPath, [...clock, join(root, 'bin', 'swapctl.js'), ...args], {
      cwd: home,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, SWAPCTL_LEDGER: ledger },
        ...{ SWAPCTL_BASE_URL: this.#url, SWAPCTL_PUBLIC_KEY: `swapctl-${round}`, SWAPCTL_SECRET: 'secret' },
        CRASH_CLOCK_BACK: String(clockBack),
      },
    });
    child.stdin?.on('error', () => undefined).end(input);
    return child;
  }

  /** One process of create, batch or api, which may be killed, or have a clock that was set back. */
  async #swapctl(round: number): Promise<void> {
    // Nothing can be known of a clock that was wrong from the start.
    const isSetBack = (this.#made.get(`swapctl-${round}`) ?? 0) > 0 && randomInt(5) === 0;
    const amount = oneOf(['0.1', '0.10', '0.15', '0.2']);
    const from = oneOf(['BTC', 'btc', 'BTC:BTC', 'btc:Bitcoin']);
    const yes = ['--yes', '--json', ...oneOf([[], ['-p', `other${round}`]])];
    const create = [from, 'ETH', amount, '--address', ADDRESSES.eth];
    const body = {
      ...{ depositCoin: oneOf(['BTC', 'btc']), depositNetwork: 'BTC', depositAmount: Number(amount) },
      ...{ receiveCoin: 'ETH', receiveNetwork: 'ETH', receiveAddress: ADDRESSES.eth, lastSource: 'deposit' },
      typeSwap: 2,
    };
    const args = {
      create: () => ['create', ...create, ...yes],
      batch: () => ['batch', this.#batchFile(), ...yes, '--budget', '9999999/60s'],
      api: () => ['api', 'create-transaction', '--input', '-', ...yes],
    }[oneOf(['create', 'batch', 'api'] as const)]();
    const child = this.#start(args, round, isSetBack ? 25 * HOUR : 0, JSON.stringify(body));
    await this.#live(this.#counts.swapctl, child, [400, 2_000]);
  }

  #batchFile(): string {
    const row = () =>
      `${oneOf(['BTC', 'btc:btc'])},ETH,${oneOf(['0.1', '0.15'])},${ADDRESSES.eth},${randomUUID()}`;
    const rows = Array.from({ length: BATCH_ROWS }, row);
    return this.#file(`${randomUUID()}.csv`, `from,to,amount,address,key\n${rows.join('\n')}\n`);
  }

  async #naive(strategy: (typeof NAIVE)[number], round: number): Promise<void> {
    const program = join(this.#place.root, 'test', 'crash', 'naive.mjs');
    const key = `${strategy}-${round}`;
    const amounts = Array.from({ length: oneOf([1, BATCH_ROWS]) }, () => oneOf(['10', '15', '20']));
    const args = [program, strategy, this.#url, key, join(this.#place.home, key), String(CAP), ...amounts];
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
