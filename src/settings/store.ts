import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { restated, StorageError, SwapctlError } from '../errors.ts';
import { codeInBrackets, makePrivateFolder, moveAside } from '../files.ts';
import type { Paths } from './paths.ts';
import { readPrivateFile, requirePrivateFolder } from './private.ts';
import type { StoredProfile } from './profile.ts';
import { checkBaseUrl } from './profile.ts';

/** Content of the configuration file; the profiles in it are not checked yet. */
export interface StoredConfig {
  /** Name of the profile used when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, unknown>>;
  /** Settings of `swapctl config`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whatever else is in there: a newer swapctl's settings, which an older one must not lose. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** A stored profile that can be used, or why it cannot. */
export type CheckedProfile = StoredProfile | SwapctlError;

const EMPTY: StoredConfig = { current: null, profiles: {}, settings: {}, others: {} };

/**
 * Reads the configuration; an absent file is an empty one. Throws `storage_failed` where the file cannot be read, is not
 * a file, is a dangling link, belongs to another user or can be read by others; `invalid_config` for unusable content.
 */
export function readConfig(paths: Paths): StoredConfig {
  const config = readPrivateFile(paths.configFile, paths.platform, (text) =>
    checkConfig(parse(text, paths), paths),
  );
  if (config === null) return EMPTY;
  requirePrivateFolder(paths.configFolder, paths.platform);
  return config;
}

/** A key pair as the file holds it: without its secret where the keychain holds that. */
export function storedForm({ secret, ...others }: StoredProfile): Record<string, unknown> {
  return secret === null ? { ...others, keychain: true } : { ...others, secret };
}

/** Looks into one stored profile; the error names the file and the profile. */
export function checkProfile(name: string, value: unknown, paths: Paths): CheckedProfile {
  const wrong = (what: string) => invalid(paths, `profile ${name}: ${what}`, forgetHint(name));
  if (!isRecord(value)) return wrong('it is not an object');
  const { baseUrl, publicKey, environment } = value;
  if (typeof baseUrl !== 'string') return wrong('baseUrl is missing');
  const secret = value['keychain'] === true ? null : value['secret'];
  if (typeof publicKey !== 'string' || (typeof secret !== 'string' && secret !== null))
    return wrong('publicKey or secret is missing');
  if (secret === null && 'secret' in value)
    return wrong('it holds a secret, and says that the keychain holds it');
  if (environment !== 'sandbox' && environment !== 'live')
    return wrong('environment is neither sandbox nor live');
  try {
    return { baseUrl: checkBaseUrl(baseUrl), publicKey, secret, environment };
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const words = `The configuration ${paths.configFile} cannot be used: profile ${name}: ${error.message}`;
    return restated(error, words, { hint: forgetHint(name) });
  }
}

/**
 * Changes the configuration in one step, safely beside other processes that change it; the folder is 0700 and the file
 * 0600. Where another process is first, `edit` is called again with its result.
 */
export async function changeConfig(
  paths: Paths,
  edit: (config: StoredConfig) => StoredConfig,
): Promise<void> {
  try {
    // An unreadable configuration is reported before a folder is made.
    readConfig(paths);
    makePrivateFolder(paths.configFolder);
    requirePrivateFolder(paths.configFolder, paths.platform);
    const { replaceLocked } = await import('./lock.ts');
    await replaceLocked(fileItself(paths.configFile), `${paths.configFile}.lock`, async (temporary) => {
      const { current, profiles, settings, others } = edit(readConfig(paths));
      const stored = Object.keys(settings).length === 0 ? {} : { settings };
      await writeTemporary(temporary, { ...others, current, profiles, ...stored });
    });
  } catch (error) {
    throw configError(error, paths);
  }
}

/** The file that a link leads to, so that the link itself is kept. */
function fileItself(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** Writes the file with conf, which flushes it to the disk. */
async function writeTemporary(temporary: string, content: Record<string, unknown>): Promise<void> {
  const { default: Conf } = await import('conf');
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(temporary),
    configName: basename(temporary),
    fileExtension: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
  });
  conf.store = content;
}

function configError(error: unknown, paths: Paths): SwapctlError {
  if (error instanceof SwapctlError) return error;
  return new StorageError(
    `The configuration ${paths.configFile} could not be read or written${codeInBrackets(error)}.`,
  );
}

/** Parses the file without conf 15, which takes a list or a number for an empty configuration and then overwrites it. */
function parse(text: string, paths: Paths): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(paths, 'it is not JSON');
    throw error;
  }
}

function checkConfig(stored: unknown, paths: Paths): StoredConfig {
  if (!isRecord(stored)) throw invalid(paths, 'it is not an object');
  const { current = null, profiles = {}, settings = {}, ...others } = stored;
  if (current !== null && typeof current !== 'string') throw invalid(paths, 'current is not a name');
  if (!isRecord(profiles)) throw invalid(paths, 'profiles is not an object');
  if (!isRecord(settings)) throw invalid(paths, 'settings is not an object');
  return { current, profiles, settings, others };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function forgetHint(name: string): string {
  return `Mend the file, or forget the profile with \`swapctl auth logout -p ${name}\`.`;
}

function invalid(
  { configFile, platform }: Paths,
  why: string,
  hint: string = `Mend the file, or move it away: ${moveAside(configFile, platform)}`,
): SwapctlError {
  return new SwapctlError('invalid_config', `The configuration ${configFile} cannot be used: ${why}.`, {
    hint,
  });
}
