import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, SwapctlError } from '../../../base/errors.ts';
import * as files from '../../../base/files.ts';
import { counted } from '../../../base/text.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { DatabaseFacts, PageCheck } from '../../../core/database/database.ts';
import { inspectLedger, LEDGER_VERSION } from '../../../core/ledger/ledger.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../settings/profile.ts';
import { approverKeyFile } from '../../settings/signing-key.ts';
import { SETTING_KEYS } from '../../settings/stored-settings.ts';
import { windowsAccess } from '../shared/secret-place.ts';
import { storedSetting } from '../shared/stored-setting.ts';
import { type Checks, type DoctorCheck, fail, ok, warn } from './view.ts';

/** Checks the configuration: every stored profile and every setting. */
export async function settingsCheck(context: Context, checks: Checks): Promise<DoctorCheck> {
  const { settings } = context;
  const { configFile } = settings.paths;
  const profiles = await settings.list();
  const set = SETTING_KEYS.filter((key) => storedSetting(context, key) !== null);
  const bad = profiles.flatMap(({ profile }) => (profile instanceof SwapctlError ? [profile] : []));
  const [first] = bad;
  if (first !== undefined) {
    checks.report('settings', bad);
    return fail('settings', bad.map(({ message }) => message).join(' '), first.hint ?? '');
  }
  if (!existsSync(configFile)) return ok('settings', `no configuration yet: ${configFile}`);
  const count = counted(profiles.length, 'profile');
  return ok('settings', `${configFile}: ${count}, ${set.length === 0 ? 'no settings' : set.join(', ')}`);
}

/** Checks that every file and folder is private. */
export async function modesCheck({ settings }: Context, profile: Profile | null, checks: Checks) {
  const { platform, configFolder, stateFolder, ledgerFile, sandboxFile } = settings.paths;
  if (files.isWindows(platform)) return ok('modes', windowsAccess(configFolder));
  const config = await openFile(() => settings.savedNames());
  const named = await openFile(() => inspectLedger(settings.ledgerLocation));
  const own = new Set([...config, ...named, ledgerFile, sandboxFile, approverKeyFile(settings.paths)]);
  const problems = [
    ...[configFolder, stateFolder].map((path) => openness(path, 'folder')),
    ...[...own].map((path) => openness(path, 'file')),
    ...secretFile(profile),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) {
    const open = problems.map(({ path }) => path);
    const isOpen = (error: SwapctlError) =>
      error instanceof files.NotPrivateError && open.includes(error.path);
    checks.reportCause('modes', isOpen);
    const run = problems.some(({ foreign }) => foreign) ? 'Run swapctl as that user, or run' : 'Run';
    const commands = problems.map(({ command }) => command).join(' && ');
    return fail('modes', problems.map(({ message }) => message).join(' '), `${run}: ${commands}`);
  }
  const cache = sharedInCache(settings.paths.cacheFolder);
  if (cache !== null)
    return warn(
      'modes',
      `${cache} belongs to another user or is accessible to others, so the coin list cache is not used`,
      `Remove it, or set XDG_CACHE_HOME to a private folder.`,
    );
  return ok('modes', 'all files and folders of swapctl are private');
}

/** The first of the coin list cache's folder and files that is not private to this user, or null. */
function sharedInCache(folder: string): string | null {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || !files.isPrivate(found)) return folder;
    const lists = readdirSync(folder).filter((name) => name.startsWith('coins-'));
    return lists.map((name) => join(folder, name)).find((file) => !files.isPrivate(lstatSync(file))) ?? null;
  } catch (error) {
    if (files.systemCode(error) !== null) return null;
    throw error;
  }
}

/** The file of SWAPCTL_SECRET_FILE if it is this user's and readable by others; one owned by root, as in Docker, is fine. */
function secretFile(profile: Profile | null): readonly ReturnType<typeof openness>[] {
  if (profile?.kind !== 'remote' || !profile.source.includes('/')) return [];
  const open = openness(profile.source, 'file');
  return open?.foreign === true ? [] : [open];
}

/**
 * The file that others can read, from the error of reading it; none if it is not ours, because changing the permissions of
 * another program's file could break it.
 */
async function openFile(read: () => unknown): Promise<readonly string[]> {
  const found = await attempt(read);
  // Another check reports other problems of the file.
  return found instanceof files.NotPrivateError ? [found.path] : [];
}

function openness(path: string, kind: 'file' | 'folder') {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe from a shell is private.
    if (found === undefined || (kind === 'file' && !found.isFile())) return null;
    const exposed = `Other users can read the ${kind} ${path}.`;
    const open = files.opennessOf(path, found, { kind, name: path, exposed });
    return open === null ? null : { ...open, path };
  } catch (error) {
    if (files.systemCode(error) !== null) return null;
    throw error;
  }
}

