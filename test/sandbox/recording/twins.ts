import type { ApiRequest, Transport } from '../../../src/client/transport.ts';
import { requestUrl } from '../../../src/client/transport.ts';
import type { CheckResult } from '../../../src/conformance/check.ts';
import { checkThrough } from '../../../src/conformance/run.ts';
import { ENDPOINTS } from '../../../src/partner-api/endpoints.ts';
import { writeJson } from '../../../src/partner-api/json.ts';
import type { Credentials } from '../../../src/partner-api/signature.ts';
import { overlaid, readOverlay } from '../../../src/sandbox/overlay/overlay.ts';
import type { LearnedFrom } from '../../../src/sandbox/recording/learn/learn.ts';
import { learnFrom } from '../../../src/sandbox/recording/learn/learn.ts';
import { lyingTransport, sandboxApp } from '../../conformance/lying-app.ts';

/** A service that is reached through a transport. */
export interface Reached {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly baseUrl: string;
}

/** Everything that conformance finds, without the time that it would wait. */
export async function findingsOf({
  transport,
  credentials,
  baseUrl,
}: Reached): Promise<readonly CheckResult[]> {
  const time = { at: 0 };
  const { results } = await checkThrough(transport, {
    ...{ baseUrl, credentials, timeoutMs: null, write: true },
    signal: new AbortController().signal,
    now: () => time.at,
    monotonic: () => time.at,
    sleep: async (milliseconds) => {
      time.at += milliseconds;
    },
  });
  return results;
}

/** A transport that keeps each call as an entry of a HAR file. */
export function keeping({ transport, baseUrl }: Reached, entries: string[]): Transport {
  return async (request) => {
    const answer = await transport(request);
    const { method } = ENDPOINTS[request.endpoint];
    const headers = Object.entries(answer.headers).map(([name, value]) => ({ name, value: String(value) }));
    entries.push(
      JSON.stringify({
        request: { method, url: requestUrl(baseUrl, request).href, postData: { text: request.body } },
        response: { status: answer.status, headers, content: { text: answer.text } },
      }),
    );
    return answer;
  };
}

/** The whole coin list, as the client asks for it. */
export async function listCoins(transport: Transport, pages: number): Promise<void> {
  for (const method of ['1', '2'])
    for (let page = 1; page <= pages; page += 1) {
      const query = { method, page: String(page), limit: '100' };
      await transport({ endpoint: 'get-all-coins', query } satisfies ApiRequest);
    }
}

/** What the kept calls show. */
export function learnedFrom(entries: readonly string[], host: string | null = null): Promise<LearnedFrom> {
  return learnFrom(chunksOf(`{"log":{"version":"1.2","entries":[${entries.join(',')}]}}`), host);
}

/** A text as a file is read: in chunks that end anywhere. */
export async function* chunksOf(text: string, size = 65_537): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** A sandbox with the overlay that was learned, and its findings. */
export async function twinFindings({
  overlay,
}: Pick<LearnedFrom, 'overlay'>): Promise<readonly CheckResult[]> {
  const { catalogue, habits, choices } = overlaid(readOverlay(writeJson(overlay)), {});
  const app = await sandboxApp(habits, { catalogue, choices });
  const transport = lyingTransport(app, (answer) => answer);
  try {
    return await findingsOf({ transport, credentials: app.credentials, baseUrl: 'http://localhost' });
  } finally {
    await app.close();
  }
}

/** Findings to compare: their amounts move with the market, and order numbers are drawn. */
export function told(findings: readonly CheckResult[]): readonly string[] {
  return findings.map(({ endpoint, check, result, habit, found }) => {
    const words = found.replaceAll(/[0-9]+(?:\.[0-9]+)?/g, '#');
    return `${endpoint}: ${check}: ${result} ${habit ?? ''} ${words}`;
  });
}
