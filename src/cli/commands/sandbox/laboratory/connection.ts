import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerOf } from '../../../../core/ledger/entry.ts';
import { openLedger } from '../../../../core/ledger/ledger.ts';
import type { SwapResult } from '../../../../core/ledger/swap-result.ts';
import type { Credentials } from '../../../../core/partner-api/signature.ts';
import type { SwapInput } from '../../../../core/swaps/check.ts';
import { onLedger } from '../../../../core/swaps/create-records.ts';
import { createSwap } from '../../../../core/swaps/create-swap.ts';
import { NO_LEDGER, openPartner, type ServiceConnection } from '../../../../library/partner.ts';
import type { RunningSandbox } from '../../../../sandbox/server.ts';
import { DEPOSIT_WINDOW_MS } from '../../../../sandbox/state/assumptions.ts';
import type { Context } from '../../../context.ts';
import { type Profile, SANDBOX_PROFILE } from '../../../settings/profile.ts';

export const BUILT_IN: Profile = { kind: 'built-in', name: SANDBOX_PROFILE, environment: 'sandbox' };

/** Where the swaps of a sandbox are created: a service, and the profile under which they are recorded. */
export interface LabService {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly profile: Profile;
  /** Coins of the service, if it runs in this process. */
  readonly catalogue: RunningSandbox['catalogue'] | null;
}

/** A copy of a context whose service is that of a laboratory; `changes` replace what else differs. */
export function contextAt(context: Context, lab: LabService, changes: Partial<Context> = {}): Context {
  const { profile } = lab;
  const given = { ...context, ...changes };
  const ports = openPartner({
    run: given,
    ledger: { ...NO_LEDGER, ledger: given.ledger },
    connection: async () => serviceConnection(lab),
    owner: async () => ownerOf(profile),
    // The stored list is that of another service.
    storedCoins: async () => null,
  });
  return { ...given, ...ports, profile: async () => profile };
}

function serviceConnection({ baseUrl, credentials, profile, catalogue }: LabService): ServiceConnection {
  const { name, environment } = profile;
  const about = { baseUrl, credentials, proxy: null, profile: name, environment, counted: null };
  if (profile.kind !== 'built-in') return { ...about, host: new URL(profile.baseUrl).host };
  const host = `built-in service at ${new URL(baseUrl).host}`;
  if (catalogue === null) return { ...about, host };
  return {
    ...about,
    host,
    depositWindow: (type) => DEPOSIT_WINDOW_MS[type],
    confirmationsNeeded: (coin, network) =>
      catalogue.findAsset(coin, network, 'deposit')?.confirmations ?? null,
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

/** Creates a swap as `create --yes` does. Throws if the ledger could not record it. */
export async function makeSwap(
  context: Context,
  asked: SwapInput,
  announce: () => void | Promise<void> = () => undefined,
): Promise<SwapResult> {
  const { swap, ledgerError } = await createSwap(onLedger(context), asked, {
    key: null,
    labels: {},
    approval: null,
    confirm: null,
    steps: { announce },
  });
  if (ledgerError !== null) throw ledgerError;
  return swap;
}
