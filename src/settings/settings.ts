import { StorageError, SwapctlError, UsageError } from '../errors.ts';
import type { Env, Paths } from './paths.ts';
import type { Profile, StoredProfile } from './profile.ts';
import {
  checkBaseUrl,
  checkCredentials,
  defaultEnvironment,
  ENV_PROFILE,
  SANDBOX_PROFILE,
} from './profile.ts';
import { changeConfig, readConfig, readNames, removeStored } from './store.ts';

const BUILT_IN: Profile = { kind: 'built-in', name: SANDBOX_PROFILE, environment: 'sandbox' };

/** What the flags say of the profile. */
export interface ProfileFlags {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** One stored profile as lists show it, without its secret. */
export interface ProfileEntry {
  readonly name: string;
  readonly current: boolean;
  readonly profile: StoredProfile;
}

/** Profiles and paths, read when asked for. Order: flag, environment, stored choice, the built-in sandbox. */
export interface Settings {
  readonly paths: Paths;
  /** File path or `postgres://` URL of the ledger. */
  readonly ledgerLocation: string;
  profile(): Promise<Profile>;
  /** Name of the profile in use, whether it can be used or not; throws `no_credentials` where none is chosen. */
  profileName(): Promise<string>;
  /** Name of the profile that is used with no flag; null where none is chosen. */
  current(): Promise<string | null>;
  list(): Promise<readonly ProfileEntry[]>;
  save(name: string, profile: StoredProfile): Promise<void>;
  /** Forgets a profile, one that cannot be used too; throws `no_credentials` where it is not stored. */
  remove(name: string): Promise<void>;
  switchTo(name: string): Promise<void>;
}

/** Settings of one run of the program. */
export function createSettings(env: Env, paths: Paths, flags: ProfileFlags): Settings {
  refuseContradiction(flags);
  return {
    paths,
    ledgerLocation: env['SWAPCTL_LEDGER'] || paths.ledgerFile,
    profile: async () => namedProfile(await nameInUse(env, paths, flags), env, paths),
    profileName: () => nameInUse(env, paths, flags),
    current: async () => (await chosenName(env, paths, {})).name,
    list: async () => {
      const config = await readConfig(paths);
      return Object.entries(config.profiles).map(([name, profile]) => ({
        name,
        profile,
        current: name === config.current,
      }));
    },
    save: (name, profile) =>
      changeConfig(paths, ({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: profile } })),
    remove: async (name) => {
      if (!(await removeStored(paths, name))) throw unknownProfile(name, (await readNames(paths)).names);
    },
    switchTo: async (name) => {
      if (name === SANDBOX_PROFILE)
        return changeConfig(paths, ({ profiles }) => ({ current: SANDBOX_PROFILE, profiles }));
      await changeConfig(paths, ({ profiles }) => {
        if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles));
        return { current: name, profiles };
      });
    },
  };
}

/** Two flags that name two profiles: to follow either could mean real money where play money was meant. */
function refuseContradiction({ sandbox, profile }: ProfileFlags): void {
  if (sandbox !== true || profile === undefined || profile === SANDBOX_PROFILE) return;
  throw new UsageError(
    `--sandbox and --profile ${profile} contradict each other.`,
    'Give one of them: --sandbox is the built-in service, --profile a key pair of yours.',
  );
}

/** Name of the profile in use, null where some are stored and none is chosen. */
async function chosenName(
  env: Env,
  paths: Paths,
  flags: ProfileFlags,
): Promise<{ readonly name: string | null; readonly stored: readonly string[] }> {
  const given = flags.sandbox === true ? SANDBOX_PROFILE : (flags.profile ?? nameFromEnv(env));
  if (given !== null) return { name: given, stored: [] };
  const { current, names } = await readNames(paths);
  return { name: current ?? (names.length === 0 ? SANDBOX_PROFILE : null), stored: names };
}

function nameFromEnv(env: Env): string | null {
  return hasEnvProfile(env) ? ENV_PROFILE : env['SWAPCTL_PROFILE'] || null;
}

async function nameInUse(env: Env, paths: Paths, flags: ProfileFlags): Promise<string> {
  const { name, stored } = await chosenName(env, paths, flags);
  if (name !== null) return name;
  throw new SwapctlError('no_credentials', 'No profile is chosen, though some are stored.', {
    hint: `Choose one: swapctl auth switch ${[...stored, SANDBOX_PROFILE].join('|')}`,
  });
}

async function namedProfile(name: string, env: Env, paths: Paths): Promise<Profile> {
  if (name === SANDBOX_PROFILE) return BUILT_IN;
  if (name === ENV_PROFILE) return envProfile(env);
  const { profiles } = await readConfig(paths);
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (stored === undefined) throw unknownProfile(name, Object.keys(profiles));
  checkCredentials(stored.publicKey, stored.secret);
  return { kind: 'remote', name, source: paths.configFile, ...stored };
}

function unknownProfile(name: string, stored: readonly string[]): SwapctlError {
  const others = stored.length === 0 ? 'None is stored.' : `Stored: ${stored.join(', ')}.`;
  return new SwapctlError('no_credentials', `There is no profile named ${name}.`, {
    hint: `${others} Add it with \`swapctl auth login -p ${name}\`.`,
  });
}

const ENV_NAMES = [
  'SWAPCTL_PUBLIC_KEY',
  'SWAPCTL_SECRET',
  'SWAPCTL_SECRET_FILE',
  'SWAPCTL_BASE_URL',
] as const;

/** A part of it is enough: whoever set one of them does not expect a stored profile, or the sandbox, to answer. */
function hasEnvProfile(env: Env): boolean {
  return ENV_NAMES.some((name) => Boolean(env[name]));
}

async function envProfile(env: Env): Promise<Profile> {
  const missing = [
    env['SWAPCTL_PUBLIC_KEY'] ? '' : 'SWAPCTL_PUBLIC_KEY',
    env['SWAPCTL_SECRET'] || env['SWAPCTL_SECRET_FILE'] ? '' : 'SWAPCTL_SECRET or SWAPCTL_SECRET_FILE',
    env['SWAPCTL_BASE_URL'] ? '' : 'SWAPCTL_BASE_URL',
  ].filter((name) => name !== '');
  if (missing.length > 0) {
    throw new SwapctlError(
      'no_credentials',
      `The profile of the environment lacks ${missing.join(' and ')}.`,
      {
        hint: 'Set it too, or unset all of them to use a stored profile or the sandbox.',
      },
    );
  }
  const baseUrl = checkBaseUrl(env['SWAPCTL_BASE_URL'] ?? '');
  const publicKey = env['SWAPCTL_PUBLIC_KEY'] ?? '';
  const secret = env['SWAPCTL_SECRET'] || (await secretFromFile(env['SWAPCTL_SECRET_FILE'] ?? ''));
  checkCredentials(publicKey, secret);
  const environment = defaultEnvironment(baseUrl);
  const source = env['SWAPCTL_SECRET'] ? 'environment variables' : (env['SWAPCTL_SECRET_FILE'] ?? '');
  return { kind: 'remote', name: ENV_PROFILE, source, baseUrl, publicKey, secret, environment };
}

async function secretFromFile(file: string): Promise<string> {
  // Not synchronous: the file may be a pipe, and a Ctrl-C while it keeps silent has to be heard.
  const { readFile } = await import('node:fs/promises');
  try {
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StorageError(
      `The file of SWAPCTL_SECRET_FILE could not be read${code}.`,
      `Check the path: ${file}`,
    );
  }
}
