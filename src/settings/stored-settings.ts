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
 * Checks where a ledger may lie: an absolute path, or a `postgres://` URL without a password, for the configuration is
 * shown by `config list`.
 */
export function checkLedgerLocation(text: string): string {
  if (/^postgres(?:ql)?:\/\//i.test(text)) return withoutPassword(text);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text))
    throw new UsageError('The ledger is neither a file nor a postgres:// URL.', LEDGER_HINT);
  if (!isAbsolute(text)) throw new UsageError('The path of the ledger is not absolute.', LEDGER_HINT);
  return text;
}

const LEDGER_HINT =
  'Give a path such as /home/me/ledger.db, or a URL such as postgres://db.example.com/swaps.';

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) throw new UsageError('The URL of the ledger cannot be read.', LEDGER_HINT);
  const { password, searchParams } = new URL(text);
  if (password === '' && !searchParams.has('password')) return text;
  throw new UsageError(
    'The URL of the ledger holds a password, which would be shown by `swapctl config list`.',
    'Put it into ~/.pgpass or PGPASSWORD, or give the whole URL in SWAPCTL_LEDGER.',
  );
}

/** The error for a stored setting that its flag would refuse: somebody else than `swapctl config set` wrote it. */
export function unusableSetting(key: string, why: string): SwapctlError {
  return new SwapctlError('invalid_config', `The stored setting ${key} cannot be used. ${why}`, {
    hint: `Set it again, or forget it: swapctl config unset ${key}`,
  });
}
