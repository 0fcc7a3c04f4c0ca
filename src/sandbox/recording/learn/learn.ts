import { UsageError } from '../../../errors.ts';
import { writeJson } from '../../../partner-api/json.ts';
import { memberAt } from '../../../partner-api/json-path.ts';
import { someOf } from '../../../text.ts';
import { openApiDocument } from '../../http/openapi/openapi.ts';
import { answerCheck } from '../deviations.ts';
import { exchangeOf } from './exchange.ts';
import { Learner } from './learner.ts';
import type { Learned } from './result.ts';

/** Maximum number of services in one recording. */
const MAX_SERVICES = 20;

/** What a HAR file showed of one service. */
export interface LearnedFrom extends Learned {
  /** Base URL of the service. */
  readonly service: string;
  /** Its calls. */
  readonly calls: number;
}

/**
 * Learns from the calls of a HAR file.
 *
 * @param host of the service, where the file has several; null for the only one
 */
export async function learnFrom(
  chunks: AsyncIterable<Uint8Array>,
  host: string | null,
): Promise<LearnedFrom> {
  const check = answerCheck(JSON.parse(writeJson(openApiDocument())) as Readonly<Record<string, unknown>>);
  const learners = new Map<string, Learner>();
  for (const entry of await readEntries(chunks)) {
    const exchange = exchangeOf(entry);
    if (exchange === null || (host !== null && !isAt(exchange.service, host))) continue;
    const learner = learners.get(exchange.service) ?? new Learner(check);
    learners.set(exchange.service, learner);
    if (learners.size > MAX_SERVICES) throw several([...learners.keys()]);
    learner.see(exchange);
  }
  const [[service, learner] = []] = [...learners];
  if (service === undefined || learner === undefined)
    throw new UsageError(
      host === null
        ? 'The recording has no answered call of the partner API.'
        : `The recording has no answered call of the partner API to ${host}.`,
      'Such calls have /api/private/ in their path.',
    );
  if (learners.size > 1) throw several([...learners.keys()]);
  return { service, calls: learner.calls, ...learner.result() };
}

/** The list of calls. Throws a usage error for a file that was cut off, or is none of this kind. */
async function readEntries(chunks: AsyncIterable<Uint8Array>): Promise<readonly unknown[]> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const entries = memberAt<unknown>(parsed(new TextDecoder().decode(Buffer.concat(parts))), 'log.entries');
  if (Array.isArray(entries)) return entries;
  throw new UsageError(
    'This is not a complete HAR file: it has no list log.entries.',
    'Record one: swapctl sandbox record',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAt(service: string, host: string): boolean {
  return service === host || (URL.canParse(service) && new URL(service).host === host);
}

function several(services: readonly string[]): UsageError {
  return new UsageError(
    `The recording has calls to several services: ${someOf(services)}.`,
    `Choose one, such as --host ${services[0] ?? ''}`,
  );
}
