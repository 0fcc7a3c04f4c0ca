import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from '../service.ts';

/** The name of the stored profile. */
const PROFILE = 'shop';
/** Files below the home folder. */
export const CONFIG = '.config/swapctl/config.json';
export const LEDGER = '.local/state/swapctl/ledger.db';
export const CACHE = '.cache/swapctl';

const OWN = [CACHE, dirname(CONFIG), dirname(LEDGER)];

/** The home folder of somebody who has one stored profile: real files. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'swapctl-machine-'));
  readonly account: Account;
  /** Hosts and ports. */
  proxy: string | null = null;
  service: string | null = null;
  /** The order that was created before. */
  order: string | null = null;
  /** Closes what a scene opened. */
  readonly closers: (() => void)[] = [];
  readonly #made = new Map<string, string>();

  constructor(account: Account) {
    this.account = account;
    this.write(CONFIG, this.config());
  }

  /** A configuration with the profile, of which parts may be other ones. */
  config(parts: Readonly<Record<string, unknown>> = {}): string {
    const { credentials, owner, baseUrl } = this.account;
    const profile = { ...credentials, baseUrl, environment: owner.environment, ...parts };
    return JSON.stringify({ current: PROFILE, profiles: { [PROFILE]: profile } });
  }

  /** A text with the values of this home in their places. */
  readonly filled = (text: string): string => {
    const { baseUrl, credentials } = this.account;
    const values = {
      home: this.path,
      url: baseUrl,
      key: credentials.publicKey,
      secret: credentials.secret,
      proxy: this.proxy,
      service: this.service,
      order: this.order,
    };
    return text.replace(
      /\{(home|url|key|secret|proxy|service|order)\}/g,
      (_, name: keyof typeof values) => values[name] ?? '',
    );
  };

  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file, which swapctl may only change in its own folders, and makes its folders. */
  write(name: string, text: string | Buffer, mode = 0o600): void {
    mkdirSync(dirname(this.at(name)), { recursive: true, mode: 0o700 });
    writeFileSync(this.at(name), text);
    this.open(name, mode);
    if (!OWN.some((folder) => name.startsWith(folder))) this.#made.set(name, this.read(name));
  }

  bytes(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  /** Permissions and text of a file; empty for one that is empty, or not there. */
  state(name: string): string {
    const found = lstatSync(this.at(name), { throwIfNoEntry: false });
    return found?.isFile() !== true || found.size === 0 ? '' : `${found.mode} ${this.read(name)}`;
  }

  cut(name: string, size: number): void {
    truncateSync(this.at(name), size);
  }

  rename(name: string, to: string): void {
    renameSync(this.at(name), this.at(to));
    if (this.#made.delete(name)) this.#made.set(to, this.read(to));
  }

  delete(name: string): void {
    rmSync(this.at(name));
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'latin1');
  }

  folder(name: string, mode: number): void {
    mkdirSync(this.at(name), { recursive: true, mode: 0o700 });
    this.open(name, mode);
  }

  link(name: string, to: string): void {
    mkdirSync(dirname(this.at(name)), { recursive: true, mode: 0o700 });
    symlinkSync(this.at(to), this.at(name));
  }

  mode(name: string): number {
    return lstatSync(this.at(name)).mode;
  }

  /** Gives a file or folder other permissions. */
  open(name: string, mode: number): void {
    chmodSync(this.at(name), mode);
  }

  /** Gives a file or folder to another user. */
  giveAway(name: string): void {
    chownSync(this.at(name), 1234, 1234);
  }

  /** Names of all files, folders and links. */
  names(): readonly string[] {
    return (readdirSync(this.path, { recursive: true }) as string[]).sort();
  }

  /** What swapctl did wrong to the files: a file that others can read, a secret in one, another program's file. */
  mistake(before: readonly string[], secrets: readonly string[]): string | null {
    for (const name of this.names()) {
      const found = lstatSync(this.at(name));
      if (!before.includes(name) && !found.isSymbolicLink() && (found.mode & 0o077) !== 0)
        return `${name} can be read by others`;
      if (!found.isFile() || name === CONFIG || this.#made.get(name) === this.read(name)) continue;
      const secret = secrets.find((text) => this.read(name).includes(text));
      if (secret !== undefined) return `${name} contains a secret`;
      if (this.#made.has(name)) return `${name} has changed`;
    }
    return null;
  }

  remove(): void {
    for (const close of this.closers) close();
    rmSync(this.path, { recursive: true, force: true });
  }
}
