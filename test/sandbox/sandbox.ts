import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/core/database/open.ts';
import { ENDPOINTS, type EndpointName, endpointPath } from '../../src/core/partner-api/endpoints.ts';
import { authHeaders, type Credentials } from '../../src/core/partner-api/signature.ts';
import type { Habits } from '../../src/sandbox/habits/decisions.ts';
import { type Operator, openOperator } from '../../src/sandbox/operator/operator.ts';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { SANDBOX_MIGRATIONS, type SandboxSchema } from '../../src/sandbox/state/schema.ts';
import { checkAnswer } from './contract.ts';

/** Path of a database that does not exist yet. */
export function freshFile(): string {
  return join(mkdtempSync(join(tmpdir(), 'swapctl-sandbox-')), 'sandbox.db');
}

/** The service that requests are sent to, their key pair, and the habits and choices of that service. */
export interface Place {
  readonly habits?: Habits;
  readonly url: string;
  readonly credentials: Credentials;
}

/** A response of the sandbox. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
  readonly json: any;
}

/** Sends one signed request, with parameters as the query of a GET or as a JSON body, and checks the response. */
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

/** Posts a signed body to create-transaction unchanged, with additional headers. */
export async function postTo(
  { url, credentials }: Place,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const signed = authHeaders('create-transaction', credentials);
  const all = { 'content-type': 'application/json', ...signed, ...headers };
  return readAnswer(
    await fetch(new URL(endpointPath('create-transaction'), url), { method: 'POST', headers: all, body }),
  );
}

/** Reads a response as text and, if it is JSON, as a value. */
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

/** A query that prices 0.1 BTC in ETH at a floating rate. */
export const QUOTE = {
  amount: '0.1',
  coinFrom: 'BTC',
  coinTo: 'ETH',
  lastSource: 'deposit',
  typeSwap: '2',
} as const;

/** Opens the database of a sandbox directly. */
export const openState = (location: Parameters<typeof openDatabase>[0]) =>
  openDatabase<SandboxSchema>(location, SANDBOX_MIGRATIONS, { name: 'sandbox' });

/** Sends a request to the admin port of a sandbox. */
export async function admin(
  { adminUrl, adminToken }: Pick<RunningSandbox, 'adminUrl' | 'adminToken'>,
  method: string,
  path: string,
  body?: object,
): Promise<TestAnswer> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return readAnswer(await fetch(`${adminUrl}${path}`, { method, headers, ...sent }));
}

/** A `sleep` that lasts until `release`; `began` is fulfilled when it is first called. */
export function heldSleep() {
  let release = (): void => undefined;
  let begin = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const began = new Promise<void>((resolve) => (begin = resolve));
  const sleep = () => {
    begin();
    return held;
  };
  return { sleep, began, release: () => release() };
}

/** A clock that only `pass` moves. */
export interface TestClock {
  readonly now: () => number;
  /** Lets milliseconds pass. */
  pass(milliseconds: number): void;
}

/** A clock that starts at the beginning of 2026. */
export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let time = start;
  return { now: () => time, pass: (milliseconds) => (time += milliseconds) };
}

/** A sandbox with its operator and a clock that the test moves; `stop` closes both. */
export interface TestSandbox extends RunningSandbox {
  readonly habits?: Habits;
  readonly operator: Operator;
  readonly clock: TestClock;
  readonly database: string;
  stop(): Promise<void>;
}

/** Starts a sandbox for one test, without a rate limit unless the options have one. */
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
    operator,
    clock,
    database: all.database,
    stop: async () => {
      await operator.close();
      await sandbox.close();
    },
  };
}

/** Starts a sandbox that is stopped at the end of the current test. */
export async function sandboxForTest(options: Parameters<typeof testSandbox>[0] = {}): Promise<TestSandbox> {
  const sandbox = await testSandbox(options);
  onTestFinished(() => sandbox.stop());
  return sandbox;
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

/** The difference between two snapshots, or a snapshot and the current state, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON they expect.
export async function diffOf(operator: Operator, from: string, to: string | null): Promise<any> {
  return JSON.parse(JSON.stringify(await operator.snapshots.diff(from, to)));
}
