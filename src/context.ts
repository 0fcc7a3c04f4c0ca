import type { Client } from './client/client.ts';
import type { CoinList } from './client/coin-list-cache.ts';
import type { ProxyServer } from './client/proxy/proxy.ts';
import type { SwapctlError } from './errors.ts';
import { fullSentence } from './errors.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Credentials } from './partner-api/signature.ts';
import type { Operator } from './sandbox/operator/operator.ts';
import type { Profile } from './settings/profile.ts';
import type { Settings } from './settings/settings.ts';
import { environmentWord } from './swap/environment.ts';
import type { Coin, Environment, RateType } from './swap/swap.ts';
import type { Prompter } from './terminal/questions.ts';
import type { RawStreams, Streams } from './terminal/streams.ts';

/** Parts of the process that a run uses; tests pass their own. */
export interface ProcessIo {
  readonly streams: RawStreams;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly processId: number;
  readonly signal: AbortSignal;
  readonly now?: () => number;
  /** Clock of time limits; `now` where that alone is given. */
  readonly monotonic?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly prompter?: Prompter;
}

/** A service to talk to: the client and what to call the place it talks to. */
export interface Service {
  readonly client: Client;
  readonly profile: string;
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly host: string;
  readonly credentials: Credentials;
  /** The proxy that requests go through; null for none. */
  readonly proxy: ProxyServer | null;
  /**
   * Time that a new swap waits for its deposit, in milliseconds. Known only for the built-in service; the API never
   * returns it. For people to read; nothing else may depend on it.
   */
  readonly depositWindow?: (type: RateType) => number;
  /**
   * Milliseconds by which the service's clock was ahead of this machine's at the last request. Known only for the
   * built-in service, whose clock can be advanced; its deposit windows end by that clock.
   */
  readonly clockAhead?: () => number;
  /**
   * Confirmations that a deposit needs on a network. Known only for the built-in service, and for people to read, as
   * the deposit window is.
   */
  readonly confirmationsNeeded?: (coin: string, network: string) => number | null;
}

/** Flags that every command knows. */
export interface GlobalFlags {
  readonly json?: boolean;
  readonly profile?: string;
  readonly sandbox?: boolean;
  readonly input?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Everything a command works with. Costly members are functions, made on their first call. */
export interface Context {
  readonly streams: Streams;
  readonly prompter: Prompter;
  readonly settings: Settings;
  readonly flags: GlobalFlags;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP, with the error that ends the program as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only go forward, whatever is done to the clock; for time limits alone. */
  monotonic(): number;
  /** Moment of {@link monotonic} at which `--timeout` is up; infinity without one. Time spent on questions is added. */
  deadline(): number;
  /** Waits, and throws as soon as the signal is aborted, with its reason, or `stopped` is. */
  sleep(milliseconds: number, stopped?: AbortSignal): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
  profile(): Promise<Profile>;
  service(): Promise<Service>;
  /**
   * A service for a key pair that is not stored yet. With `finishes` a signal does not cut its requests short: for many
   * creates, of which those under way are to be answered before the program ends.
   */
  serviceFor(profile: Profile, options?: { readonly finishes: boolean }): Promise<Service>;
  /** The coin list of this run: the stored one, or with `refresh` and where none is stored the service's, which is stored then. */
  coinList(refresh?: boolean): Promise<CoinList>;
  /** The coins of the stored coin list, however old it is; none where there is no list. Asks no service. */
  storedCoins(): Promise<readonly Coin[]>;
  /** The proxy through which a URL is reached; null for the direct way. */
  proxyFor(url: string): Promise<ProxyServer | null>;
  /**
   * The coins of a pair, each with its networks on its side, and perhaps other coins: from the stored list, else by a
   * search for these two, else from the service's whole list.
   */
  pairCoins(from: string, to: string): Promise<readonly Coin[]>;
  ledger(): Promise<Ledger>;
  /** The operators' verbs on a database, or on the built-in sandbox's. */
  operator(location?: string): Promise<Operator>;
  /** Closes sockets, databases and the in-process sandbox. */
  close(): Promise<void>;
}

/** A line for `--debug`; it names no header, key or signature because it is never given one. */
export function debugLine(context: Pick<Context, 'flags' | 'streams'>, text: string): void {
  if (context.flags.debug === true) context.streams.note(`debug: ${text}`, true);
}

/** The line that stands before anything that changes state. */
export function announce(context: Context, service: Pick<Service, 'profile' | 'environment' | 'host'>): void {
  const { profile, environment, host } = service;
  context.streams.note(`profile ${profile} · ${environmentWord(environment)} · ${host}`, true);
}

/** A sentence about a failed read that is about to be repeated. */
export function repeatNotice(error: SwapctlError, delayMs: number): string {
  return `${fullSentence(error.message)} Trying again in ${(delayMs / 1000).toFixed(1)} s.`;
}
