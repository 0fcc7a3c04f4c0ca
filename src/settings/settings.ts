import { SwapctlError, UsageError } from '../errors.ts';
import { echoed } from '../text.ts';
import { childEnvironment } from './child-env.ts';
import { decidingNames, envProfile, hasEnvProfile } from './env-profile.ts';
import { createKeyPairs, unknownProfile } from './key-pairs.ts';
import type { Paths } from './paths.ts';
import type { KeyPair, Profile, RemoteProfile, StoredProfile } from './profile.ts';
import { checkCredentials, ENV_PROFILE, SANDBOX_PROFILE } from './profile.ts';
import type { SavedAddress } from './saved-addresses.ts';
import { ADDRESS_PREFIX, savedAddressIn, savedNames } from './saved-addresses.ts';
import type { CheckedProfile } from './store.ts';
import { changeConfig, checkProfile, readConfig } from './store.ts';
import type { SettingKey } from './stored-settings.ts';
import { checkLedgerLocation, unusableSetting } from './stored-settings.ts';

const BUILT_IN: Profile = { kind: 'built-in', name: SANDBOX_PROFILE, environment: 'sandbox' };

/** Flags that choose the profile. */
export interface ProfileFlags {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** One stored profile, or the error that says why it cannot be used, which keeps nobody from using the others. */
export interface ProfileEntry {
  readonly name: string;
  readonly current: boolean;
  readonly profile: CheckedProfile;
}

/** Profiles and paths, read when asked for. Which profile is meant: docs/command-line.md#which-profile. */
export interface Settings {
  readonly paths: Paths;
  /** File path or `postgres://` URL of the ledger; throws `invalid_config` where a stored one cannot be used. */
  readonly ledgerLocation: string;
  /** The environment for a program that swapctl starts: without secrets. */
  readonly childEnv: NodeJS.ProcessEnv;
  profile(): Promise<Profile>;
  /** A profile by its name, whatever the flags say. */
  named(name: string): Promise<Profile>;
  /** Name of the profile in use, whether it can be used or not; throws `no_credentials` where none is chosen. */
  profileName(): Promise<string>;
  /** Name of the profile that is used with no flag; null where none is chosen. */
  current(): Promise<string | null>;
  /** Names of the stored profiles. */
  names(): Promise<readonly string[]>;
  /** The profile of the environment, null where no variable of it is set; throws what is wrong with it. */
  fromEnvironment(): Promise<Profile | null>;
  /** The variables of the environment that decide on the profile before any stored choice; empty where none does. */
  readonly deciding: readonly string[];
  list(): Promise<readonly ProfileEntry[]>;
  /**
   * The secret of a profile, from the system's keychain where that holds it: asked for once, and only here. Throws
   * `no_credentials`.
   */
  secretOf(profile: RemoteProfile): Promise<string>;
  /**
   * Stores a key pair and uses it from now on; with `inKeychain` its secret goes into the system's keychain instead of
   * the file. Returns why an earlier secret of the profile is still in the keychain, null where none is.
   */
  save(name: string, pair: KeyPair, inKeychain?: boolean): Promise<SwapctlError | null>;
  /**
   * Forgets a profile, one that cannot be used too. Returns why its secret is still in the keychain, null where it is
   * not; throws `no_credentials` where the profile is not stored.
   */
  remove(name: string): Promise<SwapctlError | null>;
  switchTo(name: string): Promise<void>;
  /**
   * A setting that `swapctl config set` has stored, as written; null with `--sandbox` where the file cannot be read.
   * Throws `invalid_config` where it is not a text.
   */
  stored(key: SettingKey): string | null;
  /** Stores a setting that has been checked, or forgets it. */
  store(key: SettingKey, value: string | null): Promise<void>;
  /** An address stored under a name, null where none is; throws `invalid_config` for one that cannot be used. */
  savedAddress(name: string): SavedAddress | null;
  /** The names of all stored addresses, in the order of the alphabet. */
  savedNames(): readonly string[];
  /** Stores an address that has been checked. */
  saveAddress(address: SavedAddress): Promise<void>;
  /** Forgets an address, one that cannot be used too. */
  forgetAddress(name: string): Promise<void>;
}

/** Settings of one run of the program; `signal` ends a command that prints a secret. */
export function createSettings(
  env: NodeJS.ProcessEnv,
  paths: Paths,
  flags: ProfileFlags,
  signal: AbortSignal = new AbortController().signal,
): Settings {
  refuseContradiction(flags);
  let fromEnvironment: Promise<Profile> | undefined;
  // Once in a run: a pipe can be read once, and a command may ask a person.
  const ofEnvironment = () => (fromEnvironment ??= envProfile(env, signal));
  const pairs = createKeyPairs(paths);
  const named = (name: string) => (name === ENV_PROFILE ? ofEnvironment() : namedProfile(name, paths));
  return {
    paths,
    get ledgerLocation() {
      return env['SWAPCTL_LEDGER'] || storedLedger(paths, flags) || paths.ledgerFile;
    },
    get childEnv() {
      return childEnvironment(env);
    },
    profile: async () => named(await nameInUse(env, paths, flags)),
    named,
    profileName: () => nameInUse(env, paths, flags),
    current: async () => (await chosenName(env, paths, {})).name,
    names: async () => Object.keys(readConfig(paths).profiles),
    fromEnvironment: async () => (hasEnvProfile(env) ? ofEnvironment() : null),
    deciding: decidingNames(env),
    list: async () => {
      const { current, profiles } = readConfig(paths);
      return Object.entries(profiles).map(([name, profile]) => ({
        name,
        profile: checkProfile(name, profile, paths),
        current: name === current,
      }));
    },
    secretOf: pairs.secretOf,
    save: pairs.save,
    remove: pairs.remove,
    switchTo: (name) =>
      changeConfig(paths, (config) => {
        if (name !== SANDBOX_PROFILE) storedProfile(name, config.profiles, paths);
        return { ...config, current: name };
      }),
    stored: (key) => storedText(paths, flags, key),
    store: (key, value) => storeUnder(paths, key, value),
    savedAddress: (name) => savedAddressIn(storedSettings(paths, flags), name),
    savedNames: () => savedNames(storedSettings(paths, flags)),
    saveAddress: ({ name, ...address }) => storeUnder(paths, `${ADDRESS_PREFIX}${name}`, address),
    forgetAddress: (name) => storeUnder(paths, `${ADDRESS_PREFIX}${name}`, null),
  };
}

function storeUnder(paths: Paths, key: string, value: unknown): Promise<void> {
  return changeConfig(paths, (config) => {
    const { [key]: _, ...others } = config.settings;
    return { ...config, settings: value === null ? others : { ...others, [key]: value } };
  });
}

function storedText(paths: Paths, flags: ProfileFlags, key: SettingKey): string | null {
  const settings = storedSettings(paths, flags);
  const value = Object.hasOwn(settings, key) ? settings[key] : null;
  if (value === null || typeof value === 'string') return value;
  throw unusableSetting(key, 'It is not a text.');
}

/** With `--sandbox` nothing of a file that cannot be read is needed: play money works whatever is wrong with it. */
function storedSettings(paths: Paths, { sandbox }: ProfileFlags): Readonly<Record<string, unknown>> {
  try {
    return readConfig(paths).settings;
  } catch (error) {
    if (sandbox === true && error instanceof SwapctlError) return {};
    throw error;
  }
}

function storedLedger(paths: Paths, flags: ProfileFlags): string | null {
  const text = storedText(paths, flags, 'ledger');
  try {
    return text === null ? null : checkLedgerLocation(text);
  } catch (error) {
    throw error instanceof SwapctlError ? unusableSetting('ledger', error.message) : error;
  }
}

/** Refuses flags that name two profiles: following either could mean real money where play money was meant. */
function refuseContradiction({ sandbox, profile }: ProfileFlags): void {
  if (sandbox !== true || profile === undefined || profile === SANDBOX_PROFILE) return;
  throw new UsageError(
    `--sandbox and --profile ${echoed(profile)} contradict each other.`,
    'Give one of them: --sandbox is the built-in service, --profile a key pair of yours.',
  );
}

/** Name of the profile in use, null where some are stored and none is chosen. */
async function chosenName(
  env: NodeJS.ProcessEnv,
  paths: Paths,
  flags: ProfileFlags,
): Promise<{ readonly name: string | null; readonly stored: readonly string[] }> {
  const given = flags.sandbox === true ? SANDBOX_PROFILE : (flags.profile ?? nameFromEnv(env));
  if (given !== null) return { name: given, stored: [] };
  const { current, profiles } = readConfig(paths);
  const names = Object.keys(profiles);
  return { name: current ?? (names.length === 0 ? SANDBOX_PROFILE : null), stored: names };
}

function nameFromEnv(env: NodeJS.ProcessEnv): string | null {
  return hasEnvProfile(env) ? ENV_PROFILE : env['SWAPCTL_PROFILE'] || null;
}

async function nameInUse(env: NodeJS.ProcessEnv, paths: Paths, flags: ProfileFlags): Promise<string> {
  const { name, stored } = await chosenName(env, paths, flags);
  if (name !== null) return name;
  throw new SwapctlError('no_credentials', 'No profile is chosen, though some are stored.', {
    hint: `Choose one: swapctl auth switch ${[...stored, SANDBOX_PROFILE].join('|')}`,
  });
}

async function namedProfile(name: string, paths: Paths): Promise<Profile> {
  if (name === SANDBOX_PROFILE) return BUILT_IN;
  const stored = storedProfile(name, readConfig(paths).profiles, paths);
  if (stored.secret !== null) checkCredentials(stored.publicKey, stored.secret);
  return { kind: 'remote', name, source: paths.configFile, ...stored };
}

/** A stored profile; throws what is wrong with it, and ignores what is wrong with others. */
function storedProfile(
  name: string,
  profiles: Readonly<Record<string, unknown>>,
  paths: Paths,
): StoredProfile {
  if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, profiles);
  const checked = checkProfile(name, profiles[name], paths);
  if (checked instanceof SwapctlError) throw checked;
  return checked;
}
