import { isDeepStrictEqual } from 'node:util';
import { type Args, FILLER } from '../world/agents.ts';

/** A message of a server, as far as the model reads it. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Args;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Args;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
  };
}

/** What a call came to. */
export type End = 'asked' | 'created' | 'set' | 'refused' | 'read';

/** Longest text of the service that an agent is given, in a result and in an error, and of anything else. */
const MAX_TEXT = 200;
const MAX_MESSAGE = 500;
const MAX_SENTENCE = 2000;

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

/** What is wrong with any message for a host, in words; null if nothing is. */
export function messageProblem(message: Message): string | null {
  const { result = {} } = message;
  const texts = textsIn(message);
  const [first] = result.content ?? [];
  const json = first?.text.slice(first.text.indexOf('\n') + 1) ?? '';
  const data = json.startsWith('{') ? textsIn(JSON.parse(json)) : [];
  // Sentences of a form, and the statement before a result, stand in lines of their own.
  const lines = [...texts.flatMap((text) => text.split('\n')), ...data];
  const hidden = lines.find((line) => CONTROLS.test(line));
  if (hidden !== undefined) return `has a hidden character: ${JSON.stringify(hidden).slice(0, 200)}`;
  const most = FILLER.repeat(Math.ceil((result.isError === true ? MAX_MESSAGE : MAX_TEXT) / FILLER.length));
  if (texts.some((text) => text.includes(most))) return 'has a long text of the service';
  if (data.some((text) => text.length > MAX_SENTENCE)) return 'has a text of any length';
  const { content, structuredContent } = result;
  if (content === undefined || json.startsWith('{') === false) return null;
  if (!/data, never instructions/.test(first?.text.split('\n')[0] ?? '')) return 'is not marked as data';
  const isSame = structuredContent === undefined || isDeepStrictEqual(JSON.parse(json), structuredContent);
  return isSame ? null : 'says one thing as text and another one as data';
}

/** What a call came to. */
export function endOf({ error, result = {} }: Message): End {
  if (error !== undefined || result.isError === true) return 'refused';
  const { inputRequests, structuredContent = {} } = result;
  if (inputRequests !== undefined || structuredContent['approval'] !== undefined) return 'asked';
  if (structuredContent['replayed'] !== undefined) return 'created';
  return structuredContent['refundAddress'] !== undefined && structuredContent['status'] === undefined
    ? 'set'
    : 'read';
}

/** What a person is shown before anything is sent: a form, or what the agent is given to show. */
export function reviewIn({ result = {} }: Message): string {
  const [form] = Object.values(result.inputRequests ?? {});
  const review = result.structuredContent?.['review'];
  return form?.params.message ?? Object.values(review ?? {}).join('\n');
}

/** Where a request goes, in the words of a review. */
export interface Place {
  readonly environment: 'live' | 'sandbox';
  readonly host: string;
  /** The flag by which a person names the profile. */
  readonly flag: string;
}

/** A coin on its network, in the words of a review. */
function sideOf(given: unknown): string {
  const [coin, network = coin] = String(given).split(':');
  return `${coin} on ${network}`;
}

/** What a review lacks of its request, or says in its place; null for nothing. */
export function reviewProblem(review: string, args: Args, { environment, host }: Place): string | null {
  const { amount, from, to, address, memo, refundAddress } = args;
  const sides = { from: sideOf(from), to: sideOf(to) };
  const known = args['receive'] === true ? sides.to : sides.from;
  const parts = [
    ...Object.values(sides),
    `${amount} ${known}`,
    address,
    memo,
    refundAddress,
    environment,
    host,
  ];
  const missing = parts.find((part) => part !== undefined && !review.includes(String(part)));
  return missing === undefined ? null : `the review does not name ${missing}: ${review}`;
}

/** How a create that was sent is another one than the person was shown; null if it is not. */
export function sentProblem(body: string, review: string, args: Args): string | null {
  const sent = JSON.parse(body) as Args;
  const [coin, network = coin] = String(args['to']).split(':');
  const wanted: Args = {
    receiveAddress: args['address'],
    memo: args['memo'] ?? '',
    refundAddress: args['refundAddress'],
    receiveCoin: coin,
    receiveNetwork: network,
    depositCoin: args['from'],
    typeSwap: args['type'] === 'fixed' ? 1 : 2,
  };
  const wrong = Object.keys(wanted).find((key) => (sent[key] ?? '') !== (wanted[key] ?? ''));
  if (wrong !== undefined) return `${wrong} is sent as ${sent[wrong]} in place of ${wanted[wrong]}`;
  const [, amount] = /"depositAmount":([0-9.]+)/.exec(body) ?? [];
  return review === '' || review.includes(`${amount} ${args['from']}`)
    ? null
    : `${amount} is sent, of which nobody was shown`;
}

/**
 * What is wrong with an answer to a create: one that gives an agent the address of a deposit tells it who has to compare it,
 * and where; any other answer has no such address.
 */
export function createdProblem(
  message: Message,
  deposits: readonly string[],
  { flag }: Place,
): string | null {
  const { structuredContent = {} } = message.result ?? {};
  if (endOf(message) !== 'created') {
    const shown = deposits.find((address) => JSON.stringify(message).includes(address));
    return shown === undefined ? null : `the address ${shown} is in an answer that has no order`;
  }
  const { next, order } = structuredContent;
  const command = `\`swapctl status ${order} ${flag}\``;
  const isTold = /compare the deposit address/.test(String(next)) && String(next).includes(command);
  return isTold ? null : `an agent is given an address, and told: ${next}`;
}

/** The outcome of a refusal; null for none. */
export function outcomeOf({
  result = {},
}: Message): { code: string; outcome: string; message: string } | null {
  const text = result.content?.[0]?.text ?? '';
  const json = text.slice(text.indexOf('\n') + 1);
  return result.isError === true && json.startsWith('{') ? JSON.parse(json).error : null;
}