/** What a check says of a file whose pages were not checked. */
export function uncheckedNote({ unchecked = false }: Pick<DatabaseFacts, 'unchecked'>): string {
  return unchecked ? '; a large file, whose pages only --deep checks' : '';
}

/** Checks the ledger, its version and its pages, without creating or upgrading it. */
export async function ledgerCheck({ settings }: Context, pages: PageCheck): Promise<DoctorCheck> {
  const facts = await inspectLedger(settings.ledgerLocation, pages);
  const { kind, displayName, version, denied } = facts;
  const where = kind === 'sqlite' ? displayName : `PostgreSQL at ${displayName}`;
  const locked = kind === 'sqlite' ? unwritable(displayName) : null;
  if (locked !== null) {
    const isFolder = locked === displayName || statSync(locked).isDirectory();
    return fail(
      'ledger',
      `${where}: ${locked} is not ${isFolder ? 'writable' : 'a folder'}, so no swap can be created`,
      `Set SWAPCTL_LEDGER to a file in a folder that you can write to${isFolder ? chmodHint(locked, settings.paths.platform) : ''}.`,
    );
  }
  if (denied !== null)
    return fail(
      'ledger',
      `${where}: ${denied}, so no swap can be created`,
      'Use the primary server, have the owner of the database grant what is missing, or correct SWAPCTL_LEDGER.',
    );
  if (version === null) return ok('ledger', `${where}: none yet; created on first use`);
  const versions = `version ${version}, this swapctl uses ${LEDGER_VERSION}${uncheckedNote(facts)}`;
  if (version === LEDGER_VERSION) return ok('ledger', `${where}: ${versions}`);
  return warn('ledger', `${where}: ${versions}`, 'No action needed: it is upgraded when next used.');
}

/** Checks the policy in use, without creating a ledger; null if nothing is set, or there is no ledger yet. */
export async function policyCheck(context: Context): Promise<DoctorCheck | null> {
  const { version } = await inspectLedger(context.settings.ledgerLocation);
  if (version !== LEDGER_VERSION) return null;
  const { policy, stop, suspensions, ownerKey } = await (await context.ledger()).guards.read(
    await context.owner(),
  );
  const problems = [policy, stop, suspensions].flatMap((part) => ('problem' in part ? [part.problem] : []));
  if (problems.length > 0)
    return fail(
      'policy',
      `${problems.join(' ')} Everything is refused.`,
      'Restore a copy of the ledger, or store the policy again with `swapctl policy set`.',
    );
  const stopped = 'value' in stop ? stop.value : null;
  const stored = 'value' in policy ? policy.value : null;
  const isLasting = ({ until }: { until: number | null }) => until === null || until > context.now();
  const suspended = 'value' in suspensions ? suspensions.value.filter(isLasting).length : 0;
  if (stored === null && stopped === null && suspended === 0) return null;
  const owner = ownerKey === null ? 'no owner key pinned' : `owner key ${ownerKey}`;
  const expires = stored?.policy.expires ?? null;
  const end = expires === null ? 'never expires' : `expires ${rfc3339(expires)}`;
  const count = stored?.policy.rules.length ?? 0;
  const rules = stored === null ? 'no policy' : `${counted(count, 'rule')}, ${end}`;
  const detail = `${rules}${suspended === 0 ? '' : `, ${counted(suspended, 'suspension')}`}; ${owner}`;
  if (stopped !== null) return warn('policy', `stopped by ${stopped.actor}; ${detail}`, LIFT_STOP);
  if (expires !== null && expires <= context.now())
    return fail('policy', `expired: everything is refused; ${detail}`, STORE_ANOTHER);
  return ok('policy', detail);
}

const LIFT_STOP = 'Lift the stop with `swapctl policy resume`.';
const STORE_ANOTHER = 'Store a new one with `swapctl policy set`.';

/** The command that makes a file or folder of this user writable; empty for any other. */
function chmodHint(path: string, platform: files.System): string {
  const found = statSync(path);
  const isOurs = files.isOwn(found) && (found.isDirectory() || found.isFile());
  if (!isOurs || files.isWindows(platform)) return '';
  return `, or make it writable: chmod u+w ${files.shellQuote(path)}`;
}

/** The file or nearest existing folder that is not writable; null if everything is writable. */
function unwritable(file: string): string | null {
  const folder = (path: string): string =>
    existsSync(path) || dirname(path) === path ? path : folder(dirname(path));
  const paths = existsSync(file) ? [file, dirname(file)] : [folder(dirname(file))];
  const isUsable = (path: string) => isWritable(path) && (path === file || statSync(path).isDirectory());
  return paths.find((path) => !isUsable(path)) ?? null;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
