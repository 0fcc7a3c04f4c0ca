import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../../../core/client/client.ts';
import { fetchCoinList, findPair } from '../../../../core/client/coin-list.ts';
import { repeatNotice, requestLine } from '../../../../core/client/request-log.ts';
import { ownerOf } from '../../../../core/ledger/entry.ts';
import { openLedger } from '../../../../core/ledger/ledger.ts';
import type { SwapResult } from '../../../../core/ledger/swap-result.ts';
import type { Credentials } from '../../../../core/partner-api/signature.ts';
import type { AskedSwap } from '../../../../core/swaps/check.ts';
import { onLedger } from '../../../../core/swaps/create-records.ts';
import { createSwap } from '../../../../core/swaps/create-swap.ts';
import type { Service } from '../../../../core/swaps/ports.ts';
import type { RunningSandbox } from '../../../../sandbox/server.ts';
import { DEPOSIT_WINDOW_MS } from '../../../../sandbox/state/assumptions.ts';
import type { Context } from '../../../context.ts';
import { type Profile, SANDBOX_PROFILE } from '../../../settings/profile.ts';

/** Limit of one request, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000;

export const BUILT_IN: Profile = { kind: 'built-in', name: SANDBOX_PROFILE, environment: 'sandbox' };

/** Where the swaps of a sandbox are created: a service, and the profile under which they are recorded. */
export interface LabPlace {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly profile: Profile;
  /** Coins of the service, if it runs in this process. */
  readonly catalogue: RunningSandbox['catalogue'] | null;
}

/** A copy of a context whose service is that of a place; `changes` replace what else differs. */
export function contextAt(context: Context, place: LabPlace, changes: Partial<Context> = {}): Context {
  const at: Context = {
    ...context,
    profile: async () => place.profile,
    owner: async () => ownerOf(place.profile),
    service: async () => service,
    // The stored list is that of another service.
    coinList: () => fetchCoinList(service.client, context.now),
    pairCoins: async (from, to) => (await findPair(service.client, from, to)) ?? (await at.coinList()).coins,
    ...changes,
  };
  const service = serviceAt(at, place);
  return at;
}

function serviceAt(context: Context, { baseUrl, credentials, profile, catalogue }: LabPlace): Service {
  const client = createClient({
    ...{ baseUrl, credentials, proxy: null, timeoutMs: REQUEST_TIMEOUT_MS, signal: context.signal },
    ...{ now: context.now, monotonic: context.monotonic, sleep: context.sleep, random: context.random },
    get deadline() {
      return context.deadline();
    },
    ...(context.flags.debug === true
      ? { onRequest: (sent) => context.notify({ level: 'debug', text: requestLine(sent) }) }
      : {}),
    onRepeat: (error, delay) => context.notify({ level: 'debug', text: repeatNotice(error, delay) }),
  });
  const known =
    profile.kind !== 'built-in' || catalogue === null
      ? {}
      : {
          depositWindow: (type: keyof typeof DEPOSIT_WINDOW_MS) => DEPOSIT_WINDOW_MS[type],
          confirmationsNeeded: (coin: string, network: string) =>
            catalogue.findAsset(coin, network, 'deposit')?.confirmations ?? null,
        };
  const { name, environment } = profile;
  const host = new URL(profile.kind === 'built-in' ? baseUrl : profile.baseUrl).host;
  return {
    ...{ client, profile: name, environment, baseUrl, credentials, proxy: null, ...known },
    host: profile.kind === 'built-in' ? `built-in service at ${host}` : host,
  };
}

/** A temporary ledger for swaps that belong to no profile of this machine. */
export async function passingLedger(): Promise<Pick<Context, 'ledger'> & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-ledger-'));
  const ledger = await openLedger(join(folder, 'ledger.db'));
  return {
    ledger: async () => ledger,
    close: async () => {
      await ledger.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Creates a swap as `create --yes` does: checks, price, ledger, and one request. Throws if the ledger could not record
 * it.
 */
export async function makeSwap(
  context: Context,
  asked: AskedSwap,
  announce: () => void | Promise<void> = () => undefined,
): Promise<SwapResult> {
  const { swap, ledgerError } = await createSwap(onLedger(context), asked, {
    ...{ key: null, labels: {}, approval: null, confirm: null },
    steps: { announce },
  });
  if (ledgerError !== null) throw ledgerError;
  return swap;
}
