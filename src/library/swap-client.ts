import { resolve } from 'node:path';
import { actorOf } from '../base/environment.ts';
import { UsageError } from '../base/errors.ts';
import { rfc3339 } from '../base/time.ts';
import { describeNetworks, readNetworks } from '../core/client/coin-list.ts';
import { compareAnswer } from '../core/swaps/lookup.ts';
import { refuseSameSides } from '../core/swaps/pair.ts';
import type { Ports } from '../core/swaps/ports.ts';
import { quotePair } from '../core/swaps/price.ts';
import { type RefundRecords, setRefundAddress, swapToRefund } from '../core/swaps/refund.ts';
import { type CallRunner, CONNECTION_FIELDS, callRunner, readConnection } from './connection.ts';
import { createWithoutLedger, readQuote } from './create.ts';
import { fieldsOf, readBudget, readCoin, readOptionalText, readOrder, readText } from './input.ts';
import type { LedgerCalls, LedgerConnection } from './ledger-client.ts';
import { readSwap, waitForSwap } from './status.ts';
import type {
  ConfirmedRefundAddress,
  LedgerClientOptions,
  LedgerSwapClient,
  SwapClient,
  SwapClientOptions,
  SwapQuote,
} from './types.ts';

/**
 * A client of one service with one key pair. Of the environment it reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and it
 * prints nothing. Without a `ledger` it writes no file and keeps nothing. Throws `usage`, `insecure_url` or
 * `no_credentials` for unusable options.
 */
export function createSwapClient(options: LedgerClientOptions): LedgerSwapClient;
export function createSwapClient(options: SwapClientOptions): SwapClient;
export function createSwapClient(options: SwapClientOptions | LedgerClientOptions): SwapClient {
  const given = fieldsOf(options, 'options', [...CONNECTION_FIELDS, ...LEDGER_FIELDS]);
  const settings = readConnection(given);
  const within = callRunner(settings);
  const reads = readsOf(within);
  const ledger = readLedger(given);
  if (ledger !== null) return { ...reads, ...onLedger({ ...settings, ...ledger }) };
  return {
    ...reads,
    create: (request, call) => within(call, (ports) => createWithoutLedger(ports, request)),
    status: (order, call) => within(call, (ports) => readSwap(ports, order)),
    waitFor: (order, options) => waitForSwap(within, order, options),
    setRefundAddress: (order, address, call) =>
      within(call, (ports) => setWithoutLedger(ports, order, address)),
  };
}

/** The calls that need no ledger. */
function readsOf(within: CallRunner): Pick<SwapClient, 'coins' | 'networks' | 'quote'> {
  return {
    coins: (call) => within(call, async (ports) => (await ports.coinList()).coins),
    networks: (coin, call) =>
      within(call, async ({ service, pairCoins }) => {
        const wanted = readCoin({ coin }, 'coin').coin;
        const { code, lists } = await readNetworks((await service()).client, wanted, pairCoins);
        return describeNetworks(code, lists, await pairCoins(code, code));
      }),
    quote: (request, call) => within(call, (ports) => quoteSwap(ports, request)),
  };
}

const LEDGER_FIELDS = ['ledger', 'actor', 'budget'];
/** Who acts unless the program says so. */
const DEFAULT_ACTOR = 'library';

/** Where the ledger is, who uses it, and within which budget; null without a ledger. Throws `usage`. */
function readLedger({ ledger, actor, budget }: Readonly<Record<string, unknown>>) {
  if (ledger === undefined) {
    if (actor === undefined && budget === undefined) return null;
    throw new UsageError('"actor" and "budget" need a "ledger".');
  }
  const location = readText(ledger, 'ledger');
  if (location === '') throw new UsageError('"ledger" must be a file path or a postgres:// URL.');
  return {
    location: /^[a-z][a-z0-9+.-]+:\/\//i.test(location) ? location : resolve(location),
    actor: actorOf({ SWAPCTL_ACTOR: readOptionalText(actor, 'actor') ?? DEFAULT_ACTOR }),
    budget: readBudget(budget),
  };
}

/** The calls on a ledger. Their code is loaded with the first one: most programs have no ledger. */
function onLedger(connection: LedgerConnection): LedgerCalls {
  let calls: Promise<LedgerCalls> | null = null;
  const load = () => (calls ??= import('./ledger-client.ts').then((code) => code.ledgerCalls(connection)));
  return {
    create: async (request, call) => (await load()).create(request, call),
    status: async (order, call) => (await load()).status(order, call),
    waitFor: async (order, options) => (await load()).waitFor(order, options),
    setRefundAddress: async (order, address, options) =>
      (await load()).setRefundAddress(order, address, options),
    follow: async (handle, options) => (await load()).follow(handle, options),
    find: async (text, call) => (await load()).find(text, call),
    open: async (call) => (await load()).open(call),
    resolve: async (id, outcome, call) => (await load()).resolve(id, outcome, call),
    close: async () => {
      const closing = calls;
      calls = null;
      await (await closing)?.close();
    },
  };
}

async function quoteSwap(ports: Ports, request: unknown): Promise<SwapQuote> {
  const asked = readQuote(request);
  refuseSameSides(asked.from, asked.to);
  const service = await ports.service();
  const quote = await quotePair(ports, service, asked);
  const { environment } = service;
  return { ...quote, at: rfc3339(ports.now()).replace(/\.\d+Z$/, 'Z'), environment };
}

async function setWithoutLedger(ports: Ports, given: string, typed: string): Promise<ConfirmedRefundAddress> {
  const [order, wanted] = [readOrder(given), readText(typed, 'address')];
  const recording = { ...ports, refunds: withoutRecords(ports) };
  const found = await swapToRefund(recording, order);
  const set = await setRefundAddress(recording, found, { address: wanted, approval: null });
  const { address, message, warnings } = set;
  return { order, refundAddress: address, message, environment: found.service.environment, warnings };
}

/** Without a ledger there is no agreement or policy, and nothing is recorded. */
function withoutRecords(ports: Ports): RefundRecords {
  return {
    find: async (service, order) => {
      const answer = await service.client.transaction(order);
      const compared = await compareAnswer(ports, service, null, answer.value);
      return { order, entry: null, compared, answer };
    },
    decision: async () => null,
    send: ({ client }, { order, address }) => client.updateRefundAddress(order, address),
    record: async () => null,
  };
}
