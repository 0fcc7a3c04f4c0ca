import { ENDPOINT_NAMES } from '../../../core/partner-api/endpoints.ts';
import { HABIT_NAMES } from '../../../core/partner-api/habits.ts';
import type { ActiveFault } from '../../../sandbox/faults/rule.ts';
import type {
  clockJson,
  infoJson,
  orderJson,
  requestJson,
  snapshotJson,
} from '../../../sandbox/operator/json.ts';
import type { SandboxOrderSide } from '../../../sandbox/operator/order-view.ts';
import { MOVES } from '../../../sandbox/orders/order.ts';
import { SCENARIO_NAMES } from '../../../sandbox/orders/scenario-ends.ts';
import type { StepResult } from '../../../sandbox/scenarios/run.ts';
import type { SavedSnapshot } from '../../../sandbox/snapshots/snapshots.ts';
import type { Partner } from '../../../sandbox/state/partners.ts';
import {
  and,
  type CommandShape,
  lines,
  list,
  OWN_TEXT,
  one,
  READS,
  SETTINGS,
  SIGNALS,
} from '../../operations/operations.ts';
import {
  AMOUNT_OR_NULL,
  ANYTHING,
  BOOLEAN,
  INTEGER,
  INTEGER_OR_NULL,
  listOf,
  mapOf,
  NUMBER,
  OPEN,
  object,
  oneOf,
  RATE_TYPE,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
  TRUE,
} from '../../operations/schema.ts';
import { STATUS } from '../../operations/shapes.ts';
import type { RecordedCall } from './views/recording.ts';

type Order = ReturnType<typeof orderJson>;

type Clock = ReturnType<typeof clockJson>;

type Snapshot = ReturnType<typeof snapshotJson<SavedSnapshot & { readonly replaced: boolean }>>;

const CLOCK = { now: TIME, offsetSeconds: NUMBER, standsStill: BOOLEAN };

const TRANSITION = { from: INTEGER_OR_NULL, to: INTEGER, at: TIME };

const CHANGES = mapOf({ type: 'array', minItems: 2, maxItems: 2 });

const ITEMS = object({
  added: listOf(OPEN),
  removed: listOf(OPEN),
  changed: listOf(OPEN),
});

const DIFF_STATE = object({ name: TEXT_OR_NULL, now: TIME });

const CODES = [0, 1, 2, 3, 11, ...SIGNALS];

