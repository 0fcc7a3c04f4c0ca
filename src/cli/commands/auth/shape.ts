import { and, type CommandShape, LEDGER, list, one, READS, SETTINGS } from '../../operations/operations.ts';
import {
  BOOLEAN,
  ENVIRONMENT,
  nullable,
  object,
  oneOf,
  TEXT,
  TEXT_OR_NULL,
  TRUE,
} from '../../operations/schema.ts';
import { SETTING_KEYS } from '../../settings/stored-settings.ts';
import type { ProfileResult, SecretPlace } from '../../views/profile.ts';
import type { AddressSetting, SettingResult } from './setting-view.ts';

const SETTING = { key: TEXT, value: TEXT_OR_NULL, default: TEXT_OR_NULL };

const KEYS = { key: SETTING_KEYS };

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
    'config get': { result: [one('setting', 'saved')], exitCodes: SETTINGS, values: KEYS },
    'config set': { result: [one('setting', 'saved')], exitCodes: SETTINGS, values: KEYS, changes: 'local' },
    'config unset': {
      result: [one('setting', 'saved')],
      exitCodes: SETTINGS,
      values: KEYS,
      changes: 'local',
    },
    'config path': { result: [one('place')], exitCodes: SETTINGS },
  },
  shapes: {
    profile: object<ProfileResult>({
      name: TEXT,
      current: BOOLEAN,
      environment: ENVIRONMENT,
      baseUrl: TEXT_OR_NULL,
      publicKey: TEXT,
      secret: object<SecretPlace>({ place: TEXT, plainText: BOOLEAN }),
      verified: nullable(BOOLEAN),
      state: oneOf('verified', 'refused', 'unreachable', 'unproven', 'unreadable', 'unchecked'),
    }),
    switched: object({ profile: TEXT, current: BOOLEAN }),
    removed: object({ profile: TEXT, removed: TRUE }),
    setting: object<SettingResult>(SETTING),
    saved: object<AddressSetting>({ ...SETTING, network: TEXT, address: TEXT, memo: TEXT_OR_NULL }),
    place: object({ path: TEXT }),
  },
};
