import { type SwapctlError, UsageError } from '../errors.ts';
import { echoed } from '../text.ts';
import { unusableSetting } from './stored-settings.ts';

/** An address stored by `swapctl config set address.<name>`, in the form in which it is sent. */
export interface SavedAddress {
  readonly name: string;
  /** As typed: the service's code or an alias of the network. */
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** Prefix of the keys of saved addresses. */
export const ADDRESS_PREFIX = 'address.';

/** Reads the name of a saved address, in any case; throws a usage error. */
export function savedName(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z0-9][a-z0-9_.-]{0,39}$/.test(name)) return name;
  throw new UsageError(
    `${echoed(text)} is not a valid address name.`,
    'A name has 1 to 40 letters, digits, dots, hyphens and underscores, and starts with a letter or digit.',
  );
}

/** The names of the addresses in the stored settings, in alphabetical order. */
export function savedNames(settings: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(settings)
    .filter((key) => key.startsWith(ADDRESS_PREFIX))
    .map((key) => key.slice(ADDRESS_PREFIX.length))
    .sort();
}

/** A saved address, or null. Throws `invalid_config` for one that was corrupted by hand. */
export function savedAddressIn(
  settings: Readonly<Record<string, unknown>>,
  name: string,
): SavedAddress | null {
  const key = `${ADDRESS_PREFIX}${name}`;
  if (!Object.hasOwn(settings, key)) return null;
  const value = settings[key];
  if (typeof value !== 'object' || value === null) throw unusable(name);
  const { network, address, memo = null } = value as Readonly<Record<string, unknown>>;
  if (typeof network !== 'string' || typeof address !== 'string') throw unusable(name);
  if (memo !== null && typeof memo !== 'string') throw unusable(name);
  return { name, network, address, memo };
}

function unusable(name: string): SwapctlError {
  return unusableSetting(`${ADDRESS_PREFIX}${name}`, 'It needs a network and an address.');
}
