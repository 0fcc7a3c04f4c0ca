import { MESSAGES } from '../partner-api/messages.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, differs, documented, heldIfNone } from './check.ts';
import type { Probe } from './probe.ts';
import { invalid, invalidTexts, missingText, refused } from './refusals.ts';
import { NO_ORDER } from './test-swap.ts';

const NO_ID = { endpoint: 'get-transaction', query: {} } as const;
const EMPTY_ID = { endpoint: 'get-transaction', query: { id: '' } } as const;

/** Checks of get-transaction's refusals; its fields are checked once an order exists. */
export function transactionChecks(): Check[] {
  return [
    ...documented(
      'get-transaction',
      refused(
        'an unknown order',
        { endpoint: 'get-transaction', query: { id: NO_ORDER } },
        { status: 404, message: MESSAGES.TRANSACTION_NOT_FOUND },
      ),
      invalid('no id', NO_ID),
      { name: 'what is said of no id', expected: 'null or undefined, a string, empty', run: idComplaints },
    ),
    ...assumed(
      'get-transaction',
      'validation texts',
      invalidTexts('texts for no id', NO_ID, missingText('id')),
      invalidTexts('text for an empty id', EMPTY_ID, ['id should not be empty']),
    ),
  ];
}

/** The document gives the meaning of the texts for a missing id, but not their wording. */
async function idComplaints(probe: Probe): Promise<Verdict> {
  const { body, words } = await probe.ask(NO_ID);
  const { message } = body;
  if (!Array.isArray(message)) return differs(words);
  const said = message.map(String).join('\n');
  const rules = { 'null or undefined': /null or undefined/i, 'a string': /string/i, empty: /empty/i };
  return heldIfNone(
    Object.entries(rules).flatMap(([rule, pattern]) => (pattern.test(said) ? [] : [`nothing of ${rule}`])),
  );
}
