// Synchronous: every command reads one small file, sooner than the promises' module is loaded.
import { readFileSync, statSync } from 'node:fs';
import type Conf from 'conf';
import { StorageError, SwapctlError } from '../errors.ts';
import { makePrivateFolder } from '../folder.ts';
import type { Paths } from './paths.ts';
import type { StoredProfile } from './profile.ts';
import { checkBaseUrl } from './profile.ts';

/** What the configuration file holds. */
export interface StoredConfig {
  /** Name of the profile used when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, StoredProfile>>;
}

/** The same before anybody has looked into the profiles. */
interface UncheckedConfig {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, unknown>>;
}

const EMPTY: UncheckedConfig = { current: null, profiles: {} };

/**
 * Reads the configuration; an absent file is an empty one. Throws `storage_failed` where the file cannot be read
 * or others can read it, `invalid_config` where its content is not ours.
 */
export async function readConfig(paths: Paths): Promise<StoredConfig> {
  const { current, profiles } = await readUnchecked(paths);
  const checked = Object.entries(profiles).map(
    ([name, value]) => [name, checkStored(name, value, paths.configFile)] as const,
  );
  return { current, profiles: Object.fromEntries(checked) };
}

/** Reads which profile is the current one and which are stored, whether they can be used or not. */
export async function readNames(
  paths: Paths,
): Promise<{ readonly current: string | null; readonly names: readonly string[] }> {
  const { current, profiles } = await readUnchecked(paths);
  return { current, names: Object.keys(profiles) };
}

/**
 * Changes the configuration in one step, also beside another process that does the same; the folder is 0700 and
 * the file 0600.
 */
export async function changeConfig(
  paths: Paths,
  edit: (config: StoredConfig) => StoredConfig,
): Promise<void> {
  await change(paths, async () => edit(await readConfig(paths)));
}

/** Removes a profile, one that cannot be used too; false where none of that name is stored. */
export async function removeStored(paths: Paths, name: string): Promise<boolean> {
  if (!(await readNames(paths)).names.includes(name)) return false;
  await change(paths, async () => {
    const { current, profiles } = await readUnchecked(paths);
    const others = Object.entries(profiles).filter(([key]) => key !== name);
    return { current: current === name ? null : current, profiles: Object.fromEntries(others) };
  });
  return true;
}

async function change(paths: Paths, edited: () => Promise<UncheckedConfig>): Promise<void> {
  try {
    makePrivateFolder(paths.configFolder);
    await isPrivate(paths.configFolder, FOLDER);
    const { withLock } = await import('./lock.ts');
    await withLock(`${paths.configFile}.lock`, async () => {
      const { current, profiles } = await edited();
      const conf = await openConf(paths);
      conf.store = { current, profiles: { ...profiles } };
    });
  } catch (error) {
    throw configError(error, paths);
  }
}

/** Read without conf, which takes a list or a number for an empty configuration and would then write over it. */
async function readJson(paths: Paths): Promise<unknown> {
  try {
    return JSON.parse(readFileSync(paths.configFile, 'utf8'));
  } catch (error) {
    throw configError(error, paths);
  }
}

async function openConf(paths: Paths): Promise<Conf<Record<string, unknown>>> {
  const { default: ConfStore } = await import('conf');
  try {
    return new ConfStore<Record<string, unknown>>({
      cwd: paths.configFolder,
      configName: 'config',
      configFileMode: FILE.mode,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
    });
  } catch (error) {
    throw configError(error, paths);
  }
}

function configError(error: unknown, paths: Paths): SwapctlError {
  if (error instanceof SwapctlError) return error;
  if (error instanceof SyntaxError) return invalid(paths.configFile, 'it is not JSON');
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new StorageError(`The configuration ${paths.configFile} could not be read or written${code}.`);
}

const FILE = { mode: 0o600, chmod: '600' };
const FOLDER = { mode: 0o700, chmod: '700' };

/** Whether the file is there; refused where anyone but its owner can read it, because it holds secrets. */
async function isPrivate(path: string, { chmod }: typeof FILE): Promise<boolean> {
  try {
    const { mode } = statSync(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StorageError(
        `Others can read ${path}, which holds secrets.`,
        `Run: chmod ${chmod} '${path}'`,
      );
    }
    return true;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StorageError(`The configuration ${path} could not be read${code}.`);
  }
}

async function readUnchecked(paths: Paths): Promise<UncheckedConfig> {
  if (!(await isPrivate(paths.configFile, FILE))) return EMPTY;
  const config = checkConfig(await readJson(paths), paths.configFile);
  await isPrivate(paths.configFolder, FOLDER);
  return config;
}

function checkConfig(stored: unknown, file: string): UncheckedConfig {
  if (!isRecord(stored)) throw invalid(file, 'it is not an object');
  const { current = null, profiles = {} } = stored;
  if (current !== null && typeof current !== 'string') throw invalid(file, 'current is not a name');
  if (!isRecord(profiles)) throw invalid(file, 'profiles is not an object');
  return { current, profiles };
}

function checkStored(name: string, value: unknown, file: string): StoredProfile {
  const wrong = (what: string) =>
    invalid(
      file,
      `profile ${name}: ${what}`,
      `Mend the file, or forget the profile with \`swapctl auth logout -p ${name}\`.`,
    );
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

function invalid(
  file: string,
  why: string,
  hint: string = `Mend the file, or move it away: mv '${file}' '${file}.old'`,
): SwapctlError {
  return new SwapctlError('invalid_config', `The configuration ${file} cannot be used: ${why}.`, { hint });
}
