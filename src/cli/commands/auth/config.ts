import { type Command, InvalidArgumentError } from 'commander';
import { attemptSync, fullSentence, SwapctlError, UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed, type Visible, visible } from '../../../base/text.ts';
import { checkDestination } from '../../../core/swap/addresses/destination.ts';
import { explorerUrl } from '../../../core/swap/networks/explorers.ts';
import { findNetwork } from '../../../core/swap/networks/networks.ts';
import type { Context } from '../../context.ts';
import {
  ADDRESS_PREFIX,
  EXPLORER_PREFIX,
  type SavedAddress,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  savedName,
} from '../../settings/stored-settings.ts';
import { textView, type View } from '../../terminal/streams.ts';
import { type ItemColumn, renderItems } from '../../terminal/table.ts';
import { detailsView } from '../../views/columns.ts';
import { nearestNetworks, savedAddress } from '../shared/addresses/saved.ts';
import { withoutBlanks } from '../shared/questions.ts';
import { checkSetting, storedSetting } from '../shared/stored-setting.ts';

export function configCommand(config: Command, context: () => Context): void {
  config
    .description('Default values for flags, used when neither the flag nor its environment variable is set.')
    .helpCommand(false)
    .addHelpText('after', `\nKeys:\n${keyLines()}\n${EXAMPLES}`);
  config
    .command('list')
    .description('List all settings.')
    .addHelpText('after', '\nExamples:\n  $ swapctl config list')
    .action(() => list(context()));
  config
    .command('get')
    .description('Show the value of a setting, or its default.')
    .argument('<key>', 'key of the setting')
    .addHelpText('after', '\nExamples:\n  $ swapctl config get rate-type')
    .action((key: string) => {
      const network = explorerNetwork(key);
      if (network !== null) return context().streams.print(settingView(explorer(context(), network)));
      const name = addressName(key);
      if (name === null) return context().streams.print(settingView(result(context(), settingKey(key))));
      return context().streams.print(addressSettingView(settingOf(savedAddress(context(), `@${name}`))));
    });
  config
    .command('set')
    .description('Store a setting or a named address.')
    .argument('<key>', 'key of the setting, address.<name> or explorer.<network>')
    .argument('<value...>', 'value of the setting; for an address: <network> <address> [memo]')
    .addHelpText('after', EXAMPLES)
    .action((key: string, values: string[]) => {
      const name = addressName(key);
      if (name !== null) return setAddress(context(), name, values);
      const [value = '', ...more] = values;
      const network = explorerNetwork(key);
      const setting = network === null ? settingKey(key) : null;
      if (more.length > 0) throw new UsageError(`${key} takes one value.`);
      if (setting === null) return setExplorer(context(), network ?? '', value);
      return setSetting(context(), setting, checkedValue(key, value));
    });
  config
    .command('unset')
    .description('Remove a setting, so that its default applies again.')
    .argument('<key>', 'key of the setting')
    .addHelpText('after', '\nExamples:\n  $ swapctl config unset rate-type')
    .action((key: string) => {
      const network = explorerNetwork(key);
      if (network !== null) return setExplorer(context(), network, null);
      const name = addressName(key);
      return name === null ? unset(context(), settingKey(key)) : unsetAddress(context(), name);
    });
  config
    .command('path')
    .description('Print the path of the configuration file.')
    .addHelpText('after', '\nExamples:\n  $ swapctl config path')
    .action(() => {
      const { streams, settings } = context();
      const { configFile: path } = settings.paths;
      return streams.print(textView({ path }, path));
    });
}

const EXAMPLES =
  '\nExamples:\n  $ swapctl config set rate-type fixed\n  $ swapctl config set ledger postgres://db.example.com/swaps\n  $ swapctl config set address.treasury TRC20 TXYZ…\n  $ swapctl create BTC USDT:TRX 0.1 --address @treasury\n  $ swapctl config unset rate-type';

function keyLines(): string {
  const lines = SETTING_KEYS.map((key) => [key, SETTINGS[key].meaning] as const);
  const named = [
    [`${ADDRESS_PREFIX}<name>`, 'saved address, used as @name'],
    [`${EXPLORER_PREFIX}<network>`, 'URL of a block explorer, for the links of a live swap'],
  ] as const;
  return [...lines, ...named].map(([key, meaning]) => `  ${key.padEnd(18)}  ${meaning}`).join('\n');
}

