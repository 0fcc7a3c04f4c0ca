import { ENDPOINT_NAMES } from '../../core/partner-api/endpoints.ts';
import { HABIT_NAMES } from '../../core/partner-api/habits.ts';
import { listedStatuses } from '../../core/partner-api/statuses.ts';
import { MOVES } from '../../sandbox/orders/order.ts';
import { SCENARIO_NAMES } from '../../sandbox/orders/scenario-ends.ts';
import { SETTING_KEYS } from '../settings/stored-settings.ts';
import { BOOK_SHAPES } from './shapes/books.ts';
import { POLICY_SHAPES } from './shapes/policy.ts';
import { PROGRAM_SHAPES } from './shapes/program.ts';
import { SANDBOX_SHAPES } from './shapes/sandbox.ts';
import { SWAP_SHAPES } from './shapes/swaps.ts';

/** The JSON of one thing, by its name in docs/command-line/output.md#json. */
export const SHAPES = {
  ...SWAP_SHAPES,
  ...BOOK_SHAPES,
  ...POLICY_SHAPES,
  ...PROGRAM_SHAPES,
  ...SANDBOX_SHAPES,
};

/** Name of the JSON of one thing. */
export type ShapeName = keyof typeof SHAPES;

/** One of the forms in which a command prints its result: one object, an array of objects, or an object per line. */
export interface Form {
  readonly as: 'one' | 'list' | 'lines';
  /** More than one where items differ. */
  readonly shapes: readonly ShapeName[];
}

