import { existsSync } from 'node:fs';
import { attemptSync, SwapctlError, UsageError } from '../../../base/errors.ts';
import { counted, echoed, shown, type Visible } from '../../../base/text.ts';
import { rfc3339OrNull } from '../../../base/time.ts';
import { findBySpelling, networkOf, usedCodes } from '../../../core/client/find-coin.ts';
import { changeOf } from '../../../core/ledger/policy/changes.ts';
import { policyDigest } from '../../../core/ledger/policy/guard.ts';
import { type Simulation, simulate } from '../../../core/ledger/policy/simulate.ts';
import { isSameNetwork } from '../../../core/swap/networks/aliases.ts';
import { networkKey } from '../../../core/swap/policy/codes.ts';
import type { PolicyChange } from '../../../core/swap/policy/compare.ts';
import { MAX_POLICY_LENGTH, type Policy, parsePolicy } from '../../../core/swap/policy/policy.ts';
import type { AllowedAddress, PolicyWords } from '../../../core/swap/policy/reader.ts';
import type { Coin, CoinOnNetwork } from '../../../core/swap/swap.ts';
import { announce, type Context } from '../../context.ts';
import { makeSigningKey, type SigningKey } from '../../settings/signing-key.ts';
import { savedName } from '../../settings/stored-settings.ts';
import { type DetailLine, renderDetails } from '../../terminal/details.ts';
import { readInput } from '../../terminal/input.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { detailsView } from '../../views/columns.ts';
import { ownerSigner } from '../shared/owner-key.ts';
import type { PolicyShown } from '../shared/policy-shown.ts';
import { confirmed } from '../shared/questions.ts';

/** Checks a policy, shows what it changes, asks for confirmation on a terminal, and stores it. */
export async function setPolicy(
  context: Context,
  file: string,
  ownerKey: string | null,
  yes: boolean,
): Promise<void> {
  const { streams } = context;
  const asks = !yes && streams.interactive;
  if (asks && file === '-')
    throw new UsageError('With the policy on standard input, policy set needs --yes.');
  const policy = await readPolicyFile(context, file);
  const owner = await context.owner();
  const ledger = await context.ledger();
  const guard = await ledger.guards.read(owner);
  const before = 'value' in guard.policy ? (guard.policy.value?.digest ?? null) : null;
  const change = changeOf(guard, policy);
  announce(context, owner);
  streams.noteRendered(policyChangeText(change, await streams.noteStyle(), streams.noteWidth));
  if (policy.expires !== null && policy.expires <= context.now())
    await streams.warn('this policy has already expired: it refuses everything.');
  if (asks) await confirmed(context, 'Store this policy?', 'nothing was stored');
  const signer = ensureOwnerKey(context, ownerKey, guard.ownerKey);
  await ledger.guards.set(owner, { policy, before, signer }, context.now());
  const { profile, environment } = owner;
  const pinned = guard.ownerKey ?? signer?.publicKey ?? null;
  const expires = rfc3339OrNull(policy.expires);
  const stored = { policy: policyDigest(policy), rules: policy.rules.length, expires };
  await streams.print(policySetView({ ...stored, ...change, ownerKey: pinned, profile, environment }));
}

/** The owner's key; it is created if there is none. */
function ensureOwnerKey({ streams }: Context, path: string | null, pinned: string | null): SigningKey | null {
  if (path === null || pinned !== null || existsSync(path)) return ownerSigner(path);
  const key = makeSigningKey(path);
  streams.note(`Created the owner key in ${path}. Keep it where unattended programs cannot read it.`, true);
  return key;
}

/** Replays the ledger since a time in milliseconds under a policy, and shows what it would have refused, rule by rule. */
export async function simulatePolicy(context: Context, file: string, since: number | null): Promise<void> {
  const policy = await readPolicyFile(context, file);
  const [owner, ledger] = [await context.owner(), await context.ledger()];
  // A policy that is about to be set must not refuse past swaps because it expires.
  const swaps = ledger.replay(owner, { ...policy, expires: null }, since ?? 0);
  const found = await simulate(policy, swaps, context.signal);
  const about = { since: rfc3339OrNull(since), profile: owner.profile, environment: owner.environment };
  await context.streams.print(simulationView({ ...found, ...about }));
}

