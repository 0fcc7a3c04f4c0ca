import { ENDPOINTS, type EndpointName } from '../../../partner-api/endpoints.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../../../partner-api/json.ts';
import { listAt, memberAt } from '../../../partner-api/json-path.ts';
import { VALIDATION_RULES, type ValidationTexts } from '../../habits/choices.ts';
import { ENDPOINT_FIELDS } from '../../http/fields.ts';
import { CREATED_STATUS, OK_STATUS, VALIDATION_TEXTS } from '../../state/assumptions.ts';
import type { AnswerCheck } from '../deviations.ts';
import type { Exchange } from './exchange.ts';
import { type Findings, jsonNumber } from './result.ts';

type Rule = keyof ValidationTexts;

/** How to recognize the rule of a text, in this order. */
const WORDS: readonly (readonly [Rule, RegExp])[] = [
  ['choice', /one of|following|allowed|valid enum/i],
  ['empty', /empty|blank/i],
  ['number', /number|numeric|decimal|integer/i],
  ['missing', /null|undefined|required|missing|must be (?:given|present)/i],
  ['string', /string|text/i],
];

/** Learns the texts of validation errors. */
export class TextsSeen {
  readonly #templates = new Map<Rule, string>();
  /** Whether a text field was left out, which shows three of the rules. */
  #missingText = false;

  see({ endpoint, status, json, parameters }: Exchange): void {
    if (status !== 400) return;
    const texts = listAt(json, 'message').filter((text) => typeof text === 'string');
    const fields = ENDPOINT_FIELDS[endpoint];
    for (const text of texts) {
      const field = fields.find(({ name }) => new RegExp(`\\b${name}\\b`).test(text));
      if (field === undefined || text.length > 200) continue;
      const isMissing = !parameters.has(field.name);
      if (isMissing && field.required && field.type !== 'number' && field.choices === undefined)
        this.#missingText = true;
      const values = field.choices?.join(', ') ?? '';
      const named = text.replaceAll(new RegExp(`\\b${field.name}\\b`, 'g'), '{field}');
      const template = values === '' ? named : named.replaceAll(values, '{values}');
      const rule = ruleOf(template, field.choices !== undefined);
      // A limit that is too large has a text of its own.
      if (rule !== undefined && !/greater|less/.test(template) && !this.#templates.has(rule))
        this.#templates.set(rule, template);
    }
  }

  report(findings: Findings): void {
    const point = 'validation texts';
    if (this.#templates.size === 0) {
      findings.lacking(point, 'swapctl api get-transaction, without an id');
      return;
    }
    const seen = VALIDATION_RULES.flatMap((rule): [Rule, string][] => {
      const template = this.#templates.get(rule);
      if (template !== undefined) return [[rule, template]];
      return this.#missingText && (rule === 'missing' || rule === 'string' || rule === 'empty')
        ? [[rule, '']]
        : [];
    });
    const others = seen.filter(([rule, template]) => template !== VALIDATION_TEXTS[rule]);
    const unseen = VALIDATION_RULES.filter((rule) => !seen.some(([name]) => name === rule));
    const words = seen
      .map(([rule, template]) => `${rule}: ${template === '' ? 'none' : template}`)
      .join('; ');
    findings.decided(point, 'validationTexts', Object.fromEntries(others), {
      words,
      isPlain: others.length === 0,
    });
    if (unseen.length > 0) findings.lacking(`${point} for ${unseen.join(', ')}`, 'swapctl conformance');
  }
}

/** The rule of a text; for a field with fixed values it is about those, unless it says that the field is missing. */
function ruleOf(template: string, hasChoices: boolean): Rule | undefined {
  const rule = WORDS.find(([, pattern]) => pattern.test(template))?.[0];
  return hasChoices && rule !== 'missing' ? 'choice' : rule;
}

/** Learns which fields of the API document are missing, and which others there are. */
export class FieldsSeen {
  readonly #check: AnswerCheck;
  readonly #extra = new Map<EndpointName, Map<string, JsonValue>>();
  readonly #broken = new Set<string>();
  /** Whether there was the field of the habit `expired-at`. */
  #hasExpiry = false;

  /** @param check of answers against the OpenAPI document of the plain sandbox */
  constructor(check: AnswerCheck) {
    this.#check = check;
  }

  see({ endpoint, ok, text, json }: Exchange): void {
    if (!ok) return;
    const usual = { GET: OK_STATUS, POST: CREATED_STATUS, PATCH: OK_STATUS }[ENDPOINTS[endpoint].method];
    for (const { kind, path } of this.#check(endpoint, usual, text)) {
      if (kind === 'missing-field') this.#broken.add(`${endpoint}: ${path} is missing`);
      if (kind !== 'unknown-field') continue;
      if (path === 'expiredAt' && /transaction$/.test(endpoint)) {
        this.#hasExpiry = true;
        continue;
      }
      const fields = this.#extra.get(endpoint) ?? new Map<string, JsonValue>();
      this.#extra.set(endpoint, fields.set(path, emptied(firstAt(json, path.split('.')))));
    }
  }

  report(findings: Findings): void {
    for (const broken of this.#broken)
      findings.lacking(broken, 'the API document has it; no overlay removes a field');
    if (this.#extra.size === 0) {
      findings.found('undocumented fields', this.#hasExpiry ? 'none but expiredAt' : 'none');
      return;
    }
    const fields: JsonObject = {};
    for (const [endpoint, paths] of this.#extra) fields[endpoint] = Object.fromEntries(paths);
    const count = [...this.#extra.values()].reduce((sum, { size }) => sum + size, 0);
    findings.decided('undocumented fields', 'extraFields', fields, { words: String(count) });
  }
}

/** The first value at a path; `[]` after a name means the items of a list. */
function firstAt(at: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue | undefined {
  if (step === undefined) return at;
  if (!step.endsWith('[]')) return firstAt(memberAt(at, step), rest);
  const items = listAt(at, step.slice(0, -2)).map((item) => firstAt(item, rest));
  return items.find((item) => item !== undefined);
}

/** A value of the same type without its content, which may be about a customer. */
function emptied(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return '';
  if (isJsonNumber(value)) return jsonNumber(0);
  if (Array.isArray(value)) return [];
  if (typeof value === 'boolean') return false;
  return value === null || value === undefined ? null : {};
}
