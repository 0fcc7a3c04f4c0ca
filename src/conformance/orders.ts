import { TRANSACTION_AMOUNTS } from '../core/partner-api/habits.ts';
import { countAt, decimalAt, type JsonValue, memberAt, textAt, writeJson } from '../core/partner-api/json.ts';
import { MESSAGES } from '../core/partner-api/messages.ts';
import { STATUS_CODES, TYPE_SWAP } from '../core/partner-api/statuses.ts';
import { sameAmount } from '../core/swap/amount.ts';
import {
  assume,
  at,
  type Check,
  changing,
  check,
  differs,
  passIf,
  passIfNone,
  type Verdict,
} from './check.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';
import { invalid, refused } from './refusals.ts';
import { fits, hasJsonNumbers, REFUND_UPDATE, TRANSACTION, TRANSACTION_READ } from './shape.ts';
import { ADDRESSES, madeOrder, NO_ORDER, orderRequest, quoted } from './test-swap.ts';

const RFC_3339 = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

/** Checks of creating and reading an order that is never funded. */
export const ORDER_CHECKS = [
  ...at(
    'create-transaction',
    check('fields of a new order', 'the swap transaction', async (probe) =>
      fits(await probe.ask(await orderRequest(probe)), TRANSACTION),
    ),
    check('as requested', 'coins, networks, amount, type and address', echo),
    check('an address to fund', 'pairs.deposit.address', async (probe) => {
      const address = textAt((await madeOrder(probe)).reply.json, 'pairs.deposit.address');
      return passIf(address !== undefined && address !== '', 'none');
    }),
    check('status New', `status ${STATUS_CODES.NEW}`, async (probe) => {
      const status = countAt((await madeOrder(probe)).reply.json, 'status');
      return passIf(status === STATUS_CODES.NEW, `status ${status ?? 'unreadable'}`);
    }),
    check('no createdAt yet', 'createdAt only in get-transaction', async (probe) => {
      const { reply } = await madeOrder(probe);
      return passIf(reply.body['createdAt'] === undefined, 'createdAt is present');
    }),
    check('no end yet', 'empty swapTime.end and swapTime.duration', async (probe) => {
      const { reply } = await madeOrder(probe);
      const paths = ['swapTime.end', 'swapTime.duration'];
      return passIfNone(
        paths.flatMap((path) => (textAt(reply.json, path) === '' ? [] : [`${path} is not empty`])),
      );
    }),
  ),
  ...changing(
    at(
      'get-transaction',
      check('fields of an order', 'the swap transaction with createdAt', async (probe) =>
        fits((await readOrder(probe)).read, TRANSACTION_READ),
      ),
      check('the order as created', 'the same number, sides and addresses', async (probe) => {
        const { made, read } = await readOrder(probe);
        if (!read.ok) return differs(read.words);
        const valueAt = (json: JsonValue | undefined, path: string) => writeJson([memberAt(json, path)]);
        const others = SAME_IN_BOTH.filter((path) => valueAt(made.json, path) !== valueAt(read.json, path));
        return passIfNone(others.map((path) => `${path} differs`));
      }),
      assume('times, duration', 'form of createdAt', 'RFC 3339, UTC, milliseconds', async (probe) =>
        timeForm(textAt((await readOrder(probe)).read.json, 'createdAt')),
      ),
    ),
  ),
  ...at(
    'create-transaction',
    assume('numbers', 'JSON numbers', 'amounts and codes in JSON numbers', async (probe) =>
      hasJsonNumbers((await madeOrder(probe)).reply, TRANSACTION, TRANSACTION_AMOUNTS),
    ),
    assume('success code', 'code of a success', '201', async (probe) => {
      const { status } = (await madeOrder(probe)).reply;
      return passIf(status === 201, String(status));
    }),
    assume('order number', 'form of the order number', 'six capitals', async (probe) => {
      const { order } = await madeOrder(probe);
      return passIf(/^[A-Z]{6}$/.test(order), order);
    }),
    assume('times, duration', 'form of swapTime.start', 'RFC 3339, UTC, milliseconds', async (probe) =>
      timeForm(textAt((await madeOrder(probe)).reply.json, 'swapTime.start')),
    ),
  ),
];

