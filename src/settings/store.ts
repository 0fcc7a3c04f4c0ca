import { lstat, mkdir } from 'node:fs/promises';
import type Conf from 'conf';
import { StorageError, SwapctlError } from '../errors.ts';
import type { Paths } from './paths.ts';
import type { StoredProfile } from './profile.ts';
import { checkBaseUrl } from './profile.ts';

/** What the configuration file holds. */
export interface StoredConfig {
  /** Name of the profile used when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
}

const EMPTY: StoredConfig = { current: null, profiles: {} };

/**
 * Reads the configuration; an absent file is an empty one. Throws `storage_failed` where the file cannot be read
 * or others can read it, `invalid_config` where its content is not ours.
 */
export async function readConfig(paths: Paths): Promise<StoredConfig> {
  if (!(await isPrivate(paths.configFile))) return EMPTY;
  const stored = fileErrors(paths, () => undefined, await openConf(paths)).store;
  return checkConfig(stored, paths.configFile);
}

/** Replaces the configuration in one step; the folder is 0700 and the file 0600. */
export async function writeConfig(paths: Paths, config: StoredConfig): Promise<void> {
  await isPrivate(paths.configFile);
  const conf = await openConf(paths);
  fileErrors(
    paths,
    () => {
      conf.store = { current: config.current, profiles: { ...config.profiles } };
    },
    conf,
  );
}

async function openConf(paths: Paths): Promise<Conf<Record<string, unknown>>> {
  const { default: ConfStore } = await import('conf');
  try {
    await mkdir(paths.configFolder, { recursive: true, mode: 0o700 });
    return new ConfStore<Record<string, unknown>>({
      cwd: paths.configFolder,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
    });
  } catch (error) {
    throw configError(error, paths);
  }
}

function fileErrors<T>(paths: Paths, work: () => void, result: T): T {
  try {
    work();
    return result;
  } catch (error) {
    throw configError(error, paths);
  }
}

function configError(error: unknown, paths: Paths): SwapctlError {
  if (error instanceof SyntaxError) return invalid(paths.configFile, 'it is not JSON');
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new StorageError(`The configuration ${paths.configFile} could not be read or written${code}.`);
}

/** Whether the file is there; refused where anyone but its owner can read it, because it holds secrets. */
async function isPrivate(file: string): Promise<boolean> {
  try {
    const { mode } = await lstat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StorageError(`Others can read ${file}, which holds secrets.`, `Run: chmod 600 '${file}'`);
    }
    return true;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StorageError(`The configuration ${file} could not be read${code}.`);
  }
}

function checkConfig(stored: unknown, file: string): StoredConfig {
  if (!isRecord(stored)) throw invalid(file, 'it is not an object');
  const { current = null, profiles = {} } = stored;
  if (current !== null && typeof current !== 'string') throw invalid(file, 'current is not a name');
  if (!isRecord(profiles)) throw invalid(file, 'profiles is not an object');
  return {
    current,
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, value]) => [name, checkStored(name, value, file)]),
    ),
  };
}

function checkStored(name: string, value: unknown, file: string): StoredProfile {
  const wrong = (what: string) => invalid(file, `profile ${name}: ${what}`);
  if (!isRecord(value)) throw wrong('it is not an object');
  const { baseUrl, publicKey, secret, environment } = value;
  if (typeof baseUrl !== 'string') throw wrong('baseUrl is missing');
  if (typeof publicKey !== 'string' || typeof secret !== 'string')
    throw wrong('publicKey or secret is missing');
  if (environment !== 'sandbox' && environment !== 'live')
    throw wrong('environment is neither sandbox nor live');
  return { baseUrl: checkBaseUrl(baseUrl), publicKey, secret, environment };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(file: string, why: string): SwapctlError {
  return new SwapctlError('invalid_config', `The configuration ${file} cannot be used: ${why}.`, {
    hint: `Mend the file, or move it away: mv '${file}' '${file}.old'`,
  });
}
