import { UsageError } from '../../../base/errors.ts';
import { echoed } from '../../../base/text.ts';
import { readSigningKey, type SigningKey } from '../../settings/signing-key.ts';

/** The flag of every command that may loosen a policy. */
export const OWNER_KEY = ['--owner-key <file>', 'private key (Ed25519, PEM) of the owner'] as const;

/** The key of `--owner-key`; null if the flag is not given. Throws a usage error. */
export function ownerSigner(path: string | null): SigningKey | null {
  if (path === null) return null;
  const key = readSigningKey(path);
  if (key !== null) return key;
  const hint = 'Create a key with `openssl genpkey -algorithm ed25519 -out <file>`.';
  throw new UsageError(`File ${echoed(path)} does not exist.`, hint);
}
