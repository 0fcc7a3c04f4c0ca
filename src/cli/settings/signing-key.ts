import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { dirname, join } from 'node:path';
import { StorageError, UsageError } from '../../base/errors.ts';
import * as files from '../../base/files.ts';
import { echoed } from '../../base/text.ts';
import type { Paths } from './paths.ts';

/** An Ed25519 key pair, of which only the public half is shown. */
export interface SigningKey {
  /** `ed25519:<base64>`. */
  readonly publicKey: string;
  /** The signature of a statement, in Base64. */
  sign(statement: string): string;
}

/** File of this user's own key for approvals. */
export function approverKeyFile({ configFolder }: Paths): string {
  return join(configFolder, 'approver.pem');
}

/** Reads a private key in PEM that is this user's alone; null if there is no file. Throws a usage error. */
export function readSigningKey(path: string): SigningKey | null {
  try {
    const text = files.readRegularFile(path, (found) =>
      files.requirePrivate(path, found, {
        kind: 'file',
        name: `The key file ${echoed(path)}`,
        exposed: `The key file ${echoed(path)} can be read by other users.`,
      }),
    );
    return signingKey(privateKeyOf(text, path));
  } catch (error) {
    if (files.systemCode(error) === 'ENOENT') return null;
    throw error instanceof UsageError || error instanceof StorageError
      ? error
      : files.unreadableFile(path, error);
  }
}

/** Makes a key pair, and writes its private half to a new file for this user alone. */
export function makeSigningKey(path: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ format: 'pem', type: 'pkcs8' });
  try {
    files.makePrivateFolder(dirname(path));
    files.writeNewFile(path, text.toString());
  } catch (error) {
    if (files.systemCode(error) === null) throw error;
    throw new StorageError(`The key file ${echoed(path)} cannot be written${files.codeInBrackets(error)}.`);
  }
  return signingKey(privateKey);
}

function privateKeyOf(text: string, path: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(text);
  } catch {
    // The text is a secret, or should be one: the error of the library may repeat parts of it.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new UsageError(
    `The file ${echoed(path)} has no Ed25519 private key in PEM.`,
    'Create one with `openssl genpkey -algorithm ed25519 -out <file>`.',
  );
}

/** Bytes before the 32 of the key in its public DER form. */
const HEADER_BYTES = 12;

function signingKey(privateKey: KeyObject): SigningKey {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: `ed25519:${der.subarray(HEADER_BYTES).toString('base64')}`,
    sign: (statement) => sign(null, Buffer.from(statement), privateKey).toString('base64'),
  };
}
