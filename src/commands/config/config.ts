import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from '../../context.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { ADDRESS_PREFIX, savedName } from '../../settings/saved-addresses.ts';
import { SETTING_KEYS, type SettingKey } from '../../settings/stored-settings.ts';
import { nearestWords } from '../../suggest.ts';
import { echoed, visible } from '../../text.ts';
import { type ListedSetting, type SettingResult, settingsView, settingView } from '../../views/setting.ts';
import { checkSetting, storedSetting } from '../shared/stored-setting.ts';
import { ADDRESS_RUNS, type AddressRuns, listedAddresses } from './address.ts';

/** Purpose and default of each setting; the location of the ledger depends on the machine. */
const SETTINGS: Readonly<Record<SettingKey, { readonly meaning: string; readonly fallback: string | null }>> =
  {
    'rate-type': { meaning: 'rate type of quote and create: fixed or float', fallback: 'float' },
    interval: { meaning: 'seconds between checks of --watch', fallback: '10' },
    budget: { meaning: 'request budget of batch, listen and --watch, such as 60/60s', fallback: '60/60s' },
    color: { meaning: 'when to use colour: auto, always or never', fallback: 'auto' },
    ledger: { meaning: 'location of the ledger: a path or a postgres:// URL', fallback: null },
    'forward-to': { meaning: 'URL to which listen sends webhooks', fallback: null },
    'events-kept': { meaning: 'how long to keep delivered events', fallback: '90d' },
    qr: { meaning: 'show QR codes in create and status: on or off', fallback: 'on' },
  };

/** The verbs of `swapctl config`, for a test to replace. */
export interface ConfigRuns {
  list(context: Context): Promise<void>;
  get(context: Context, key: SettingKey): Promise<void>;
  set(context: Context, key: SettingKey, value: string): Promise<void>;
  unset(context: Context, key: SettingKey): Promise<void>;
  path(context: Context): Promise<void>;
  readonly address: AddressRuns;
}

/** Declares `swapctl config` and its verbs. */
export function configCommand(config: Command, context: () => Context, runs = RUNS): void {
  config
    .description('Default values for flags, used when neither the flag nor its environment variable is set.')
    .helpCommand(false)
    .addHelpText('after', `\nKeys:\n${keyLines()}\n${EXAMPLES}`);
  config
    .command('list')
    .description('List all settings.')
    .addHelpText('after', '\nExamples:\n  $ swapctl config list')
    .action(() => runs.list(context()));
  config
    .command('get')
    .description('Show the value of a setting, or its default.')
    .argument('<key>', 'key of the setting')
    .addHelpText('after', '\nExamples:\n  $ swapctl config get rate-type')
    .action((key: string) => {
      const name = addressName(key);
      return name === null ? runs.get(context(), settingKey(key)) : runs.address.get(context(), name);
    });
  config
    .command('set')
    .description('Store a setting or a named address.')
    .argument('<key>', 'key of the setting, or address.<name>')
    .argument('<value...>', 'value of the setting; for an address: <network> <address> [memo]')
    .addHelpText('after', EXAMPLES)
    .action((key: string, values: string[]) => {
      const name = addressName(key);
      if (name !== null) return runs.address.set(context(), name, values);
      const [value = '', ...more] = values;
      const setting = settingKey(key);
      if (more.length > 0) throw new UsageError(`${setting} takes one value.`);
      return runs.set(context(), setting, checkedValue(key, value));
    });
  config
    .command('unset')
    .description('Remove a setting, so that its default applies again.')
    .argument('<key>', 'key of the setting')
    .addHelpText('after', '\nExamples:\n  $ swapctl config unset rate-type')
    .action((key: string) => {
      const name = addressName(key);
      return name === null ? runs.unset(context(), settingKey(key)) : runs.address.unset(context(), name);
    });
  config
    .command('path')
    .description('Print the path of the configuration file.')
    .addHelpText('after', '\nExamples:\n  $ swapctl config path')
    .action(() => runs.path(context()));
}

const EXAMPLES =
  '\nExamples:\n  $ swapctl config set rate-type fixed\n  $ swapctl config set ledger postgres://db.example.com/swaps\n  $ swapctl config set address.treasury TRC20 TXYZ…\n  $ swapctl create BTC USDT:TRX 0.1 --address @treasury\n  $ swapctl config unset rate-type';

function keyLines(): string {
  const lines = SETTING_KEYS.map((key) => [key, SETTINGS[key].meaning] as const);
  return [...lines, [`${ADDRESS_PREFIX}<name>`, 'saved address, used as @name'] as const]
    .map(([key, meaning]) => `  ${key.padEnd(14)}  ${meaning}`)
    .join('\n');
}

/** The name in the key of a saved address; null for the key of a setting. */
function addressName(key: string): string | null {
  return key.toLowerCase().startsWith(ADDRESS_PREFIX) ? savedName(key.slice(ADDRESS_PREFIX.length)) : null;
}

function settingKey(text: string): SettingKey {
  const found = SETTING_KEYS.find((key) => key === text.toLowerCase());
  if (found !== undefined) return found;
  const near = nearestWords(SETTING_KEYS, text);
  throw new UsageError(
    `Unknown setting ${echoed(text)}.`,
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : `Settings: ${SETTING_KEYS.join(', ')}, ${ADDRESS_PREFIX}<name>.`,
  );
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

const RUNS: ConfigRuns = {
  list: (context) =>
    context.streams.print(
      settingsView([...SETTING_KEYS.map((key) => listed(context, key)), ...listedAddresses(context)]),
    ),
  address: ADDRESS_RUNS,
  get: (context, key) => context.streams.print(settingView(result(context, key))),
  set: setSetting,
  unset: async (context, key) => {
    await context.settings.store(key, null);
    const setting = result(context, key);
    const back = setting.default ?? 'none';
    await context.streams.print(message(setting, `Removed ${key}; now using the default, ${back}.`));
  },
  path: ({ streams, settings }) => {
    const { configFile: path } = settings.paths;
    return streams.print({ json: () => ({ path }), rows: () => [[path]], screen: () => visible(path) });
  },
};

async function setSetting(context: Context, key: SettingKey, value: string): Promise<void> {
  const before = key === 'ledger' ? usedLedger(context) : value;
  await context.settings.store(key, value);
  if (before !== value) await warnOfLedger(context, value);
  await context.streams.print(message(result(context, key), `Set ${key} to ${value}.`));
}

/** Location of the ledger; null where the stored one is invalid and about to be replaced. */
function usedLedger({ settings }: Context): string | null {
  try {
    return settings.ledgerLocation;
  } catch (error) {
    if (error instanceof SwapctlError) return null;
    throw error;
  }
}

/** Warns that swaps do not move, and that their idempotency keys are unknown in another ledger. */
async function warnOfLedger({ settings, streams }: Context, value: string): Promise<void> {
  if (settings.ledgerLocation !== value)
    return streams.warn('SWAPCTL_LEDGER is set and takes precedence: the ledger has not changed.');
  await streams.warn(
    'existing records, including idempotency keys, stay in the previous ledger. To use it again, run `swapctl config unset ledger` or set its location.',
  );
}

function message(setting: SettingResult, words: string) {
  return { json: () => setting, rows: () => [[words]], screen: () => visible(words) };
}

function listed(context: Context, key: SettingKey): ListedSetting {
  return { ...result(context, key), meaning: SETTINGS[key].meaning };
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
