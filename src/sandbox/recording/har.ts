import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { SwapctlError, UsageError } from '../../base/errors.ts';
import { codeInBrackets, systemCode } from '../../base/files.ts';
import { echoed, isSecretName } from '../../base/text.ts';
import { rfc3339 } from '../../base/time.ts';
import { redactCall, redactText } from '../../core/partner-api/redact-call.ts';
import type { KnownSecrets } from '../../core/partner-api/redaction.ts';

/** Largest text of a body after decompression, in bytes. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

type Header = readonly [name: string, value: string];

interface Call {
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly Header[];
    readonly body: Buffer;
  };
  /** Null if nothing arrived. */
  readonly answer: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly Header[];
    /** As received, compressed or not; null if it was too large to keep. */
    readonly body: Buffer | null;
    readonly size: number;
  } | null;
  /** Why the response is incomplete, in a word; null if it is complete. */
  readonly lost: string | null;
  readonly at: number;
  readonly milliseconds: number;
}

const HAR_HEAD = '{"log":{"version":"1.2","creator":{"name":"swapctl","version":"1"},"entries":[';

const HAR_TAIL = '\n]}}\n';

/** What is secret in a recording: what the calls so far have shown, and the profile's own secret, however it is written. */
interface RecordedSecrets {
  readonly known: KnownSecrets;
  readonly redact: (text: string) => string;
}

/**
 * A call as an entry of a HAR 1.2 file, http://www.softwareishard.com/blog/har-12-spec/, without secrets: headers that
 * carry some are left out, and the rest is redacted as in the sandbox's request log. Also what is known to be secret from
 * now on.
 *
 * @param baseUrl of the service, below which the call's path is
 * @param credentials values of the client's headers that are secret
 */
export async function harEntry(
  call: Call,
  baseUrl: string,
  credentials: readonly string[],
  { known: before, redact }: RecordedSecrets,
): Promise<{ readonly entry: string; readonly known: KnownSecrets }> {
  const { request, answer, lost, at, milliseconds } = call;
  const posted = request.body.length === 0 ? null : textOf(request.body, request.headers);
  const answered = answer === null ? null : answerText(answer);
  const own = (text: string | null) => (text === null ? null : redact(text));
  const texts = { url: redact(request.target), body: own(posted), answer: own(answered) };
  const {
    path,
    query,
    body,
    answer: text,
    known,
  } = await redactCall({ ...texts, credentials, isEndpoint: false }, before);
  const clean = (each: string) => redactText(redact(each), known);
  const url = `${baseUrl}${path}${query === '' ? '' : `?${query}`}`;
  const headers = (all: readonly Header[]) =>
    all
      .filter(([name]) => !isSecretName(name))
      .map(([name, value]) => ({ name: clean(name), value: clean(value) }));
  const entry = JSON.stringify({
    startedDateTime: rfc3339(at),
    time: milliseconds,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers(request.headers),
      queryString: queryOf(url),
      postData:
        body === null ? undefined : { mimeType: headerOf(request.headers, 'content-type'), text: body },
      headersSize: -1,
      bodySize: request.body.length,
    },
    response: {
      status: answer?.status ?? 0,
      statusText: clean(answer?.statusText ?? ''),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers(answer?.headers ?? []),
      content: contentOf(answer, text),
      redirectURL: clean(headerOf(answer?.headers ?? [], 'location')),
      headersSize: -1,
      bodySize: answer?.size ?? -1,
      comment: lost === null ? undefined : `incomplete answer: ${lost}`,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  });
  return { entry, known };
}

/** @param text the response's, redacted; null if it has none */
function contentOf(answer: Call['answer'], text: string | null) {
  const mimeType = headerOf(answer?.headers ?? [], 'content-type');
  if (text !== null) return { size: Buffer.byteLength(text), mimeType, text };
  const comment = answer === null ? undefined : 'no text, or too large to keep';
  return { size: answer?.size ?? 0, mimeType, comment };
}

