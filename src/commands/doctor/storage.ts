import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { SwapctlError } from '../../errors.ts';
import type { Openness } from '../../files.ts';
import { isWindows, NotPrivateError, opennessOf, shellQuote, systemCode } from '../../files.ts';
import { LEDGER_VERSION, lookAtLedger } from '../../ledger/open.ts';
import type { Profile } from '../../settings/profile.ts';
import { SETTING_KEYS } from '../../settings/stored-settings.ts';
import type { DoctorCheck } from '../../views/checks/doctor.ts';
import { storedSetting } from '../shared/stored-setting.ts';
import { windowsAccess } from '../shared/windows-access.ts';
import type { Checks } from './check.ts';
import { fail, ok, warn } from './check.ts';

/** Checks the configuration: every stored profile and every setting. */
export async function settingsCheck(context: Context, checks: Checks): Promise<DoctorCheck> {
  const { settings } = context;
  const { configFile } = settings.paths;
  const profiles = await settings.list();
  const set = SETTING_KEYS.filter((key) => storedSetting(context, key) !== null);
  const bad = profiles.flatMap(({ profile }) => (profile instanceof SwapctlError ? [profile] : []));
  const [first] = bad;
  if (first !== undefined) {
    checks.tell('settings', bad);
    return fail('settings', bad.map(({ message }) => message).join(' '), first.hint ?? '');
  }
  if (!existsSync(configFile)) return ok('settings', `no configuration yet: ${configFile}`);
  const count = `${profiles.length} ${profiles.length === 1 ? 'profile' : 'profiles'}`;
  return ok('settings', `${configFile}: ${count}, ${set.length === 0 ? 'no settings' : set.join(', ')}`);
}

/** Checks who may read the files and folders: all of them, not just the first that is open to others. */
export function modesCheck({ settings }: Context, profile: Profile | null, checks: Checks): DoctorCheck {
  const { platform, configFolder, configFile, stateFolder, sandboxFile } = settings.paths;
  if (isWindows(platform)) return ok('modes', windowsAccess(configFolder));
  const secretFile = profile?.kind === 'remote' && profile.source.includes('/') ? [profile.source] : [];
  const problems = [
    ...[configFolder, stateFolder].map((path) => openness(path, 'folder')),
    ...[configFile, ...ledgerFile(settings), sandboxFile, ...secretFile].map((path) =>
      openness(path, 'file'),
    ),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) {
    const open = problems.map(({ path }) => path);
    checks.tellCause('modes', (error) => error instanceof NotPrivateError && open.includes(error.path));
    const run = problems.some(({ foreign }) => foreign) ? 'Run swapctl as that user, or run' : 'Run';
    return fail(
      'modes',
      problems.map(({ message }) => message).join(' '),
      `${run}: ${problems.map(({ command }) => command).join(' && ')}`,
    );
  }
  return ok('modes', 'files and folders of swapctl are private, as far as there are any');
}

function ledgerFile(settings: Context['settings']): readonly string[] {
  try {
    const { ledgerLocation } = settings;
    return ledgerLocation.startsWith('/') ? [ledgerLocation] : [];
  } catch (error) {
    // The check of the ledger says so.
    if (error instanceof SwapctlError) return [];
    throw error;
  }
}

function openness(path: string, kind: 'file' | 'folder'): (Openness & { readonly path: string }) | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe, as a shell passes the output of a program, is nobody else's.
    if (found === undefined || (kind === 'file' && !found.isFile())) return null;
    const open = opennessOf(path, found, {
      kind,
      name: path,
      exposed: `Others can read the ${kind} ${path}.`,
    });
    return open === null ? null : { ...open, path };
  } catch (error) {
    if (systemCode(error) !== null) return null;
    throw error;
  }
}

/** Checks the ledger and its version, without creating or upgrading it. */
export async function ledgerCheck({ settings }: Context): Promise<DoctorCheck> {
  const { kind, place, version } = await lookAtLedger(settings.ledgerLocation);
  const where = kind === 'sqlite' ? place : `PostgreSQL at ${place}`;
  const locked = kind === 'sqlite' ? unwritable(place) : null;
  if (locked !== null) {
    return fail(
      'ledger',
      `${where}: ${locked} cannot be written to, so nothing can be created`,
      `Make it writable for yourself${isWindows(settings.paths.platform) ? '' : `: chmod u+w ${shellQuote(locked)}`}, or name another place in SWAPCTL_LEDGER.`,
    );
  }
  if (version === null) return ok('ledger', `${where}: none yet; the first command that needs it makes it`);
  const versions = `version ${version}, this swapctl's is ${LEDGER_VERSION}`;
  if (version === LEDGER_VERSION) return ok('ledger', `${where}: ${versions}`);
  return warn(
    'ledger',
    `${where}: ${versions}`,
    'Nothing to do: the next command that needs it upgrades it.',
  );
}

/** The path that cannot be written to: the file, or the nearest folder that is there; null where all is well. */
function unwritable(file: string): string | null {
  const folder = (path: string): string =>
    existsSync(path) || dirname(path) === path ? path : folder(dirname(path));
  const places = existsSync(file) ? [file, dirname(file)] : [folder(dirname(file))];
  return places.find((place) => !isWritable(place)) ?? null;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
