import { UsageError } from '../../../errors.ts';
import { AMOUNT_FIELDS, type AmountField, HABITS } from '../../../partner-api/habits.ts';
import { isJsonNumber, type JsonObject, writeJson } from '../../../partner-api/json.ts';
import { memberAt } from '../../../partner-api/json-path.ts';
import { parsed, someOf } from '../../../text.ts';
import { openApiDocument } from '../../http/openapi/openapi.ts';
import { PLAIN_DECISIONS } from '../../state/assumptions.ts';
import { type AnswerCheck, answerCheck } from '../deviations.ts';
import { CoinsSeen } from './coins.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { HabitsSeen } from './habits.ts';
import { LimitsSeen } from './limits.ts';
import { PointsSeen } from './points.ts';
import { QuotesSeen } from './quotes.ts';
import { Findings, type Learned } from './result.ts';
import { FieldsSeen, TextsSeen } from './texts.ts';

const MAX_SERVICES = 20;

/** What a HAR file showed of one service. */
export interface LearnedFrom extends Learned {
  readonly service: string;
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
        ? 'The recording has no call to the partner API with a response.'
        : `The recording has no call to the partner API at ${host} with a response.`,
      'Calls to the partner API have /api/private/ in their path.',
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

function isAt(service: string, host: string): boolean {
  return service === host || (URL.canParse(service) && new URL(service).host === host);
}

function several(services: readonly string[]): UsageError {
  return new UsageError(
    `The recording has calls to several services: ${someOf(services)}.`,
    `Choose one, such as --host ${services[0] ?? ''}`,
  );
}

/** Points that no recording shows. */
const UNSEEN = [
  ['payloads and the order of the checks', 'a recording has no credentials; swapctl conformance checks them'],
  ['confirmation and exchange times', 'no single call shows them; the plain sandbox is quick'],
  ['fees', 'they are part of the rate'],
] as const;

/** Learns how a service decides from its answers, one after the other; what it keeps of them is bounded. */
class Learner {
  readonly #coins = new CoinsSeen();
  readonly #quotes = new QuotesSeen();
  readonly #amounts = new AmountsSeen();
  readonly #habits = new HabitsSeen();
  readonly #texts = new TextsSeen();
  readonly #points = new PointsSeen();
  readonly #limits = new LimitsSeen();
  readonly #fields: FieldsSeen;
  #calls = 0;

  /** @param check of answers against the OpenAPI document of the plain sandbox */
  constructor(check: AnswerCheck) {
    this.#fields = new FieldsSeen(check);
  }

  get calls(): number {
    return this.#calls;
  }

  see(exchange: Exchange): void {
    this.#calls += 1;
    for (const part of [
      this.#coins,
      this.#quotes,
      this.#amounts,
      this.#habits,
      this.#texts,
      this.#points,
      this.#limits,
      this.#fields,
    ])
      part.see(exchange);
  }

  /** The overlay that answers as the service did, and what the calls did not show. */
  result(): Learned {
    const findings = new Findings();
    const prices = this.#quotes.prices(findings, this.#coins);
    const coins = this.#coins.report(findings, prices);
    const bounds = this.#quotes.bounds(findings, this.#coins);
    this.#amounts.report(findings);
    this.#habits.report(findings, this.#coins);
    for (const part of [this.#limits, this.#texts, this.#points, this.#fields]) part.report(findings);
    for (const [point, why] of UNSEEN) findings.lacking(point, why);
    if (this.#quotes.fixedCostsMore() === false)
      findings.decided(
        'a fixed rate',
        'fees',
        { fixed: '0.5', float: '1' },
        { words: 'gives more than a floating one' },
      );
    const { habits, decisions, learned, missing } = findings;
    const overlay: JsonObject = {
      ...(coins.length === 0 ? {} : { coins }),
      ...(bounds.length === 0 ? {} : { bounds }),
      habits,
      decisions,
    };
    return { overlay, learned, missing };
  }
}

const HAS_AMOUNTS: readonly string[] = ['exchange-coin', 'get-transaction', 'create-transaction'];

/** Learns which amounts are JSON text: all of them are a habit, some of them a decision. */
class AmountsSeen {
  readonly #forms = new Map<AmountField, Set<'text' | 'number'>>();

  see({ endpoint, ok, json }: Exchange): void {
    if (!ok || !HAS_AMOUNTS.includes(endpoint)) return;
    for (const field of AMOUNT_FIELDS) {
      const amount = memberAt(json, field);
      const isText = typeof amount === 'string' && amount !== '';
      if (!isText && !isJsonNumber(amount)) continue;
      const forms = this.#forms.get(field) ?? new Set();
      this.#forms.set(field, forms.add(isText ? 'text' : 'number'));
    }
  }

  report(findings: Findings): void {
    const point = 'habit text-amounts';
    const seen = [...this.#forms];
    const texts = seen.filter(([, forms]) => !forms.has('number')).map(([field]) => field);
    if (seen.length === 0) findings.lacking(point, 'swapctl quote <from> <to> <amount>');
    else if (texts.length === seen.length) {
      findings.habits.push('text-amounts');
      findings.found(point, HABITS['text-amounts']);
    } else if (seen.every(([, forms]) => !forms.has('text')))
      findings.found(point, `no: ${PLAIN_DECISIONS['text-amounts']}`);
    else if (texts.length > 0)
      findings.decided('amounts that are text', 'textAmounts', texts, { words: texts.join(', ') });
    for (const [field, { size }] of seen)
      if (size > 1)
        findings.lacking(
          `form of ${field}`,
          'some responses have text and others a number; an overlay cannot have both',
        );
  }
}
