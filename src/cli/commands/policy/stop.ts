import { attempt, SwapctlError, UsageError } from '../../../base/errors.ts';
import { echoed } from '../../../base/text.ts';
import { rfc3339OrNull } from '../../../base/time.ts';
import { findBySpelling, usedCodes } from '../../../core/client/find-coin.ts';
import { isSameNetwork } from '../../../core/swap/networks/aliases.ts';
import { coinKey, networkKey, pairParts } from '../../../core/swap/policy/codes.ts';
import { type Suspended, type Suspension, suspendedText } from '../../../core/swap/policy/rules/suspend.ts';
import { type Coin, type CoinOnNetwork, parseCoinRef } from '../../../core/swap/swap.ts';
import { announce, type Context } from '../../context.ts';
import { ownerSigner } from '../shared/owner-key.ts';
import { guardMessageView } from '../shared/policy-shown.ts';

/** Stops every create of the profile. */
export async function stopCreates(context: Context, reason: string | null): Promise<void> {
  const { owner, guards } = await announced(context);
  await guards.stop(owner, reason, context.now());
  const words =
    'Stopped. No process on this ledger can create a swap or set a refund address for this profile until you run `swapctl policy resume`.';
  await say(context, { stopped: true, reason }, words);
}

/** Lifts the stop of the profile. */
export async function resumeCreates(context: Context, ownerKey: string | null): Promise<void> {
  const { owner, guards } = await announced(context);
  const wasStopped = await guards.resume(owner, ownerSigner(ownerKey), context.now());
  const words = wasStopped ? 'Resumed.' : 'Creating swaps was not stopped.';
  await say(context, { stopped: false, wasStopped }, words);
}

/** Options of `swapctl policy suspend` and `unsuspend`. */
export interface SuspendOptions extends Omit<Suspension, 'what'> {
  readonly what: string;
  readonly ownerKey: string | null;
}

/** Suspends a coin, network or pair. */
export async function suspend(context: Context, { what, side, until, reason }: SuspendOptions) {
  const parts = await partsOf(context, what);
  const { owner, guards } = await announced(context);
  if (parts.some((part) => 'pair' in part) && side !== null)
    throw new UsageError('--side cannot be used with a pair.');
  for (const part of parts) await guards.suspend(owner, { what: part, side, until, reason }, context.now());
  const end = rfc3339OrNull(until);
  const result = { suspended: parts.map(suspendedTargetJson), side, until: end, reason };
  await say(context, result, `Suspended ${targetsText(parts)}${end === null ? '' : ` until ${end}`}.`);
}

/** Lifts the suspensions of a coin, network or pair. */
export async function unsuspend(context: Context, { what, side, ownerKey }: SuspendOptions): Promise<void> {
  const parts = await partsOf(context, what);
  const { owner, guards } = await announced(context);
  const signer = ownerSigner(ownerKey);
  let lifted = 0;
  for (const part of parts)
    lifted += await guards.unsuspend(owner, { what: part, side, signer }, context.now());
  if (lifted === 0)
    throw new SwapctlError('not_found', `${echoed(what)} is not suspended.`, {
      hint: 'See `swapctl policy show`; to lift a suspension that is a rule of the policy, change the policy with `swapctl policy set`.',
      actions: [{ command: ['swapctl', 'policy', 'show'], why: 'see what is suspended' }],
    });
  const result = { lifted, unsuspended: parts.map(suspendedTargetJson), side };
  await say(context, result, `Lifted the suspension of ${targetsText(parts)}.`);
}

/** The owner of the profile, which is announced, and its guards. */
async function announced(context: Context) {
  const owner = await context.owner();
  announce(context, owner);
  return { owner, guards: (await context.ledger()).guards };
}

async function say(context: Context, result: object, words: string): Promise<void> {
  const { profile, environment } = await context.owner();
  await context.streams.print(guardMessageView({ ...result, profile, environment }, words));
}

function suspendedTargetJson(part: Suspended) {
  const kind = 'coin' in part ? 'coin' : 'network' in part ? 'network' : 'pair';
  return { kind, name: suspendedText(part) };
}

function targetsText(parts: readonly Suspended[]): string {
  return parts.map((part) => `the ${suspendedTargetJson(part).kind} ${suspendedText(part)}`).join(' and ');
}

/**
 * What a typed word means. One that names both a coin and a network means both, because suspending too little could
 * cost money. If the service cannot be reached, a word means both, so that a suspension never waits for it.
 */
async function partsOf(context: Context, typed: string): Promise<readonly Suspended[]> {
  const coins = await coinsOrNull(context);
  const pair = pairParts(typed);
  if (pair.length === 2) {
    const [from, to] = pair.map((each) => coinOf(coins, each));
    if (from !== undefined && to !== undefined && from !== null && to !== null) return [{ pair: [from, to] }];
    throw unknown(typed);
  }
  const coin = coinOf(coins, typed);
  const isNetwork =
    !typed.includes(':') &&
    (coins === null || [...usedCodes(coins)].some((each) => isSameNetwork(each, typed)));
  const parts: Suspended[] = [
    ...(coin === null ? [] : [{ coin }]),
    ...(isNetwork ? [{ network: networkKey(typed) }] : []),
  ];
  if (parts.length === 0) throw unknown(typed);
  return parts;
}

function coinOf(coins: readonly Coin[] | null, typed: string): CoinOnNetwork | null {
  const ref = parseCoinRef(typed);
  if (ref === null) return null;
  const isListed = coins === null || findBySpelling(coins, ref.coin, ({ code }) => code) !== undefined;
  return isListed ? coinKey(ref) : null;
}

async function coinsOrNull(context: Context): Promise<readonly Coin[] | null> {
  const list = await attempt(() => context.coinList());
  if (!(list instanceof SwapctlError)) return list.coins;
  context.streams.note(`The coin list could not be read (${list.message}); the word is used as typed.`, true);
  return null;
}

function unknown(typed: string): UsageError {
  const words = `The service has neither a coin nor a network ${echoed(typed)}.`;
  const hint = 'Write a coin such as XMR or USDT:TRX, a network such as TRX, or a pair such as BTC/XMR.';
  return new UsageError(words, hint, 'unknown_coin');
}
