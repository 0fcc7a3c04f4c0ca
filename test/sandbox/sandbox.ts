import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/core/partner-api/endpoints.ts';
import { authHeaders, type Credentials } from '../../src/core/partner-api/signature.ts';
import type { Choices } from '../../src/sandbox/habits/choices.ts';
import type { Habits } from '../../src/sandbox/habits/decisions.ts';
import { type Operator, openOperator } from '../../src/sandbox/operator/operator.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { checkAnswer } from './contract.ts';

/** Path of a database that does not exist yet. */
export function freshFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'swapctl-sandbox-')), 'sandbox.db');
}

/** Where requests go, with which keys, and what the service there is known to do otherwise. */
export interface Place {
  readonly habits?: Habits;
  readonly choices?: Choices;
  readonly url: string;
  readonly credentials: Credentials;
}

/** An answer as the tests look at it. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
  readonly json: any;
}

/** Sends one signed request: parameters as the query of a GET, as the JSON body of others. */
export async function call(
  place: Place,
  endpoint: EndpointName,
  parameters: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const { method } = ENDPOINTS[endpoint];
  const url = new URL(endpointPath(endpoint), place.url);
  if (method === 'GET') {
    for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, String(value));
  }
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...authHeaders(endpoint, place.credentials), ...headers },
    ...(method === 'GET' ? {} : { body: JSON.stringify(parameters) }),
  });
  const answer = await readAnswer(response);
  checkAnswer(endpoint, answer.status, answer.json, place);
  return answer;
}

/** Reads an answer as text and, where it is some, as JSON. */
export async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** An Ethereum address that any sandbox pays. */
export const ETH_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A body that makes a float swap of 0.1 BTC to ETH. */
export const NEW_SWAP = {
  depositCoin: 'BTC',
  depositAmount: 0.1,
  depositNetwork: 'BTC',
  receiveAddress: ETH_ADDRESS,
  receiveCoin: 'ETH',
  receiveNetwork: 'ETH',
  typeSwap: 2,
  lastSource: 'deposit',
} as const;

/** A clock that moves only when a test says so. */
export interface TestClock {
  readonly now: () => number;
  /** Lets milliseconds pass. */
  pass(milliseconds: number): void;
}

/** A clock that stands at the beginning of 2026. */
export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let time = start;
  return {
    now: () => time,
    pass: (milliseconds) => {
      time += milliseconds;
    },
  };
}

/** A sandbox with its operator and a clock that the test moves; `stop` closes both. */
export interface TestSandbox extends RunningSandbox {
  readonly habits?: Habits;
  readonly choices?: Choices;
  readonly operator: Operator;
  readonly clock: TestClock;
  readonly database: string;
  stop(): Promise<void>;
}

/** Starts a sandbox for one test; nothing limits its rate unless the test asks for it. */
export async function testSandbox(
  options: Partial<SandboxOptions & { readonly database: string }> = {},
): Promise<TestSandbox> {
  const clock = testClock();
  const all = {
    database: freshFile(),
    now: clock.now,
    rateLimit: { count: 1_000_000, windowSeconds: 60 },
    ...options,
  };
  const sandbox = await startSandbox(all);
  const operator = await openOperator(all);
  return {
    ...sandbox,
    ...(options.habits === undefined ? {} : { habits: options.habits }),
    ...(options.choices === undefined ? {} : { choices: options.choices }),
    operator,
    clock,
    database: all.database,
    stop: async () => {
      await operator.close();
      await sandbox.close();
    },
  };
}

/** Makes a swap and returns its order number. */
export async function newOrder(
  place: Place,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await call(place, 'create-transaction', { ...NEW_SWAP, ...changes });
  if (answer.status !== 201) throw new Error(`no order: ${answer.status} ${answer.text}`);
  return answer.json.orderNumber;
}

/** Status code of a swap as its partner sees it. */
export async function statusOf(place: Place, order: string): Promise<number> {
  return (await call(place, 'get-transaction', { id: order })).json.status;
}

/** The whole difference between two states, as its JSON says it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
export async function diffOf(operator: Operator, from: string, to: string | null): Promise<any> {
  return JSON.parse(JSON.stringify(await operator.snapshots.diff(from, to)));
}
