import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { restated, StorageError, SwapctlError } from '../../base/errors.ts';
import * as files from '../../base/files.ts';
import { checkBaseUrl } from '../../core/partner-api/base-url.ts';
import { replaceLocked } from './lock.ts';
import type { Paths } from './paths.ts';
import { checkSupport, type StoredProfile } from './profile.ts';

/** Content of the configuration file; the profiles in it are not checked yet. */
interface StoredConfig {
  /** Name of the profile used when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Everything else in the file: settings of a newer swapctl, which an older one must not drop. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** A stored profile that can be used, or why it cannot. */
export type CheckedProfile = StoredProfile | SwapctlError;

const EMPTY: StoredConfig = { current: null, profiles: {}, settings: {}, others: {} };

/**
 * Reads the configuration; a missing file counts as empty. Throws `storage_failed` if the file cannot be read, is not a
 * file, is a dangling link, belongs to another user or can be read by others; `invalid_config` for invalid content.
 */
export function readConfig(paths: Paths): StoredConfig {
  const config = readPrivateFile(paths.configFile, paths.platform, (text) =>
    checkConfig(parse(text, paths), paths),
  );
  if (config === null) return EMPTY;
  requirePrivateFolder(paths.configFolder, paths.platform);
  return config;
}

/** A key pair as stored in the file: without its secret if that is in the keychain. */
export function storedForm({ secret, ...others }: StoredProfile): Record<string, unknown> {
  return secret === null ? { ...others, keychain: true } : { ...others, secret };
}

/** Checks one stored profile. An error is returned, not thrown; it names the file and the profile. */
export function checkProfile(name: string, value: unknown, paths: Paths): CheckedProfile {
  const wrong = (what: string) => invalid(paths, `profile ${name}: ${what}`, forgetHint(name));
  if (!isRecord(value)) return wrong('it is not an object');
  const { baseUrl, publicKey, environment, support } = value;
  if (typeof baseUrl !== 'string') return wrong('baseUrl is missing');
  const secret = value['keychain'] === true ? null : value['secret'];
  if (typeof publicKey !== 'string' || (typeof secret !== 'string' && secret !== null))
    return wrong('publicKey or secret is missing');
  if (secret === null && 'secret' in value) return wrong('it contains a secret although keychain is true');
  if (environment !== 'sandbox' && environment !== 'live')
    return wrong('environment must be sandbox or live');
  try {
    const contact = typeof support === 'string' ? { support: checkSupport(support) } : {};
    return { baseUrl: checkBaseUrl(baseUrl), publicKey, secret, environment, ...contact };
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const message = `The configuration ${paths.configFile} cannot be used: profile ${name}: ${error.message}`;
    return restated(error, message, { hint: forgetHint(name) });
  }
}

/**
 * Changes the configuration atomically, safe against concurrent processes; the folder is 0700 and the file 0600. If
 * another process changes it first, `edit` is called again with the new content.
 */
export async function changeConfig(paths: Paths, edit: (config: StoredConfig) => StoredConfig) {
  try {
    // An unreadable configuration is reported before a folder is created.
    readConfig(paths);
    files.makePrivateFolder(paths.configFolder);
    requirePrivateFolder(paths.configFolder, paths.platform);
    await replaceLocked(fileItself(paths.configFile), `${paths.configFile}.lock`, async (temporary) => {
      const { current, profiles, settings, others } = edit(readConfig(paths));
      const stored = Object.keys(settings).length === 0 ? {} : { settings };
      await writeTemporary(temporary, { ...others, current, profiles, ...stored });
    });
  } catch (error) {
    throw configError(error, paths);
  }
}

/** The target of a link, so that the link itself is kept. */
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
    `The configuration ${paths.configFile} could not be read or written${files.codeInBrackets(error)}.`,
  );
}

/** Parses the file without conf 15, which treats a list or a number as empty and then overwrites it. */
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
  return `Fix the file, or remove the profile with \`swapctl auth logout -p ${name}\`.`;
}

function invalid(
  { configFile, platform }: Paths,
  why: string,
  hint: string = `Fix the file, or move it away: ${files.moveAside(configFile, platform)}`,
): SwapctlError {
  return new SwapctlError('invalid_config', `The configuration ${configFile} cannot be used: ${why}.`, {
    hint,
  });
}

/** The messages for a file or folder with secrets that other users can read. */
function secretWords(path: string, kind: files.PrivateWords['kind']): files.PrivateWords {
  return {
    kind,
    name: `${path}, which contains secrets,`,
    exposed: `Other users can read ${path}, which contains secrets.`,
  };
}

/** Throws StorageError for a folder that other users can read. */
function requirePrivateFolder(folder: string, system: files.System): void {
  try {
    files.requirePrivate(folder, statSync(folder), secretWords(folder, 'folder'), system);
  } catch (error) {
    throw readingProblem(folder, error, system);
  }
}

/**
 * Reads a private file with `read`, or returns null if there is none. A dangling link is refused, since the disk of its
 * file may be unmounted. Throws StorageError, and what `read` throws: that is checked before the permissions, because
 * advice to change those of a file that is not ours would break another program.
 */
function readPrivateFile<Content>(path: string, system: files.System, read: (text: string) => Content) {
  let stats: Stats | undefined;
  let text: string | undefined;
  try {
    text = files.readRegularFile(path, (found) => {
      stats = found;
    });
  } catch (error) {
    // Service users often have no home: HOME is /dev/null or another path that is not a folder.
    if (files.systemCode(error) === 'ENOTDIR' && !existsSync(dirname(path))) return null;
    if (files.systemCode(error) !== 'ENOENT') throw readingProblem(path, error, system);
  }
  if (text !== undefined && stats !== undefined) {
    const content = read(text);
    files.requirePrivate(path, stats, secretWords(path, 'file'), system);
    return content;
  }
  const link = files.danglingLink(path);
  if (link === null) return null;
  throw new StorageError(
    `The configuration ${path} is missing: ${link === path ? 'it' : link} is a broken link.`,
    `Restore the target of the link, or remove the link: ${files.isWindows(system) ? 'del' : 'rm'} ${files.shellQuote(link)}`,
  );
}

function readingProblem(path: string, error: unknown, system: files.System): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof files.NotAFileError)
    return new StorageError(
      `The configuration ${path} is not a file.`,
      `Move it away: ${files.moveAside(path, system)}`,
    );
  return new StorageError(`The configuration ${path} could not be read${files.codeInBrackets(error)}.`);
}
