import type { ApiRequest, HttpMethod, Transport } from '../../client/transport.ts';
import { createTransport } from '../../client/transport.ts';
import type { Context } from '../../context.ts';
import { announce } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { isEndpointName } from '../../partner-api/endpoints.ts';
import type { JsonValue } from '../../partner-api/json.ts';
import { parseJson } from '../../partner-api/json.ts';
import { sandboxMemory } from '../../sandbox/memory.ts';
import type { Operator } from '../../sandbox/operator/operator.ts';
import { openOperator } from '../../sandbox/operator/operator.ts';
import type { ScenarioName } from '../../sandbox/orders/scenario-ends.ts';
import type { AskedCreate, AskedPair, ScenarioService } from '../../sandbox/scenarios/run.ts';
import type { Scenario, StepKind } from '../../sandbox/scenarios/scenario.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../sandbox/state/assumptions.ts';
import type { Profile } from '../../settings/profile.ts';
import { checkBaseUrl, isLoopback } from '../../settings/profile.ts';
import { checkAmount } from '../../swap/amount.ts';
import { orderResult } from '../../views/sandbox/sandbox.ts';
import { amountArgument, coinArgument } from '../shared/arguments.ts';
import { judgedSwap, profileOwner, shownSwap } from '../shared/lookup.ts';
import type { SandboxDatabase } from './database-flag.ts';
import type { LabPlace } from './laboratory.ts';
import { BUILT_IN, contextAt, makeSwap, passingLedger, REQUEST_TIMEOUT_MS } from './laboratory.ts';

/** A service for the steps of a scenario, with what it has to close. */
export interface OpenService extends ScenarioService {
  close(): Promise<void>;
}

/** A sandbox that a scenario begins. */
interface FreshSandbox {
  readonly seed: number;
  readonly scenario: ScenarioName | null;
  readonly magic: boolean;
  /** Where it is kept; undefined for a place that is gone with the run. */
  readonly database: SandboxDatabase;
}

/**
 * A sandbox of its own for one run: its seed and its standing clock make the same scenario give the same results. Throws
 * a UsageError for a database that something has happened in already.
 */
