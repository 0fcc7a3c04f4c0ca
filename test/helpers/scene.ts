import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Owner, ownerOf } from '../../src/core/ledger/entry.ts';
import { ENDPOINT_NAMES } from '../../src/core/partner-api/endpoints.ts';
import { sign } from '../../src/core/partner-api/signature.ts';
import { runProgram, type StartedRun, startProgram } from './program.ts';
import type { Run } from './run.ts';
import { type RanHere, type RunHere, runHere } from './run-here.ts';
import { runMain } from './run-main.ts';
import { ADDRESSES, type Plan, type SwapService, startSwapService } from './swap-service.ts';
import { words } from './words.ts';

/** The key pair of every scene. */
export const SECRET = 'sk-5f1e0c-never-to-be-shown';

/** What `history --json` says of one create. */
export interface HistoryLine {
  readonly outcome: string;
  readonly order: string | null;
  readonly idempotencyKey: string | null;
  readonly refundAddress: string | null;
  readonly status: string;
  readonly deposit: { readonly address: string | null; readonly amount: string | null };
}

/** A fresh home, a service, and the program between them. Every run is searched for secrets. */
export interface Scene {
  readonly home: string;
  readonly ledgerFile: string;
  readonly service: SwapService;
  /** Starts the built program. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): StartedRun;
  /** Runs the program in this process. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  /** The same with streams, clocks and signals of the test. */
  here(args: readonly string[], options?: RunHere): Promise<RanHere>;
  /** `create BTC ETH 0.1 … --yes --json --debug`, and what else is given. */
  create(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
  /** The same create as a process of its own. */
  startCreate(args?: readonly string[], env?: Readonly<Record<string, string>>): StartedRun;
  /** The same create as a process inside a bash script that runs it as `"$0" "$@"`. */
  createIn(shell: string): Promise<Run>;
  history(env?: Readonly<Record<string, string>>): Promise<readonly HistoryLine[]>;
}

/** Arguments of the create that most cases send. */
export const CREATE = words(`create BTC ETH 0.1 --address ${ADDRESSES.eth} --yes --json --debug`);

/** Sets a scene, lets the test act, and clears everything away; safe for tests that run side by side. */
export async function inScene(plan: Plan, act: (scene: Scene) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'swapctl-scene-'));
  const service = await startSwapService(plan);
  try {
    await act(sceneAt(home, service));
  } finally {
    await service.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** The environment in which a service is the profile. */
export function profileAt(url: string): Record<string, string> {
  return { SWAPCTL_BASE_URL: url, SWAPCTL_PUBLIC_KEY: 'pk-of-the-tests', SWAPCTL_SECRET: SECRET };
}

/** Whose swaps are those that {@link profileAt} makes. */
export function ownerAt(baseUrl: string): Owner {
  const pair = { baseUrl, publicKey: 'pk-of-the-tests', secret: SECRET, environment: 'sandbox' } as const;
  return ownerOf({ kind: 'remote', name: 'env', ...pair });
}

function sceneAt(home: string, service: SwapService): Scene {
  const start: Scene['start'] = (args, env = {}) => {
    const started = startProgram(args, { home, env: { ...profileAt(service.url), ...env } });
    return { ...started, ended: started.ended.then(withoutSecrets) };
  };
  const run: Scene['run'] = async (args, env = {}) =>
    withoutSecrets(await runMain(args, { home, env: { ...profileAt(service.url), ...env } }));
  return {
    home,
    ledgerFile: join(home, '.local', 'state', 'swapctl', 'ledger.db'),
    service,
    start,
    run,
    here: (args, { env, ...options } = {}) =>
      runHere(args, { home, ...options, env: { ...profileAt(service.url), ...env } }),
    create: (args = [], env) => run([...CREATE, ...args], env),
    startCreate: (args = [], env) => start([...CREATE, ...args], env),
    createIn: async (shell) => {
      const env = profileAt(service.url);
      return withoutSecrets(await runProgram(CREATE, { home, env, shell }));
    },
    history: async (env) => (await run(['history', '--json'], env)).json<HistoryLine[]>(),
  };
}

/** Fails where a run printed the secret or one of its signatures. */
export function withoutSecrets(run: Run): Run {
  const printed = `${run.stdout}${run.stderr}`.toLowerCase();
  const secrets = [SECRET, ...ENDPOINT_NAMES.map((name) => sign(name, SECRET))];
  expect(secrets.filter((secret) => printed.includes(secret.toLowerCase()))).toEqual([]);
  return run;
}
