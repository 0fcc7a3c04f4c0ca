import type { Context } from '../../context.ts';
import { fullSentence, SwapctlError, UsageError } from '../../errors.ts';
import { ADDRESS_PREFIX, type SavedAddress } from '../../settings/saved-addresses.ts';
import { checkDestination } from '../../swap/addresses/destination.ts';
import { findNetwork } from '../../swap/networks/networks.ts';
import { visible } from '../../text.ts';
import { type AddressSetting, addressSettingView, type ListedSetting } from '../../views/setting.ts';
import { savedAddress } from '../shared/addresses/saved.ts';
import { nearestNetworks } from '../shared/addresses/slip.ts';
import { withoutBlanks } from '../shared/trimmed.ts';

/** The verbs of `swapctl config` on a saved address, for a test to replace. */
export interface AddressRuns {
  get(context: Context, name: string): Promise<void>;
  /** `values` are network, address and optionally a memo. */
  set(context: Context, name: string, values: readonly string[]): Promise<void>;
  unset(context: Context, name: string): Promise<void>;
}

/** The verbs. */
export const ADDRESS_RUNS: AddressRuns = {
  get: (context, name) =>
    context.streams.print(addressSettingView(settingOf(savedAddress(context, `@${name}`)))),
  set: setAddress,
  unset: async (context, name) => {
    if (!context.settings.savedNames().includes(name)) savedAddress(context, `@${name}`);
    await context.settings.forgetAddress(name);
    const key = `${ADDRESS_PREFIX}${name}`;
    await context.streams.print({
      json: () => ({ key, value: null, default: null }),
      rows: () => [[`Removed ${key}.`]],
      screen: () => visible(`Removed ${key}.`),
    });
  },
};

async function setAddress(context: Context, name: string, values: readonly string[]): Promise<void> {
  const [network = '', given, memo = null, ...more] = values;
  // No value is repeated: several words may be a seed phrase.
  if (given === undefined || more.length > 0)
    throw new UsageError(
      'A saved address needs a network, an address and optionally a memo.',
      `swapctl config set ${ADDRESS_PREFIX}${name} <network> <address> [memo]`,
    );
  if (!/^[!-~]{1,20}$/.test(network))
    throw new UsageError('Pass the network first, then the address.', undefined, 'unknown_network');
  const checked = await checkedForSaving(network, withoutBlanks(context, 'address', given), memo);
  const { warnings, ...destination } = checked;
  const near = findNetwork(network) === undefined ? nearestNetworks(network) : [];
  if (near.length > 0)
    await context.streams.warn(`network ${network} is unknown to swapctl; did you mean ${near.join(', ')}?`);
  for (const warning of warnings) await context.streams.warn(warning);
  const saved: SavedAddress = { name, network, ...destination };
  await context.settings.saveAddress(saved);
  await context.streams.print(addressSettingView(settingOf(saved)));
}

/**
 * An address with its memo in the form in which they are sent. Where the network demands a memo and none is saved, each
 * swap asks for it; an address of a test network is refused by the live profiles that it is used with.
 */
async function checkedForSaving(
  network: string,
  address: string,
  memo: string | null,
): Promise<{ address: string; memo: string | null; warnings: readonly string[] }> {
  const verdict = await checkDestination(network, address, memo, { memoWaived: memo === null });
  if (!verdict.ok) {
    const what = verdict.code === 'invalid_memo' ? 'memo' : 'address';
    const reason = /^[A-Z]/.test(verdict.reason) ? `. ${verdict.reason}` : `: ${verdict.reason}`;
    throw new UsageError(
      fullSentence(`Invalid ${what}${visible(reason)}`),
      'Nothing was stored.',
      verdict.code,
      { network, reason: verdict.reason },
    );
  }
  const { canonical, testnet, warnings } = verdict.address;
  return {
    address: canonical,
    memo: verdict.memo,
    warnings: [...(testnet ? ['it is a test network address.'] : []), ...warnings],
  };
}

/** The saved addresses as settings; one that was corrupted by hand has no value here, and using it reports why. */
export function listedAddresses({ settings }: Context): readonly ListedSetting[] {
  return settings.savedNames().map((name) => {
    try {
      const saved = settings.savedAddress(name);
      if (saved !== null) return { ...settingOf(saved), meaning: `address used as @${name}` };
    } catch (error) {
      if (!(error instanceof SwapctlError)) throw error;
    }
    return { key: `${ADDRESS_PREFIX}${name}`, value: null, default: null, meaning: 'it cannot be used' };
  });
}

function settingOf({ name, network, address, memo }: SavedAddress): AddressSetting {
  const value = [network, address, ...(memo === null ? [] : [memo])].join(' ');
  return { key: `${ADDRESS_PREFIX}${name}`, value, default: null, network, address, memo };
}
