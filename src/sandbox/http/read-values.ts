import { ENDPOINTS, type EndpointName } from '../../core/partner-api/endpoints.ts';
import { isJsonNumber, isJsonObject, parseJson } from '../../core/partner-api/json.ts';
import { compareDecimals, plainDecimal, sameAmount, significantPlaces } from '../../core/swap/amount.ts';
import type { Decisions } from '../habits/decisions.ts';
import type { Field } from './fields.ts';
import type { AppContext } from './request-state.ts';
import { ruleText, ValidationError } from './responses.ts';

const BEYOND_ASCII = /%[89a-f]/i;
const LONE_PERCENT = /%(?![0-9a-f]{2})/gi;
// Strips a byte order mark, as other JSON parsers do.
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the parameters of a request and checks them against the fields of its endpoint. Throws ValidationError. */
export function readValues(
  endpoint: EndpointName,
  context: AppContext,
  { fields: all }: Pick<Decisions, 'fields'>,
): Values {
  const fields = all[endpoint];
  if (ENDPOINTS[endpoint].method === 'GET')
    return validate(fields, queryReader(context.env.incoming.url ?? ''), 'query');
  const body = parsedBody(textOf(context.get('body')));
  return validate(fields, (name) => (Object.hasOwn(body, name) ? body[name] : undefined), 'body');
}

function queryReader(url: string): (name: string) => unknown {
  const start = url.indexOf('?');
  const text = start < 0 ? '' : url.slice(start + 1);
  if (BEYOND_ASCII.test(text) && !isUtf8(text)) throw new ValidationError(['query must be valid UTF-8']);
  const query = new URLSearchParams(text);
  return (name) => {
    const given = query.getAll(name);
    return given.length > 1 ? given : given[0];
  };
}

/** Whether the percent-encoded bytes of a query are UTF-8; Node refuses bytes that a URL must not contain. */
function isUtf8(query: string): boolean {
  try {
    decodeURIComponent(query.replace(LONE_PERCENT, '%25'));
    return true;
  } catch {
    return false;
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ValidationError(['body must be valid UTF-8']);
  }
}

function parsedBody(text: string): Readonly<Record<string, unknown>> {
  let body: unknown = {};
  try {
    if (text !== '') body = parseJson(text);
  } catch {
    throw new ValidationError(['body must be valid JSON']);
  }
  if (isJsonObject(body)) return body;
  throw new ValidationError(['body must be a JSON object']);
}

const HALF_CHARACTER = /\p{Cs}/u;

/** Values of an endpoint's fields as text; numbers are plain decimals with all their digits. */
export type Values = ReadonlyMap<string, string>;

/**
 * Checks the parameters of a request against the fields of its endpoint. Names that no field has are ignored.
 * Throws ValidationError with every text that applies, in the order of the fields.
 *
 * @param raw query texts (a list where a name was given twice) or values of a JSON body whose numbers kept their digits
 * @param source in a query every value is text, so a number is looked for inside it
 */
function validate(fields: readonly Field[], raw: (name: string) => unknown, source: 'query' | 'body') {
  const values = new Map<string, string>();
  const wrong: string[] = [];
  for (const field of fields) {
    const given = raw(field.name);
    if (
      given === undefined ||
      given === null ||
      (given === '' && !field.required && field.type === 'string')
    ) {
      if (field.required) wrong.push(...missingTexts(field));
      else if (field.byDefault !== undefined) values.set(field.name, field.byDefault);
      continue;
    }
    const value = field.type === 'number' ? numberText(given, source) : plainText(given);
    const complaints = wrongTexts(field, value);
    if (complaints.length > 0) wrong.push(...complaints);
    else if (value !== undefined)
      values.set(field.name, field.type === 'decimal' ? (plainDecimal(value) ?? value) : value);
  }
  if (wrong.length > 0) throw new ValidationError(wrong);
  return values;
}

function missingTexts({ name, type, choices }: Field): readonly string[] {
  const missing = ruleText('missing', name);
  if (choices !== undefined) return [missing, choiceText(name, choices)];
  if (type === 'number') return [missing, ruleText('number', name)];
  return [missing, ruleText('string', name), ruleText('empty', name)];
}

function wrongTexts(field: Field, value: string | undefined): readonly string[] {
  const { name, choices } = field;
  if (choices !== undefined) {
    const isSame = field.type === 'number' ? sameAmount : Object.is;
    const fits = value !== undefined && choices.some((choice) => isSame(choice, value));
    return fits ? [] : [choiceText(name, choices)];
  }
  if (field.type === 'number')
    return value === undefined ? [ruleText('number', name)] : rangeTexts(field, value);
  if (value === undefined) return [ruleText('string', name)];
  if (value === '') return [ruleText('empty', name)];
  return field.type === 'decimal' && plainDecimal(value) === undefined ? [ruleText('number', name)] : [];
}

function rangeTexts({ name, upTo }: Field, value: string): readonly string[] {
  if (upTo === undefined) return [];
  if (significantPlaces(value) > 0) return [ruleText('number', name)];
  if (compareDecimals(value, '1') < 0) return [`${name} must not be less than 1`];
  return compareDecimals(value, String(upTo)) > 0 ? [`${name} must not be greater than ${upTo}`] : [];
}

function choiceText(name: string, choices: readonly string[]): string {
  return ruleText('choice', name).replace('{values}', choices.join(', '));
}

function plainText(given: unknown): string | undefined {
  // PostgreSQL refuses a NUL, and the two databases treat half a surrogate pair differently.
  return typeof given === 'string' && !given.includes('\0') && !HALF_CHARACTER.test(given)
    ? given
    : undefined;
}

function numberText(given: unknown, source: 'query' | 'body'): string | undefined {
  if (source === 'query') return typeof given === 'string' ? plainDecimal(given) : undefined;
  return isJsonNumber(given) ? plainDecimal(given.value) : undefined;
}
