import type { ProfileFlags } from '../base/errors.ts';
import type { ProxyServer } from '../core/client/proxy.ts';
import { type Coin, environmentWord } from '../core/swap/swap.ts';
import type { NamingPorts } from '../core/swaps/named-swap.ts';
import type { Ports, Service } from '../core/swaps/ports.ts';
import type { Operator } from '../sandbox/operator/operator.ts';
import type { Profile } from './settings/profile.ts';
import type { Settings } from './settings/settings.ts';
import type { StreamFlags } from './terminal/environment.ts';
import type { Input } from './terminal/input.ts';
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
  /** Clock of time limits; default `now`. */
  readonly monotonic?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly prompter?: Prompter;
}

/** Flags that every command knows. */
export interface GlobalFlags extends ProfileFlags, StreamFlags {
  readonly debug?: boolean;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Everything a command works with. Costly members are functions, made on their first call. */
export interface Context extends Ports, NamingPorts {
  readonly streams: Streams;
  readonly prompter: Prompter;
  readonly settings: Settings;
  readonly flags: GlobalFlags;
  /** The moment at which `--timeout` is reached; the time spent on questions is added. */
  deadline(): number;
  profile(): Promise<Profile>;
  /**
   * A service for a key pair that is not stored yet. With `finishes` a signal does not cut its requests short: used for
   * many creates, so that those in progress get their responses before the program ends.
   */
  serviceFor(profile: Profile, options?: { readonly finishes: boolean }): Promise<Service>;
  /** The coins of the stored coin list, however old it is; none if there is no list. Sends no request. */
  storedCoins(): Promise<readonly Coin[]>;
  /** Opens a file or pipe that a person named; `-` is standard input. Throws a usage error. */
  input(path: string): Input;
  /** The proxy through which a URL is reached; null for the direct way. */
  proxyFor(url: string): Promise<ProxyServer | null>;
  /** Names the acting program for the audit chain, unless SWAPCTL_ACTOR does; call it before the ledger is used. */
  actingFor(program: string): void;
  /** The operators' verbs on a database, or on the built-in sandbox's. */
  operator(location?: string): Promise<Operator>;
  close(): Promise<void>;
}

/** The line printed before anything that changes state. */
export function announce(context: Context, service: Pick<Service, 'profile' | 'environment' | 'host'>): void {
  const { profile, environment, host } = service;
  context.streams.note(`profile ${profile} · ${environmentWord(environment)} · ${host}`, true);
}
