import { writeJson } from '../../partner-api/json.ts';
import { MESSAGES } from '../../partner-api/messages.ts';
import { STATUS_CODES, TYPE_SWAP } from '../../partner-api/statuses.ts';
import { sameAmount } from '../../swap/amount.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, changing, differs, documented, heldIf, heldIfNone, NotTestable } from './check.ts';
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
import { countAt, decimalAt, memberAt, textAt } from './reply.ts';
import { fits, hasJsonNumbers, TRANSACTION, TRANSACTION_READ } from './shape.ts';
import {
  ADDRESSES,
  madeOrder,
  NO_ADDRESS,
  NO_COIN,
  type OrderChange,
  orderRequest,
  outsideBounds,
  quoted,
} from './test-swap.ts';

const TOO_LARGE_BYTES = 64 * 1024;
const RFC_3339 = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const NO_FIELDS = { endpoint: 'create-transaction', body: '{}' } as const;
/** Not even this makes an order where types do not matter: the address is none. */
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

/** What create-transaction refuses, and an order that nobody funds, made and read. */
export function orderChecks(): Check[] {
  return changing([...refusalChecks(), ...madeChecks(), ...readChecks(), ...assumedChecks()]);
}

function refusalChecks(): Check[] {
  const texts = ['depositNetwork', 'receiveAddress', 'receiveCoin', 'receiveNetwork'].flatMap(missingText);
  return [
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
  ];
}

function refusedOrder(name: string, change: OrderChange, status: number, message: string) {
  return {
    name,
    expected: `${status} ${message}`,
    run: async (probe: Probe) => {
      const reply = await probe.ask(await orderRequest(probe, change));
      return heldIf(reply.status === status && reply.body['message'] === message, reply.words);
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

function madeChecks(): Check[] {
  return documented(
    'create-transaction',
    {
      name: 'fields of a new order',
      expected: 'the swap transaction',
      run: async (probe) => fits(await probe.ask(await orderRequest(probe)), TRANSACTION),
    },
    { name: 'what was asked for', expected: 'coins, networks, amount, type and address', run: echo },
    {
      name: 'an address to fund',
      expected: 'pairs.deposit.address',
      run: async (probe) => {
        const address = textAt((await madeOrder(probe)).reply.json, 'pairs.deposit.address');
        return heldIf(address !== undefined && address !== '', 'none');
      },
    },
    {
      name: 'status New',
      expected: `status ${STATUS_CODES.NEW}`,
      run: async (probe) => {
        const status = countAt((await madeOrder(probe)).reply.json, 'status');
        return heldIf(status === STATUS_CODES.NEW, `status ${status ?? 'unreadable'}`);
      },
    },
    {
      name: 'no createdAt yet',
      expected: 'createdAt in get-transaction alone',
      run: async (probe) => {
        const { reply } = await madeOrder(probe);
        return heldIf(reply.body['createdAt'] === undefined, 'createdAt is there');
      },
    },
    {
      name: 'no end yet',
      expected: 'empty swapTime.end and swapTime.duration',
      run: async (probe) => {
        const { reply } = await madeOrder(probe);
        const paths = ['swapTime.end', 'swapTime.duration'];
        return heldIfNone(paths.filter((path) => textAt(reply.json, path) !== '').map(notEmpty));
      },
    },
  );
}

function notEmpty(path: string): string {
  return `${path} is not empty`;
}

async function echo(probe: Probe): Promise<Verdict> {
  const { reply } = await madeOrder(probe);
  const { pair, figures } = await quoted(probe);
  const value = decimalAt(reply.json, 'pairs.deposit.coin.value');
  const address = textAt(reply.json, 'pairs.receive.address')?.toLowerCase();
  const same: Readonly<Record<string, boolean>> = {
    'type.typeSwap': countAt(reply.json, 'type.typeSwap') === TYPE_SWAP.float,
    'pairs.deposit.coin.name': textAt(reply.json, 'pairs.deposit.coin.name') === pair.from.coin,
    'pairs.deposit.coin.network': textAt(reply.json, 'pairs.deposit.coin.network') === pair.from.network,
    'pairs.deposit.coin.value': value !== undefined && sameAmount(value, figures.min),
    'pairs.receive.coin.name': textAt(reply.json, 'pairs.receive.coin.name') === pair.to.coin,
    'pairs.receive.coin.network': textAt(reply.json, 'pairs.receive.coin.network') === pair.to.network,
    'pairs.receive.address': address === ADDRESSES.payout.toLowerCase(),
  };
  return heldIfNone(Object.entries(same).flatMap(([path, is]) => (is ? [] : [`${path} is another`])));
}

/** The test order as get-transaction has it. */
async function readOrder(probe: Probe) {
  const { order, reply } = await madeOrder(probe);
  return { made: reply, read: await probe.ask({ endpoint: 'get-transaction', query: { id: order } }) };
}

function readChecks(): Check[] {
  return [
    ...documented(
      'get-transaction',
      {
        name: 'fields of an order',
        expected: 'the swap transaction with createdAt',
        run: async (probe) => fits((await readOrder(probe)).read, TRANSACTION_READ),
      },
      {
        name: 'the order that was made',
        expected: 'the same number, sides and addresses',
        run: async (probe) => {
          const { made, read } = await readOrder(probe);
          if (!read.ok) return differs(read.words);
          return heldIfNone(SAME_IN_BOTH.filter((path) => !sameAt(made.json, read.json, path)).map(another));
        },
      },
    ),
    ...assumed('get-transaction', 'times, duration', {
      name: 'form of createdAt',
      expected: 'RFC 3339, UTC, milliseconds',
      run: async (probe) => timeForm(textAt((await readOrder(probe)).read.json, 'createdAt')),
    }),
  ];
}

const SIDE_PATHS = ['coin.name', 'coin.network', 'coin.value', 'address', 'memo'];
const SAME_IN_BOTH = [
  'orderNumber',
  ...['deposit', 'receive'].flatMap((side) => SIDE_PATHS.map((path) => `pairs.${side}.${path}`)),
];

function another(path: string): string {
  return `${path} is another`;
}

function sameAt(a: Parameters<typeof memberAt>[0], b: typeof a, path: string): boolean {
  return writeJson([memberAt(a, path)]) === writeJson([memberAt(b, path)]);
}

function timeForm(text: string | undefined): Verdict {
  if (text === undefined) throw new NotTestable('no time to look at');
  return heldIf(RFC_3339.test(text), text === '' ? 'empty' : text);
}

function assumedChecks(): Check[] {
  return [
    ...assumed('create-transaction', 'numbers', {
      name: 'JSON numbers',
      expected: 'amounts and codes in JSON numbers',
      run: async (probe) => hasJsonNumbers((await madeOrder(probe)).reply, TRANSACTION),
    }),
    ...assumed('create-transaction', 'success code', {
      name: 'code of a success',
      expected: '201',
      run: async (probe) => {
        const { status } = (await madeOrder(probe)).reply;
        return heldIf(status === 201, String(status));
      },
    }),
    ...assumed('create-transaction', 'order number', {
      name: 'form of the order number',
      expected: 'six capitals',
      run: async (probe) => {
        const { order } = await madeOrder(probe);
        return heldIf(/^[A-Z]{6}$/.test(order), order);
      },
    }),
    ...assumed('create-transaction', 'times, duration', {
      name: 'form of swapTime.start',
      expected: 'RFC 3339, UTC, milliseconds',
      run: async (probe) => timeForm(textAt((await madeOrder(probe)).reply.json, 'swapTime.start')),
    }),
  ];
}
