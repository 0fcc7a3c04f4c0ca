import { type SwapctlError, UsageError } from '../../../../base/errors.ts';
import { echoed } from '../../../../base/text.ts';
import { rfc3339 } from '../../../../base/time.ts';
import { errorFromTransport } from '../../../../core/client/error-mapping.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  createTransport,
  HTTP_METHODS,
} from '../../../../core/client/transport.ts';
import { TransportError } from '../../../../core/client/transport-error.ts';
import { ENDPOINTS, isEndpointName } from '../../../../core/partner-api/endpoints.ts';
import { tryParseJson } from '../../../../core/partner-api/json.ts';
import { checkAmount } from '../../../../core/swap/amount.ts';
import { compareAnswer, shownSwap } from '../../../../core/swaps/lookup.ts';
import { setRefundAddress, swapToRefund } from '../../../../core/swaps/refund.ts';
import { refundsOnLedger } from '../../../../core/swaps/refund-records.ts';
import { submitApi } from '../../../../core/swaps/submit.ts';
import { REQUEST_TIMEOUT_MS } from '../../../../library/partner.ts';
import { orderJson } from '../../../../sandbox/operator/json.ts';
import type { Operator } from '../../../../sandbox/operator/operator.ts';
import type { CreateStep, PairStep, ScenarioService } from '../../../../sandbox/scenarios/step.ts';
import type { Context } from '../../../context.ts';
import { amountArgument, coinArgument } from '../../shared/arguments.ts';
import { contextAt, type LabService, makeSwap, passingLedger } from './connection.ts';

/** A service for the steps of a scenario, with what it has to close. */
export interface ClosableService extends ScenarioService {
  close(): Promise<void>;
}

type Tools = Awaited<ReturnType<typeof toolsAt>>;

/** What the steps of a scenario use; if the clock of the service is stopped, the context has its time. */
export async function toolsAt(
  context: Context,
  lab: LabService,
  operator: Operator | null,
  { isStopped }: { readonly isStopped: boolean },
) {
  // A service that runs is used under the policy of its account, and its creates count.
  const kept = isStopped ? await passingLedger() : { ledger: context.ledger, close: async () => undefined };
  const { baseUrl, credentials } = lab;
  const { signal } = context;
  let time = context.now();
  const own = { now: () => time, sleep: async () => undefined, random: () => 0.5 };
  const changes = { ledger: kept.ledger, ...(isStopped ? own : {}) };
  return {
    context: contextAt(context, lab, changes),
    /** Host and port of the service. */
    host: new URL(baseUrl).host,
    operator,
    /** Sends a request and returns the response, whatever its status. */
    transport: createTransport({ baseUrl, credentials, signal, timeoutMs: REQUEST_TIMEOUT_MS }),
    /** Sets the clock of the context to that of the service, and returns it. */
    tick: async () => {
      time = operator === null ? context.now() : (await operator.clock.read()).now;
      return time;
    },
    close: kept.close,
  };
}

/** The steps of a scenario as calls of the client and of the operator. */
export function serviceOf(tools: Tools): Omit<ClosableService, 'words' | 'isFatal' | 'close'> {
  const { context, tick } = tools;
  const operator = () => {
    if (tools.operator !== null) return tools.operator;
    throw new TypeError('A step needs an operator that was not opened.');
  };
  return {
    now: tick,
    quote: async (asked) => {
      const { client, profile, environment } = await context.service();
      const { from, to, amount, lastSource, type } = pairOf(asked);
      const quote = await client.quote({ from, to, amount, lastSource, type });
      return { ...quote, at: rfc3339(await tick()), profile, environment };
    },
    create: (asked) => createStep(context, tools.operator, asked),
    request: async ({ endpoint, method, query, body }) => {
      const asked = rawRequest(endpoint, method, query, body);
      const { status, text } = await answerTo(asked, tools);
      const json = tryParseJson(text);
      return { status, body: json === undefined ? text : json };
    },
    refund: async (order, address) => {
      const ports = refundsOnLedger(context);
      const found = await swapToRefund(ports, order);
      const set = await setRefundAddress(ports, found, { address, approval: null });
      if (set.ledgerError !== null) throw set.ledgerError;
      return { message: set.message, order: found.order, refundAddress: set.address };
    },
    swap: (order) => swapStep(context, order),
    deposit: async (order, amount) =>
      orderJson(await operator().orders.deposit(order, amount === undefined ? undefined : amountOf(amount))),
    move: async (order, verb) => orderJson(await operator().orders.move(order, verb)),
    advance: async (milliseconds) => {
      await operator().clock.advance(milliseconds);
    },
    fault: (rule) => operator().faults.add(rule),
    clearFaults: async () => ({ cleared: await operator().faults.clear() }),
  };
}

