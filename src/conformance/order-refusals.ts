import { writeJson } from '../partner-api/json.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, at, changing, check, checkAnswer, differs, heldIfNone } from './check.ts';
import type { Probe } from './probe.ts';
import {
  invalid,
  invalidTexts,
  missingChoice,
  missingNumber,
  missingText,
  numberText,
  outOfBounds,
  refused,
  refusedAs,
} from './refusals.ts';
import {
  INVALID_ORDER,
  NO_ADDRESS,
  NO_COIN,
  NO_ORDER,
  type OrderChange,
  orderRequest,
  outsideBounds,
  quoted,
} from './test-swap.ts';

const TOO_LARGE_BYTES = 64 * 1024;
const NO_FIELDS = { endpoint: 'create-transaction', body: '{}' } as const;
const TEXT_AMOUNT = {
  endpoint: 'create-transaction',
  body: writeJson({ ...INVALID_ORDER, depositAmount: '1' }),
} as const;
const TOO_LARGE = {
  endpoint: 'create-transaction',
  body: writeJson({ memo: 'x'.repeat(TOO_LARGE_BYTES) }),
} as const;

/** Checks of the requests that create-transaction refuses. */
export function orderRefusalChecks(): Check[] {
  const texts = ['depositNetwork', 'receiveAddress', 'receiveCoin', 'receiveNetwork'].flatMap(missingText);
  return changing([
    ...at(
      'create-transaction',
      invalid('no fields', NO_FIELDS),
      invalid('an amount that is text', TEXT_AMOUNT),
      ...outOfBounds(async (probe, which) => {
        const amount = outsideBounds((await quoted(probe)).figures, which);
        return orderRequest(probe, { amount });
      }),
      refusedOrder('an invalid address', { address: NO_ADDRESS }, 400, MESSAGES.INVALID_WITHDRAWAL_ADDRESS),
      ...assumed(
        'validation texts',
        invalidTexts('texts for no fields', NO_FIELDS, [
          ...missingText('depositCoin'),
          ...missingNumber('depositAmount'),
          ...texts,
          ...missingChoice('typeSwap', '1', '2'),
          ...missingChoice('lastSource', 'deposit', 'receive'),
        ]),
        invalidTexts('text for an amount that is text', TEXT_AMOUNT, [numberText('depositAmount')]),
      ),
      ...assumed(
        'unknown pair or network',
        refusedOrder('an unknown coin', { depositCoin: NO_COIN }, 404, MESSAGES.NOT_FOUND),
      ),
      ...assumed(
        'body size, header size',
        checkAnswer('a body over 64 KiB', '413', TOO_LARGE, ({ status }) => status === 413),
      ),
    ),
  ]);
}

function refusedOrder(name: string, change: OrderChange, status: number, message: string) {
  return check(name, `${status} ${message}`, async (probe) =>
    refusedAs(await probe.ask(await orderRequest(probe, change)), { status, message }),
  );
}

const NO_ID = { endpoint: 'get-transaction', query: {} } as const;
const EMPTY_ID = { endpoint: 'get-transaction', query: { id: '' } } as const;

/** Checks of get-transaction's refusals; its fields are checked once an order exists. */
export function transactionChecks(): Check[] {
  return at(
    'get-transaction',
    refused(
      'an unknown order',
      { endpoint: 'get-transaction', query: { id: NO_ORDER } },
      { status: 404, message: MESSAGES.TRANSACTION_NOT_FOUND },
    ),
    invalid('no id', NO_ID),
    check('meaning of the texts for no id', 'null or undefined, a string, empty', idComplaints),
    ...assumed(
      'validation texts',
      invalidTexts('texts for no id', NO_ID, missingText('id')),
      invalidTexts('text for an empty id', EMPTY_ID, ['id should not be empty']),
    ),
  );
}

/** The document gives the meaning of the texts for a missing id, but not their wording. */
async function idComplaints(probe: Probe): Promise<Verdict> {
  const { body, words } = await probe.ask(NO_ID);
  const { message } = body;
  if (!Array.isArray(message)) return differs(words);
  const text = message.map(String).join('\n');
  const rules = { 'null or undefined': /null or undefined/i, 'a string': /string/i, empty: /empty/i };
  return heldIfNone(
    Object.entries(rules).flatMap(([rule, pattern]) => (pattern.test(text) ? [] : [`no text about ${rule}`])),
  );
}
