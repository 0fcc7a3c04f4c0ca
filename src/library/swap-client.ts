import { describeNetworks, readNetworks } from '../client/coin-list.ts';
import { badResponse } from '../client/decode.ts';
import { UsageError } from '../errors.ts';
import { doubtsOf, findingsOf } from '../swap/agreement/agreement.ts';
import { checkedAddress } from '../swaps/destination.ts';
import { refuseSameSides } from '../swaps/pair.ts';
import { quotePair } from '../swaps/price.ts';
import { confirmedRefund } from '../swaps/refund.ts';
import { type Connection, connect } from './connection.ts';
import { agreementWith, createSwap, describe, readQuote } from './create.ts';
import { readCoin, readOrder, readText } from './input.ts';
import type { RefundAddressSet, SwapClient, SwapClientOptions, SwapDescription, SwapQuote } from './types.ts';

/**
 * A client of one service with one key pair. It writes no file, prints nothing and keeps nothing; of the environment it
 * reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Throws `usage`, `insecure_url` or `no_credentials` for unusable options.
 */
export function createSwapClient(options: SwapClientOptions): SwapClient {
  const connection = connect(options);
  const { client, pairCoins, coinList } = connection;
  return {
    coins: async () => (await coinList()).coins,
    networks: async (coin) => {
      const { code, lists } = await readNetworks(client, readCoin({ coin }, 'coin').coin, pairCoins);
      return describeNetworks(code, lists, await pairCoins(code, code));
    },
    quote: (request) => quoteSwap(connection, request),
    create: (request) => createSwap(connection, request),
    status: (order) => readSwap(connection, order),
    setRefundAddress: (order, address) => setRefundAddress(connection, order, address),
  };
}

async function quoteSwap(connection: Connection, request: unknown): Promise<SwapQuote> {
  const asked = readQuote(request);
  refuseSameSides(asked.from, asked.to);
  const quote = await quotePair(connection, connection, asked);
  const { environment, now } = connection;
  return { ...quote, at: new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'), environment };
}

async function readSwap(connection: Connection, given: string | SwapDescription): Promise<SwapDescription> {
  const earlier = typeof given === 'object' && given !== null ? readDescription(given) : null;
  const { value: swap } = await connection.client.transaction(readOrder(earlier?.order ?? given));
  const found = doubtsOf(await findingsOf(agreementWith(earlier, connection), swap));
  // What an earlier look doubted is part of what this one is compared with, and would look agreed.
  const doubts = [...new Set([...(earlier?.doubts ?? []), ...found])];
  const { refundAddress = null, asked = null } = earlier ?? {};
  return describe(connection, swap, { refundAddress, asked, doubts });
}

const SIDE_TEXTS = ['coin', 'network', 'amount', 'address', 'memo', 'txId'];

/** A swap that `create` or `status` returned, perhaps stored as JSON since. Throws `usage` for any other object. */
function readDescription(given: SwapDescription): SwapDescription {
  const { deposit, receive, doubts, asked, refundAddress, type, status } = given;
  const isText = (value: unknown) => value === null || typeof value === 'string';
  const isSide = (value: unknown) =>
    typeof value === 'object' && value !== null && SIDE_TEXTS.every((key) => isText(Reflect.get(value, key)));
  const isAsked = asked === null || (typeof asked === 'object' && typeof asked.deposit === 'string');
  const isList = Array.isArray(doubts) && doubts.every((code) => typeof code === 'string');
  if (isSide(deposit) && isSide(receive) && isAsked && isList && [refundAddress, type, status].every(isText))
    return given;
  throw new UsageError('"order" must be an order number, or a swap from create or status.');
}

async function setRefundAddress(
  { client, environment }: Connection,
  given: string,
  typed: string,
): Promise<RefundAddressSet> {
  const [order, wanted] = [readOrder(given), readText(typed, 'address')];
  const { value: swap, httpStatus } = await client.transaction(order);
  const { network } = swap.deposit;
  if (network === null) throw badResponse('it does not show the network of the deposit', httpStatus);
  const { address, warnings } = await checkedAddress({
    network,
    address: wanted,
    environment,
    what: 'refund',
  });
  const answered = await client.updateRefundAddress(order, address);
  const message = await confirmedRefund(answered, network, { order, address });
  return { order, refundAddress: address, message, environment, warnings };
}
