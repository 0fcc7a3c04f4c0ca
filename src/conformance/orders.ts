import { TRANSACTION_AMOUNTS } from '../core/partner-api/habits.ts';
import { type JsonValue, writeJson } from '../core/partner-api/json.ts';
import { countAt, decimalAt, memberAt, textAt } from '../core/partner-api/json-path.ts';
import { STATUS_CODES, TYPE_SWAP } from '../core/partner-api/statuses.ts';
import { sameAmount } from '../core/swap/amount.ts';
import { assume, at, changing, check, differs, passIf, passIfNone, type Verdict } from './check.ts';
import { NotTestable, type Probe } from './probe.ts';
import { fits, hasJsonNumbers, TRANSACTION, TRANSACTION_READ } from './shape.ts';
import { ADDRESSES, madeOrder, orderRequest, quoted } from './test-swap.ts';

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
