import { SwapctlError, UsageError } from '../errors.ts';
import type { Environment } from '../swap/swap.ts';

/** Name of the built-in service's profile. */
export const SANDBOX_PROFILE = 'sandbox';

/** Name of the profile that the environment variables make. */
export const ENV_PROFILE = 'env';

/** A key pair at a base URL, as it is stored. */
export interface StoredProfile {
  readonly baseUrl: string;
  readonly publicKey: string;
  /** Null where the system's keychain holds it. */
  readonly secret: string | null;
  readonly environment: Environment;
}

/** A key pair with its secret at hand. */
export type KeyPair = StoredProfile & { readonly secret: string };

/** A profile of a service somewhere. */
export type RemoteProfile = Extract<Profile, { kind: 'remote' }>;

/** The profile that a command works with: a service somewhere, or the one built in. */
export type Profile =
  | ({
      readonly kind: 'remote';
      readonly name: string;
      readonly source: string;
      /** Values of the environment that had blanks around them; these are removed, and the person is told. */
      readonly trimmed?: readonly string[];
      /** Names of the variables that the key pair comes from, where it comes from the environment. */
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

/** Checks a profile's name; `env` and `sandbox` belong to swapctl. */
export function checkProfileName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new UsageError(
      'A profile name is made of letters, digits, dots, dashes and underscores, 64 at most.',
    );
  }
  if (name === ENV_PROFILE || name === SANDBOX_PROFILE) {
    throw new UsageError(`The profile name ${name} is taken by swapctl itself; choose another.`);
  }
  return name;
}

/**
 * Checks a base URL and writes it without a slash at the end: `https:`, or `http:` on a loopback host, because
 * the signature in each request is a password.
 */
export function checkBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new UsageError('The base URL is not a URL such as https://api.example.com.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The base URL must not hold a user name or password.');
  }
  if (url.search !== '' || url.hash !== '') throw new UsageError('The base URL must end before any ? or #.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new UsageError(
      `The base URL must begin with https: (http: only for this machine's own loopback addresses).`,
      'Write it with https: for each request carries a signature that never changes, and over plain HTTP anyone on the way could keep it.',
      'insecure_url',
    );
  }
  const place = url.pathname.search(/\/api\/private(\/|$)/);
  if (place >= 0) {
    throw new UsageError(
      `The base URL holds /api/private, which swapctl adds by itself.`,
      `Write what stands before it: ${url.origin}${url.pathname.slice(0, place)}`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Whether a URL's host name is this machine by definition. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.[0-9]{1,3}){3}$/.test(hostname);
}

/** Environment of a base URL unless told otherwise: loopback hosts are sandboxes. */
export function defaultEnvironment(baseUrl: string): Environment {
  return isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : 'live';
}

const STORE_HINT = 'Run `swapctl auth login` to store a key pair.';

/** Checks that a key pair can be put into headers and keys; the message never shows a value. */
export function checkCredentials(publicKey: string, secret: string, hint = STORE_HINT): void {
  checkPublicKey(publicKey, hint);
  checkSecret(secret, hint);
}

/** Checks that a public key can be put into a header; the message never shows it. */
export function checkPublicKey(publicKey: string, hint = STORE_HINT): void {
  const refuse = (why: string) => {
    throw new SwapctlError('no_credentials', `The public key ${why}.`, { hint });
  };
  if (publicKey === '') refuse('is empty');
  if (!/^[\x21-\x7e]{1,512}$/.test(publicKey))
    refuse('contains a space, a line break or another character that keys do not have');
}

/** Checks that a secret can be a key of a signature; the message never shows it. */
export function checkSecret(secret: string, hint = STORE_HINT): void {
  const refuse = (why: string) => {
    throw new SwapctlError('no_credentials', `The secret ${why}.`, { hint });
  };
  if (secret === '') refuse('is empty');
  if (secret.length > 4096 || /[\0\r\n]/.test(secret))
    refuse('contains a line break or is longer than 4,096 characters');
}
