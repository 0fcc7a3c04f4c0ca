import { existsSync } from 'node:fs';
import type { ProxyServer } from '../../client/proxy.ts';
import type { TransportErrorKind } from '../../client/transport-error.ts';
import { shellQuote } from '../../files.ts';
import { pastedOddities } from '../../partner-api/secret-form.ts';
import type { Credentials } from '../../partner-api/signature.ts';
import type { DoctorCheck } from '../../views/checks/doctor.ts';
import type { SecretPlace } from '../../views/profile.ts';
import type { Checks } from './check.ts';
import { fail, failed, notChecked, ok, warn } from './check.ts';
import type { Asked } from './endpoints.ts';

/** How far the clocks may differ, in milliseconds: then it is told, and then it fails. */
const MAX_QUIET_SKEW_MS = 30_000;
const MAX_SKEW_MS = 300_000;

/** Checks whether the service takes the key pair, and says which text was signed. */
export function keyPairCheck(
  [first]: readonly Asked[],
  { publicKey }: Credentials,
  checks: Checks,
): DoctorCheck {
  if (first === undefined || first.answer === null)
    return notChecked('key-pair', 'the service did not answer', 'Mend the connection first.');
  const { endpoint, answer, error } = first;
  const signed = `Signed text: "${endpoint}" (${endpoint.length} bytes, the name of the endpoint and nothing else), HMAC-SHA512 with the secret as its key, in hexadecimal digits.`;
  if (error === null) return ok('key-pair', `The service takes the key pair of ${publicKey}. ${signed}`);
  if (answer.status === 401 || answer.status === 403) {
    checks.tell('key-pair', [error]);
    const odd = pastedOddities(publicKey);
    const oddKey = odd.length === 0 ? '' : `The public key has ${odd.join(' and ')}. `;
    return fail(
      'key-pair',
      `HTTP status ${answer.status}, ${error.code}: ${error.message} ${signed}`,
      `${oddKey}${error.hint ?? ''}`,
    );
  }
  return warn(
    'key-pair',
    `neither taken nor refused: HTTP status ${answer.status}, ${error.message}`,
    error.hint ?? 'Run it again later.',
  );
}

/** Checks the proxy: which one is used, and whether it does what it should. */
export function proxyCheck(
  proxy: ProxyServer | null,
  asked: readonly Asked[],
  env: NodeJS.ProcessEnv,
  checks: Checks,
): DoctorCheck {
  const refused = asked.find(({ failure }) => failure?.kind === 'proxy');
  if (refused?.error != null) return checks.failed('proxy', refused.error);
  if (proxy !== null) return ok('proxy', `${proxy.host}, from ${proxy.variable}`);
  const set = PROXY_NAMES.filter((name) => Boolean(env[name]));
  return ok('proxy', set.length === 0 ? 'none' : `none for this host, though ${set.join(' and ')} is set`);
}

const PROXY_NAMES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

const TLS_KINDS: readonly (TransportErrorKind | undefined)[] = ['certificate', 'tls'];

/** Checks TLS: whether the certificate is trusted, and what the environment says about it. */
export function tlsCheck(
  baseUrl: string,
  asked: readonly Asked[],
  env: NodeJS.ProcessEnv,
  checks: Checks,
): DoctorCheck {
  if (new URL(baseUrl).protocol === 'http:') {
    return ok('tls', 'plain HTTP, which does not leave this machine');
  }
  const refused = asked.find(({ failure }) => TLS_KINDS.includes(failure?.kind))?.error ?? null;
  if (refused !== null) checks.tell('tls', [refused]);
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return fail(
      'tls',
      'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, so anybody on the way could keep the signature',
      'Unset it; where the network has a certificate authority of its own, set NODE_EXTRA_CA_CERTS.',
    );
  }
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (extra !== '' && !existsSync(extra)) {
    return fail(
      'tls',
      `NODE_EXTRA_CA_CERTS names a file that is not there: ${extra}`,
      `Unset it, or name the file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`,
    );
  }
  if (refused !== null) return failed('tls', refused);
  if (asked.every(({ answer }) => answer === null)) {
    return notChecked('tls', 'no connection was made', 'Mend the connection first.');
  }
  const also = extra === '' ? '' : `, with the authorities in ${shellQuote(extra)}`;
  return ok('tls', `the certificate is trusted${also}`);
}

/** Checks this machine's clock against the `Date` header of an answer. */
export function clockCheck(asked: readonly Asked[]): DoctorCheck {
  const dated = asked.flatMap(({ answer, at }) => {
    const theirs = Date.parse(answer?.headers.date ?? '');
    return Number.isNaN(theirs) ? [] : [{ theirs, at }];
  });
  const [first] = dated;
  if (first === undefined) {
    return notChecked('clock', 'no answer has a Date header', 'Compare it with a clock you trust.');
  }
  const skew = first.at - first.theirs;
  const seconds = Math.round(Math.abs(skew) / 1000);
  const found = `${seconds} s ${skew < 0 ? 'behind' : 'ahead of'} the service's Date header`;
  if (Math.abs(skew) <= MAX_QUIET_SKEW_MS)
    return ok('clock', `within ${Math.max(1, seconds)} s of the service's Date header`);
  if (Math.abs(skew) <= MAX_SKEW_MS) return warn('clock', found, SET_CLOCK);
  return fail('clock', `${found}: certificates are refused and deposit windows are shown wrong`, SET_CLOCK);
}

const SET_CLOCK = 'Set the clock of this machine; on Linux: sudo timedatectl set-ntp true';

/** Checks the form of the secret as it was given: what pasted text brings along. No character of it is told. */
export function secretCheck(
  secret: string,
  { place, plainText }: SecretPlace,
  trimmed: boolean,
): DoctorCheck {
  const odd = pastedOddities(secret);
  if (odd.length > 0) {
    return warn(
      'secret',
      `from ${place}; it has ${odd.join(' and ')}`,
      'Set or store it again without, unless that is part of it.',
    );
  }
  if (trimmed) {
    return warn(
      'secret',
      `from ${place}; the white space or byte order mark at its ends is left out`,
      'Nothing has to be done; other programs may not leave it out.',
    );
  }
  const plain = plainText ? ', in plain text' : '';
  return ok('secret', `from ${place}${plain}; no white space, byte order mark or quotes round it`);
}
