import { ENDPOINT_NAMES } from '../../../core/partner-api/endpoints.ts';
import { HABIT_NAMES } from '../../../core/partner-api/habits.ts';
import type { ActiveFault } from '../../../sandbox/faults/rule.ts';
import type * as json from '../../../sandbox/operator/json.ts';
import type { SandboxOrderSide } from '../../../sandbox/operator/order-view.ts';
import { MOVES } from '../../../sandbox/orders/order.ts';
import { SCENARIO_NAMES } from '../../../sandbox/orders/scenario-ends.ts';
import type { StepResult } from '../../../sandbox/scenarios/run.ts';
import type { SavedSnapshot } from '../../../sandbox/snapshots/snapshots.ts';
import type { Partner } from '../../../sandbox/state/partners.ts';
import {
  and,
  type CommandShape,
  type Form,
  lines,
  list,
  type Operation,
  one,
  READS,
  SETTINGS,
  SIGNALS,
  TEXT_EXIT_CODES,
} from '../../operations/operations.ts';
import * as is from '../../operations/schema.ts';
import { STATUS } from '../../operations/shapes.ts';
import type { RecordedCall } from './views/recording.ts';

type Order = ReturnType<typeof json.orderJson>;

type Clock = ReturnType<typeof json.clockJson>;

type Snapshot = ReturnType<typeof json.snapshotJson<SavedSnapshot & { readonly replaced: boolean }>>;

const CLOCK = { now: is.TIME, offsetSeconds: is.NUMBER, standsStill: is.BOOLEAN };

const TRANSITION = { from: is.INTEGER_OR_NULL, to: is.INTEGER, at: is.TIME };

const CHANGES = is.mapOf({ type: 'array', minItems: 2, maxItems: 2 });

const OBJECTS = is.listOf(is.OPEN);

const ITEMS = is.object({ added: OBJECTS, removed: OBJECTS, changed: OBJECTS });

const DIFF_STATE = is.object({ name: is.TEXT_OR_NULL, now: is.TIME });

const CODES = [0, 1, 2, 3, 11, ...SIGNALS];

/** A verb that only reads the database of a sandbox. */
const reading = (...result: readonly Form[]): Operation => ({ result, exitCodes: CODES });

/** A verb that changes it, with the values of an argument where commander does not know them. */
const acting = (shape: string, values: Operation['values'] = {}): Operation => ({
  result: [one(shape)],
  exitCodes: CODES,
  values,
  changes: 'local',
});

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
    'sandbox deposit': acting('order'),
    'sandbox move': acting('order', { verb: MOVES }),
    'sandbox trigger': {
      ...acting('swap', { scenario: SCENARIO_NAMES }),
      exitCodes: and(READS, 7),
    },
    'sandbox run': {
      result: [one('run')],
      exitCodes: and(READS, 9),
      values: { file: SCENARIO_NAMES },
      changes: 'service',
    },
    'sandbox clock': reading(one('clock')),
    'sandbox clock advance': acting('clock'),
    'sandbox clock reset': acting('clock'),
    'sandbox fault add': acting('fault', { endpoint: [...ENDPOINT_NAMES, 'all'] }),
    'sandbox fault list': reading(list('fault')),
    'sandbox fault clear': acting('cleared'),
    'sandbox partner add': acting('partner'),
    'sandbox partner list': reading(list('partner')),
    'sandbox partner remove': acting('dropped'),
    'sandbox logs': reading(list('request'), lines('request')),
    'sandbox snapshot save': acting('snapshot'),
    'sandbox snapshot load': acting('snapshot'),
    'sandbox snapshot list': { ...reading(list('snapshot'), one('dropped')), changes: 'local' },
    'sandbox snapshot diff': reading(one('difference')),
    'sandbox orders': reading(list('order'), lines('order')),
    'sandbox info': reading(one('info')),
    'sandbox reset': acting('reset'),
    'sandbox openapi': { result: [], exitCodes: TEXT_EXIT_CODES },
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
    request: is.object<ReturnType<typeof json.requestJson>>(
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
    info: is.object<ReturnType<typeof json.infoJson>>({
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
