import { writeJson } from '../partner-api/json.ts';
import { MESSAGES } from '../partner-api/messages.ts';
import { TYPE_SWAP } from '../partner-api/statuses.ts';
import type { Check } from './check.ts';
import { assumed, changing, documented, heldIf } from './check.ts';
import type { Probe } from './probe.ts';
import {
  invalid,
  invalidTexts,
  missingChoice,
  missingNumber,
  missingText,
  numberText,
  outOfBounds,
} from './refusals.ts';
import { NO_ADDRESS, NO_COIN, type OrderChange, orderRequest, outsideBounds, quoted } from './test-swap.ts';

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
