import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from '../../../../helpers/home.ts';
import { type RanHere, runHere } from '../../../../helpers/run-here.ts';

/** A `sandbox record` that runs in this process. */
export interface Recording {
  readonly url: string;
  /** The HAR file. */
  readonly file: string;
  readonly home: string;
  /** Standard output so far. */
  stdout(): string;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<RanHere>;
}

/** Records calls to a service until it is stopped. Throws what it ends with instead of listening. */
export async function recordHere(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Recording> {
  const home = await temporaryFolder();
  const file = join(home, 'calls.har');
  const stopping = new AbortController();
  let stdout = '';
  let ended: Promise<RanHere> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    ended = runHere(['sandbox', 'record', '--port', '0', '-o', file, ...args], {
      home,
      env,
      signal: stopping.signal,
      onOutput: (text) => {
        stdout = text;
        resolve(/(?:^recording on |"url":")([^\s"]+)/.exec(text)?.[1] ?? '');
      },
    });
    ended.then(({ error }) => reject(error), reject);
  });
  return {
    url,
    file,
    home,
    stdout: () => stdout,
    stop: async () => {
      stopping.abort();
      return (await ended) as RanHere;
    },
  };
}

/** Sends what `fetch` does not: any headers, and a path as it is. */
export function requestAs(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<{ readonly answer: IncomingMessage; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { ...headers, 'Content-Length': 0 } }, (answer) => {
      buffer(answer).then((bytes) => resolve({ answer, bytes }), reject);
    })
      .on('error', reject)
      .end();
  });
}
