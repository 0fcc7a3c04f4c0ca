import { SwapctlError } from '../../base/errors.ts';
import type { Environment } from '../swap/swap.ts';
import { isLoopback } from './loopback.ts';

/** Name of the profile of a key pair that is not stored: the environment's, or the one that a program passes. */
export const ENV_PROFILE = 'env';

/** Default environment of a base URL: loopback hosts are sandboxes. */
export function defaultEnvironment(baseUrl: string): Environment {
  return isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : 'live';
}

const STORE_HINT = 'Run `swapctl auth login` to store a key pair.';

/** Checks that a key pair can be used in headers and signatures. Throws `no_credentials`, without showing a value. */
export function checkCredentials(publicKey: string, secret: string, hint = STORE_HINT): void {
  checkPublicKey(publicKey, hint);
  checkSecret(secret, hint);
}

/** Checks that a public key can be put into a header. Throws `no_credentials`, without showing it. */
export function checkPublicKey(publicKey: string, hint = STORE_HINT): void {
  const refuse = (why: string) => {
    throw new SwapctlError('no_credentials', `The public key ${why}.`, { hint });
  };
  if (publicKey === '') refuse('is empty');
  if (!/^[\x21-\x7e]{1,512}$/.test(publicKey))
    refuse('contains a space, a line break or another invalid character');
}

/** Checks that a secret can be used as a signing key. Throws `no_credentials`, without showing it. */
export function checkSecret(secret: string, hint = STORE_HINT): void {
  const refuse = (why: string) => {
    throw new SwapctlError('no_credentials', `The secret ${why}.`, { hint });
  };
  if (secret === '') refuse('is empty');
  if (secret.length > 4096 || /[\0\r\n]/.test(secret))
    refuse('contains a line break or is longer than 4,096 characters');
}

/** Common mistakes in a pasted key or secret, each as an object of "it has". */
const ODDITIES: readonly (readonly [RegExp, string])[] = [
  [/^\uFEFF|\uFEFF$/, 'a byte order mark at one end'],
  [/^\s*(["'`]).*\1\s*$|^\s*[“”‘’«»„].*[“”‘’«»]\s*$/su, 'quotes around it'],
  [/^[^\S\uFEFF]|[^\S\uFEFF]$/, 'leading or trailing whitespace'],
  [/\S\s+\S/, 'whitespace inside'],
  [/[\u200B-\u200F\u202A-\u202E\u2060-\u2069]|(?!^)\uFEFF(?!$)/, 'invisible characters'],
];

/** What looks wrong with a pasted key or secret, each as an object of "it has", such as "quotes around it". */
export function pastedOddities(text: string): readonly string[] {
  return ODDITIES.filter(([pattern]) => pattern.test(text)).map(([, words]) => words);
}

/** A sentence on what looks wrong with a secret that the service refused; empty if nothing does. */
export function oddSecretHint(secret: string): string {
  const odd = pastedOddities(secret);
  if (odd.length === 0) return '';
  return `The secret has ${odd.join(' and ')}: set it again without that, unless it is part of the secret.`;
}
