import type { AsyncEntry } from '@napi-rs/keyring';
import type { ErrorCode } from '../errors.ts';
import { StorageError, SwapctlError } from '../errors.ts';

/** The name under which swapctl's secrets stand in the system's keychain. */
const SERVICE = 'swapctl';

/** Secrets in the system's keychain, each under an account. Every method throws where the keychain cannot be used. */
export interface Keychain {
  /** The secret of an account; null where none is kept. Throws `no_credentials`. */
  read(account: string): Promise<string | null>;
  /** Keeps a secret, in place of an earlier one of the account. Throws `storage_failed`. */
  write(account: string, secret: string): Promise<void>;
  /** Forgets a secret, also where there is none. Throws `storage_failed`. */
  remove(account: string): Promise<void>;
}

/** The account of a profile in the keychain: its name, and the host that its secret is for. */
export function keychainAccount(name: string, baseUrl: string): string {
  return `${name}@${new URL(baseUrl).host}`;
}

/** Where a profile's secret lies, for people. */
export function keychainPlace(name: string, baseUrl: string): string {
  return `the system's keychain (service ${SERVICE}, account ${keychainAccount(name, baseUrl)})`;
}

/** What to do where a secret that was forgotten here is still in the keychain. */
export function removeByHand(account: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin')
    return `Remove it yourself: security delete-generic-password -s ${SERVICE} -a ${account}`;
  if (platform === 'win32')
    return `Remove it yourself: in the Credential Manager, among the generic credentials, ${account}.${SERVICE}`;
  return `Remove it yourself: secret-tool clear service ${SERVICE} username ${account}`;
}

/**
 * The keychain of this machine: Keychain on macOS, Credential Manager on Windows, the Secret Service elsewhere. Its
 * package is loaded on first use. Only the Secret Service is asked on Linux: left alone, @napi-rs/keyring 2 takes the
 * kernel's keyring where there is none, which forgets everything when the machine restarts.
 */
export function systemKeychain(platform: NodeJS.Platform): Keychain {
  const on = async <T>(
    account: string,
    code: ErrorCode,
    use: (entry: AsyncEntry) => Promise<T>,
  ): Promise<T> => {
    const entry = await open(account, code, platform);
    try {
      return await use(entry);
    } catch (error) {
      throw problem(code, `The system's keychain is locked, or denies access${words(error)}.`, UNLOCK);
    }
  };
  return {
    read: (account) => on(account, 'no_credentials', async (entry) => (await entry.getPassword()) ?? null),
    write: (account, secret) => on(account, 'storage_failed', (entry) => entry.setPassword(secret)),
    remove: async (account) => {
      await on(account, 'storage_failed', (entry) => entry.deletePassword());
    },
  };
}

async function open(account: string, code: ErrorCode, platform: NodeJS.Platform): Promise<AsyncEntry> {
  const { AsyncEntry: Entry } = await import('@napi-rs/keyring').catch(() => {
    throw problem(
      code,
      'The package @napi-rs/keyring, which reaches the keychain, is not installed.',
      INSTALL,
    );
  });
  try {
    return new Entry(SERVICE, account, { linux: { store: 'secret-service' } });
  } catch (error) {
    throw problem(
      code,
      `There is no keychain that swapctl can reach${words(error)}.`,
      platform === 'darwin' || platform === 'win32' ? UNLOCK : START_SERVICE,
    );
  }
}

const ELSEWHERE =
  'Or keep the secret elsewhere: `swapctl auth login` without --keychain keeps it in a file that only you can read, SWAPCTL_SECRET_COMMAND takes it from a password manager.';
const UNLOCK = `Unlock the keychain, allow swapctl to use it, and run this again. ${ELSEWHERE}`;
const START_SERVICE = `Start a Secret Service in your session, such as gnome-keyring or KeePassXC; DBUS_SESSION_BUS_ADDRESS has to name the bus of the session. ${ELSEWHERE}`;
const INSTALL = `Install swapctl again, from the same package file as before, without --omit=optional. ${ELSEWHERE}`;

/** What the keychain says of itself; its errors hold no secret. */
function words(error: unknown): string {
  return error instanceof Error ? ` (${error.message})` : '';
}

function problem(code: ErrorCode, message: string, hint: string): SwapctlError {
  return code === 'storage_failed'
    ? new StorageError(message, hint)
    : new SwapctlError(code, message, { hint });
}
