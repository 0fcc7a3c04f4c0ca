import { restated, SwapctlError } from '../errors.ts';
import { echoed } from '../text.ts';
import type { Keychain } from './keychain.ts';
import type { Paths } from './paths.ts';
import type { KeyPair, RemoteProfile, StoredProfile } from './profile.ts';
import { checkCredentials } from './profile.ts';
import { changeConfig, checkProfile, readConfig, storedForm } from './store.ts';

/** The stored key pairs, with their secrets in the file or in the system's keychain. */
export interface KeyPairs {
  /** See `Settings`, which passes these three on. */
  secretOf(profile: RemoteProfile): Promise<string>;
  save(name: string, pair: KeyPair, inKeychain?: boolean): Promise<SwapctlError | null>;
  remove(name: string): Promise<SwapctlError | null>;
}

/** The key pairs of one person. `keychain` is loaded where a secret is there, or goes there. */
export function createKeyPairs(
  paths: Paths,
  keychain: () => Promise<Keychain> = ofThisSystem(paths),
): KeyPairs {
  const read = new Map<string, Promise<string>>();
  return {
    secretOf: async (profile) => {
      if (profile.secret !== null) return profile.secret;
      const secret = read.get(profile.name) ?? secretFrom(keychain, profile);
      read.set(profile.name, secret);
      return secret;
    },
    save: async (name, pair, inKeychain = false) => {
      const before = storedIn(paths, name);
      const account = await accountOf(name, pair);
      // Before the file says that it is there.
      if (inKeychain) await (await keychain()).write(account, pair.secret);
      const stored = storedForm(inKeychain ? { ...pair, secret: null } : pair);
      await changeConfig(paths, (config) => ({
        ...config,
        current: name,
        profiles: { ...config.profiles, [name]: stored },
      }));
      read.delete(name);
      const isSamePlace = inKeychain && before !== null && (await accountOf(name, before)) === account;
      return isSamePlace ? null : removeSecret(keychain, paths, name, before);
    },
    remove: async (name) => {
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

/** The error for a name that no stored profile has. */
export function unknownProfile(name: string, profiles: Readonly<Record<string, unknown>>): SwapctlError {
  const stored = Object.keys(profiles);
  const others = stored.length === 0 ? 'None is stored.' : `Stored: ${stored.join(', ')}.`;
  return new SwapctlError('no_credentials', `There is no profile named ${echoed(name)}.`, {
    hint: `${others} Add it with \`swapctl auth login -p ${echoed(name)}\`.`,
  });
}

function ofThisSystem({ platform }: Paths): () => Promise<Keychain> {
  return async () => (await import('./keychain.ts')).systemKeychain(platform);
}

async function accountOf(name: string, { baseUrl }: Pick<StoredProfile, 'baseUrl'>): Promise<string> {
  return (await import('./keychain.ts')).keychainAccount(name, baseUrl);
}

async function secretFrom(keychain: () => Promise<Keychain>, profile: RemoteProfile): Promise<string> {
  const { name, baseUrl, publicKey } = profile;
  const secret = await (await keychain()).read(await accountOf(name, profile));
  if (secret === null) {
    const { keychainPlace } = await import('./keychain.ts');
    throw new SwapctlError(
      'no_credentials',
      `The secret of profile ${name} is not in ${keychainPlace(name, baseUrl)}.`,
      { hint: `Store it again: swapctl auth login -p ${name} --keychain` },
    );
  }
  checkCredentials(publicKey, secret);
  return secret;
}

/** A stored profile as it is now; null where none is stored, or one that cannot be used. */
function storedIn(paths: Paths, name: string): StoredProfile | null {
  const { profiles } = readConfig(paths);
  if (!Object.hasOwn(profiles, name)) return null;
  const checked = checkProfile(name, profiles[name], paths);
  return checked instanceof SwapctlError ? null : checked;
}

/** Removes the secret of a profile from the keychain, where that holds it; the error says why it is still there. */
async function removeSecret(
  keychain: () => Promise<Keychain>,
  { platform }: Paths,
  name: string,
  stored: StoredProfile | null,
): Promise<SwapctlError | null> {
  if (stored === null || stored.secret !== null) return null;
  try {
    await (await keychain()).remove(await accountOf(name, stored));
    return null;
  } catch (error) {
    if (!(error instanceof SwapctlError)) throw error;
    const { keychainPlace, removeByHand } = await import('./keychain.ts');
    const words = `A secret of profile ${name} could not be removed from ${keychainPlace(name, stored.baseUrl)}. ${error.message}`;
    return restated(error, words, {
      hint: removeByHand(await accountOf(name, stored), platform),
      outcome: 'done',
    });
  }
}