/** Body of an answer as text, decompressed; null if it is not text, or too large. */
export function answerText({ body, headers }: NonNullable<Call['answer']>): string | null {
  return body === null ? null : textOf(body, headers);
}

function textOf(bytes: Buffer, headers: readonly Header[]): string | null {
  const encoding = headerOf(headers, 'content-encoding').toLowerCase();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(plain(bytes, encoding));
  } catch {
    return null;
  }
}

function plain(bytes: Buffer, encoding: string): Buffer {
  const options = { maxOutputLength: MAX_TEXT_BYTES };
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, options);
  if (encoding === 'br') return brotliDecompressSync(bytes, options);
  return encoding === 'deflate' ? inflateSync(bytes, options) : bytes;
}

/** Value of a header, by its name in small letters; empty if it is not there. */
function headerOf(headers: readonly Header[], name: string): string {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}

function queryOf(url: string): { name: string; value: string }[] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return [...new URLSearchParams(url.slice(start + 1))].map(([name, value]) => ({ name, value }));
}

/** Maximum size of one recording, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Writing may take at most this part of the time: one in twenty. */
const REST_PER_WRITE = 19;

interface HarFileOptions {
  readonly path: string;
  /** A clock that only goes forward, in milliseconds. */
  readonly monotonic: () => number;
  /** Called once, where the rest of a recording is not kept. */
  readonly onFull: () => void;
}

/**
 * A HAR file that is whole at every moment: each new version replaces the old one atomically, so that a program
 * that is killed leaves the last one. A small file is written with every call, a large one less often, since writing
 * must not slow the calls.
 */
export class HarFile {
  readonly #options: HarFileOptions;
  readonly #entries: string[] = [];
  #kept = 0;
  #full = false;
  #pending = false;
  #nextAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #failure: SwapctlError | undefined;

  /** Creates the file, readable only by its owner. Throws UsageError if it exists, and `write_failed`. */
  constructor(options: HarFileOptions) {
    this.#options = options;
    try {
      writeFileSync(options.path, this.#text(), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (systemCode(error) === 'EEXIST')
        throw new UsageError(
          `${echoed(options.path)} already exists and is not overwritten.`,
          'Choose another file with -o.',
        );
      throw unwritable(options.path, error);
    }
  }

  /** Calls in the file. */
  get size(): number {
    return this.#entries.length;
  }

  get path(): string {
    return this.#options.path;
  }

  /** Removes the file, for a recording that never began. */
  discard(): void {
    rmSync(this.#options.path, { force: true });
  }

  add(entry: string): void {
    if (this.#full) return;
    if (this.#kept + entry.length > MAX_KEPT) {
      this.#full = true;
      this.#options.onFull();
      return;
    }
    this.#entries.push(entry);
    this.#kept += entry.length;
    this.#pending = true;
    const wait = this.#nextAt - this.#options.monotonic();
    if (wait <= 0) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), wait).unref();
  }

  /** Writes what is not yet written. Throws `write_failed` if the last version could not be written. */
  close(): void {
    clearTimeout(this.#timer);
    if (this.#pending) this.#write();
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(): void {
    this.#timer = undefined;
    const { path, monotonic } = this.#options;
    const started = monotonic();
    const temporary = `${path}.part`;
    try {
      // An existing file may be a link made by another user: it is removed, never followed.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, this.#text(), { flag: 'wx', mode: 0o600 });
      renameSync(temporary, path);
      this.#pending = false;
      this.#failure = undefined;
    } catch (error) {
      // Calls continue: the disk may have room again before the end.
      this.#failure = unwritable(path, error);
      rmSync(temporary, { force: true });
    }
    this.#nextAt = monotonic() + (monotonic() - started) * REST_PER_WRITE;
  }

  #text(): string {
    const lines = this.#entries.map((entry) => `\n${entry}`).join(',');
    return `${HAR_HEAD}${lines}${HAR_TAIL}`;
  }
}

function unwritable(path: string, error: unknown): SwapctlError {
  return new SwapctlError('write_failed', `${echoed(path)} could not be written${codeInBrackets(error)}.`, {
    hint: 'Choose another file with -o.',
  });
}