/** Reads a policy that a person named, with the coins of the service and the saved addresses. Throws a usage error. */
async function readPolicyFile(context: Context, file: string): Promise<Policy> {
  const text = await readInput(context.input(file), MAX_POLICY_LENGTH * 4);
  const saved = (name: string) => savedIn(context, name);
  // Problems that need no service are reported before it is called.
  let verdict = parsePolicy(text, { saved });
  if (verdict.ok) verdict = parsePolicy(text, { ...wordsOf((await context.coinList()).coins), saved });
  if (verdict.ok) return verdict.policy;
  const { problems } = verdict;
  const words = problems.map(({ line, message }) => `Line ${line}: ${message}`);
  const hint = 'Nothing was stored. See `swapctl help policy`.';
  throw new UsageError(`The policy is not valid. ${words.join(' ')}`, hint, 'usage', { problems });
}

function savedIn({ settings }: Context, typed: string): AllowedAddress | null {
  const saved = attemptSync(() => settings.savedAddress(savedName(typed)));
  return saved === null || saved instanceof SwapctlError
    ? null
    : { ...saved, network: networkKey(saved.network) };
}

function wordsOf(coins: readonly Coin[]): PolicyWords {
  const used = new Set(usedCodes(coins));
  return {
    coinProblem: (ref) => coinProblem(coins, ref),
    networkProblem: (code) =>
      [...used].some((each) => isSameNetwork(each, code))
        ? null
        : `The service has no network ${echoed(code)}.`,
  };
}

function coinProblem(coins: readonly Coin[], { coin: code, network }: CoinOnNetwork): string | null {
  const coin = findBySpelling(coins, code, (each) => each.code);
  if (coin === undefined) return `The service has no coin ${echoed(code)}.`;
  if (network === null) return null;
  const match = networkOf(coins, [...coin.deposit, ...coin.receive], network);
  if (match.kind === 'found') return null;
  return match.kind === 'ambiguous'
    ? `${echoed(network)} can mean several networks of ${coin.code}: ${match.codes.join(', ')}.`
    : `The service has no ${coin.code} on the network ${echoed(network)}.`;
}

/** What a change of the policy loosens and tightens, for the person who confirms it. */
function policyChangeText({ loosens, tightens }: PolicyChange, style: Style, width: number): Visible {
  const lines: readonly DetailLine[] = [
    ...loosens.map((words) => ['Loosens', words, style.yellow, 'prose'] as const),
    ...tightens.map((words) => ['Tightens', words, style.green, 'prose'] as const),
  ];
  if (lines.length > 0) return renderDetails(lines, style, width);
  return shown` ${style.dim(shown`This policy allows what the stored one allows.`)}\n`;
}

/** A policy that was stored. */
export interface PolicySet
  extends PolicyChange,
    Pick<PolicyShown, 'expires' | 'ownerKey' | 'profile' | 'environment'> {
  readonly policy: string;
  readonly rules: number;
}

function policySetView(set: PolicySet): View {
  const { policy, rules, expires, ownerKey } = set;
  return detailsView(
    set,
    (style) => [
      ['Stored', counted(rules, 'rule'), style.green],
      ['Policy', policy],
      ['Expires', expires ?? 'never'],
      ['Owner key', ownerKey ?? 'none pinned'],
    ],
    () => [[policy, rules, expires, ownerKey]],
  );
}

/** How a policy would have judged past swaps of a profile, since an RFC 3339 time. */
export type ShownSimulation = Simulation &
  Pick<PolicyShown, 'profile' | 'environment'> & { readonly since: string | null };

function simulationView(simulation: ShownSimulation): View {
  const { swaps, allowed, approvals, refuses, notAllowed, rules, refused } = simulation;
  return detailsView(
    simulation,
    (style) => [
      ['Swaps', String(swaps)],
      ['Allowed', String(allowed), style.green],
      ['Need approval', String(approvals), approvals > 0 ? style.yellow : undefined],
      ['Refused', String(refuses), refuses > 0 ? style.red : undefined],
      ['No allow rule', notAllowed === 0 ? null : String(notAllowed)],
      ...rules.map((rule): DetailLine => {
        const counts = `${rule.refuses} refused, ${rule.approvals} need approval`;
        return [`Rule ${rule.index}`, `${rule.words}: ${counts}`, undefined, 'prose'];
      }),
      ...refused.map(({ order, at, pair, amount, reasons }): DetailLine => {
        const words = `${at} ${amount} ${pair}: ${reasons.join(' ')}`;
        return [order ?? 'unknown', words, style.dim, 'prose'];
      }),
    ],
    () => rules.map((rule) => [rule.index, JSON.stringify(rule.rule), rule.refuses, rule.approvals]),
  );
}
