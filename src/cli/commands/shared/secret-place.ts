import { COMMAND_SOURCE } from '../../settings/env-profile.ts';
import { keychainPlace } from '../../settings/key-pairs.ts';
import type { RemoteProfile } from '../../settings/profile.ts';
import type { SecretPlace } from '../../views/profile.ts';

/** Where the secret of a profile is stored, without reading it. */
export function placeOfSecret({ name, baseUrl, secret, source }: RemoteProfile): SecretPlace {
  if (secret === null) return { place: keychainPlace(name, baseUrl), plainText: false };
  return { place: source, plainText: source !== COMMAND_SOURCE };
}

/** A sentence on who may read files on Windows, which swapctl neither sets nor checks. */
export function windowsAccess(folder: string): string {
  return `Windows has no file modes: the access list of ${folder} decides who may read it, by default you, the administrators and the system. See it with: icacls "${folder}"`;
}
