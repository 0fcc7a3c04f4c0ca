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
import * as is from '../../operations/schema.ts';
import { STATUS } from '../../operations/shapes.ts';
import type { RecordedCall } from './views/recording.ts';

type Order = ReturnType<typeof orderJson>;

type Clock = ReturnType<typeof clockJson>;

type Snapshot = ReturnType<typeof snapshotJson<SavedSnapshot & { readonly replaced: boolean }>>;

const CLOCK = { now: is.TIME, offsetSeconds: is.NUMBER, standsStill: is.BOOLEAN };

const TRANSITION = { from: is.INTEGER_OR_NULL, to: is.INTEGER, at: is.TIME };

const CHANGES = is.mapOf({ type: 'array', minItems: 2, maxItems: 2 });

const ITEMS = is.object({
  added: is.listOf(is.OPEN),
  removed: is.listOf(is.OPEN),
  changed: is.listOf(is.OPEN),
});

const DIFF_STATE = is.object({ name: is.TEXT_OR_NULL, now: is.TIME });

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
    removed: is.object({ profile: is.TEXT, removed: is.TRUE }),
    order: is.object<Order>({
      order: is.TEXT,
      partner: is.TEXT_OR_NULL,
      type: is.RATE_TYPE,
      deposit: is.ref('sides'),
      receive: is.ref('sides'),
      refundAddress: is.TEXT_OR_NULL,
      status: STATUS,
      statusCode: is.INTEGER,
      createdAt: is.TIME,
      since: is.TIME,
      endedAt: is.TIME_OR_NULL,
      transitions: is.objects<Order['transitions'][number]>(TRANSITION),
    }),
    sides: is.object<SandboxOrderSide>({
      coin: is.TEXT,
      network: is.TEXT,
      amount: is.AMOUNT_OR_NULL,
      address: is.TEXT,
      memo: is.TEXT_OR_NULL,
      txId: is.TEXT_OR_NULL,
      confirmations: is.INTEGER_OR_NULL,
    }),
    clock: is.object<Clock & { transitions: unknown }>(
      { ...CLOCK, transitions: is.objects({ order: is.TEXT, ...TRANSITION }) },
      ['transitions'],
    ),
    fault: is.object<ActiveFault>({ id: is.INTEGER, rule: is.OPEN, seen: is.INTEGER, fired: is.INTEGER }),
    cleared: is.object({ cleared: is.INTEGER }),
    partner: is.object<Partner>({ name: is.TEXT, publicKey: is.TEXT, secret: is.TEXT }),
    dropped: is.object({ name: is.TEXT, removed: is.TRUE }),
    request: is.object<ReturnType<typeof requestJson>>(
      {
        id: is.INTEGER,
        at: is.TIME,
        partner: is.TEXT_OR_NULL,
        method: is.TEXT,
        endpoint: is.TEXT_OR_NULL,
        path: is.TEXT,
        query: is.TEXT,
        status: is.INTEGER_OR_NULL,
        ms: is.NUMBER,
        fault: is.INTEGER_OR_NULL,
        body: is.TEXT_OR_NULL,
        answer: is.TEXT_OR_NULL,
      },
      ['body', 'answer'],
    ),
    snapshot: is.object<Snapshot>(
      { name: is.TEXT, savedAt: is.TIME, now: is.TIME, orders: is.INTEGER, replaced: is.BOOLEAN },
      ['replaced'],
    ),
    difference: is.object({
      from: DIFF_STATE,
      to: DIFF_STATE,
      same: is.BOOLEAN,
      orders: ITEMS,
      partners: ITEMS,
      faults: ITEMS,
      clock: is.object({ changes: CHANGES }),
    }),
    info: is.object<ReturnType<typeof infoJson>>({
      database: is.TEXT,
      kind: is.oneOf('sqlite', 'postgres'),
      orders: is.INTEGER,
      partners: is.INTEGER,
      faults: is.INTEGER,
      coins: is.INTEGER,
      networks: is.INTEGER,
      seed: is.INTEGER_OR_NULL,
      clock: is.object<Clock>(CLOCK),
    }),
    reset: is.object({ reset: is.TRUE }),
    run: is.object({
      name: is.TEXT,
      passed: is.BOOLEAN,
      steps: is.objects<StepResult>({
        step: is.INTEGER,
        kind: is.TEXT,
        as: is.TEXT_OR_NULL,
        state: is.oneOf('passed', 'failed', 'skipped'),
        at: is.TIME_OR_NULL,
        duration: is.NUMBER,
        result: is.ANYTHING,
        differences: is.objects<StepResult['differences'][number]>({
          path: is.TEXT,
          expected: is.ANYTHING,
          seen: is.ANYTHING,
        }),
        message: is.TEXT_OR_NULL,
      }),
    }),
    recording: is.object({ url: is.TEXT }),
    recorded: is.object<RecordedCall>({
      at: is.TIME,
      method: is.TEXT,
      endpoint: is.TEXT_OR_NULL,
      status: is.INTEGER_OR_NULL,
      milliseconds: is.NUMBER,
      refused: is.TEXT_OR_NULL,
      lost: is.TEXT_OR_NULL,
      deviations: is.objects<RecordedCall['deviations'][number]>({
        kind: is.TEXT,
        path: is.TEXT,
        words: is.TEXT,
      }),
    }),
  },
};
