import { existsSync } from 'node:fs';
import { PROXY_NAMES } from '../../../base/environment.ts';
import { attemptSync, SwapctlError } from '../../../base/errors.ts';
import { shellQuote } from '../../../base/files.ts';
import { decodeCoinPage, LISTING } from '../../../core/client/coin-page.ts';
import { readServiceMessage, wrongPlaceHint } from '../../../core/client/error-mapping.ts';
import type { ProxyServer } from '../../../core/client/proxy.ts';
import type { TransportErrorKind } from '../../../core/client/transport-error.ts';
import { pastedOddities } from '../../../core/partner-api/key-pair.ts';
import type { Credentials } from '../../../core/partner-api/signature.ts';
import type { SecretPlace } from '../../views/profile.ts';
import type { RequestResult } from './endpoints.ts';
import { type Checks, type DoctorCheck, fail, failed, notChecked, ok, warn } from './view.ts';

/** Clock differences in milliseconds, above which the check warns and fails. */
const WARN_SKEW_MS = 30_000;
const FAIL_SKEW_MS = 300_000;

/** Checks whether the service accepts the key pair, and shows the signed text. */
export function keyPairCheck(
  [first]: readonly RequestResult[],
  { publicKey }: Credentials,
  checks: Checks,
): DoctorCheck {
  if (first === undefined || first.answer === null)
    return notChecked('key-pair', 'the service did not respond', 'Fix the connection first.');
  const { endpoint, answer, error } = first;
  const signed = `Signed text: "${endpoint}" (${endpoint.length} bytes, the endpoint name only), HMAC-SHA512 keyed with the secret, in hexadecimal.`;
  const page = error === null ? attemptSync(() => decodeCoinPage(answer.text, LISTING.deposit)) : null;
  if (page instanceof SwapctlError)
    return warn('key-pair', `neither accepted nor refused: ${page.message}`, wrongPlaceHint());
  if (error === null) return ok('key-pair', `The service accepted the key pair ${publicKey}. ${signed}`);
  if (answer.status === 401 || answer.status === 403) {
    checks.report('key-pair', [error]);
    const odd = pastedOddities(publicKey);
    const oddKey = odd.length === 0 ? '' : `The public key has ${odd.join(' and ')}. `;
    const found = `HTTP status ${answer.status}, ${error.code}: ${error.message} ${signed}`;
    return fail('key-pair', found, `${oddKey}${error.hint ?? ''}`);
  }
  const found = `neither accepted nor refused: the service ${readServiceMessage(answer).answerClause}`;
  return warn('key-pair', found, error.hint ?? 'Try again later.');
}

/** Checks which proxy is used, and whether it works. */
export function proxyCheck(
  proxy: ProxyServer | null,
  results: readonly RequestResult[],
  env: NodeJS.ProcessEnv,
  checks: Checks,
): DoctorCheck {
  const refused = results.find(({ failure }) => failure?.kind === 'proxy');
  if (refused?.error != null) return checks.failed('proxy', refused.error);
  if (proxy !== null) return ok('proxy', `${proxy.host}, from ${proxy.variable}`);
  const set = PROXY_NAMES.filter((name) => Boolean(env[name]));
  return ok('proxy', set.length === 0 ? 'none' : `none for this host, although ${set.join(' and ')} is set`);
}

const TLS_KINDS: readonly (TransportErrorKind | undefined)[] = ['certificate', 'tls'];

/** Checks whether the certificate is trusted, and the environment variables for TLS. */
export function tlsCheck(
  baseUrl: string,
  results: readonly RequestResult[],
  env: NodeJS.ProcessEnv,
  checks: Checks,
): DoctorCheck {
  if (new URL(baseUrl).protocol === 'http:')
    return ok('tls', 'plain HTTP, which does not leave this machine');
  const refused = results.find(({ failure }) => TLS_KINDS.includes(failure?.kind))?.error ?? null;
  if (refused !== null) checks.report('tls', [refused]);
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return fail(
      'tls',
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path could capture the signature',
      'Unset it. If your network uses its own certificate authority, set NODE_EXTRA_CA_CERTS.',
    );
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (extra !== '' && !existsSync(extra))
    return fail(
      'tls',
      `NODE_EXTRA_CA_CERTS names a missing file: ${extra}`,
      'Unset it, or set it to an existing file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    );
  if (refused !== null) return failed('tls', refused);
  if (results.every(({ answer }) => answer === null))
    return notChecked('tls', 'no connection was made', 'Fix the connection first.');
  const also = extra === '' ? '' : `, using the authorities in ${shellQuote(extra)}`;
  return ok('tls', `the certificate is trusted${also}`);
}

/** Compares this machine's clock with the `Date` header of an answer. */
export function clockCheck(results: readonly RequestResult[]): DoctorCheck {
  const dated = results.flatMap(({ answer, at }) => {
    const theirs = Date.parse(answer?.headers.date ?? '');
    return Number.isNaN(theirs) ? [] : [{ theirs, at }];
  });
  const [first] = dated;
  if (first === undefined)
    return notChecked(
      'clock',
      'no response has a readable Date header',
      'Compare the clock with one you trust.',
    );
  const skew = first.at - first.theirs;
  const seconds = Math.round(Math.abs(skew) / 1000);
  const found = `${seconds} s ${skew < 0 ? 'behind' : 'ahead of'} the service's Date header`;
  if (Math.abs(skew) <= WARN_SKEW_MS)
    return ok('clock', `within ${Math.max(1, seconds)} s of the service's Date header`);
  if (Math.abs(skew) <= FAIL_SKEW_MS) return warn('clock', found, SET_CLOCK);
  const effect = 'certificates may be refused and deposit windows are shown incorrectly';
  return fail('clock', `${found}: ${effect}`, SET_CLOCK);
}

const SET_CLOCK = 'Set the clock of this machine; on Linux: sudo timedatectl set-ntp true';

/** Checks the form of the secret as given, for common pasting mistakes; no character of it is shown. */
export function secretCheck(secret: string, { place, plainText }: SecretPlace, trimmed: boolean) {
  const odd = pastedOddities(secret);
  if (odd.length > 0)
    return warn(
      'secret',
      `from ${place}; it has ${odd.join(' and ')}`,
      'Set it again without that, unless it is part of the secret.',
    );
  if (trimmed)
    return warn(
      'secret',
      `from ${place}; its leading or trailing whitespace or byte order mark is removed`,
      'No action needed, but other programs may not remove it.',
    );
  const plain = plainText ? ', in plain text' : '';
  return ok('secret', `from ${place}${plain}; no whitespace, byte order mark or quotes around it`);
}
