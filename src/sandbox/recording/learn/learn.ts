import { UsageError } from '../../../errors.ts';
import { writeJson } from '../../../partner-api/json.ts';
import { someOf } from '../../../text.ts';
import { openApiDocument } from '../../http/openapi/openapi.ts';
import { answerCheck } from '../deviations.ts';
import type { HarEnd } from './entries.ts';
import { harEntries } from './entries.ts';
import { exchangeOf } from './exchange.ts';
import { Learner } from './learner.ts';
import type { Learned } from './result.ts';

/** Services of one recording that are told apart. */
const MAX_SERVICES = 20;

/** What a HAR file showed of one service. */
export interface LearnedFrom extends Learned {
  /** Base URL of the service. */
  readonly service: string;
  /** Its calls. */
  readonly calls: number;
  /** What is odd about the file. */
  readonly warnings: readonly string[];
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
  const end: HarEnd = { hasEntries: false, isWhole: false, tooLong: 0 };
  const check = answerCheck(JSON.parse(writeJson(openApiDocument())) as Readonly<Record<string, unknown>>);
  const learners = new Map<string, Learner>();
  for await (const entry of harEntries(chunks, end)) {
    const exchange = exchangeOf(entry);
    if (exchange === null || (host !== null && !isAt(exchange.service, host))) continue;
    const learner = learners.get(exchange.service) ?? new Learner(check);
    learners.set(exchange.service, learner);
    if (learners.size > MAX_SERVICES) throw several([...learners.keys()]);
    learner.see(exchange);
  }
  if (!end.hasEntries)
    throw new UsageError(
      'This is no HAR file: it has no list log.entries.',
      'Record one: swapctl sandbox record',
    );
  const [[service, learner] = []] = [...learners];
  if (service === undefined || learner === undefined)
    throw new UsageError(
      host === null
        ? 'The recording has no answered call of the partner API.'
        : `The recording has no answered call of the partner API to ${host}.`,
      'Its calls have /api/private/ in their path.',
    );
  if (learners.size > 1) throw several([...learners.keys()]);
  const warnings = [
    ...(end.isWhole ? [] : ['The file was cut off; what came before is used.']),
    ...(end.tooLong === 0 ? [] : [`${end.tooLong} entries were too long to be read.`]),
  ];
  return { service, calls: learner.calls, warnings, ...learner.result() };
}

function isAt(service: string, host: string): boolean {
  return service === host || (URL.canParse(service) && new URL(service).host === host);
}

function several(services: readonly string[]): UsageError {
  return new UsageError(
    `The recording has calls to several services: ${someOf(services)}.`,
    `Name the one to learn from: --host ${services[0] ?? ''}`,
  );
}