function pairOf({ from, to, amount, receive, type }: PairStep) {
  const lastSource = receive ? ('receive' as const) : ('deposit' as const);
  return { from: coinArgument(from), to: coinArgument(to), amount: amountOf(amount), lastSource, type };
}

function amountOf(text: string): string {
  return checkAmount(text).ok ? text : amountArgument(text);
}

async function createStep(context: Context, operator: Operator | null, asked: CreateStep) {
  const pair = pairOf(asked);
  const { address, memo, refundAddress, minReceive } = asked;
  const named = ({ coin, network }: typeof pair.from) => ({ coin, network: network ?? undefined });
  const sample =
    address === null ? await operator?.orders.sample(named(pair.from), named(pair.to)) : undefined;
  return makeSwap(context, {
    ...pair,
    refundAddress,
    minReceive,
    tolerance: null,
    memoWaived: false,
    address: address ?? sample?.address ?? '',
    memo: memo ?? sample?.memo ?? null,
  });
}

/** A swap as `status` shows it, with what the ledger of the run knows of it. */
async function swapStep(context: Context, order: string) {
  const [owner, ledger, service] = [await context.owner(), await context.ledger(), await context.service()];
  const entry = await ledger.byOrder(owner, order);
  const { value } = await service.client.transaction(order);
  const compared = await compareAnswer(context, service, entry, value);
  const { swap, doubts } = compared;
  if (entry !== null) await ledger.seen(owner, { swap, doubts, at: context.now() });
  return shownSwap(context, service, entry, compared);
}

function rawRequest(
  endpoint: string,
  method: string | null,
  query: Readonly<Record<string, string>>,
  body: string | null,
): ApiRequest {
  if (!isEndpointName(endpoint)) throw new UsageError(`Unknown endpoint ${echoed(endpoint)}.`);
  const known = HTTP_METHODS.find((each) => each === method);
  if (method !== null && known === undefined)
    throw new UsageError(`"method" is one of ${HTTP_METHODS.join(', ')}.`);
  // Services expect a body with these methods.
  const sent = body ?? (['POST', 'PATCH'].includes(known ?? ENDPOINTS[endpoint].method) ? '{}' : null);
  return {
    endpoint,
    ...(known === undefined ? {} : { method: known }),
    ...(sent === null ? { query } : { body: sent }),
  };
}

/** The response to a request, whatever its status; one that changes something passes the policy. */
async function answerTo(request: ApiRequest, tools: Tools): Promise<ApiAnswer> {
  const { transport, context, host } = tools;
  if ((request.method ?? ENDPOINTS[request.endpoint].method) !== 'GET') return submitChange(request, tools);
  try {
    return await transport(request);
  } catch (error) {
    if (error instanceof TransportError) throw errorFromTransport(error, host, context.signal);
    throw error;
  }
}

async function submitChange(request: ApiRequest, { context }: Tools): Promise<ApiAnswer> {
  const refused: ApiAnswer[] = [];
  const onFailure = (answer: ApiAnswer) => void refused.push(answer);
  try {
    return await submitApi(context, await context.service(), { request, approval: null, onFailure });
  } catch (error) {
    const [answer] = refused;
    if (answer === undefined) throw error;
    return answer;
  }
}

/** Whether an error of a step is not a response of the service, so that it ends the run. */
export function isOwnFault({ code }: SwapctlError): boolean {
  return code === 'storage_failed' || code === 'interrupted';
}
