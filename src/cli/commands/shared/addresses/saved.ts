import { UsageError } from '../../../../base/errors.ts';
import { nearestWords } from '../../../../base/suggest.ts';
import { isSameNetwork, matchNetwork } from '../../../../core/swap/networks/aliases.ts';
import { knownNetworks } from '../../../../core/swap/networks/networks.ts';
import type { Asset, Side } from '../../../../core/swap/swap.ts';
import type { Context } from '../../../context.ts';
import { type SavedAddress, savedName } from '../../../settings/stored-settings.ts';
import { assetName, fetchedCoins } from '../questions.ts';

/** Whether a text given as an address names a saved one: `@name`. */
export function namesSaved(text: string): boolean {
  return text.startsWith('@');
}

/** The address saved under `@name`; throws a usage error that names the nearest. */
export function savedAddress({ settings }: Pick<Context, 'settings'>, text: string): SavedAddress {
  const name = savedName(text.slice(1));
  const saved = settings.savedAddress(name);
  if (saved !== null) return saved;
  const near = nearestWords(settings.savedNames(), name).map((each) => `@${each}`);
  const way = `Save it with \`swapctl config set address.${name} <network> <address>\`.`;
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : way;
  throw new UsageError(`No address is saved as @${name}.`, hint, 'invalid_address');
}

/** The saved address of a text that names one; null for any other text. */
export function savedAddressOf(context: Pick<Context, 'settings'>, text: string | null): SavedAddress | null {
  return text !== null && namesSaved(text) ? savedAddress(context, text) : null;
}

/** Throws `invalid_address` unless a saved address is certain to be on the network of this side. */
export async function refuseOtherNetwork(context: Context, saved: SavedAddress, asset: Asset, side: Side) {
  if (await isForNetwork(context, saved, asset, side)) return;
  const verb = side === 'deposit' ? 'sent' : 'received';
  throw new UsageError(
    `The address @${saved.name} is saved for network ${saved.network}, but ${asset.coin} is ${verb} on ${asset.network} here.`,
    `Nothing was sent. Pass an address for ${assetName(asset)}, or save one for that network under another name.`,
    'invalid_address',
    { name: saved.name, saved: saved.network, network: asset.network },
  );
}

/** Whether the network of a saved address means that of a side, among all networks on which the coin can be there. */
export async function isForNetwork(context: Context, { network }: SavedAddress, asset: Asset, side: Side) {
  if (!isSameNetwork(network, asset.network)) return false;
  // A coin that the service no longer lists is still on the network on which it was swapped.
  const coin = (await fetchedCoins(context)).find(({ code }) => code === asset.coin);
  const codes = new Set([asset.network, ...(coin?.[side] ?? []).map((item) => item.network)]);
  const match = matchNetwork([...codes], network);
  return match.kind === 'found' && match.code === asset.network;
}

/** A memo as the flags give it, with whether it is waived. */
export interface GivenMemo {
  readonly memo: string | null;
  readonly memoWaived: boolean;
}

/** The memo to send to a saved address: its own, or a given one. Throws `invalid_memo` if the two contradict. */
export function memoBeside(saved: SavedAddress, { memo, memoWaived }: GivenMemo): string | null {
  if (saved.memo === null) return memo;
  if (!memoWaived && (memo === null || memo === saved.memo)) return saved.memo;
  const flag = memoWaived ? '--no-memo' : '--memo';
  const words = `The address @${saved.name} is saved with a memo, which ${flag} contradicts.`;
  const hint = `Nothing was sent. See it with \`swapctl config get address.${saved.name}\`; leave the flag out, or pass the address itself.`;
  throw new UsageError(words, hint, 'invalid_memo');
}

/** The address saved as `@name` for a refund; throws `invalid_memo` for one with a memo, which the API cannot take. */
export function savedForRefund(context: Pick<Context, 'settings'>, text: string | null): SavedAddress | null {
  const saved = savedAddressOf(context, text);
  if (saved === null || saved.memo === null) return saved;
  const words = `The address @${saved.name} is saved with a memo, but the service has no field for a refund memo.`;
  throw new UsageError(words, 'Use a refund address that needs no memo.', 'invalid_memo');
}

/** Up to three names of networks that resemble an unknown one; `listed` are networks that a service has besides. */
export function nearestNetworks(typed: string, listed: readonly string[] = []): readonly string[] {
  return nearestWords(
    [...knownNetworks().flatMap(({ code, aliases }) => [code, ...aliases]), ...listed],
    typed,
  );
}