/** The name in the key of a saved address; null for the key of a setting. */
function addressName(key: string): string | null {
  return key.toLowerCase().startsWith(ADDRESS_PREFIX) ? savedName(key.slice(ADDRESS_PREFIX.length)) : null;
}

/** The network in the key of an explorer, by its code; null for another key. */
function explorerNetwork(key: string): string | null {
  if (!key.toLowerCase().startsWith(EXPLORER_PREFIX)) return null;
  const text = key.slice(EXPLORER_PREFIX.length);
  if (!/^[!-~]{1,20}$/.test(text)) throw new UsageError(`Name the network: ${EXPLORER_PREFIX}<network>.`);
  return (findNetwork(text)?.code ?? text).toUpperCase();
}

function explorer({ settings }: Context, network: string) {
  const key = `${EXPLORER_PREFIX}${network}`;
  return { key, value: settings.explorer(network), default: explorerUrl(network, 'transaction', '') };
}

async function setExplorer(context: Context, network: string, url: string | null): Promise<void> {
  if (url !== null && !(URL.canParse(url) && /^https?:\/\/[!-~]+$/.test(url)))
    throw new UsageError(
      'The explorer must be a URL such as https://mempool.space.',
      'Links use /tx/<id> and /address/<address>; if its paths differ, write {} where the transaction id goes.',
    );
  await context.settings.storeExplorer(network, url);
  const key = `${EXPLORER_PREFIX}${network}`;
  const words = url === null ? `Removed ${key}.` : `Set ${key} to ${url}.`;
  await context.streams.print(textView(explorer(context, network), words));
}

function settingKey(text: string): SettingKey {
  const found = SETTING_KEYS.find((key) => key === text.toLowerCase());
  if (found !== undefined) return found;
  const keys = `Settings: ${SETTING_KEYS.join(', ')}, ${ADDRESS_PREFIX}<name>, ${EXPLORER_PREFIX}<network>.`;
  throw new UsageError(`Unknown setting ${echoed(text)}.`, didYouMean(SETTING_KEYS, text, keys));
}

function checkedValue(key: string, value: string): string {
  try {
    checkSetting(settingKey(key), value);
    return value;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    // The value is not repeated: a URL may hold a secret.
    throw new UsageError(`Invalid value for ${key}. ${error.message}`);
  }
}

function list(context: Context): Promise<void> {
  const settings = SETTING_KEYS.map((key) => ({ ...result(context, key), meaning: SETTINGS[key].meaning }));
  const explorers = context.settings.explorerNetworks().map((network) => ({
    ...explorer(context, network.toUpperCase()),
    meaning: `block explorer of ${network.toUpperCase()}`,
  }));
  return context.streams.print(settingsView([...settings, ...listedAddresses(context), ...explorers]));
}

async function unset(context: Context, key: SettingKey): Promise<void> {
  await context.settings.store(key, null);
  const setting = result(context, key);
  const words = `Removed ${key}; now using the default, ${setting.default ?? 'none'}.`;
  await context.streams.print(textView(setting, words));
}

async function setSetting(context: Context, key: SettingKey, value: string): Promise<void> {
  // A stored location that is invalid is about to be replaced.
  const before = key === 'ledger' ? attemptSync(() => context.settings.ledgerLocation) : value;
  await context.settings.store(key, value);
  if (before !== value) await warnOfLedger(context, value);
  await context.streams.print(textView(result(context, key), `Set ${key} to ${value}.`));
}

/** Warns that swaps do not move, and that their idempotency keys are unknown in another ledger. */
async function warnOfLedger({ settings, streams }: Context, value: string): Promise<void> {
  if (settings.ledgerLocation !== value)
    return streams.warn('SWAPCTL_LEDGER is set and takes precedence: the ledger has not changed.');
  await streams.warn(
    'existing records, including idempotency keys, stay in the previous ledger. To use it again, run `swapctl config unset ledger` or set its location.',
  );
}

/** Settings whose value may contain a password if the file was edited by hand; it is reported, never repeated. */
const MAY_BE_URL: ReadonlySet<SettingKey> = new Set(['ledger', 'forward-to']);

