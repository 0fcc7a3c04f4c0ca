import { writeJson } from '../partner-api/json.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import { TYPE_SWAP } from '../partner-api/statuses.ts';
import {
  assumed,
  type Check,
  changing,
  differs,
  documented,
  heldIf,
  heldIfNone,
  type Verdict,
} from './check.ts';
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
} from './refusals.ts';
import {
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
/** Creates no order even where types do not matter: the address is invalid. */
const TEXT_AMOUNT = {
  endpoint: 'create-transaction',
  body: writeJson({
    depositCoin: 'ETH',
    depositAmount: '1',
    depositNetwork: 'ETH',
    receiveAddress: NO_ADDRESS,
    receiveCoin: 'USDT',
    receiveNetwork: 'ETH',
    typeSwap: TYPE_SWAP.float,
    lastSource: 'deposit',
  }),
} as const;
const TOO_LARGE = {
  endpoint: 'create-transaction',
  body: writeJson({ memo: 'x'.repeat(TOO_LARGE_BYTES) }),
} as const;

/** Checks of the requests that create-transaction refuses. */
export function orderRefusalChecks(): Check[] {
  const texts = ['depositNetwork', 'receiveAddress', 'receiveCoin', 'receiveNetwork'].flatMap(missingText);
  return changing([
    ...documented(
      'create-transaction',
      invalid('no fields', NO_FIELDS),
      invalid('an amount that is text', TEXT_AMOUNT),
      bound('below the minimum', 'below', MESSAGES.BELOW_MINIMUM),
      bound('above the maximum', 'above', MESSAGES.ABOVE_MAXIMUM),
      refusedOrder(
        'an address that is none',
        { address: NO_ADDRESS },
        400,
        MESSAGES.INVALID_WITHDRAWAL_ADDRESS,
      ),
    ),
    ...assumed(
      'create-transaction',
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
      'create-transaction',
      'unknown pair or network',
      refusedOrder('an unknown coin', { depositCoin: NO_COIN }, 404, MESSAGES.NOT_FOUND),
    ),
    ...assumed('create-transaction', 'body size, header size', {
      name: 'a body over 64 KiB',
      expected: '413',
      run: async (probe) => {
        const reply = await probe.ask(TOO_LARGE);
        return heldIf(reply.status === 413, reply.words);
      },
    }),
  ]);
}

function refusedOrder(name: string, change: OrderChange, status: number, message: string) {
  return {
    name,
    expected: `${status} ${message}`,
    run: async (probe: Probe) => {
      const reply = await probe.ask(await orderRequest(probe, change));
      const isSame = reply.status === status && reply.body['message'] === message;
      return heldIf(isSame, reply.words, reply.status === 422 ? 'unprocessable' : undefined);
    },
  };
}

function bound(name: string, which: 'below' | 'above', message: string) {
  return {
    name,
    expected: `400 ${message}`,
    run: async (probe: Probe) => {
      const amount = outsideBounds((await quoted(probe)).figures, which);
      return outOfBounds(await probe.ask(await orderRequest(probe, { amount })), message);
    },
  };
}

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
