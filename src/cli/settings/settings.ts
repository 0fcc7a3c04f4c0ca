import { childEnvironment } from '../../base/environment.ts';
import { attemptSync, type ProfileFlags, SwapctlError, UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import { checkCredentials, ENV_PROFILE } from '../../core/partner-api/key-pair.ts';
import { envProfile, hasEnvProfile, profileVariables } from './env-profile.ts';
import { createKeyPairs, unknownProfile } from './key-pairs.ts';
import type { Paths } from './paths.ts';
import { type Profile, SANDBOX_PROFILE } from './profile.ts';
import { changeConfig, checkProfile, readConfig } from './store.ts';
import {
  ADDRESS_PREFIX,
  checkLedgerLocation,
  EXPLORER_PREFIX,
  namesUnder,
  type SavedAddress,
  type SettingKey,
  savedAddressIn,
  unusableSetting,
} from './stored-settings.ts';

const BUILT_IN: Profile = { kind: 'built-in', name: SANDBOX_PROFILE, environment: 'sandbox' };

/** The settings and profiles of one run of the program. */
export type Settings = ReturnType<typeof createSettings>;

/**
 * Profiles, paths and stored settings, read when needed. Which profile is used: docs/command-line/arguments.md#which-profile.
 * `signal` stops a command that prints a secret.
 */
export function createSettings(
  env: NodeJS.ProcessEnv,
  paths: Paths,
  flags: ProfileFlags,
  signal: AbortSignal = new AbortController().signal,
) {
  refuseContradiction(flags);
  let fromEnvironment: Promise<Profile> | undefined;
  // Once per run: a pipe can be read only once, and a command may prompt.
  const environmentProfile = () => (fromEnvironment ??= envProfile(env, signal));
  const named = (name: string) => (name === ENV_PROFILE ? environmentProfile() : namedProfile(name, paths));
  return {
    paths,
    /** File path or `postgres://` URL of the ledger; throws `invalid_config` if a stored one cannot be used. */
    get ledgerLocation(): string {
      return env['SWAPCTL_LEDGER'] || storedLocation(paths, flags) || paths.ledgerFile;
    },
    /** The environment for a program that swapctl starts, without secrets. */
    get childEnv(): NodeJS.ProcessEnv {
      return childEnvironment(env);
    },
    profile: async (): Promise<Profile> => named(await nameInUse(env, paths, flags)),
    /** A profile by its name, regardless of the flags. */
    named,
    /** Name of the profile in use, whether or not it is usable; throws `no_credentials` if none is selected. */
    profileName: () => nameInUse(env, paths, flags),
    /** Name of the profile that is used without a flag; null if none is selected. */
    current: async (): Promise<string | null> => (await chosenName(env, paths, {})).name,
    names: async (): Promise<readonly string[]> => Object.keys(readConfig(paths).profiles),
    /** The profile of the environment variables, null if none is set; throws what is wrong with it. */
    fromEnvironment: async (): Promise<Profile | null> => (hasEnvProfile(env) ? environmentProfile() : null),
    /** The environment variables that select the profile before any stored choice. */
    deciding: profileVariables(env),
    /** The only profile to use, from a flag or a key pair in the environment; null for all. */
    onlyProfile: onlyProfileOf(env, flags),
    list: async () => {
      const { current, profiles } = readConfig(paths);
      return Object.entries(profiles).map(([name, profile]) => ({
        name,
        profile: checkProfile(name, profile, paths),
        current: name === current,
      }));
    },
    ...createKeyPairs(paths),
    switchTo: (name: string): Promise<void> =>
      changeConfig(paths, (config) => {
        if (name !== SANDBOX_PROFILE) storedProfile(name, config.profiles, paths);
        return { ...config, current: name };
      }),
    /**
     * A setting stored by `swapctl config set`, as written; null with `--sandbox` if the file cannot be read. Throws
     * `invalid_config` if it is not text.
     */
    stored: (key: SettingKey): string | null => storedText(paths, flags, key),
    /** Stores a setting that was checked before, or removes it. */
    store: (key: SettingKey, value: string | null): Promise<void> => storeUnder(paths, key, value),
    /** The address saved under a name, or null; throws `invalid_config` if it cannot be used. */
    savedAddress: (name: string): SavedAddress | null => savedAddressIn(storedSettings(paths, flags), name),
    /** The names of all saved addresses, in alphabetical order. */
    savedNames: (): readonly string[] => namesUnder(ADDRESS_PREFIX, storedSettings(paths, flags)),
    /** The explorer stored for a network by its code, as written, or null. */
    explorer: (network: string): string | null => {
      const value = storedSettings(paths, flags)[`${EXPLORER_PREFIX}${network.toLowerCase()}`];
      return typeof value === 'string' ? value : null;
    },
    /** The codes of the networks with a stored explorer, in alphabetical order. */
    explorerNetworks: (): readonly string[] => namesUnder(EXPLORER_PREFIX, storedSettings(paths, flags)),
    /** Stores the explorer of a network, or removes it. */
    storeExplorer: (network: string, url: string | null): Promise<void> =>
      storeUnder(paths, `${EXPLORER_PREFIX}${network.toLowerCase()}`, url),
    /** Saves an address that was checked before. */
    saveAddress: ({ name, ...address }: SavedAddress): Promise<void> =>
      storeUnder(paths, `${ADDRESS_PREFIX}${name}`, address),
    /** Removes a saved address, even one that cannot be used. */
    forgetAddress: (name: string): Promise<void> => storeUnder(paths, `${ADDRESS_PREFIX}${name}`, null),
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
  throw unusableSetting(key, 'It is not a string.');
}

/** With `--sandbox` a file that cannot be read is ignored: the sandbox needs nothing from it. */
function storedSettings(paths: Paths, { sandbox }: ProfileFlags): Readonly<Record<string, unknown>> {
  const config = attemptSync(() => readConfig(paths));
  if (!(config instanceof SwapctlError)) return config.settings;
  if (sandbox === true) return {};
  throw config;
}

function storedLocation(paths: Paths, flags: ProfileFlags): string | null {
  const text = storedText(paths, flags, 'ledger');
  const checked = text === null ? null : attemptSync(() => checkLedgerLocation(text));
  if (checked instanceof SwapctlError) throw unusableSetting('ledger', checked.message);
  return checked;
}

/** Refuses flags that name two profiles: choosing either could spend real money where test money was meant. */
function refuseContradiction({ sandbox, profile }: ProfileFlags): void {
  if (sandbox !== true || profile === undefined || profile === SANDBOX_PROFILE) return;
  throw new UsageError(
    `--sandbox and --profile ${echoed(profile)} cannot be combined.`,
    'Pass only one: --sandbox selects the built-in service, --profile one of your key pairs.',
  );
}

/** Name of the profile in use, null if profiles are stored and none is selected. */
async function chosenName(env: NodeJS.ProcessEnv, paths: Paths, flags: ProfileFlags) {
  const given =
    flags.sandbox === true
      ? SANDBOX_PROFILE
      : (flags.profile ?? (hasEnvProfile(env) ? ENV_PROFILE : env['SWAPCTL_PROFILE'] || null));
  if (given !== null) return { name: given, stored: [] };
  const { current, profiles } = readConfig(paths);
  const names = Object.keys(profiles);
  return { name: current ?? (names.length === 0 ? SANDBOX_PROFILE : null), stored: names };
}

async function nameInUse(env: NodeJS.ProcessEnv, paths: Paths, flags: ProfileFlags): Promise<string> {
  const { name, stored } = await chosenName(env, paths, flags);
  if (name !== null) return name;
  throw new SwapctlError('no_credentials', 'No profile is selected, but some are stored.', {
    hint: `Select one: swapctl auth switch ${[...stored, SANDBOX_PROFILE].join('|')}`,
  });
}

async function namedProfile(name: string, paths: Paths): Promise<Profile> {
  if (name === SANDBOX_PROFILE) return BUILT_IN;
  const stored = storedProfile(name, readConfig(paths).profiles, paths);
  if (stored.secret !== null) checkCredentials(stored.publicKey, stored.secret);
  return { kind: 'remote', name, source: paths.configFile, ...stored };
}

/** A stored profile; throws what is wrong with it and ignores problems of the others. */
function storedProfile(name: string, profiles: Readonly<Record<string, unknown>>, paths: Paths) {
  if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, profiles);
  const checked = checkProfile(name, profiles[name], paths);
  if (checked instanceof SwapctlError) throw checked;
  return checked;
}

function onlyProfileOf(env: NodeJS.ProcessEnv, { sandbox, profile }: ProfileFlags): string | null {
  if (sandbox === true) return SANDBOX_PROFILE;
  if (profile !== undefined) return profile;
  return profileVariables(env).some((name) => name !== 'SWAPCTL_PROFILE') ? ENV_PROFILE : null;
}
