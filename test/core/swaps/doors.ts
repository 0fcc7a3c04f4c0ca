import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { createSwapClient } from '../../../src/library/swap-client.ts';
import type { LedgerSwapClient, SwapClient } from '../../../src/library/types.ts';
import { type AgentOptions, startAgent } from '../../cli/commands/mcp/agent.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import { type Plan, type SwapService, startSwapService } from '../../helpers/swap-service.ts';

/** A home with a service. */
export interface Place {
  readonly home: string;
  readonly service: SwapService;
}

const open: SwapService[] = [];

afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

/** A fresh home with a service that answers by a plan, which is closed after the test. */
export async function placeWith(plan: Plan = {}): Promise<Place> {
  const service = await startSwapService(plan);
  open.push(service);
  return { home: await temporaryFolder(), service };
}

/** Runs a command line at a place. */
export const run = ({ home, service }: Place, args: readonly string[]) =>
  runHere(args, { home, env: profileAt(service.url) });

/** The code of an error. */
export const codeOf = (error: unknown) => (error instanceof SwapctlError ? error.code : String(error));

/** How setting or creating something ends: `done`, or the code of its error. */
const endOf = (work: Promise<unknown>, done: string): Promise<string> => work.then(() => done, codeOf);

function pairOf({ service: { url: baseUrl } }: Place) {
  const { SWAPCTL_PUBLIC_KEY: publicKey = '', SWAPCTL_SECRET: secret = '' } = profileAt(baseUrl);
  return { baseUrl, publicKey, secret };
}

/** What a program that uses the library without a ledger gets. */
export function inLibrary(place: Place, work: (client: SwapClient) => Promise<unknown>, done: string) {
  return endOf(work(createSwapClient(pairOf(place))), done);
}

/** What a program that uses the library with the ledger of the place gets. */
export async function inProgram(
  place: Place,
  work: (client: LedgerSwapClient) => Promise<unknown>,
  done: string,
): Promise<string> {
  const folder = join(place.home, '.local', 'state', 'swapctl');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const client = createSwapClient({ ...pairOf(place), ledger: join(folder, 'ledger.db') });
  return endOf(work(client), done).finally(() => client.close());
}

/** What a step of a scenario gets. */
export async function inLaboratory(place: Place, step: object, done: string): Promise<string> {
  const file = join(place.home, 'scenario.json');
  writeFileSync(file, JSON.stringify({ steps: [step] }));
  const { error } = await run(place, ['sandbox', 'run', file, '--against', place.service.url, '--json']);
  if (error === null) return done;
  return /It failed with (\w+):/.exec(error.message)?.[1] ?? `${error.code}: ${error.message}`;
}

/** What an agent gets for a call of a tool. */
export async function inMcp(
  { home, service }: Place,
  [tool, asked]: readonly [string, Readonly<Record<string, unknown>>],
  done: string,
  onForm?: AgentOptions['onForm'],
): Promise<string> {
  const form = onForm === undefined ? {} : { onForm };
  const { call, close } = await startAgent({ home, flags: {}, env: profileAt(service.url), ...form });
  const { isError, result } = await call(tool, asked);
  await close();
  if (result['approval'] !== undefined) return 'approval_required';
  return isError ? String(result['code']) : done;
}

/** A rule that requires an approval of nearly every swap. */
const BY = ['ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='];
export const APPROVE = { approve: { coin: 'BTC', above: '0.01', within: '15m', by: BY } };

/** Sets a policy with these rules. */
export async function under(place: Place, ...rules: readonly object[]): Promise<void> {
  const file = join(place.home, 'policy.json');
  writeFileSync(file, JSON.stringify({ version: 1, rules }));
  expect((await run(place, ['policy', 'set', file])).error).toBeNull();
}