export async function freshService(context: Context, options: FreshSandbox): Promise<OpenService> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const database = options.database ?? sandboxMemory();
    const { scenario, magic, seed } = options;
    const settings = { database, seed, ...SEEDED_CLOCK, now: context.now, allowEmptyFile: true };
    const sandbox = await startSandbox({
      ...{ ...settings, magic, countsRequests: false },
      ...(scenario === null ? {} : { scenario }),
    });
    closers.push(() => sandbox.close());
    const operator = await openOperator(settings);
    closers.push(() => operator.close());
    await refuseUsed(operator);
    const { url: baseUrl, credentials, catalogue } = sandbox;
    const place = { baseUrl, credentials, catalogue, profile: BUILT_IN };
    const host = new URL(baseUrl).host;
    const tools = await toolsAt(context, place, operator, { standing: true });
    closers.push(tools.close);
    const words = ({ message }: SwapctlError) => message.replaceAll(host, 'the sandbox');
    return { ...serviceOf(tools), words, isFatal: isOwnFault, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function refuseUsed(operator: Operator): Promise<void> {
  const { orders, faults, clock } = await operator.info();
  if (orders === 0 && faults === 0 && clock.offset === 0 && clock.standsStill) return;
  throw new UsageError(
    `A scenario begins with an empty sandbox, and that at ${operator.location} is not.`,
    'Empty it with `swapctl sandbox reset --database …`, name another one, or leave --database out.',
  );
}

/**
 * A service that runs already. Steps of an operator act on its database: the built-in service's unless another is named.
 * Throws a UsageError for a live service, and for steps that cannot be taken, before anything is sent.
 */
export async function againstService(
  context: Context,
  scenario: Scenario,
  url: string,
  database: SandboxDatabase,
): Promise<OpenService> {
  const baseUrl = checkBaseUrl(url);
  if (scenario.scenario !== null || scenario.magic)
    throw new UsageError(
      'The file\'s "scenario" and "magic" are for a sandbox of its own, and --against names one that runs.',
      'Start that one with --scenario or --magic, and leave them out of the file.',
    );
  const known = await profileAt(context, baseUrl);
  const operator = await operatorFor(context, scenario, baseUrl, known, database);
  const profile = known ?? (await defaultProfile(baseUrl, operator));
  const secret = known === null ? (profile.secret ?? '') : await context.settings.secretOf(known);
  const { publicKey } = profile;
  const place = { baseUrl, credentials: { publicKey, secret }, catalogue: null, profile };
  const tools = await toolsAt(context, place, operator, { standing: false });
  await announce(tools.context, await tools.context.service());
  const words = ({ message }: SwapctlError) => message;
  return { ...serviceOf(tools), words, isFatal: isOtherFault, close: tools.close };
}

type Remote = Extract<Profile, { kind: 'remote' }>;

/** The profile of a base URL, the one in use first; null for none. Throws a UsageError for a live one. */
async function profileAt({ settings, flags }: Context, baseUrl: string): Promise<Remote | null> {
  const inUse = flags.profile === undefined ? null : await settings.profile();
  const names = [...(settings.deciding.length > 0 ? ['env'] : []), ...(await settings.names())];
  const others: Profile[] = [];
  for (const name of inUse === null ? names : []) others.push(await settings.named(name));
  const found = [...(inUse === null ? [] : [inUse]), ...others].find(
    (each): each is Remote => each.kind === 'remote' && each.baseUrl.replace(/\/+$/, '') === baseUrl,
  );
  if (found?.environment === 'live')
    throw new UsageError(
      `Profile ${found.name} is live, and scenarios make orders: they run against sandboxes alone.`,
      'Nothing was sent.',
    );
  if (found !== undefined) return found;
  if (inUse === null) return null;
  throw new UsageError(`Profile ${inUse.name} does not lead to ${baseUrl}.`, 'Nothing was sent.');
}

const OPERATOR_STEPS: ReadonlySet<StepKind> = new Set<StepKind>(['deposit', 'move', 'advance', 'fault']);

/** The operator of a service; null where none is needed. Throws a UsageError where its database is another one. */
async function operatorFor(
  context: Context,
  { steps }: Scenario,
  baseUrl: string,
  profile: Remote | null,
  database: SandboxDatabase,
): Promise<Operator | null> {
  const needing = steps.findIndex(
    ({ kind, body }) =>
      OPERATOR_STEPS.has(kind) ||
      (kind === 'create' && typeof body === 'object' && body['address'] === undefined),
  );
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  if (needing < 0 && (profile !== null || !isLocal)) return null;
  const cannot = (why: string) => {
    const step = needing < 0 ? 'It' : `Step ${needing + 1} (${steps[needing]?.kind})`;
    return new UsageError(
      `${step} needs the database of the sandbox at ${baseUrl}, and ${why}.`,
      'Name it with --database. Of a service that is no sandbox there is none. Nothing was sent.',
    );
  };
  if (!isLocal && database === undefined) throw cannot('none is named');
  const operator = await context.operator(database);
  const partners = await operator.listPartners();
  if (profile !== null && !partners.some(({ publicKey }) => publicKey === profile.publicKey))
    throw cannot(`${operator.location} does not know the key pair of profile ${profile.name}`);
  return operator;
}

/** The default partner of a sandbox on this machine, where no profile leads to it. */
async function defaultProfile(baseUrl: string, operator: Operator | null): Promise<Remote> {
  const [partner] = operator === null ? [] : await operator.listPartners();
  if (partner !== undefined && isLoopback(new URL(baseUrl).hostname)) {
    const { publicKey, secret } = partner;
    return {
      ...{ kind: 'remote', name: 'sandbox-run', source: 'the database of the sandbox', baseUrl },
      ...{ publicKey, secret, environment: 'sandbox' },
    };
  }
  throw new SwapctlError('no_credentials', `No profile leads to ${baseUrl}.`, {
    hint: 'Store its key pair: swapctl auth login --base-url <url>',
  });
}

interface Tools {
  readonly context: Context;
  readonly operator: Operator | null;
  /** Sends a request and gives its answer, whatever its status. */
  readonly transport: Transport;
  /** Sets the clock of the context to that of the service, and returns it. */
  readonly tick: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function toolsAt(
  context: Context,
  place: LabPlace,
  operator: Operator | null,
  { standing }: { readonly standing: boolean },
): Promise<Tools> {
  const kept = await passingLedger();
  const { baseUrl, credentials } = place;
  const { signal } = context;
  let time = context.now();
  const own = { now: () => time, sleep: async () => undefined, random: () => 0.5 };
  const changes = { ledger: kept.ledger, ...(standing ? own : {}) };
  return {
    context: contextAt(context, place, changes),
    operator,
    transport: createTransport({ baseUrl, credentials, signal, timeoutMs: REQUEST_TIMEOUT_MS }),
    tick: async () => {
      time = operator === null ? context.now() : (await operator.clock()).now;
      return time;
    },
    close: kept.close,
  };
}

function serviceOf(tools: Tools): Omit<OpenService, 'words' | 'isFatal' | 'close'> {
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
      return { ...quote, at: new Date(await tick()).toISOString(), profile, environment };
    },
    create: async (asked) => (await created(context, tools.operator, asked)).swap,
    request: async ({ endpoint, method, query, body }) => {
      const { status, text } = await tools.transport(rawRequest(endpoint, method, query, body));
      return { status, body: bodyOf(text) };
    },
    refund: async (order, address) => {
      const { value } = await (await context.service()).client.updateRefundAddress(order, address);
      return value;
    },
    swap: (order) => seen(context, order),
    deposit: async (order, amount) =>
      orderResult(await operator().deposit(order, amount === undefined ? undefined : amountOf(amount))),
    move: async (order, verb) => orderResult(await operator().move(order, verb)),
    advance: async (milliseconds) => {
      await operator().advanceClock(milliseconds);
    },
    fault: (rule) => operator().addFault(rule),
    clearFaults: async () => ({ cleared: await operator().clearFaults() }),
  };
}

