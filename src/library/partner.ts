import { setTimeout as pause } from 'node:timers/promises';
import { attempt, type StorageError } from '../base/errors.ts';
import type { CoinList } from '../core/client/coin-list-cache.ts';
import { repeatNotice, requestLogLine } from '../core/client/request-log.ts';
import { answerCounter } from '../core/ledger/answers.ts';
import type { Owner } from '../core/ledger/entry.ts';
import type { Ledger } from '../core/ledger/ledger.ts';
import type { Coin } from '../core/swap/swap.ts';
import type { Ports, Service } from '../core/swaps/ports.ts';

/** Where a key pair is used: a service without its client. */
export interface ServiceConnection extends Omit<Service, 'client'> {
  /** The account under which its answers are counted; null for a service whose answers are not. */
  readonly counted: string | null;
}

/** A stored coin list. */
export interface CoinListCache {
  /** The list; null if there is none, or it is older than `maxAgeMs`, by default an hour. */
  read(now: number, maxAgeMs?: number): CoinList | null;
  store(list: CoinList): void;
}

/** Limit of one request in milliseconds, a create too, where none is given. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** What one run, or one call of a program, gives to everything that it opens. */
export interface Run
  extends Pick<Ports, 'signal' | 'now' | 'monotonic' | 'deadline' | 'sleep' | 'random' | 'notify'> {
  /** Limit of one request in milliseconds; by default {@link REQUEST_TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Called when the coin list waits for the limit of the service; without it, it waits no longer than another read. */
  readonly onCoinPause?: (milliseconds: number, pages: number) => void;
}

/** How a partner's ledger is opened, and how a service's answers are counted in it. */
export interface PartnerLedger {
  ledger(): Promise<Ledger>;
  /** Counts an answer of a service by the path of its request and its HTTP status, null for none. */
  countAnswer(account: string, path: string, status: number | null): void;
}

/** For a partner without a ledger: opening it throws TypeError, and no answers are counted. */
export const NO_LEDGER: PartnerLedger = {
  ledger: () => Promise.reject(new TypeError('There is no ledger.')),
  countAnswer: () => undefined,
};

export interface PartnerDependencies {
  readonly run: Run;
  connection(): Promise<ServiceConnection>;
  owner(): Promise<Owner>;
  readonly ledger: PartnerLedger;
  /** Where coin lists are stored; null for nowhere. */
  storedCoins(): Promise<CoinListCache | null>;
}

/** A partner of a service: its key pair, its client, its ledger, and with them the ports of every use case. */
export interface Partner extends Ports {
  /** Another service. With `finishes` a signal does not cut its requests short. */
  serviceAt(connection: ServiceConnection, options?: { readonly finishes: boolean }): Promise<Service>;
}

/** Composes what the command line and programs work with; nothing is loaded or opened before it is used. */
export function openPartner(parts: PartnerDependencies): Partner {
  const { run, ledger } = parts;
  const { onCoinPause: _, timeoutMs = REQUEST_TIMEOUT_MS, ...shared } = run;
  const service = memoized(async () => serviceAt(await parts.connection()), run.monotonic);
  const serviceAt: Partner['serviceAt'] = async (connection, { finishes } = { finishes: false }) => {
    const { counted, ...about } = connection;
    const { createClient } = await import('../core/client/client.ts');
    const client = createClient({
      baseUrl: connection.baseUrl,
      credentials: connection.credentials,
      proxy: connection.proxy,
      timeoutMs,
      get deadline() {
        return run.deadline();
      },
      ...(finishes ? {} : { signal: run.signal }),
      now: run.now,
      monotonic: run.monotonic,
      sleep: run.sleep,
      random: run.random,
      onRequest: (sent) => {
        void run.notify({ level: 'debug', text: requestLogLine(sent) });
        if (counted !== null) ledger.countAnswer(counted, sent.path, sent.status);
      },
      onRepeat: (error, delay) => run.notify({ level: 'debug', text: repeatNotice(error, delay) }),
    });
    return { ...about, client };
  };
  return {
    ...shared,
    ...coinLists(parts, service),
    service,
    serviceAt,
    owner: memoized(parts.owner, run.monotonic),
    ledger: ledger.ledger,
  };
}

