import { and, type CommandShape, LEDGER, list, one, READS, SETTINGS } from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { SETTING_KEYS } from '../../settings/stored-settings.ts';
import type { ProfileResult, SecretPlace } from '../../views/profile.ts';
import type { SavedAddressSetting, SettingResult } from './config.ts';

const SETTING = { key: is.TEXT, value: is.TEXT_OR_NULL, default: is.TEXT_OR_NULL };

const OF_SETTING = {
  result: [one('setting', 'saved')],
  exitCodes: SETTINGS,
  values: { key: SETTING_KEYS },
};

export const AUTH_SHAPE: CommandShape = {
  operations: {
    'auth login': {
      result: [one('profile')],
      exitCodes: and(READS, 10),
      values: { '--environment': ['sandbox', 'live'] },
      changes: 'local',
    },
    'auth logout': { result: [one('removed')], exitCodes: and(LEDGER, 10), changes: 'local' },
    'auth status': { result: [one('profile')], exitCodes: READS },
    'auth list': { result: [list('profile')], exitCodes: SETTINGS },
    'auth switch': { result: [one('switched')], exitCodes: and(SETTINGS, 4), changes: 'local' },
    'config list': { result: [list('setting')], exitCodes: SETTINGS },
    'config get': OF_SETTING,
    'config set': { ...OF_SETTING, changes: 'local' },
    'config unset': { ...OF_SETTING, changes: 'local' },
    'config path': { result: [one('place')], exitCodes: SETTINGS },
  },
  shapes: {
    profile: is.object<ProfileResult>({
      name: is.TEXT,
      current: is.BOOLEAN,
      environment: is.ENVIRONMENT,
      baseUrl: is.TEXT_OR_NULL,
      publicKey: is.TEXT,
      secret: is.object<SecretPlace>({ place: is.TEXT, plainText: is.BOOLEAN }),
      verified: is.nullable(is.BOOLEAN),
      state: is.oneOf('verified', 'refused', 'unreachable', 'unproven', 'unreadable', 'unchecked'),
    }),
    switched: is.object({ profile: is.TEXT, current: is.BOOLEAN }),
    removed: is.object({ profile: is.TEXT, removed: is.TRUE }),
    setting: is.object<SettingResult>(SETTING),
    saved: is.object<SavedAddressSetting>({
      ...SETTING,
      network: is.TEXT,
      address: is.TEXT,
      memo: is.TEXT_OR_NULL,
    }),
    place: is.object({ path: is.TEXT }),
  },
};
