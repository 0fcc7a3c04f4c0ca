import { InvalidArgumentError } from 'commander';
import { SwapctlError } from '../../../base/errors.ts';
import { hasHiddenCharacters } from '../../../base/text.ts';
import { BudgetLimit } from '../../../core/ledger/budget/limit.ts';
import { isLoopback } from '../../../core/partner-api/loopback.ts';
import type { RateType } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { checkSupport } from '../../settings/profile.ts';
import {
  COLOR_CHOICES,
  checkLedgerLocation,
  QR_CHOICES,
  RATE_CHOICES,
  type SettingKey,
  unusableSetting,
} from '../../settings/stored-settings.ts';
import {
  budgetArgument,
  choiceArgument,
  durationArgument,
  type Flags,
  secondsArgument,
} from './arguments.ts';

/** Reads the text of each setting; throws the errors of its flag. */
const READERS = {
  'rate-type': (text: string) => choiceArgument(text, RATE_CHOICES),
  interval: secondsArgument,
  budget: budgetArgument,
  color: (text: string) => choiceArgument(text, COLOR_CHOICES),
  ledger: checkLedgerLocation,
  'forward-to': webhookUrlArgument,
  'events-kept': durationArgument,
  qr: (text: string) => choiceArgument(text, QR_CHOICES),
  support: checkSupport,
} satisfies Readonly<Record<SettingKey, (text: string) => unknown>>;

type SettingValue<K extends SettingKey> = ReturnType<(typeof READERS)[K]>;

/** Throws InvalidArgumentError or a SwapctlError if the text of a setting is invalid. */
export function checkSetting(key: SettingKey, text: string): void {
  READERS[key](text);
}

/** The stored value of a flag that is not given; null if none. Throws `invalid_config` for one that it would refuse. */
export function storedSetting<K extends SettingKey>(
  { settings }: Pick<Context, 'settings'>,
  key: K,
): SettingValue<K> | null {
  const text = settings.stored(key);
  if (text === null) return null;
  const read: (text: string) => unknown = READERS[key];
  try {
    return read(text) as SettingValue<K>;
  } catch (error) {
    if (!(error instanceof InvalidArgumentError || error instanceof SwapctlError)) throw error;
    throw unusableSetting(key, error.message);
  }
}

/** Default pause between two polls, in milliseconds. */
const WATCH_INTERVAL_MS = 10_000;

/** The rate type without `--fixed` or `--float`: the stored one, else `float`. Throws `invalid_config`. */
export function usualRateType(context: Pick<Context, 'settings'>): RateType {
  return storedSetting(context, 'rate-type') ?? 'float';
}

/** Whether QR codes are shown by default: unless the stored setting is `off`. Throws `invalid_config`. */
export function usualQr(context: Pick<Context, 'settings'>): boolean {
  return storedSetting(context, 'qr') !== 'off';
}

/** The pause between two quotes of `quote --watch` without `--interval`, in milliseconds. */
export function usualInterval(context: Pick<Context, 'settings'>): number {
  return storedSetting(context, 'interval') ?? WATCH_INTERVAL_MS;
}

/** The request budget of `--budget`, or the stored one; null for neither: the default of each profile's service. */
export function requestBudget(context: Pick<Context, 'settings'>, flags: Flags = {}): BudgetLimit | null {
  const given = flags['budget'];
  return given instanceof BudgetLimit ? given : storedSetting(context, 'budget');
}

/** Reads where events are delivered: an `https:` URL, or an `http:` one on a loopback host. */
export function webhookUrlArgument(text: string): string {
  if (!URL.canParse(text))
    throw new InvalidArgumentError('Use a URL such as https://shop.example.com/hooks.');
  // A URL is read without its tabs and line breaks.
  if (hasHiddenCharacters(text))
    throw new InvalidArgumentError('The URL must not contain control characters or invisible ones.');
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '')
    throw new InvalidArgumentError('The URL must not contain a user name or password.');
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return text;
  throw new InvalidArgumentError(
    'The URL must start with https: (http: is allowed only for loopback addresses).',
  );
}
