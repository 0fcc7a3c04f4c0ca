import type { Client } from '../client/client.ts';
import type { CoinList } from '../client/coin-list-cache.ts';
import type { ProxyServer } from '../client/proxy.ts';
import type { Owner } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Credentials } from '../partner-api/signature.ts';
import type { Coin, Environment, RateType } from '../swap/swap.ts';

/** A service: its client, and its names for people. */
export interface Service {
  readonly client: Client;
  readonly profile: string;
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly host: string;
  readonly credentials: Credentials;
  /** The proxy that requests go through; null for none. */
  readonly proxy: ProxyServer | null;
  /** Milliseconds that a new swap waits for its deposit; known only of the built-in service, and for people to read. */
  readonly depositWindow?: (type: RateType) => number;
  /** Milliseconds by which the built-in service's clock, which ends deposit windows, was ahead at the last request. */
  readonly clockAhead?: () => number;
  /** Confirmations that a deposit needs on a network, known and used like the deposit window. */
  readonly confirmationsNeeded?: (coin: string, network: string) => number | null;
}

/** A sentence for the person who runs the use case. */
export interface Notice {
  readonly level: 'note' | 'warning' | 'debug';
  readonly text: string;
}

/** Runs the one request, and may show that it is in progress. */
export type Meanwhile = <T>(request: () => Promise<T>) => Promise<T>;

/** What a use case works with: no flags, no screen, no questions. Costly members are functions, made on their first call. */
export interface Ports {
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP, with the error that ends the program as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds, unaffected by changes of the clock; only for time limits. */
  monotonic(): number;
  /** Moment of {@link monotonic} at which the time limit is reached; infinity without one. */
  deadline(): number;
  /** Waits. Throws as soon as the signal is aborted, with its reason, or `stopped`, with an AbortError. */
  sleep(milliseconds: number, stopped?: AbortSignal): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
  service(): Promise<Service>;
  ledger(): Promise<Ledger>;
  /** Whose swaps are created and read at the service. */
  owner(): Promise<Owner>;
  /** The coin list: the stored one or, with `refresh` or if none is stored, the service's, which is then stored. */
  coinList(refresh?: boolean): Promise<CoinList>;
  /** The coins of a pair with the networks of their sides, perhaps with others: stored, searched, or the whole list. */
  pairCoins(from: string, to: string): Promise<readonly Coin[]>;
  /** Shows a sentence, which is written when the promise resolves. */
  notify(notice: Notice): Promise<void>;
}
