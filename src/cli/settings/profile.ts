import { UsageError } from '../../base/errors.ts';
import { hasHiddenCharacters } from '../../base/text.ts';
import { ENV_PROFILE } from '../../core/partner-api/key-pair.ts';
import type { Environment } from '../../core/swap/swap.ts';

/** Name of the built-in service's profile. */
export const SANDBOX_PROFILE = 'sandbox';

/** A key pair at a base URL, as it is stored. */
export interface StoredProfile {
  readonly baseUrl: string;
  readonly publicKey: string;
  /** Null if it is in the system keychain. */
  readonly secret: string | null;
  readonly environment: Environment;
  /** Where the service's support is reached, a URL or an email address. */
  readonly support?: string;
}

/** A {@link StoredProfile} with its secret, wherever that is stored. */
export type KeyPair = StoredProfile & { readonly secret: string };

export type RemoteProfile = Extract<Profile, { kind: 'remote' }>;

/** The profile that a command uses: a remote service or the built-in sandbox. */
export type Profile =
  | ({
      readonly kind: 'remote';
      readonly name: string;
      readonly source: string;
      /** Values of the environment whose surrounding spaces were removed. */
      readonly trimmed?: readonly string[];
      /** The variables that the key pair comes from, if it comes from the environment. */
      readonly variables?: { readonly publicKey: string; readonly secret: string };
    } & StoredProfile)
  | { readonly kind: 'built-in'; readonly name: typeof SANDBOX_PROFILE; readonly environment: 'sandbox' };

/** The key pair of a profile with its secret, and the variables that they come from. */
export function credentialsOf({ publicKey, variables }: RemoteProfile, secret: string) {
  return { publicKey, secret, ...(variables === undefined ? {} : { variables }) };
}

/** Destination of a profile's requests, for people: a host, or the words for the built-in service. */
export function profileHost(profile: Profile): string {
  return profile.kind === 'built-in' ? 'the built-in service' : new URL(profile.baseUrl).host;
}

/** Checks and returns a profile's name. Throws a usage error, also for `env` and `sandbox`, which belong to swapctl. */
export function checkProfileName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(
      'A profile name may contain only letters, digits, dots, dashes and underscores, at most 64 characters.',
    );
  if (name === ENV_PROFILE || name === SANDBOX_PROFILE)
    throw new UsageError(`The profile name ${name} is reserved by swapctl; choose another.`);
  return name;
}

/** Checks where a service's support is reached: an `https:` URL, or an email address. */
export function checkSupport(text: string): string {
  const isMail =
    /^[^\s@<>]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,63}$/.test(text) && !hasHiddenCharacters(text);
  const isUrl = text.length <= 500 && URL.canParse(text) && new URL(text).protocol === 'https:';
  if (isMail) return text;
  if (isUrl && new URL(text).username === '') return new URL(text).href;
  throw new UsageError('The support contact must be an https URL or an email address.');
}
