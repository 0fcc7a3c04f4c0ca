import { counted, isSecretName, shown, visible } from '../../../../base/text.ts';
import { rfc3339 } from '../../../../base/time.ts';
import { type Forwarded, startForwarding } from '../../../../core/client/forward.ts';
import {
  AUTH_HEADERS,
  ENDPOINTS,
  type EndpointName,
  isEndpointName,
  PATH_PREFIX,
} from '../../../../core/partner-api/endpoints.ts';
import { writeJson } from '../../../../core/partner-api/json.ts';
import { redactText } from '../../../../core/partner-api/redact-call.ts';
import { createRedactor, KnownSecrets } from '../../../../core/partner-api/redaction.ts';
import type { Service } from '../../../../core/swaps/ports.ts';
import { refuseUnderPolicy } from '../../../../core/swaps/submit.ts';
import { openApiDocument } from '../../../../sandbox/http/openapi/openapi.ts';
import { type AnswerCheck, answerCheck, type Deviation } from '../../../../sandbox/recording/deviations.ts';
import { answerText, HarFile, harEntry } from '../../../../sandbox/recording/har.ts';
import { announce, type Context } from '../../../context.ts';
import { untilAborted } from '../../../terminal/progress.ts';
import { type RecordedCall, recordedView } from '../views/recording.ts';

export interface RecordOptions {
  readonly port: number;
  /** File to write; by default one in this folder that is named after the time. */
  readonly output?: string;
  /** Whether requests that change something are forwarded. */
  readonly write?: boolean;
}

/** Maximum wait for the next byte of a response, in milliseconds. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Forwards calls until SIGINT or SIGTERM, then prints where they are stored. */
export async function record(
  context: Context,
  { port, output, write = false }: RecordOptions,
): Promise<void> {
  const { streams, signal } = context;
  if (write) await refuseUnderPolicy(context, 'record --write forwards requests that other programs sign');
  const service = await context.service();
  announce(context, service);
  const file = new HarFile(output ?? `swapctl-${rfc3339(context.now()).replace(/[:-]|\.\d+/g, '')}.har`);
  const keeper = createCallRecorder(context, service, file);
  const forwarding = await startForwarding({
    baseUrl: service.baseUrl,
    proxy: service.proxy,
    port,
    write,
    timeoutMs: context.flags.timeout ?? ANSWER_TIMEOUT_MS,
    now: context.now,
    monotonic: context.monotonic,
    onForwarded: keeper.keep,
  }).catch((error: unknown) => {
    file.discard();
    throw error;
  });
  try {
    const { url } = forwarding;
    if (streams.format === 'json') await streams.printLine({ url });
    else await streams.write(shown`recording on ${visible(url)}\n`);
    await untilAborted(signal);
  } finally {
    await forwarding.close();
    await keeper.settled();
    file.close();
    streams.note(`${counted(file.size, 'call')} in ${file.path}`, true);
  }
}

/** Reports calls and records those that were forwarded, one after the other; `settled` waits for every call so far. */
function createCallRecorder({ streams }: Context, service: Service, file: HarFile) {
  const redactor = createRedactor(service.credentials);
  const redact = (text: string) => redactor(text, true);
  const check = answerCheck(JSON.parse(writeJson(openApiDocument())) as Readonly<Record<string, unknown>>);
  let known = new KnownSecrets([service.credentials.publicKey]);
  const keep = async (forwarded: Forwarded): Promise<void> => {
    const { request, answer, failure, refused, at, milliseconds } = forwarded;
    const lost = failure?.kind ?? null;
    const call = { request, answer, lost, at, milliseconds };
    const redacted = await harEntry(call, service.baseUrl, credentialsIn(request.headers), { known, redact });
    known = redacted.known;
    if (refused === null) file.add(redacted.entry);
    const clean = (text: string) => redactText(redact(text), known);
    const endpoint = endpointOf(request.target);
    const recorded: RecordedCall = {
      at: rfc3339(at),
      method: request.method,
      endpoint,
      status: refused?.status ?? answer?.status ?? null,
      milliseconds,
      refused: refused?.message ?? null,
      lost,
      deviations: deviationsOf(check, endpoint, forwarded).map(({ kind, path, words }) => ({
        kind,
        path: clean(path),
        words: clean(words),
      })),
    };
    // Output that is no longer read is no reason to stop the recording.
    const write =
      streams.format === 'json' ? streams.printLine(recorded) : streams.print(recordedView(recorded));
    write.catch(() => undefined);
  };
  let last = Promise.resolve();
  return {
    keep: (forwarded: Forwarded) => {
      last = last.then(() => keep(forwarded)).catch(() => undefined);
    },
    settled: () => last,
  };
}

/** Values of headers that are secret; the payload is a word that everyone knows. */
function credentialsIn(headers: Forwarded['request']['headers']): readonly string[] {
  return headers
    .filter(([name]) => isSecretName(name) && name.toLowerCase() !== AUTH_HEADERS.payload)
    .map(([, value]) => value.trim());
}

function deviationsOf(
  check: AnswerCheck,
  endpoint: EndpointName | null,
  { request, answer, failure }: Forwarded,
): readonly Deviation[] {
  // The document describes one method of each endpoint.
  if (endpoint === null || answer === null || failure !== null) return [];
  if (ENDPOINTS[endpoint].method !== request.method) return [];
  return check(endpoint, answer.status, answerText(answer));
}

function endpointOf(target: string): EndpointName | null {
  const [path = ''] = target.split('?', 1);
  const name = path.startsWith(PATH_PREFIX) ? path.slice(PATH_PREFIX.length) : '';
  return isEndpointName(name) ? name : null;
}