/** What a command does, beyond what its declaration says. */
export interface Operation {
  /** Forms of what it prints with `--json`, the usual one first; none if it prints text, or what a service sent. */
  readonly result: readonly Form[];
  /** Exit codes it can end with, ascending. */
  readonly exitCodes: readonly number[];
  /**
   * What it may change: settings, the ledger, files or the sandbox of this machine, or something at the service. The
   * default is nothing but caches, and what the ledger knows of swaps.
   */
  readonly changes?: 'local' | 'service';
  /** Closed lists of values by the long flag or the name of the argument, where commander does not know them. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

const one = (...shapes: readonly ShapeName[]): Form => ({ as: 'one', shapes });
const list = (...shapes: readonly ShapeName[]): Form => ({ as: 'list', shapes });
const lines = (...shapes: readonly ShapeName[]): Form => ({ as: 'lines', shapes });

const WATCH = lines('statusLine', 'retryLine', 'endLine');

/** Commands that read only the program's own text. */
const TEXT = [0, 1, 2];
const SETTINGS = [0, 1, 2, 11];
/** Commands that can be interrupted. */
const SIGNALS = [130, 143];
/** The ledger only: 4 for an unknown profile. */
const LEDGER = [0, 1, 2, 4, 11, ...SIGNALS];
const READS = [0, 1, 2, 3, 4, 5, 6, 11, ...SIGNALS];
const SANDBOX = [0, 1, 2, 3, 11, ...SIGNALS];

const and = (codes: readonly number[], ...more: readonly number[]): readonly number[] =>
  [...new Set([...codes, ...more])].sort((a, b) => a - b);

const STATUSES = [...new Set(listedStatuses().map(({ status }) => status))];
const OUTCOMES = ['created', 'unknown', 'refused', 'not-sent', 'dismissed'];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const KEYS = { key: SETTING_KEYS };

/** Every command that can be run, by its path; tests compare the table with the declarations. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  coins: { result: [list('coin')], exitCodes: READS },
  networks: { result: [one('networks')], exitCodes: READS },
  quote: { result: [one('quote'), list('quote'), lines('quoteLine', 'retryLine')], exitCodes: and(READS, 8) },
  create: {
    result: [one('create'), one('dryRun'), WATCH],
    exitCodes: and(READS, 7, 8, 9, 10, 12),
    changes: 'service',
  },
  status: {
    result: [list('status'), one('statusOne'), list('attention'), WATCH],
    exitCodes: and(READS, 8, 9),
  },
  refund: { result: [one('refund'), one('dryRun')], exitCodes: and(READS, 10, 12), changes: 'service' },
  address: { result: [one('address'), lines('address')], exitCodes: LEDGER },
  history: {
    result: [list('history')],
    exitCodes: LEDGER,
    values: { '--status': [...new Set([...STATUSES, ...OUTCOMES])] },
  },
  'history show': { result: [one('timeline')], exitCodes: and(LEDGER, 3) },
  'history support': { result: [one('support')], exitCodes: and(LEDGER, 3) },
  'history sent': { result: [one('timeline')], exitCodes: and(LEDGER, 3), changes: 'local' },
  'history note': { result: [one('timeline')], exitCodes: and(LEDGER, 3), changes: 'local' },
  'history import': { result: [lines('import')], exitCodes: READS, changes: 'local' },
  'history resolve': { result: [one('history')], exitCodes: and(READS, 12), changes: 'local' },
  batch: {
    result: [lines('batch'), one('batchReview')],
    exitCodes: and(READS, 7, 10, 12),
    changes: 'service',
  },
  report: {
    result: [one('report')],
    exitCodes: LEDGER,
    values: { '--by': ['status', 'pair', 'day', 'week', 'month', 'profile'] },
  },
  'report health': { result: [one('health')], exitCodes: READS },
  reconcile: { result: [one('reconcile')], exitCodes: and(LEDGER, 9) },
  listen: {
    result: [lines('event'), one('webhookSecret')],
    exitCodes: and(READS, 8),
    values: {
      '--events': [
        ...[...STATUSES, 'unknown', 'doubtful'].map((name) => `swap.${name}`),
        'create.unknown',
        'approval.requested',
        'approval.granted',
      ],
    },
    changes: 'local',
  },
  'events list': { result: [list('events')], exitCodes: LEDGER },
  'events show': { result: [one('delivered')], exitCodes: and(LEDGER, 3) },
  'events resend': { result: [one('events')], exitCodes: and(LEDGER, 3), changes: 'local' },
  'policy set': { result: [one('policySet')], exitCodes: and(READS, 10, 12), changes: 'local' },
  'policy show': { result: [one('policy')], exitCodes: LEDGER },
  'policy check': { result: [one('decision')], exitCodes: and(READS, 12) },
  'policy simulate': { result: [one('simulation')], exitCodes: READS },
  'policy stop': { result: [one('stopped')], exitCodes: LEDGER, changes: 'local' },
  'policy resume': { result: [one('stopped')], exitCodes: and(LEDGER, 12), changes: 'local' },
  'policy suspend': { result: [one('suspended')], exitCodes: LEDGER, changes: 'local' },
  'policy unsuspend': { result: [one('unsuspended')], exitCodes: and(LEDGER, 3, 12), changes: 'local' },
  'policy approvals list': { result: [list('approval')], exitCodes: LEDGER },
  'policy approvals show': { result: [one('approval')], exitCodes: and(LEDGER, 3, 12) },
  'policy approvals grant': {
    result: [one('approval')],
    exitCodes: and(LEDGER, 3, 10, 12),
    changes: 'local',
  },
  'policy approvals refuse': { result: [one('approval')], exitCodes: and(LEDGER, 3, 12), changes: 'local' },
  'policy approvals key': { result: [one('approverKey')], exitCodes: SETTINGS, changes: 'local' },
  'policy audit list': { result: [list('link')], exitCodes: LEDGER },
  'policy audit export': { result: [one('exported')], exitCodes: LEDGER, changes: 'local' },
  'policy audit verify': { result: [one('verified')], exitCodes: and(LEDGER, 9) },
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
  'config unset': { result: [one('setting', 'saved')], exitCodes: SETTINGS, values: KEYS, changes: 'local' },
  'config path': { result: [one('place')], exitCodes: SETTINGS },
  api: {
    result: [],
    exitCodes: and(READS, 7, 10, 12),
    values: { endpoint: ENDPOINT_NAMES, '--method': METHODS },
    changes: 'service',
  },
  mcp: {
    result: [],
    exitCodes: and(SETTINGS, 4, ...SIGNALS),
    values: { '--allow': ['create', 'refund'] },
    changes: 'service',
  },
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
  'sandbox deposit': { result: [one('order')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox move': { result: [one('order')], exitCodes: SANDBOX, values: { verb: MOVES }, changes: 'local' },
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
  'sandbox clock': { result: [one('clock')], exitCodes: SANDBOX },
  'sandbox clock advance': { result: [one('clock')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox clock reset': { result: [one('clock')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox fault add': {
    result: [one('fault')],
    exitCodes: SANDBOX,
    values: { endpoint: [...ENDPOINT_NAMES, 'all'] },
    changes: 'local',
  },
  'sandbox fault list': { result: [list('fault')], exitCodes: SANDBOX },
  'sandbox fault clear': { result: [one('cleared')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox partner add': { result: [one('partner')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox partner list': { result: [list('partner')], exitCodes: SANDBOX },
  'sandbox partner remove': { result: [one('dropped')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox logs': { result: [list('request'), lines('request')], exitCodes: SANDBOX },
  'sandbox snapshot save': { result: [one('snapshot')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox snapshot load': { result: [one('snapshot')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox snapshot list': {
    result: [list('snapshot'), one('dropped')],
    exitCodes: SANDBOX,
    changes: 'local',
  },
  'sandbox snapshot diff': { result: [one('difference')], exitCodes: SANDBOX },
  'sandbox orders': { result: [list('order'), lines('order')], exitCodes: SANDBOX },
  'sandbox info': { result: [one('info')], exitCodes: SANDBOX },
  'sandbox reset': { result: [one('reset')], exitCodes: SANDBOX, changes: 'local' },
  'sandbox openapi': { result: [], exitCodes: TEXT },
  conformance: { result: [list('finding')], exitCodes: and(READS, 10, 12), changes: 'service' },
  doctor: { result: [one('doctor')], exitCodes: and(SETTINGS, ...SIGNALS) },
  completion: { result: [one('script')], exitCodes: TEXT },
  help: {
    result: [
      one('commands'),
      one('command'),
      one('topic'),
      list('errorCode'),
      list('statusCode'),
      list('exitCode'),
    ],
    exitCodes: TEXT,
  },
};

/** The row of a command; undefined for a path that no command has, and for one that needs a verb. */
export function operationOf(path: string): Operation | undefined {
  return Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined;
}
