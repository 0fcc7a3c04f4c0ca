import { isSecretName, parsed, REDACTED } from '../../base/text.ts';
import { hasSeedPhrase } from '../swap/addresses/phrases.ts';
import { keyInside, secretKind } from '../swap/addresses/secrets.ts';
import type { KnownSecrets } from './redaction.ts';

/** A call with everything that the client sent. */
export interface SeenCall {
  /** Target of the request line. */
  readonly url: string;
  /** Null if there is none. */
  readonly body: string | null;
  readonly answer: string | null;
  /** Values of the credential headers, which are redacted wherever they occur. */
  readonly credentials: readonly string[];
  /** Whether the path is an endpoint of the API, which contains nothing that the client chose. */
  readonly isEndpoint: boolean;
}

export type RedactedCall = Awaited<ReturnType<typeof redactCall>>;

/** Minimum length of a text that counts as a secret by its form alone. */
const MIN_SECRET = 16;

const ADDRESS_NAME = /address/i;
const ETHEREUM_ADDRESS = /^0x[0-9a-f]{40}$/i;

interface Leaf {
  readonly name: string;
  readonly value: string;
}

/** Redacts a call: known secrets, credential headers, signatures, keys, seed phrases, values named like secrets. */
export async function redactCall(call: SeenCall, before: KnownSecrets) {
  const { url, credentials, body, answer, isEndpoint } = call;
  const [path, query] = partsOf(url);
  // From `Bearer abc`, abc alone is redacted too.
  const sent = before.with(credentials.flatMap((value) => [value, ...value.split(/[\s;=]+/)]));
  const leaves = [...leavesOfQuery(query), ...leavesOf(parsed(body ?? ''))];
  if (!isEndpoint) leaves.push(...path.split('/').map((part) => ({ name: '', value: decoded(part) })));
  const known = sent.with(await secretsIn(leaves, sent));
  return {
    path: redactText(path, known),
    /** Without the question mark; empty if there is none. */
    query: redactText(withoutNamedParameters(query), known),
    body: body === null ? null : await redactBody(body, known),
    // An answer may repeat what was sent; a hash in it is not a key.
    answer: answer === null ? null : known.redact(withoutNamedValues(answer)),
    known,
  };
}

/** Redacts known secrets and values with the name of a secret, or the whole text if that is not enough. */
export function redactText(text: string, known: KnownSecrets): string {
  const rest = known.redact(withoutNamedValues(text));
  return known.isIn(decoded(rest)) ? REDACTED : rest;
}

const SCHEME_AND_HOST = /^[a-z]+:\/\/[^/?#]*/i;

function partsOf(url: string): readonly [path: string, query: string] {
  const target = url.replace(SCHEME_AND_HOST, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function leavesOfQuery(query: string): readonly Leaf[] {
  return query.split('&').map((part) => {
    const mark = part.indexOf('=');
    return { name: decoded(part.slice(0, Math.max(0, mark))), value: decoded(part.slice(mark + 1)) };
  });
}

/** A query without the values of parameters with the name of a secret, encoded or not. */
function withoutNamedParameters(query: string): string {
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=');
    return value.length > 0 && isSecretName(decoded(name)) ? `${name}=${REDACTED}` : part;
  });
  return parts.join('&');
}

/** All texts of a JSON value, keys included. */
function leavesOf(value: unknown, name = ''): readonly Leaf[] {
  if (typeof value === 'string') return [{ name, value }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name));
  return Object.entries(value).flatMap(([key, member]) => [
    { name: '', value: key },
    ...leavesOf(member, isSecretName(name) ? name : key),
  ]);
}

async function secretsIn(leaves: readonly Leaf[], known: KnownSecrets): Promise<readonly string[]> {
  const found: string[] = [];
  for (const leaf of leaves) {
    const { value } = leaf;
    const isLong = value.length >= MIN_SECRET && !ETHEREUM_ADDRESS.test(value);
    if (isSecret(leaf, isLong, known) || (isLong && (await hasSeedPhrase(value)))) found.push(value);
  }
  return found;
}

function isSecret({ name, value }: Leaf, isLong: boolean, known: KnownSecrets): boolean {
  if (value === '' || value === REDACTED) return false;
  if (name !== '' && isSecretName(name)) return true;
  if (!isLong) return false;
  // Something in the form of a key may be an address of some network.
  return known.isIn(value) || (ADDRESS_NAME.test(name) ? secretKind(value) : keyInside(value)) !== undefined;
}

async function redactBody(body: string, known: KnownSecrets): Promise<string> {
  const text = redactText(body, known);
  if (parsed(body) === undefined) {
    const isUnsafe = keyInside(text) !== undefined || (await hasSeedPhrase(text));
    return isUnsafe ? REDACTED : text;
  }
  // A secret written with JSON escapes may still be there.
  if (text === body && !body.includes('\\')) return text;
  const rest = parsed(text);
  const isUnsafe = rest === undefined || (await secretsIn(leavesOf(rest), known)).length > 0;
  return isUnsafe ? REDACTED : text;
}

/** `name=value` and `name: value` in a text that is not JSON. */
const NAMED = /(["']?)([\w.-]{1,64})\1(\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&,;}"']+)/g;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;

function withoutNamedValues(text: string): string {
  // Most texts contain no such name; an escape may hide one.
  if (!isSecretName(text) && !/[%\\]/.test(text) && !/\b(?:key|sig|sign)\b/i.test(text)) return text;
  if (/^\s*[{[]/.test(text)) return withoutNamedMembers(text);
  return text.replace(NAMED, (whole, quote: string, name: string, mark: string) =>
    isSecretName(name) ? `${quote}${name}${quote}${mark}${quote}${REDACTED}${quote}` : whole,
  );
}

/** JSON, complete or truncated, with all texts and numbers under the name of a secret redacted. */
function withoutNamedMembers(json: string): string {
  const open: { readonly isObject: boolean; readonly isSecret: boolean }[] = [];
  let [isName, isSecret] = [false, false];
  return json.replace(JSON_TOKEN, (token) => {
    const parent = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ isObject: token === '{', isSecret: isSecret || parent?.isSecret === true });
      [isName, isSecret] = [token === '{', false];
    } else if (token === '}' || token === ']') {
      open.pop();
      [isName, isSecret] = [false, false];
    } else if (token === ',') [isName, isSecret] = [parent?.isObject === true, false];
    else if (token === ':') isName = false;
    else if (isName) isSecret = isSecretName(String(parsed(token) ?? token));
    else if ((isSecret || parent?.isSecret === true) && !/^(?:true|false|null|"")$/.test(token))
      return `"${REDACTED}"`;
    return token;
  });
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
