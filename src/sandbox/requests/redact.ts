import { hasSeedPhrase } from '../../swap/addresses/phrases.ts';
import { keyInside, secretKind } from '../../swap/addresses/secrets.ts';
import type { Hidden } from './hidden.ts';
import type { LoggedRequest, SeenRequest } from './request.ts';
import { MAX_KEPT, REDACTED } from './request.ts';

/** Texts shorter than this are no secret by their form alone. */
const MIN_SECRET = 16;

/** Names whose values are nobody's business, in a query, a body or a text that is neither. */
const SECRET_NAME =
  /secret|signature|passw|passphrase|mnemonic|seed|token|credential|auth|private|(?:api|public|access)[-_]?key|^(?:key|sig|sign|pwd)$/i;
const ADDRESS_NAME = /address/i;
const ETHEREUM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** `name=value` and `"name":"value"`, where the text around it can be read no better. */
const NAMED = /(["']?)([\w.-]{1,64})\1(\s*[:=]\s*)("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&,;}"']+)/g;

interface Leaf {
  readonly name: string;
  readonly value: string;
}

/**
 * A request without secrets: the key pairs of the sandbox's partners, what its own headers of that kind say, signatures,
 * private keys and seed phrases, and every value whose name is that of a secret. Its texts are cut to what is kept.
 *
 * @param known key pairs of the sandbox's partners
 */
export async function withoutSecrets(
  request: SeenRequest,
  known: Hidden,
): Promise<Omit<LoggedRequest, 'id'>> {
  const { url, credentials, body, answer, ...rest } = request;
  const [path, query] = partsOf(url);
  // `Bearer abc` hides abc by itself too.
  let hidden = known.with(credentials.flatMap((value) => [value, ...value.split(/[\s;=]+/)]));
  const leaves = [...leavesOfQuery(query), ...leavesOfBody(body)];
  // Nobody but an operator chose the paths of endpoints.
  if (rest.endpoint === null) leaves.push(...leavesOfPath(path));
  const found = await secretsIn(leaves, hidden);
  hidden = hidden.with(found);
  const textOf = (text: string) => cut(redacted(text, hidden));
  return {
    ...rest,
    path: textOf(path),
    query: textOf(query),
    body: body === null ? null : cut(await redactedBody(body, hidden)),
    // An answer may repeat what was sent.
    answer: answer === null ? null : cut(hidden.takeOutOf(answer)),
  };
}

const SCHEME_AND_HOST = /^[a-z]+:\/\/[^/?#]*/i;

function partsOf(url: string): readonly [path: string, query: string] {
  const target = url.replace(SCHEME_AND_HOST, '');
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function leavesOfPath(path: string): readonly Leaf[] {
  return path.split('/').map((part) => ({ name: '', value: decoded(part) }));
}

function leavesOfQuery(query: string): readonly Leaf[] {
  return query.split('&').map((part) => {
    const mark = part.indexOf('=');
    return { name: decoded(part.slice(0, Math.max(0, mark))), value: decoded(part.slice(mark + 1)) };
  });
}

function leavesOfBody(body: string | null): readonly Leaf[] {
  const value = body === null ? undefined : parsed(body);
  return value === undefined ? [] : leavesOf(value);
}

/** All texts of a JSON value, and its names: a secret may stand in their place too. */
function leavesOf(value: unknown, name = ''): readonly Leaf[] {
  if (typeof value === 'string') return [{ name, value }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name));
  return Object.entries(value).flatMap(([key, member]) => [
    { name: '', value: key },
    ...leavesOf(member, SECRET_NAME.test(name) ? name : key),
  ]);
}

/** The values that are secrets. */
async function secretsIn(leaves: readonly Leaf[], hidden: Hidden): Promise<readonly string[]> {
  const found: string[] = [];
  for (const leaf of leaves) {
    const { value } = leaf;
    const isLong = value.length >= MIN_SECRET && !ETHEREUM_ADDRESS.test(value);
    if (isSecret(leaf, isLong, hidden) || (isLong && (await hasSeedPhrase(value)))) found.push(value);
  }
  return found;
}

function isSecret({ name, value }: Leaf, isLong: boolean, hidden: Hidden): boolean {
  if (value === '' || value === REDACTED) return false;
  if (name !== '' && SECRET_NAME.test(name)) return true;
  if (!isLong) return false;
  // A key by its form alone may be the address of some network.
  return hidden.isIn(value) || (ADDRESS_NAME.test(name) ? secretKind(value) : keyInside(value)) !== undefined;
}

/** A text without hidden ones and without values that are secrets by their name; none of it where that is not enough. */
function redacted(text: string, hidden: Hidden): string {
  const rest = hidden.takeOutOf(SECRET_NAME.test(text) ? withoutNamed(text) : text);
  return hidden.isIn(decoded(rest)) ? REDACTED : rest;
}

function withoutNamed(text: string): string {
  return text.replace(NAMED, (whole, quote: string, name: string, mark: string) =>
    SECRET_NAME.test(name) ? `${quote}${name}${quote}${mark}${quote}${REDACTED}${quote}` : whole,
  );
}

async function redactedBody(body: string, hidden: Hidden): Promise<string> {
  const text = redacted(body, hidden);
  if (parsed(body) === undefined) {
    const isUnsafe = keyInside(text) !== undefined || (await hasSeedPhrase(text));
    return isUnsafe ? REDACTED : text;
  }
  // What was taken out may have been written with escapes, and is then still there; so may have been its name.
  if (text === body && !body.includes('\\')) return text;
  const rest = parsed(text);
  const isUnsafe = rest === undefined || (await secretsIn(leavesOf(rest), hidden)).length > 0;
  return isUnsafe ? REDACTED : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** PostgreSQL takes no NUL in a text, and no text is longer than is kept. */
function cut(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  return clean.length > MAX_KEPT ? `${clean.slice(0, MAX_KEPT)}…` : clean;
}
