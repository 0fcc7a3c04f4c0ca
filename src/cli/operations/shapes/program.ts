import type { CheckResult } from '../../../conformance/check.ts';
import type { DoctorCheck } from '../../views/checks/doctor.ts';
import type { ProfileResult, SecretPlace } from '../../views/profile.ts';
import type { AddressSetting, SettingResult } from '../../views/setting.ts';
import type { CommandLineData, CommandSchemas } from '../command-line.ts';
import type { ErrorCodeData } from '../errors.ts';
import {
  BOOLEAN,
  ENVIRONMENT,
  INTEGER,
  listOf,
  nullable,
  OPEN,
  OUTCOME,
  object,
  oneOf,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TRUE,
} from '../schema.ts';

const SETTING = { key: TEXT, value: TEXT_OR_NULL, default: TEXT_OR_NULL };

/** Profiles, settings, checks and the program itself. */
export const PROGRAM_SHAPES = {
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
  doctor: object({
    checks: listOf(
      object<DoctorCheck>({
        name: TEXT,
        state: oneOf('ok', 'warn', 'fail'),
        detail: TEXT,
        remedy: TEXT_OR_NULL,
      }),
    ),
    ok: BOOLEAN,
  }),
  finding: object<CheckResult>({
    check: TEXT,
    endpoint: TEXT,
    basis: oneOf('document', 'assumed'),
    decision: TEXT_OR_NULL,
    result: oneOf('held', 'differs', 'skipped'),
    expected: TEXT,
    found: TEXT,
    habit: TEXT_OR_NULL,
    affects: TEXTS,
  }),
  script: object({ shell: oneOf('bash', 'zsh', 'fish'), script: TEXT }),
  commands: object<CommandLineData>({
    commands: listOf(OPEN),
    globalOptions: listOf(OPEN),
    exitCodes: listOf(OPEN),
    errorCodes: listOf(OPEN),
  }),
  command: object<CommandSchemas>({
    path: TEXT,
    usage: TEXT,
    description: TEXT,
    changes: oneOf('nothing', 'local', 'service'),
    input: OPEN,
    output: nullable(OPEN),
    exitCodes: listOf(INTEGER),
  }),
  errorCode: object<ErrorCodeData>({
    code: TEXT,
    exitCode: INTEGER,
    meaning: TEXT,
    retryable: nullable(BOOLEAN),
    outcomes: listOf(OUTCOME),
    fix: TEXT,
  }),
  topic: object({ topic: TEXT, lines: TEXTS }),
  statusCode: object({
    code: INTEGER,
    status: TEXT,
    final: BOOLEAN,
    needsPerson: BOOLEAN,
    meaning: TEXT,
  }),
  exitCode: object({
    code: INTEGER,
    meaning: TEXT,
    errors: TEXTS,
  }),
};
