import { isAbsolute } from 'node:path';
import { SwapctlError, UsageError } from '../../base/errors.ts';
import { echoed } from '../../base/text.ts';

/** Purpose and default of each setting; the location of the ledger depends on the machine. */
export const SETTINGS = {
  'rate-type': { meaning: 'rate type of quote and create: fixed or float', fallback: 'float' },
  interval: { meaning: 'seconds between checks of --watch', fallback: '10' },
  budget: { meaning: 'request budget of batch, listen and --watch, such as 60/60s', fallback: '60/60s' },
  color: { meaning: 'when to use colour: auto, always or never', fallback: 'auto' },
  ledger: { meaning: 'location of the ledger: a path or a postgres:// URL', fallback: null },
  'forward-to': { meaning: 'URL to which listen sends webhooks', fallback: null },
  'events-kept': { meaning: 'how long to keep delivered events', fallback: '90d' },
  qr: { meaning: 'show QR codes in create and status: on or off', fallback: 'on' },
  support: { meaning: 'support contact of services whose profile has none', fallback: null },
};

/** A key of `swapctl config`. */
export type SettingKey = keyof typeof SETTINGS;

/** Every key of `swapctl config`, in the order in which they are listed. */
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/** When colour is used: the choices of `--color`. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

/** Whether QR codes are shown: the choices of the setting `qr`. */
export const QR_CHOICES = ['on', 'off'] as const;

/** Rate types: the choices of the setting `rate-type`. */
export const RATE_CHOICES = ['fixed', 'float'] as const;

/** The accepted values of each setting that has only a few. */
export const SETTING_CHOICES: Readonly<Partial<Record<SettingKey, readonly string[]>>> = {
  'rate-type': RATE_CHOICES,
  color: COLOR_CHOICES,
  qr: QR_CHOICES,
};

/**
 * Checks the location of a ledger: an absolute path, or a `postgres://` URL without a password, which `config list` would
 * show.
 */
export function checkLedgerLocation(text: string): string {
  if (/^postgres(?:ql)?:\/\//i.test(text)) return withoutPassword(text);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw new UsageError('The ledger must be a file path or a postgres:// URL.', LEDGER_HINT);
  if (!isAbsolute(text)) throw new UsageError('The path of the ledger must be absolute.', LEDGER_HINT);
  return text;
}

const LEDGER_HINT =
  'Use a path such as /home/me/ledger.db, or a URL such as postgres://db.example.com/swaps.';

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) throw new UsageError('The URL of the ledger is not valid.', LEDGER_HINT);
  const { password, searchParams } = new URL(text);
  if (password === '' && !searchParams.has('password')) return text;
  throw new UsageError(
    'The URL of the ledger contains a password, which `swapctl config list` would show.',
    'Put it in ~/.pgpass or PGPASSWORD, or set SWAPCTL_LEDGER to the whole URL.',
  );
}

/** The error `invalid_config` for a stored setting that `swapctl config set` would refuse; `why` is a sentence. */
export function unusableSetting(key: string, why: string): SwapctlError {
  return new SwapctlError('invalid_config', `Invalid stored setting ${key}. ${why}`, {
    hint: `Set it again, or remove it: swapctl config unset ${key}`,
  });
}

/** An address stored by `swapctl config set address.<name>`, in the form in which it is sent. */
export interface SavedAddress {
  readonly name: string;
  /** As typed: the service's code or an alias of the network. */
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
}

/** Prefix of the keys of saved addresses in `swapctl config`; the address's name follows. */
export const ADDRESS_PREFIX = 'address.';

/** Prefix of the keys of explorers in `swapctl config`; a network follows. */
export const EXPLORER_PREFIX = 'explorer.';

/** Reads the name of a saved address, in any case; throws a usage error. */
export function savedName(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z0-9][a-z0-9_.-]{0,39}$/.test(name)) return name;
  throw new UsageError(
    `${echoed(text)} is not a valid address name.`,
    'A name has 1 to 40 letters, digits, dots, hyphens and underscores, and starts with a letter or digit.',
  );
}

/** The names behind a prefix in the stored settings, in alphabetical order. */
export function namesUnder(prefix: string, settings: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(settings)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .sort();
}

/** A saved address, or null. Throws `invalid_config` for one that was corrupted by hand. */
export function savedAddressIn(settings: Readonly<Record<string, unknown>>, name: string) {
  const key = `${ADDRESS_PREFIX}${name}`;
  if (!Object.hasOwn(settings, key)) return null;
  const value = settings[key];
  if (typeof value !== 'object' || value === null) throw unusable(name);
  const { network, address, memo = null } = value as Readonly<Record<string, unknown>>;
  if (typeof network !== 'string' || typeof address !== 'string') throw unusable(name);
  if (memo !== null && typeof memo !== 'string') throw unusable(name);
  return { name, network, address, memo };
}

function unusable(name: string): SwapctlError {
  return unusableSetting(`${ADDRESS_PREFIX}${name}`, 'It needs a network and an address.');
}
