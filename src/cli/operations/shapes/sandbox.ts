import type { ActiveFault } from '../../../sandbox/faults/rule.ts';
import type {
  clockJson,
  infoJson,
  orderJson,
  requestJson,
  snapshotJson,
} from '../../../sandbox/operator/json.ts';
import type { SandboxOrderSide } from '../../../sandbox/operator/order-view.ts';
import type { StepResult } from '../../../sandbox/scenarios/run.ts';
import type { SavedSnapshot } from '../../../sandbox/snapshots/snapshots.ts';
import type { Partner } from '../../../sandbox/state/partners.ts';
import type { RecordedCall } from '../../views/sandbox/recording.ts';
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
} from '../schema.ts';
import { STATUS } from './swaps.ts';

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

/** The built-in service. */
export const SANDBOX_SHAPES = {
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
};
