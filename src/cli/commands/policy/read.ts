import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { echoed } from '../../../base/text.ts';
import { findBySpelling, networkOf, usedCodes } from '../../../core/client/find-coin.ts';
import { isSameNetwork } from '../../../core/swap/networks/aliases.ts';
import { networkKey } from '../../../core/swap/policy/codes.ts';
import { MAX_POLICY_LENGTH, parsePolicy } from '../../../core/swap/policy/parse.ts';
import type { Policy } from '../../../core/swap/policy/policy.ts';
import type { AllowedAddress, PolicyWords } from '../../../core/swap/policy/reader.ts';
import type { Coin, CoinOnNetwork } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { savedName } from '../../settings/stored-settings.ts';
import { readInput } from '../../terminal/input.ts';

/** Reads a policy that a person named, with the coins of the service and the saved addresses. Throws a usage error. */
export async function readPolicyFile(context: Context, file: string): Promise<Policy> {
  const { streams, signal } = context;
  const text = await readInput(file, { stdin: streams.raw.stdin, signal }, MAX_POLICY_LENGTH * 4);
  const plain = parsePolicy(text, { saved: (name) => savedIn(context, name) });
  // Problems that need no service are reported before it is called.
  if (!plain.ok) throw refused(plain.problems);
  const verdict = parsePolicy(text, {
    ...wordsOf((await context.coinList()).coins),
    saved: (name) => savedIn(context, name),
  });
  if (verdict.ok) return verdict.policy;
  throw refused(verdict.problems);
}

function refused(problems: readonly { readonly line: number; readonly message: string }[]): UsageError {
  const words = problems.map(({ line, message }) => `Line ${line}: ${message}`);
  return new UsageError(
    `The policy is not valid. ${words.join(' ')}`,
    'Nothing was stored. See `swapctl help policy`.',
    'usage',
    { problems },
  );
}

function savedIn({ settings }: Context, typed: string): AllowedAddress | null {
  try {
    const saved = settings.savedAddress(savedName(typed));
    return saved === null ? null : { ...saved, network: networkKey(saved.network) };
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
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
