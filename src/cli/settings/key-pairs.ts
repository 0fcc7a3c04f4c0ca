import type { AsyncEntry } from '@napi-rs/keyring';
import { type ErrorCode, restated, StorageError, SwapctlError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';
import { checkCredentials } from '../../core/partner-api/key-pair.ts';
import type { Paths } from './paths.ts';
import type { KeyPair, RemoteProfile, StoredProfile } from './profile.ts';
import { changeConfig, checkProfile, readConfig, storedForm } from './store.ts';

/** The stored key pairs, with their secrets in the configuration file or in the system keychain. */
export function createKeyPairs(paths: Paths) {
  const keychain = systemKeychain(paths.platform);
  const read = new Map<string, Promise<string>>();
  return {
    /** The secret of a profile, read once per run and only when needed. Throws `no_credentials`. */
    secretOf: async (profile: RemoteProfile): Promise<string> => {
      if (profile.secret !== null) return profile.secret;
      const secret = read.get(profile.name) ?? secretFrom(keychain, profile);
      read.set(profile.name, secret);
      return secret;
    },
    /**
     * Stores a key pair and makes its profile the current one, with `inKeychain` with its secret in the system keychain.
     * Returns why an earlier secret of the profile is still in the keychain, or null.
     */
    save: async (name: string, pair: KeyPair, inKeychain = false): Promise<SwapctlError | null> => {
      const before = storedIn(paths, name);
      const account = keychainAccount(name, pair.baseUrl);
      // Written before the configuration file refers to it.
      if (inKeychain) await keychain.write(account, pair.secret);
      // A new key pair of the same service has the same support.
      const contact = before?.support === undefined ? {} : { support: before.support };
      const stored = storedForm({ ...contact, ...pair, ...(inKeychain ? { secret: null } : {}) });
      await changeConfig(paths, (config) => ({
        ...config,
        current: name,
        profiles: { ...config.profiles, [name]: stored },
      }));
      read.delete(name);
      const isSamePlace = inKeychain && before !== null && keychainAccount(name, before.baseUrl) === account;
      return isSamePlace ? null : removeSecret(keychain, paths, name, before);
    },
    /**
     * Removes a profile, even one that cannot be used. Returns why its secret is still in the keychain, or null. Throws
     * `no_credentials` if the profile is not stored.
     */
    remove: async (name: string): Promise<SwapctlError | null> => {
      const before = storedIn(paths, name);
      await changeConfig(paths, (config) => {
        if (!Object.hasOwn(config.profiles, name)) throw unknownProfile(name, config.profiles);
        const profiles = Object.entries(config.profiles).filter(([key]) => key !== name);
        const current = config.current === name ? null : config.current;
        return { ...config, current, profiles: Object.fromEntries(profiles) };
      });
      read.delete(name);
      return removeSecret(keychain, paths, name, before);
    },
  };
}

/** The error `no_credentials` for a profile that is not stored; its hint lists those that are. */
export function unknownProfile(name: string, profiles: Readonly<Record<string, unknown>>): SwapctlError {
  const stored = Object.keys(profiles);
  const others = stored.length === 0 ? 'No profiles are stored.' : `Stored profiles: ${stored.join(', ')}.`;
  return new SwapctlError('no_credentials', `Profile ${echoed(name)} does not exist.`, {
    hint: `${others} To add it, run \`swapctl auth login -p ${echoed(name)}\`.`,
  });
}

async function secretFrom(keychain: Keychain, profile: RemoteProfile): Promise<string> {
  const { name, baseUrl, publicKey } = profile;
  const secret = await keychain.read(keychainAccount(name, baseUrl));
  if (secret === null)
    throw new SwapctlError(
      'no_credentials',
      `The secret of profile ${name} is not in ${keychainPlace(name, baseUrl)}.`,
      { hint: `Store it again: swapctl auth login -p ${name} --keychain` },
    );
  checkCredentials(publicKey, secret);
  return secret;
}

/** The stored profile; null if there is none or it cannot be used. */
function storedIn(paths: Paths, name: string): StoredProfile | null {
  const { profiles } = readConfig(paths);
  if (!Object.hasOwn(profiles, name)) return null;
  const checked = checkProfile(name, profiles[name], paths);
  return checked instanceof SwapctlError ? null : checked;
}

/** Removes a profile's secret from the keychain, if it is there; the returned error says why it could not be removed. */
async function removeSecret(
  keychain: Keychain,
  { platform }: Paths,
  name: string,
  stored: StoredProfile | null,
): Promise<SwapctlError | null> {
  if (stored === null || stored.secret !== null) return null;
  try {
    await keychain.remove(keychainAccount(name, stored.baseUrl));
    return null;
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const message = `The secret of profile ${name} could not be removed from ${keychainPlace(name, stored.baseUrl)}. ${error.message}`;
    return restated(error, message, {
      hint: removeByHand(keychainAccount(name, stored.baseUrl), platform),
      outcome: 'done',
    });
  }
}

/** Service name of swapctl's secrets in the system keychain. */
const SERVICE = 'swapctl';

type Keychain = ReturnType<typeof systemKeychain>;

/** A profile's account in the keychain: its name and the host that its secret is for. */
function keychainAccount(name: string, baseUrl: string): string {
  return `${name}@${new URL(baseUrl).host}`;
}

/** Describes where a profile's secret is stored, for people. */
export function keychainPlace(name: string, baseUrl: string): string {
  return `the system keychain (service ${SERVICE}, account ${keychainAccount(name, baseUrl)})`;
}

/** How to remove a secret by hand that could not be removed from the keychain. */
function removeByHand(account: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin')
    return `Remove it manually: security delete-generic-password -s ${SERVICE} -a ${account}`;
  if (platform === 'win32')
    return `Remove it manually: delete the generic credential ${account}.${SERVICE} in Credential Manager`;
  return `Remove it manually: secret-tool clear service ${SERVICE} username ${account}`;
}

/**
 * The keychain of this machine: Keychain on macOS, Credential Manager on Windows, the Secret Service elsewhere. Every
 * method throws if the keychain cannot be used. The package is loaded on first use. On Linux only the Secret Service is
 * used: by default @napi-rs/keyring 2 falls back to the kernel keyring, which is lost on restart.
 */
function systemKeychain(platform: NodeJS.Platform) {
  const on = async <T>(account: string, code: ErrorCode, use: (entry: AsyncEntry) => Promise<T>) => {
    const entry = await open(account, code, platform);
    try {
      return await use(entry);
    } catch (error) {
      throw problem(code, `The system keychain is locked or denied access${words(error)}.`, UNLOCK);
    }
  };
  return {
    /** The secret of an account, null if there is none. */
    read: (account: string) =>
      on(account, 'no_credentials', async (entry) => (await entry.getPassword()) ?? null),
    /** Stores a secret, replacing an earlier one of the account. */
    write: (account: string, secret: string) =>
      on(account, 'storage_failed', (entry) => entry.setPassword(secret)),
    remove: async (account: string) => {
      await on(account, 'storage_failed', (entry) => entry.deletePassword());
    },
  };
}

async function open(account: string, code: ErrorCode, platform: NodeJS.Platform): Promise<AsyncEntry> {
  const { AsyncEntry: Entry } = await import('@napi-rs/keyring').catch(() => {
    throw problem(
      code,
      'The package @napi-rs/keyring, which is needed to use the keychain, is not installed.',
      INSTALL,
    );
  });
  try {
    return new Entry(SERVICE, account, { linux: { store: 'secret-service' } });
  } catch (error) {
    throw problem(
      code,
      `No system keychain is available${words(error)}.`,
      platform === 'darwin' || platform === 'win32' ? UNLOCK : START_SECRET_SERVICE,
    );
  }
}

const ELSEWHERE =
  'Or store the secret elsewhere: `swapctl auth login` without --keychain stores it in a file that only you can read; SWAPCTL_SECRET_COMMAND reads it from a password manager.';
const UNLOCK = `Unlock the keychain, allow swapctl to use it, and try again. ${ELSEWHERE}`;
const START_SECRET_SERVICE = `Start a Secret Service in your session, such as gnome-keyring or KeePassXC; DBUS_SESSION_BUS_ADDRESS must point to the session bus. ${ELSEWHERE}`;
const INSTALL = `Reinstall swapctl from the same package file, without --omit=optional. ${ELSEWHERE}`;

/** The keychain's own message; its errors contain no secret. */
function words(error: unknown): string {
  return error instanceof Error ? ` (${error.message})` : '';
}

function problem(code: ErrorCode, message: string, hint: string): SwapctlError {
  return code === 'storage_failed'
    ? new StorageError(message, hint)
    : new SwapctlError(code, message, { hint });
}