export const SANDBOX_SHAPE: CommandShape = {
  operations: {
    'sandbox start': {
      result: [],
      exitCodes: and(SETTINGS, ...SIGNALS),
      values: { '--rough': HABIT_NAMES, '--scenario': SCENARIO_NAMES },
      changes: 'local',
    },
    'sandbox record': {
      result: [lines('recorded', 'recording')],
      exitCodes: and(READS, 12, ...SIGNALS),
      changes: 'local',
    },
    'sandbox deposit': { result: [one('order')], exitCodes: CODES, changes: 'local' },
    'sandbox move': {
      result: [one('order')],
      exitCodes: CODES,
      values: { verb: MOVES },
      changes: 'local',
    },
    'sandbox trigger': {
      result: [one('swap')],
      exitCodes: and(READS, 7),
      values: { scenario: SCENARIO_NAMES },
      changes: 'local',
    },
    'sandbox run': {
      result: [one('run')],
      exitCodes: and(READS, 9),
      values: { file: SCENARIO_NAMES },
      changes: 'service',
    },
    'sandbox clock': { result: [one('clock')], exitCodes: CODES },
    'sandbox clock advance': { result: [one('clock')], exitCodes: CODES, changes: 'local' },
    'sandbox clock reset': { result: [one('clock')], exitCodes: CODES, changes: 'local' },
    'sandbox fault add': {
      result: [one('fault')],
      exitCodes: CODES,
      values: { endpoint: [...ENDPOINT_NAMES, 'all'] },
      changes: 'local',
    },
    'sandbox fault list': { result: [list('fault')], exitCodes: CODES },
    'sandbox fault clear': { result: [one('cleared')], exitCodes: CODES, changes: 'local' },
    'sandbox partner add': { result: [one('partner')], exitCodes: CODES, changes: 'local' },
    'sandbox partner list': { result: [list('partner')], exitCodes: CODES },
    'sandbox partner remove': { result: [one('dropped')], exitCodes: CODES, changes: 'local' },
    'sandbox logs': { result: [list('request'), lines('request')], exitCodes: CODES },
    'sandbox snapshot save': { result: [one('snapshot')], exitCodes: CODES, changes: 'local' },
    'sandbox snapshot load': { result: [one('snapshot')], exitCodes: CODES, changes: 'local' },
    'sandbox snapshot list': {
      result: [list('snapshot'), one('dropped')],
      exitCodes: CODES,
      changes: 'local',
    },
    'sandbox snapshot diff': { result: [one('difference')], exitCodes: CODES },
    'sandbox orders': { result: [list('order'), lines('order')], exitCodes: CODES },
    'sandbox info': { result: [one('info')], exitCodes: CODES },
    'sandbox reset': { result: [one('reset')], exitCodes: CODES, changes: 'local' },
    'sandbox openapi': { result: [], exitCodes: OWN_TEXT },
  },
  shapes: {
    removed: object({ profile: TEXT, removed: TRUE }),
    order: object<Order>({
      order: TEXT,
      partner: TEXT_OR_NULL,
      type: RATE_TYPE,
      deposit: ref('sides'),
      receive: ref('sides'),
      refundAddress: TEXT_OR_NULL,
      status: STATUS,
      statusCode: INTEGER,
      createdAt: TIME,
      since: TIME,
      endedAt: TIME_OR_NULL,
      transitions: listOf(object<Order['transitions'][number]>(TRANSITION)),
    }),
    sides: object<SandboxOrderSide>({
      coin: TEXT,
      network: TEXT,
      amount: AMOUNT_OR_NULL,
      address: TEXT,
      memo: TEXT_OR_NULL,
      txId: TEXT_OR_NULL,
      confirmations: INTEGER_OR_NULL,
    }),
    clock: object<Clock & { transitions: unknown }>(
      { ...CLOCK, transitions: listOf(object({ order: TEXT, ...TRANSITION })) },
      ['transitions'],
    ),
    fault: object<ActiveFault>({ id: INTEGER, rule: OPEN, seen: INTEGER, fired: INTEGER }),
    cleared: object({ cleared: INTEGER }),
    partner: object<Partner>({ name: TEXT, publicKey: TEXT, secret: TEXT }),
    dropped: object({ name: TEXT, removed: TRUE }),
    request: object<ReturnType<typeof requestJson>>(
      {
        id: INTEGER,
        at: TIME,
        partner: TEXT_OR_NULL,
        method: TEXT,
        endpoint: TEXT_OR_NULL,
        path: TEXT,
        query: TEXT,
        status: INTEGER_OR_NULL,
        ms: NUMBER,
        fault: INTEGER_OR_NULL,
        body: TEXT_OR_NULL,
        answer: TEXT_OR_NULL,
      },
      ['body', 'answer'],
    ),
    snapshot: object<Snapshot>({ name: TEXT, savedAt: TIME, now: TIME, orders: INTEGER, replaced: BOOLEAN }, [
      'replaced',
    ]),
    difference: object({
      from: DIFF_STATE,
      to: DIFF_STATE,
      same: BOOLEAN,
      orders: ITEMS,
      partners: ITEMS,
      faults: ITEMS,
      clock: object({ changes: CHANGES }),
    }),
    info: object<ReturnType<typeof infoJson>>({
      database: TEXT,
      kind: oneOf('sqlite', 'postgres'),
      orders: INTEGER,
      partners: INTEGER,
      faults: INTEGER,
      coins: INTEGER,
      networks: INTEGER,
      seed: INTEGER_OR_NULL,
      clock: object<Clock>(CLOCK),
    }),
    reset: object({ reset: TRUE }),
    run: object({
      name: TEXT,
      passed: BOOLEAN,
      steps: listOf(
        object<StepResult>({
          step: INTEGER,
          kind: TEXT,
          as: TEXT_OR_NULL,
          state: oneOf('passed', 'failed', 'skipped'),
          at: TIME_OR_NULL,
          duration: NUMBER,
          result: ANYTHING,
          differences: listOf(
            object<StepResult['differences'][number]>({ path: TEXT, expected: ANYTHING, seen: ANYTHING }),
          ),
          message: TEXT_OR_NULL,
        }),
      ),
    }),
    recording: object({ url: TEXT }),
    recorded: object<RecordedCall>({
      at: TIME,
      method: TEXT,
      endpoint: TEXT_OR_NULL,
      status: INTEGER_OR_NULL,
      milliseconds: NUMBER,
      refused: TEXT_OR_NULL,
      lost: TEXT_OR_NULL,
      deviations: listOf(object<RecordedCall['deviations'][number]>({ kind: TEXT, path: TEXT, words: TEXT })),
    }),
  },
};
