import { SwapctlError } from '../../base/errors.ts';
import type { CreateIntent } from '../ledger/entry.ts';
import { TYPE_SWAP } from '../partner-api/statuses.ts';
import { checkAmount, plainDecimal } from '../swap/amount.ts';
import { type JsonNode, JsonSyntaxError, readJson } from '../swap/json-text.ts';

/** Fields of a create that a policy can read; any other could change what the service does. */
const CREATE_FIELDS: ReadonlySet<string> = new Set([
  'depositCoin',
  'depositNetwork',
  'depositAmount',
  'receiveCoin',
  'receiveNetwork',
  'receiveAddress',
  'typeSwap',
  'lastSource',
  'memo',
  'refundAddress',
]);

const REFUND_FIELDS: ReadonlySet<string> = new Set(['id', 'refundAddress']);

/** The create in the body of a raw request. Throws `policy_refused` if it lacks something that a policy needs. */
export function createInBody(body: string): CreateIntent {
  const fields = fieldsOf(body, CREATE_FIELDS);
  const text = (name: string) => textOf(fields, name) ?? missing(name);
  const type = fields.get('typeSwap');
  const typeText = type?.type === 'number' || type?.type === 'text' ? type.text : '';
  const rateType = (['fixed', 'float'] as const).find((each) => String(TYPE_SWAP[each]) === typeText);
  if (rateType === undefined) throw uncheckableBodyError('Its typeSwap is missing or unknown');
  if (textOf(fields, 'lastSource') !== 'deposit')
    throw uncheckableBodyError('Its lastSource is not deposit, so the service would compute the deposit');
  const amount = amountOf(fields.get('depositAmount'));
  return {
    deposit: { coin: text('depositCoin'), network: text('depositNetwork') },
    receive: { coin: text('receiveCoin'), network: text('receiveNetwork') },
    amount,
    asked: amount,
    lastSource: 'deposit',
    type: rateType,
    address: text('receiveAddress'),
    memo: textOf(fields, 'memo'),
    refundAddress: textOf(fields, 'refundAddress'),
    quoted: null,
    minReceive: null,
    leastReceive: null,
    depositMemoNeeded: false,
  };
}

/** The order and address in the body of a raw change of a refund address. Throws like {@link createInBody}. */
export function refundInBody(body: string): { readonly order: string; readonly address: string } {
  const fields = fieldsOf(body, REFUND_FIELDS);
  return {
    order: textOf(fields, 'id') ?? missing('id'),
    address: textOf(fields, 'refundAddress') ?? missing('refundAddress'),
  };
}

function fieldsOf(body: string, known: ReadonlySet<string>): ReadonlyMap<string, JsonNode> {
  const node = jsonOf(body);
  if (node.type !== 'object') throw uncheckableBodyError('Its body is not a JSON object');
  const unknown = node.fields.find(({ key }) => !known.has(key));
  if (unknown !== undefined) throw uncheckableBodyError('It has a field that swapctl does not know');
  return new Map(node.fields.map(({ key, value }) => [key, value]));
}

function jsonOf(body: string): JsonNode {
  try {
    return readJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw uncheckableBodyError(error.message.replace(/\.$/, ''));
    throw error;
  }
}

/** A text field; null if it is absent, null or empty. */
function textOf(fields: ReadonlyMap<string, JsonNode>, name: string): string | null {
  const node = fields.get(name);
  if (node === undefined || node.type === 'null') return null;
  if (node.type !== 'text') throw uncheckableBodyError(`Its ${name} is not a string`);
  if (node.text !== node.text.trim()) throw uncheckableBodyError(`Its ${name} has spaces around it`);
  return node.text === '' ? null : node.text;
}

function amountOf(node: JsonNode | undefined): string {
  const text = node?.type === 'number' || node?.type === 'text' ? node.text : '';
  const amount = plainDecimal(text) ?? '';
  if (!checkAmount(amount).ok) throw uncheckableBodyError('Its depositAmount is missing or invalid');
  return amount;
}

function missing(name: string): never {
  throw uncheckableBodyError(`Its ${name} is missing`);
}

function uncheckableBodyError(why: string): SwapctlError {
  return new SwapctlError('policy_refused', `The policy cannot judge this request. ${why}.`, {
    hint: 'Nothing was sent. Under a policy, a raw create must include coins, networks, amount, address, typeSwap, and lastSource set to deposit.',
  });
}