/** The coin lists of a service: the stored one while it is fresh, otherwise what the service returns. */
function coinLists({ run, storedCoins }: PartnerDependencies, service: () => Promise<Service>) {
  let known: CoinList | null = null;
  const fetched = async (): Promise<CoinList> => {
    const { fetchCoinList } = await import('../core/client/coin-list.ts');
    const { client } = await service();
    const { onCoinPause: onPause, deadline, monotonic, now } = run;
    const waits = onPause && { timeLeft: () => deadline() - monotonic(), onPause };
    return fetchCoinList(client, now, waits);
  };
  const coinList = async (refresh = false): Promise<CoinList> => {
    if (!refresh && known !== null) return known;
    const stored = await storedCoins();
    const fresh = refresh ? null : (stored?.read(run.now()) ?? null);
    known = fresh ?? (await fetched());
    if (fresh === null) stored?.store(known);
    return known;
  };
  const pairCoins = async (from: string, to: string): Promise<readonly Coin[]> => {
    const stored = (await storedCoins())?.read(run.now()) ?? null;
    if (stored !== null) return stored.coins;
    const { findPair } = await import('../core/client/coin-list.ts');
    return (await findPair((await service()).client, from, to)) ?? (await coinList()).coins;
  };
  return { coinList, pairCoins };
}

/** Where a ledger is, and who uses it. */
interface LedgerParts extends Pick<Ports, 'now' | 'monotonic'> {
  /** An absolute path, or a `postgres://` URL. */
  location(): string;
  /** Whether a file that can neither be found nor created counts as an empty ledger. */
  mayBeMissing(): boolean;
  /** Who acts, as the audit chain names it. */
  actor(): string;
  onDamaged(error: StorageError): void;
}

/** Opens a ledger once. A program that uses none writes no counts, and must neither fail nor wait because it cannot. */
export function openedLedger(parts: LedgerParts): PartnerLedger & { close(): Promise<void> } {
  let opened: Ledger | null = null;
  const answers = answerCounter(async (account, counts) => {
    await attempt(async () => opened?.health.addAnswers(account, counts, parts.now()));
  }, parts.monotonic);
  return {
    ledger: memoized(async () => {
      const { openLedger } = await import('../core/ledger/ledger.ts');
      const options = { mayBeMissing: parts.mayBeMissing(), actor: parts.actor() };
      opened = await openLedger(parts.location(), parts.onDamaged, options);
      return opened;
    }, parts.monotonic),
    countAnswer: (account, path, status) => void answers.add(account, path, status),
    close: async () => {
      await answers.flush();
      const closing = opened;
      opened = null;
      await closing?.close();
    },
  };
}

/** Time for which a failure to make something is final, in milliseconds: a host keeps `mcp` for days. */
const FAILED_MS = 10_000;

/** A function that makes a value on its first call and then returns the same one; a failure is tried again later. */
export function memoized<T>(make: () => Promise<T>, monotonic: () => number): () => Promise<T> {
  let made: Promise<T> | undefined;
  let again: number | null = null;
  return () => {
    if (made !== undefined && (again === null || monotonic() < again)) return made;
    again = null;
    made = make();
    made.catch(() => (again = monotonic() + FAILED_MS));
    return made;
  };
}

/** Sleeps until the time is up or a signal is aborted: throws the reason of `signal`, an AbortError for `stopped`. */
export async function sleepUntil(milliseconds: number, signal: AbortSignal, stopped?: AbortSignal) {
  try {
    const either = stopped === undefined ? signal : AbortSignal.any([signal, stopped]);
    await pause(milliseconds, undefined, { signal: either });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
