import type { SwapResult } from '../../src/core/ledger/swap-result.ts';
import { AT_TERMINAL, type RanHere, runHere } from '../helpers/run-here.ts';
import { profileAt, type Scene } from '../helpers/scene.ts';
import { ADDRESSES, type WireSwap } from '../helpers/swap-service.ts';

/** Changes a swap as a dishonest service would. */
export type Change = (swap: WireSwap) => unknown;

/** Runs a command in this process, which is quicker, with the home and the service of the scene. */
export const here = ({ home, service }: Scene, args: readonly string[], terminal = false): Promise<RanHere> =>
  runHere(args, { home, env: profileAt(service.url), ...(terminal ? { terminals: AT_TERMINAL } : {}) });

/** What a run printed. */
export const jsonOf = <T = SwapResult>({ stdout }: RanHere): T => JSON.parse(stdout) as T;

/** Addresses that pay out, by coin. */
export const PAYOUTS = { BTC: ADDRESSES.btcRefund, ETH: ADDRESSES.eth, XRP: ADDRESSES.xrp } as const;

/** The command line of a create, with `--yes`. */
export const createOf = (
  from: keyof typeof PAYOUTS,
  to: keyof typeof PAYOUTS,
  more: readonly string[] = [],
): readonly string[] => {
  const memo = to === 'XRP' ? ['-m', '12345'] : [];
  return ['create', from, to, '0.1', '-a', PAYOUTS[to], '--yes', ...memo, ...more];
};