async function echo(probe: Probe): Promise<Verdict> {
  const { reply } = await madeOrder(probe);
  const { pair, figures } = await quoted(probe);
  const value = decimalAt(reply.json, 'pairs.deposit.coin.value');
  const address = textAt(reply.json, 'pairs.receive.address')?.toLowerCase();
  const same: Readonly<Record<string, boolean>> = {
    'type.typeSwap': countAt(reply.json, 'type.typeSwap') === TYPE_SWAP.float,
    'pairs.deposit.coin.name': textAt(reply.json, 'pairs.deposit.coin.name') === pair.from.coin,
    'pairs.deposit.coin.network': textAt(reply.json, 'pairs.deposit.coin.network') === pair.from.network,
    'pairs.deposit.coin.value': value !== undefined && sameAmount(value, figures('minAmount')),
    'pairs.receive.coin.name': textAt(reply.json, 'pairs.receive.coin.name') === pair.to.coin,
    'pairs.receive.coin.network': textAt(reply.json, 'pairs.receive.coin.network') === pair.to.network,
    'pairs.receive.address': address === ADDRESSES.payout.toLowerCase(),
  };
  return passIfNone(Object.entries(same).flatMap(([path, is]) => (is ? [] : [`${path} differs`])));
}

async function readOrder(probe: Probe) {
  const { order, reply } = await madeOrder(probe);
  return { made: reply, read: await probe.ask({ endpoint: 'get-transaction', query: { id: order } }) };
}

const SIDE_PATHS = ['coin.name', 'coin.network', 'coin.value', 'address', 'memo'];
const SAME_IN_BOTH = [
  'orderNumber',
  ...['deposit', 'receive'].flatMap((side) => SIDE_PATHS.map((path) => `pairs.${side}.${path}`)),
];

function timeForm(text: string | undefined): Verdict {
  if (text === undefined) throw new NotTestable('no time to check');
  return passIf(RFC_3339.test(text), text === '' ? 'empty' : text);
}

const NO_FIELDS = { endpoint: 'update-refund-address', body: '{}' } as const;
const UNKNOWN_ORDER = {
  endpoint: 'update-refund-address',
  body: writeJson({ id: NO_ORDER, refundAddress: ADDRESSES.otherRefund }),
} as const;

/** Checks that need the payload accepted: the document does not name it, so another name is not an error. */
export function needingPayload(checks: readonly Check[]): Check[] {
  return checks.map((check) => ({
    ...check,
    run: async (probe) => {
      if (isPayloadRefused(await probe.ask(UNKNOWN_ORDER)))
        throw new NotTestable('the payload has another name');
      return check.run(probe);
    },
  }));
}

function isPayloadRefused({ status, body }: Reply): boolean {
  return status === 403 && body['message'] === MESSAGES.INVALID_PAYLOAD;
}

/** Checks of the test order's refund address, and of update-refund-address's refusals. */
export const REFUND_CHECKS = [
  ...needingPayload(
    at(
      'update-refund-address',
      check('fields of the answer', 'message, orderNumber, newRefundAddress', async (probe) =>
        fits((await updated(probe)).reply, REFUND_UPDATE),
      ),
      check('as requested', 'the order and its new address', async (probe) => {
        const { order, reply } = await updated(probe);
        if (!reply.ok) return differs(reply.words);
        const address = textAt(reply.json, 'newRefundAddress')?.toLowerCase();
        const same =
          textAt(reply.json, 'orderNumber') === order && address === ADDRESSES.otherRefund.toLowerCase();
        return passIf(same, 'a different order or address');
      }),
      refused('an unknown order', UNKNOWN_ORDER, { status: 404, message: MESSAGES.TRANSACTION_NOT_FOUND }),
      invalid('no fields', NO_FIELDS),
    ),
  ),
  ...at(
    'update-refund-address',
    assume(
      'payload for update-refund-address',
      'the payload',
      'update-refund-address is accepted',
      async (probe) => {
        const reply = await probe.ask(UNKNOWN_ORDER);
        return passIf(!isPayloadRefused(reply), reply.words);
      },
    ),
    assume(
      'refund address in which states',
      'message in state New',
      MESSAGES.REFUND_UPDATED,
      async (probe) => {
        const { reply } = await updated(probe);
        const message = textAt(reply.json, 'message');
        return passIf(reply.ok && message === MESSAGES.REFUND_UPDATED, message ?? reply.words);
      },
    ),
    assume('success code', 'code of a success', '200', async (probe) => {
      const { status } = (await updated(probe)).reply;
      return passIf(status === 200, String(status));
    }),
  ),
];

async function updated(probe: Probe): Promise<{ order: string; reply: Reply }> {
  const { order } = await madeOrder(probe);
  const body = writeJson({ id: order, refundAddress: ADDRESSES.otherRefund });
  return { order, reply: await probe.ask({ endpoint: 'update-refund-address', body }) };
}
