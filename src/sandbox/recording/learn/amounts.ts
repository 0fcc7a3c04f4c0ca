import type { AmountField } from '../../../partner-api/habits.ts';
import { AMOUNT_FIELDS, HABITS } from '../../../partner-api/habits.ts';
import { isJsonNumber } from '../../../partner-api/json.ts';
import { PLAIN_DECISIONS } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import { memberAt } from './exchange.ts';
import type { Findings } from './result.ts';

const HAS_AMOUNTS: readonly string[] = ['exchange-coin', 'get-transaction', 'create-transaction'];

/** Learns which amounts are JSON text: all of them are a habit, some of them a decision. */
export class AmountsSeen {
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

  tell(findings: Findings): void {
    const point = 'habit text-amounts';
    const seen = [...this.#forms];
    const texts = seen.filter(([, forms]) => !forms.has('number')).map(([field]) => field);
    if (seen.length === 0) findings.lacks(point, 'swapctl quote <from> <to> <amount>');
    else if (texts.length === seen.length) {
      findings.habits.push('text-amounts');
      findings.saw(point, HABITS['text-amounts']);
    } else if (seen.every(([, forms]) => !forms.has('text')))
      findings.saw(point, `no: ${PLAIN_DECISIONS['text-amounts']}`);
    else if (texts.length > 0) {
      const words = texts.join(', ');
      findings.decides('amounts that are text', { name: 'textAmounts', value: texts, words, isPlain: false });
    }
    for (const [field, { size }] of seen)
      if (size > 1)
        findings.lacks(`form of ${field}`, 'some answers have text and others a number; no overlay has both');
  }
}
