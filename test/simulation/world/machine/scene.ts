import type { Printed } from '../../actors/command-line.ts';
import type { Home } from './home.ts';

/** A command line on a machine that is not as it should be, and what must become of it. */
export interface Scene {
  readonly what: string;
  readonly env?: (home: Home) => Readonly<Record<string, string>>;
  /** Command lines that are run before, and must succeed. */
  readonly first?: readonly (readonly string[])[];
  /** Changes the home folder of somebody who has one stored profile, after these. */
  readonly change?: (home: Home) => void;
  /** With `{home}`, `{url}` and `{key}` for the folder, base URL and public key of the profile. */
  readonly args: readonly string[];
  /** Another command line, which is run at the same time. */
  readonly alsoRun?: readonly string[];
  /** Happens while the configuration is written. */
  readonly during?: (home: Home) => void;
  /** Changes what the service says of a swap, or of its coins. */
  readonly says?: (text: string) => string;
  /** Arrives while a create is on its way, which is never answered. */
  readonly signal?: NodeJS.Signals;
  /** That create is answered all the same. */
  readonly isAnswered?: boolean;
  /** Happens at a terminal while a question waits, which is then answered with yes. */
  readonly asked?: (home: Home) => void;
  /** What the proxy of the environment, `{proxy}`, does when it shall carry a create. */
  readonly proxy?: 'refuses' | 'hangs up';
  /** What a service at `{service}` answers to every request. */
  readonly service?: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Requests to the URL that is printed; SIGINT arrives when they are answered. */
  readonly calls?: readonly Call[];
  /** Standard input, with `{secret}` for that of the profile. */
  readonly input?: string;
  readonly exitCode: number;
  /** A text, with the places of `args`, or a pattern. */
  readonly prints?: string | RegExp;
  /** Creates that are sent; none by default. */
  readonly creates?: number;
  /** No request at all may be sent. */
  readonly isSilent?: boolean;
  /** What must not be shown or stored, besides the secret of the profile. */
  readonly secrets?: readonly string[];
  /** What is wrong afterwards, if anything. */
  readonly mistake?: (home: Home, printed: Printed) => string | null | Promise<string | null>;
}

/** A request of another program. */
export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by a POST; without one it is a GET. */
  readonly body?: string;
}

export const QUOTE = ['quote', 'BTC', 'ETH', '0.1', '--json'];
export const COINS = ['coins', '--json'];
export const CREATE = [
  ...['create', 'BTC', 'ETH', '0.1', '-a', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '--yes', '--json'],
];

export const SET = ['config', 'set', 'color', 'never', '--json'];

export const FINE = { args: QUOTE, exitCode: 0 };
export const LISTED = { args: COINS, exitCode: 0 };
export const WRONG = { args: QUOTE, exitCode: 2, isSilent: true };
/** What is stored cannot be used. */
export const REFUSED = { args: QUOTE, exitCode: 11, isSilent: true };

/** Only root can give a file to another user. */
export function ofRoot(scenes: readonly Scene[]): readonly Scene[] {
  return process.getuid?.() === 0 ? scenes : [];
}
