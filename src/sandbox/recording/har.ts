import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
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

/**
 * A call as an entry of a HAR 1.2 file, http://www.softwareishard.com/blog/har-12-spec/, without secrets: headers that
 * carry some are left out, and the rest is redacted as in the sandbox's request log. Also what is known to be secret from
 * now on.
 *
 * @param baseUrl of the service, below which the call's path is
 * @param credentials values of the client's headers that are secret
 * @param secrets what the calls so far have shown to be secret, and what removes the profile's own, however it is written
 */
export async function harEntry(
  call: Call,
  baseUrl: string,
  credentials: readonly string[],
  secrets: { readonly known: KnownSecrets; readonly redact: (text: string) => string },
): Promise<{ readonly entry: string; readonly known: KnownSecrets }> {
  const { request, answer, lost, at, milliseconds } = call;
  const { known: before, redact } = secrets;
  const posted = request.body.length === 0 ? null : textOf(request.body, request.headers);
  const answered = answer === null ? null : answerText(answer);
  const own = (text: string | null) => (text === null ? null : redact(text));
  const texts = { url: redact(request.target), body: own(posted), answer: own(answered) };
  const redacted = await redactCall({ ...texts, credentials, isEndpoint: false }, before);
  const { path, query, body, known } = redacted;
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
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
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
      content: contentOf(answer, redacted.answer),
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

/** A HAR file that is whole after every call: an entry is written over the end of the document, and the end behind it. */
export class HarFile {
  readonly path: string;
  readonly #descriptor: number;
  /** Calls in the file. */
  size = 0;
  /** Position of the document's end, in bytes. */
  #end = HAR_HEAD.length;
  #failure: SwapctlError | undefined;

  /** Creates the file, readable only by its owner. Throws UsageError if it exists, and `write_failed`. */
  constructor(path: string) {
    this.path = path;
    try {
      this.#descriptor = openSync(path, 'wx', 0o600);
      writeSync(this.#descriptor, HAR_HEAD + HAR_TAIL);
    } catch (error) {
      if (systemCode(error) === 'EEXIST')
        throw new UsageError(
          `${echoed(path)} already exists and is not overwritten.`,
          'Choose another file with -o.',
        );
      throw unwritable(path, error);
    }
  }

  /** Removes the file, for a recording that never began. */
  discard(): void {
    this.close();
    rmSync(this.path, { force: true });
  }

  add(entry: string): void {
    const added = Buffer.from(`${this.size === 0 ? '' : ','}\n${entry}`);
    try {
      this.#writeEnd(added);
      this.#end += added.length;
      this.size += 1;
    } catch (error) {
      // Calls continue: the disk may have room again before the end.
      this.#failure = unwritable(this.path, error);
      this.#writeEnd(Buffer.alloc(0));
      ftruncateSync(this.#descriptor, this.#end + HAR_TAIL.length);
    }
  }

  /** Closes the file. Throws `write_failed` if a call could not be written. */
  close(): void {
    closeSync(this.#descriptor);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #writeEnd(added: Buffer): void {
    const bytes = Buffer.concat([added, Buffer.from(HAR_TAIL)]);
    if (writeSync(this.#descriptor, bytes, 0, bytes.length, this.#end) < bytes.length)
      throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
  }
}

function unwritable(path: string, error: unknown): SwapctlError {
  return new SwapctlError('write_failed', `${echoed(path)} could not be written${codeInBrackets(error)}.`, {
    hint: 'Choose another file with -o.',
  });
}
