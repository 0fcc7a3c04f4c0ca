import { readFile } from 'node:fs/promises';
import { StorageError, SwapctlError } from '../errors.ts';
import type { Env, Paths } from './paths.ts';
import type { Profile, StoredProfile } from './profile.ts';
import {
  checkBaseUrl,
  checkCredentials,
  defaultEnvironment,
  ENV_PROFILE,
  SANDBOX_PROFILE,
} from './profile.ts';
import type { StoredConfig } from './store.ts';
import { changeConfig, readConfig } from './store.ts';

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
  list(): Promise<readonly ProfileEntry[]>;
  save(name: string, profile: StoredProfile): Promise<void>;
  remove(name: string): Promise<boolean>;
  switchTo(name: string): Promise<void>;
}

/** Settings of one run of the program. */
export function createSettings(env: Env, paths: Paths, flags: ProfileFlags): Settings {
  return {
    paths,
    ledgerLocation: env['SWAPCTL_LEDGER'] || paths.ledgerFile,
    profile: () => chooseProfile(env, paths, flags),
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
      const before = await readConfig(paths);
      if (!Object.hasOwn(before.profiles, name)) return false;
      await changeConfig(paths, ({ current, profiles }) => ({
        current: current === name ? null : current,
        profiles: without(profiles, name),
      }));
      return true;
    },
    switchTo: async (name) => {
      if (name === SANDBOX_PROFILE)
        return changeConfig(paths, ({ profiles }) => ({ current: SANDBOX_PROFILE, profiles }));
      await changeConfig(paths, ({ profiles }) => {
        if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, profiles);
        return { current: name, profiles };
      });
    },
  };
}

function without(profiles: StoredConfig['profiles'], name: string): StoredConfig['profiles'] {
  return Object.fromEntries(Object.entries(profiles).filter(([key]) => key !== name));
}

async function chooseProfile(env: Env, paths: Paths, flags: ProfileFlags): Promise<Profile> {
  if (flags.sandbox === true) return BUILT_IN;
  if (flags.profile !== undefined) return namedProfile(flags.profile, env, paths);
  if (hasEnvProfile(env)) return envProfile(env);
  if (env['SWAPCTL_PROFILE']) return namedProfile(env['SWAPCTL_PROFILE'], env, paths);
  const { current, profiles } = await readConfig(paths);
  if (current !== null) return namedProfile(current, env, paths);
  const stored = Object.keys(profiles);
  if (stored.length === 0) return BUILT_IN;
  throw new SwapctlError('no_credentials', 'No profile is chosen, though some are stored.', {
    hint: `Choose one: swapctl auth switch ${[...stored, SANDBOX_PROFILE].join('|')}`,
  });
}

async function namedProfile(name: string, env: Env, paths: Paths): Promise<Profile> {
  if (name === SANDBOX_PROFILE) return BUILT_IN;
  if (name === ENV_PROFILE) return envProfile(env);
  const { profiles } = await readConfig(paths);
  const stored = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (stored === undefined) throw unknownProfile(name, profiles);
  checkCredentials(stored.publicKey, stored.secret);
  return { kind: 'remote', name, source: paths.configFile, ...stored };
}

function unknownProfile(name: string, profiles: StoredConfig['profiles']): SwapctlError {
  const known = Object.keys(profiles).join(', ');
  return new SwapctlError('no_credentials', `There is no profile named ${name}.`, {
    hint: `${known === '' ? 'None is stored' : `Stored: ${known}`}; add it with \`swapctl auth login -p ${name}\`.`,
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
