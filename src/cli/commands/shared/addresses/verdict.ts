import { attempt, SwapctlError } from '../../../../base/errors.ts';
import { echoed, REDACTED, visible } from '../../../../base/text.ts';
import { usedCodes } from '../../../../core/client/find-coin.ts';
import {
  type AcceptedDestination,
  checkDestination,
  type RefusedDestination,
} from '../../../../core/swap/addresses/destination.ts';
import { findOtherNetwork } from '../../../../core/swap/addresses/other-network.ts';
import { secretInText } from '../../../../core/swap/agreement/spelling.ts';
import { memoPolicy, secretInMemo } from '../../../../core/swap/memo.ts';
import { findNetwork } from '../../../../core/swap/networks/networks.ts';
import type { Coin } from '../../../../core/swap/swap.ts';
import type { Context } from '../../../context.ts';
import type { View } from '../../../terminal/streams.ts';
import { detailsView } from '../../../views/columns.ts';
import { nearestNetworks } from './saved.ts';

export interface AddressOptions {
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** Maximum length of a network code; a longer text is an address in the wrong place. */
export const MAX_CODE = 20;

export const NETWORK_FIRST = 'Pass the network first, then the address.';

/** Error code of an address that is not payable. */
export type Refusal = 'invalid_address' | 'invalid_memo' | 'memo_required' | 'unknown_network';

interface Verdict {
  readonly result: AddressResult;
  /** Null if the address is payable, or cannot be verified. */
  readonly code: Refusal | null;
  readonly hint?: string;
}

/** The keys of an {@link AddressResult} that are the same for every address that is not payable. */
export const INVALID = { valid: false, verdict: 'invalid' } as const;
const NOTHING_KNOWN = { ...INVALID, testnet: null, kind: null, canonical: null } as const;

/** Checks an address and memo by the rules of its network; an unknown one must be in the stored coin list. */
export async function addressVerdict(context: Context, options: AddressOptions): Promise<Verdict> {
  const { network, address, memo } = options;
  if (network.length > MAX_CODE) return misplaced(options);
  const shownMemo = memo !== null && (await secretInMemo(network, memo)) !== undefined ? REDACTED : memo;
  const verdict = await checkDestination(network, address, memo, { memoWaived: memo === null });
  const isSecret = !verdict.ok && verdict.secret === true;
  if (findNetwork(network) === undefined && !isSecret) {
    const coins = await storedCoins(context);
    if (!networksOf(coins).some((code) => code.toLowerCase() === network.toLowerCase()))
      return unknownNetwork(options, shownMemo, coins);
  }
  if (verdict.ok) return accepted(options, shownMemo, verdict);
  const shownAddress = isSecret ? REDACTED : address;
  return { result: refused(verdict.network, shownAddress, shownMemo, verdict.reason), code: verdict.code };
}

function accepted(
  { network, address, memo }: AddressOptions,
  shownMemo: string | null,
  verdict: AcceptedDestination,
): Verdict {
  const { kind, testnet, canonical, warnings, verified } = verdict.address;
  const result: AddressResult = {
    network: verdict.address.network,
    address,
    ...(testnet ? INVALID : verified ? VALID : UNVERIFIED),
    testnet,
    kind,
    canonical,
    memo: verdict.memo === memo ? shownMemo : verdict.memo,
    warnings: [
      ...warnings,
      ...(verdict.memo === null && memoPolicy(network) === 'required' ? [MEMO_USUAL] : []),
    ],
    reason: testnet ? 'This is a test network address.' : null,
  };
  return { result, code: testnet ? 'invalid_address' : null };
}

const VALID = { valid: true, verdict: 'valid' } as const;
const UNVERIFIED = { valid: null, verdict: 'unverified' } as const;

function refused(
  network: string,
  address: string,
  memo: string | null,
  reason: RefusedDestination['reason'],
): AddressResult {
  return { network, address, ...NOTHING_KNOWN, memo, warnings: [], reason };
}

/** The coins of the stored list; none if there is no list, or no profile to find it by. */
async function storedCoins(context: Context): Promise<readonly Coin[]> {
  const coins = await attempt(() => context.storedCoins());
  return coins instanceof SwapctlError ? [] : coins;
}

function networksOf(coins: readonly Coin[]): readonly string[] {
  return [...new Set(usedCodes(coins))];
}

/** The verdict for a network that neither swapctl nor the stored coin list knows: a payment there would be a guess. */
async function unknownNetwork(
  { network, address }: AddressOptions,
  shownMemo: string | null,
  coins: readonly Coin[],
): Promise<Verdict> {
  const coin = coins.find(({ code }) => code.toLowerCase() === network.toLowerCase());
  const other = await findOtherNetwork(address);
  const near = coin === undefined ? nearestNetworks(network, networksOf(coins)) : [];
  const hints = [
    near.length === 0 ? null : `Did you mean ${near.join(', ')}?`,
    coin === undefined ? null : `${coin.code} is a coin, on the networks ${networksOf([coin]).join(', ')}.`,
    other === undefined
      ? null
      : `The address looks like one of ${other.network.name} (${other.network.code}).`,
  ].filter((hint) => hint !== null);
  const reason = `Unknown network ${echoed(network)}.`;
  const hint = hints.length === 0 ? 'Pass a network such as BTC, ETH or TRX.' : hints.join(' ');
  return { result: refused(network, address, shownMemo, reason), code: 'unknown_network', hint };
}

async function misplaced({ network, address, memo }: AddressOptions): Promise<Verdict> {
  const shownMemo = memo === null ? null : await redacted(memo);
  const result = refused(await redacted(network), await redacted(address), shownMemo, NETWORK_FIRST);
  return { result, code: 'invalid_address' };
}

const MEMO_USUAL = 'Recipients on this network usually need a memo; `create` requires --memo or --no-memo.';

/** A text for display, redacted where it is a key or a seed phrase in the wrong place. */
async function redacted(text: string): Promise<string> {
  return (await secretInText(text)) === undefined ? visible(text) : REDACTED;
}

/** The verdict on an address; `valid` means payable on the main network, and is null if that cannot be verified. */
export interface AddressResult {
  readonly network: string;
  readonly address: string;
  readonly valid: boolean | null;
  readonly verdict: 'valid' | 'unverified' | 'invalid';
  readonly testnet: boolean | null;
  readonly kind: string | null;
  /** The form in which it is sent. */
  readonly canonical: string | null;
  /** The memo given, or the one found inside the address. */
  readonly memo: string | null;
  readonly warnings: readonly string[];
  readonly reason: string | null;
}

/** One verdict: a sheet on a terminal, one line of cells in a pipe. */
export function addressView(result: AddressResult): View {
  const { network, address, verdict, testnet, kind, canonical, memo, warnings, reason } = result;
  return detailsView(
    result,
    (style) => [
      [
        { valid: 'Valid', unverified: 'Not verified', invalid: 'Invalid' }[verdict],
        `on ${network}`,
        { valid: style.green, unverified: style.yellow, invalid: style.red }[verdict],
      ],
      ['Reason', reason, undefined, 'prose'],
      ['Kind', kind],
      ['Address', canonical ?? address, style.cyan],
      ['Memo', memo, style.cyan],
      ...warnings.map((warning) => ['Warning', warning, style.yellow, 'prose'] as const),
    ],
    () => {
      const chain = testnet === true ? 'testnet' : '';
      return [[network, address, verdict, chain, kind, canonical, memo, warnings.join(' '), reason]];
    },
  );
}
