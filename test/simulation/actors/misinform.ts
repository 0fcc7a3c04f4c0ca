import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Transport } from '../../../src/core/client/transport.ts';
import { ownerOf } from '../../../src/core/ledger/entry.ts';
import type { EndpointName } from '../../../src/core/partner-api/endpoints.ts';
import { parseJson, withPlainNumbers } from '../../../src/core/partner-api/json.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { quotePair } from '../../../src/core/swaps/price.ts';
import { readConnection } from '../../../src/library/connection.ts';
import { createWithoutLedger } from '../../../src/library/create.ts';
import { readSwap } from '../../../src/library/status.ts';
import type { CreatedSwap, SwapDescription } from '../../../src/library/types.ts';
import {
  ANSWERS,
  type Edits,
  type Misinformed,
  NUMBERS,
  PASSED,
  SAME_URLS,
  UNUSABLE_URLS,
} from '../world/misinformed.ts';
import type { Program } from '../world/world.ts';
import { answerOf, clientFor } from './client.ts';
import type { Errand } from './desk.ts';
import { refundMistake } from './refund-tries.ts';
import { wireMistake } from './wire.ts';

const ENDPOINTS: Readonly<Record<Misinformed['about'], EndpointName>> = {
  quote: 'exchange-coin',
  create: 'create-transaction',
  status: 'get-transaction',
};

const PROFILE = { kind: 'remote', environment: 'sandbox' } as const;

/** A program without a ledger is given answers of which most are wrong in one part, and is written with mistakes. */
export const misinform: Errand = async ({ program }) => {
  const { process, world } = program;
  for (const answer of ANSWERS) {
    const report = await reportOf(program, answer);
    if (!answer.report.test(report))
      throw world.model.fail('misinformed', `${process.name}: ${wordsOf(answer)} becomes ${report}`);
  }
  const mistake =
    (await urlMistake(program)) ??
    (await secretMistake(program)) ??
    (await wireMistake(program)) ??
    (await refundMistake(program)) ??
    numberMistake();
  if (mistake !== null) throw world.model.fail('misinformed', `${process.name}: ${mistake}`);
};

/** A wrong base URL that is used, or one that counts as another service; null for none. */
async function urlMistake({ process: { account } }: Program): Promise<string | null> {
  for (const baseUrl of UNUSABLE_URLS) {
    const ended = await attempt(async () => readConnection({ baseUrl, ...account.credentials }));
    if (!(ended instanceof SwapctlError)) return `${baseUrl} is used`;
  }
  const { publicKey } = account.credentials;
  const accountsOf = (urls: readonly string[]) =>
    new Set(
      urls.flatMap((baseUrl) =>
        ['shop', 'store'].map((name) => ownerOf({ ...PROFILE, name, baseUrl, publicKey }).account),
      ),
    );
  const apart = SAME_URLS.find((urls) => accountsOf(urls).size > 1);
  return apart === undefined ? null : `of ${apart.join(' and ')}, one is another service`;
}

/** A secret that an error repeats, or that is sent; null for none. */
async function secretMistake({ ports, process: { account } }: Program): Promise<string | null> {
  for (const [passed, secret] of PASSED) {
    const ended = await attempt(() => createWithoutLedger(ports, { [passed]: 1 }));
    if (!(ended instanceof SwapctlError) || JSON.stringify(ended).includes(secret))
      return `a program passes ${passed} and gets ${JSON.stringify(ended)}`;
  }
  const asked = await attempt(() => readSwap(ports, account.credentials.secret));
  return asked instanceof SwapctlError && asked.code === 'usage'
    ? null
    : 'the secret is sent as an order number';
}

/** A number that is printed with other digits; null for none. */
function numberMistake(): string | null {
  for (const number of NUMBERS) {
    const text = `{"a":[${number}],"__proto__":{"b":null,"c":"1"}}`;
    const printed = JSON.stringify(
      withPlainNumbers(parseJson(text.replace(number, number.replaceAll('"', '')))),
    );
    if (printed !== text) return `${number} is printed as ${printed}`;
  }
  return null;
}

