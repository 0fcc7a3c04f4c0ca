import { listAt } from '../../../partner-api/json-path.ts';
import { VALIDATION_RULES, type ValidationTexts } from '../../habits/choices.ts';
import { ENDPOINT_FIELDS } from '../../http/fields.ts';
import { VALIDATION_TEXTS } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';

type Rule = keyof ValidationTexts;

/** How to tell the rule of a text, in this order. */
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