function result(context: Context, key: SettingKey): SettingResult {
  const { settings } = context;
  const fallback = key === 'ledger' ? settings.paths.ledgerFile : SETTINGS[key].fallback;
  const value = settings.stored(key);
  if (MAY_BE_URL.has(key)) storedSetting(context, key);
  return { key, value, default: fallback };
}

async function unsetAddress(context: Context, name: string): Promise<void> {
  if (!context.settings.savedNames().includes(name)) savedAddress(context, `@${name}`);
  await context.settings.forgetAddress(name);
  const key = `${ADDRESS_PREFIX}${name}`;
  await context.streams.print(textView({ key, value: null, default: null }, `Removed ${key}.`));
}

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
 * An address with its memo in the form in which they are sent. If the network requires a memo and none is saved, each
 * swap asks for it; an address of a test network is refused by the live profiles that it is used with.
 */
async function checkedForSaving(network: string, address: string, memo: string | null) {
  const verdict = await checkDestination(network, address, memo, { memoWaived: memo === null });
  if (!verdict.ok) {
    const what = verdict.code === 'invalid_memo' ? 'memo' : 'address';
    const reason = /^[A-Z]/.test(verdict.reason) ? `. ${verdict.reason}` : `: ${verdict.reason}`;
    const words = fullSentence(`Invalid ${what}${visible(reason)}`);
    const details = { network, reason: verdict.reason };
    throw new UsageError(words, 'Nothing was stored.', verdict.code, details);
  }
  const { canonical, testnet, warnings } = verdict.address;
  return {
    address: canonical,
    memo: verdict.memo,
    warnings: [...(testnet ? ['it is a test network address.'] : []), ...warnings],
  };
}

/** The saved addresses as settings; one that was corrupted by hand has no value here, and using it reports why. */
function listedAddresses({ settings }: Context): readonly ListedSetting[] {
  return settings.savedNames().map((name) => {
    const saved = attemptSync(() => settings.savedAddress(name));
    if (saved !== null && !(saved instanceof SwapctlError))
      return { ...settingOf(saved), meaning: `address used as @${name}` };
    return { key: `${ADDRESS_PREFIX}${name}`, value: null, default: null, meaning: 'it cannot be used' };
  });
}

function settingOf({ name, network, address, memo }: SavedAddress) {
  const value = [network, address, ...(memo === null ? [] : [memo])].join(' ');
  return { key: `${ADDRESS_PREFIX}${name}`, value, default: null, network, address, memo };
}

/** A setting of `swapctl config`: its stored value and its default, each null for none. */
export type SettingResult = ReturnType<typeof explorer>;

type ListedSetting = SettingResult & { readonly meaning: string };

export type SavedAddressSetting = ReturnType<typeof settingOf>;

/** A saved address: network, address and memo, for `address -` to read. */
function addressSettingView(setting: SavedAddressSetting): View {
  const { network, address, memo } = setting;
  return detailsView(
    setting,
    (style) => [
      ['Network', network],
      ['Address', address, style.cyan],
      ['Memo', memo, style.cyan],
    ],
    () => [memo === null ? [network, address] : [network, address, memo]],
  );
}

/** The effective value alone, for a script. */
function settingView(setting: SettingResult): View {
  const value = setting.value ?? setting.default;
  return {
    json: () => setting,
    rows: () => (value === null ? [] : [[value]]),
    screen: (style) => {
      if (value === null) return style.dim(visible('not set'));
      return setting.value === null ? style.dim(visible(`${value} (default)`)) : visible(value);
    },
  };
}

function settingsView(settings: readonly ListedSetting[]): View {
  const results = settings.map(({ meaning: _, ...setting }) => setting);
  return {
    json: () => results,
    rows: () => results.map(({ key, value, default: fallback }) => [key, value, fallback]),
    screen: (style, width) => {
      const isSet = (row: readonly Visible[]) =>
        settings.some(({ key, value }) => key === row[0] && value !== null);
      const columns: ItemColumn<ListedSetting>[] = [
        { title: 'KEY', paint: style.bold, cell: ({ key }) => key },
        {
          title: 'VALUE',
          paint: (text, row) => (isSet(row) ? text : style.dim(text)),
          cell: ({ value, default: fallback }) =>
            value ?? (fallback === null ? 'not set' : `${fallback} (default)`),
        },
        { title: 'DESCRIPTION', wraps: true, cell: ({ meaning }) => meaning },
      ];
      return renderItems(settings, columns, style, width);
    },
  };
}