function wordsOf({ about, edits, instead }: Misinformed): string {
  return `an answer to a ${about} with ${JSON.stringify(instead ?? edits)}`;
}

/** What is reported of an answer. */
async function reportOf(program: Program, answer: Misinformed): Promise<string> {
  const { memoWaived: noMemo, tolerance: _, ...request } = answer.asked;
  const asked: EndpointName[] = [];
  const ended = await attempt(async () => {
    if (answer.about === 'quote') {
      const ports = portsFor(program, answer, asked);
      const { amount, receive, max } = await quotePair(ports, await ports.service(), answer.asked);
      return `${amount} pays ${receive}, at most ${max}`;
    }
    const isLater = answer.about === 'status';
    const first = isLater ? { ...answer, about: 'create' as const, edits: answer.createEdits } : answer;
    const created = await createWithoutLedger(portsFor(program, first, asked), { ...request, noMemo });
    const known = answer.isAlone ? created.order : created;
    if (!isLater) return lineOf(created);
    const seen = await readSwap(portsFor(program, answer, asked), known);
    // The service then answers again as at first, although the deposit was there.
    const again = await readSwap(portsFor(program, { ...first, about: 'status' }, asked), seen);
    const hasBegun = /^"?(?:1|3|4|5|6|1[0-3])"?$/.test(answer.edits['status'] ?? '');
    return hasBegun && again.fundable ? 'a swap that is fundable again' : lineOf(seen);
  });
  if (!(ended instanceof SwapctlError)) return ended;
  return `${ended.code} ${ended.outcome ?? ''} ${ended.message} ${ended.hint ?? ''}, after ${asked.length} requests`;
}

function lineOf({ fundable, status, final, doubts, receive }: SwapDescription | CreatedSwap): string {
  const state = `${fundable ? 'fundable' : 'unfundable'} ${status}${final ? ' final' : ''}`;
  return `paid ${receive.paidAmount} of ${receive.amount}\n${[state, 'doubts:', ...doubts].join(' ')}`;
}

/** The ports of a program whose service gives an answer. */
function portsFor(program: Program, answer: Misinformed, asked: EndpointName[]): Ports {
  const { ports } = program;
  const endpoint = ENDPOINTS[answer.about];
  const transport: Transport = async (request) => {
    asked.push(request.endpoint);
    const answered = await answerOf(program, request);
    if (request.endpoint !== endpoint) return answered;
    const { instead, edits } = answer;
    if (instead !== null)
      return { status: instead[0], text: instead[1], headers: {}, retryAfter: instead[2] ?? null };
    return { ...answered, text: edited(answered.text, edits) };
  };
  const environment = answer.isLive ? 'live' : 'sandbox';
  const listed = ({ deposit, ...coin }: Coin): Coin => ({
    ...coin,
    deposit: deposit.map((each) => (answer.isMemoListed ? { ...each, memoRequired: true } : each)),
  });
  return {
    ...ports,
    pairCoins: async (from, to) => (await ports.pairCoins(from, to)).map(listed),
    owner: async () => ({ ...(await ports.owner()), environment }),
    service: async () => {
      const service = await ports.service();
      return { ...service, environment, client: clientFor(ports, service, { transport }) };
    },
  };
}

/** An answer with other parts. */
export function edited(text: string, edits: Edits): string {
  const values = Object.values(edits);
  const body: unknown = JSON.parse(text);
  for (const [index, path] of Object.keys(edits).entries()) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>((part, key) => Reflect.get(Object(part), key), body);
    Reflect.set(Object(parent), last, values[index] === undefined ? undefined : `@${index}@`);
  }
  // The values are written as they stand: a number may have more digits than a double.
  return JSON.stringify(body).replace(/"@(\d+)@"/g, (_, index) => values[Number(index)] ?? 'null');
}
