import { UsageError } from '../../errors.ts';
import { readSigningKey, type SigningKey } from '../../settings/signing-key.ts';
import { echoed } from '../../text.ts';

/** The key of `--owner-key`; null where the flag is not given. Throws a usage error. */
export function ownerSigner(path: string | null): SigningKey | null {
  if (path === null) return null;
  const key = readSigningKey(path);
  if (key !== null) return key;
  throw new UsageError(
    `File ${echoed(path)} does not exist.`,
    'Make a key with `openssl genpkey -algorithm ed25519 -out <file>`.',
  );
}
