import { describeNetworks, readNetworks } from '../client/coin-list.ts';
import { restated, SwapctlError } from '../errors.ts';
import { judgedSwap } from '../swaps/lookup.ts';
import { refuseSameSides } from '../swaps/pair.ts';
import { quotePair } from '../swaps/price.ts';
import { type RefundRecords, setRefundAddress } from '../swaps/refund.ts';
import { rfc3339 } from '../time.ts';
import { type Connection, connect } from './connection.ts';
import { createWithoutLedger, readQuote } from './create.ts';
import { readCoin, readOrder, readText } from './input.ts';
import { readSwap, waitForSwap } from './status.ts';
import type { RefundAddressSet, SwapClient, SwapClientOptions, SwapQuote } from './types.ts';

/**
 * A client of one service with one key pair. It writes no file, prints nothing and keeps nothing; of the environment it
 * reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Throws `usage`, `insecure_url` or `no_credentials` for unusable options.
 */
export function createSwapClient(options: SwapClientOptions): SwapClient {
  const connection = connect(options);
  return {
    coins: (call) => forProgram(async () => (await connection.forCall(call).coinList()).coins),
    networks: (coin, call) =>
      forProgram(async () => {
        const { client, pairCoins } = connection.forCall(call);
        const { code, lists } = await readNetworks(client, readCoin({ coin }, 'coin').coin, pairCoins);
        return describeNetworks(code, lists, await pairCoins(code, code));
      }),
    quote: (request, call) => forProgram(() => quoteSwap(connection.forCall(call), request)),
    create: (request, call) => forProgram(() => createWithoutLedger(connection.forCall(call), request)),
    status: (order, call) => forProgram(() => readSwap(connection.forCall(call), order)),
    waitFor: (order, options) => forProgram(() => waitForSwap(connection, order, options)),
    setRefundAddress: (order, address, call) =>
      forProgram(() => setWithoutLedger(connection.forCall(call), order, address)),
  };
}

/** Runs a call. Its errors have no hints that name commands or flags, which only a person can follow. */
async function forProgram<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isForPerson = error instanceof SwapctlError && /`swapctl |(^| )--?[a-z]/.test(error.hint ?? '');
    throw isForPerson ? restated(error, error.message, { hint: undefined }) : error;
  }
}

async function quoteSwap(connection: Connection, request: unknown): Promise<SwapQuote> {
  const asked = readQuote(request);
  refuseSameSides(asked.from, asked.to);
  const quote = await quotePair(connection, connection, asked);
  const { environment, now } = connection;
  return { ...quote, at: rfc3339(now()).replace(/\.\d+Z$/, 'Z'), environment };
}

async function setWithoutLedger(
  connection: Connection,
  given: string,
  typed: string,
): Promise<RefundAddressSet> {
  const [order, wanted] = [readOrder(given), readText(typed, 'address')];
  const ports = { ...connection, refunds: withoutRecords(connection) };
  const set = await setRefundAddress(ports, order, {
    ...{ approval: null, address: async () => wanted, confirm: null },
  });
  const { address, message, warnings, service } = set;
  return { order, refundAddress: address, message, environment: service.environment, warnings };
}

/** Without a ledger there is no agreement or policy, and nothing is recorded. */
function withoutRecords(connection: Connection): RefundRecords {
  return {
    find: async (service, order) => {
      const answer = await service.client.transaction(order);
      return {
        order,
        entry: null,
        judged: await judgedSwap(connection, service, null, answer.value),
        answer,
      };
    },
    decision: async () => null,
    send: ({ client }, { order, address }) => client.updateRefundAddress(order, address),
    record: async () => null,
  };
}
