import { ENDPOINTS, type EndpointName } from '../../../partner-api/endpoints.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../../../partner-api/json.ts';
import { listAt, memberAt } from '../../../partner-api/json-path.ts';
import { CREATED_STATUS, OK_STATUS } from '../../state/assumptions.ts';
import type { AnswerCheck } from '../deviations.ts';
import type { Exchange } from './exchange.ts';
import { type Findings, jsonNumber } from './result.ts';

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
