import { isAbsolute } from 'node:path';
import { SwapctlError, UsageError } from '../errors.ts';

/** Every key of `swapctl config`, in the order in which they are listed. */
export const SETTING_KEYS = [
  'rate-type',
  'interval',
  'budget',
  'color',
  'ledger',
  'forward-to',
  'events-kept',
  'qr',
] as const;

/** A key of `swapctl config`. */
export type SettingKey = (typeof SETTING_KEYS)[number];

/** When colour is used: the choices of `--color`. */
export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

/** Whether QR codes are shown: the choices of the setting `qr`. */
export const QR_CHOICES = ['on', 'off'] as const;

/** Rate types: the choices of the setting `rate-type`. */
export const RATE_CHOICES = ['fixed', 'float'] as const;

/** The values of the settings that have only a few. */
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

/** The error for a stored setting that `swapctl config set` would have refused. */
export function unusableSetting(key: string, why: string): SwapctlError {
  return new SwapctlError('invalid_config', `The stored setting ${key} cannot be used. ${why}`, {
    hint: `Set it again, or remove it: swapctl config unset ${key}`,
  });
}