function pairOf({ from, to, amount, receive, type }: AskedPair) {
  const lastSource = receive ? ('receive' as const) : ('deposit' as const);
  return { from: coinArgument(from), to: coinArgument(to), amount: amountOf(amount), lastSource, type };
}

function amountOf(text: string): string {
  return checkAmount(text).ok ? text : amountArgument(text);
}

async function created(context: Context, operator: Operator | null, asked: AskedCreate) {
  const pair = pairOf(asked);
  const { address, memo, refundAddress, minReceive } = asked;
  const named = ({ coin, network }: typeof pair.from) => ({ coin, network: network ?? undefined });
  const sample = address === null ? await operator?.sampleSwap(named(pair.from), named(pair.to)) : undefined;
  const made = await makeSwap(context, {
    ...{ ...pair, refundAddress, minReceive, tolerance: null, memoWaived: false },
    address: address ?? sample?.address ?? '',
    memo: memo ?? sample?.memo ?? null,
  });
  if (made.ledgerError !== null) throw made.ledgerError;
  return made;
}

/** A swap as `status` shows it, with what the ledger of the run knows of it. */
async function seen(context: Context, order: string) {
  const [owner, ledger, service] = [
    await profileOwner(context),
    await context.ledger(),
    await context.service(),
  ];
  const entry = await ledger.byOrder(owner, order);
  const { value } = await service.client.transaction(order);
  const judged = await judgedSwap(service, entry, value);
  const { swap, doubts } = judged;
  if (entry !== null) await ledger.seen(owner, { swap, doubts, at: context.now() });
  return shownSwap(context, service, entry, judged);
}

function rawRequest(
  endpoint: string,
  method: string | null,
  query: Readonly<Record<string, string>>,
  body: string | null,
): ApiRequest {
  if (!isEndpointName(endpoint)) throw new UsageError(`There is no endpoint ${endpoint.slice(0, 60)}.`);
  const known = METHODS.find((each) => each === method);
  if (method !== null && known === undefined)
    throw new UsageError(`"method" is one of ${METHODS.join(', ')}.`);
  return {
    endpoint,
    ...(known === undefined ? {} : { method: known }),
    ...(body === null ? { query } : { body }),
  };
}

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

function bodyOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function isOwnFault({ code }: SwapctlError): boolean {
  return code === 'storage_failed' || code === 'interrupted';
}

const NOT_THE_SCENARIO: ReadonlySet<string> = new Set([
  ...['network_error', 'timeout', 'no_credentials'],
  ...['invalid_public_key', 'invalid_payload', 'invalid_signature'],
]);

function isOtherFault(error: SwapctlError): boolean {
  return isOwnFault(error) || NOT_THE_SCENARIO.has(error.code);
}
