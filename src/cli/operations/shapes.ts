import type { ErrorJson } from '../../base/errors.ts';
import type { Decision } from '../../core/ledger/policy/evaluate.ts';
import type { AskedAmounts, SwapResult } from '../../core/ledger/swap-result.ts';
import { listedStatuses } from '../../core/partner-api/statuses.ts';
import {
  AMOUNT,
  AMOUNT_OR_NULL,
  ANYTHING,
  about,
  BOOLEAN,
  ENVIRONMENT,
  extending,
  INTEGER,
  INTEGER_OR_NULL,
  type JsonSchema,
  listOf,
  mapOf,
  nullable,
  OPEN,
  OUTCOME,
  object,
  oneOf,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TIME,
  TRUE,
} from './schema.ts';

/** The statuses of a swap, each once. */
export const STATUSES = [...new Set(listedStatuses().map(({ status }) => status))];

/** The environment and profile of most results. */
export const PLACE = { profile: TEXT, environment: ENVIRONMENT };

/** The keys of the deposit of a swap; its payout has one more. */
export const DEPOSIT = {
  coin: TEXT_OR_NULL,
  name: TEXT_OR_NULL,
  network: TEXT_OR_NULL,
  amount: AMOUNT_OR_NULL,
  address: TEXT_OR_NULL,
  memo: TEXT_OR_NULL,
  txId: TEXT_OR_NULL,
  confirmations: INTEGER_OR_NULL,
  receivedAt: TEXT_OR_NULL,
  confirmedAt: TEXT_OR_NULL,
  fee: AMOUNT_OR_NULL,
};

/** A status in one word; `unknown` is any code that the API document does not list. */
export const STATUS = ref('swapStatus');

/** What many shapes have: once in each schema, by its name. */
export const PARTS: Readonly<Record<string, JsonSchema>> = {
  amountOrNull: nullable(AMOUNT),
  swapStatus: oneOf(...STATUSES.filter((status) => status !== 'unknown'), 'unknown'),
};

const SWAP = {
  order: TEXT_OR_NULL,
  status: about(nullable(STATUS), 'null in the ledger where no swap exists'),
  statusCode: INTEGER_OR_NULL,
  final: BOOLEAN,
  type: oneOf('fixed', 'float', null),
  deposit: ref('deposit'),
  receive: ref('receive'),
  refundAddress: TEXT_OR_NULL,
  riskScore: AMOUNT_OR_NULL,
  createdAt: TEXT_OR_NULL,
  startedAt: TEXT_OR_NULL,
  endedAt: TEXT_OR_NULL,
  duration: TEXT_OR_NULL,
  expiresAt: TEXT_OR_NULL,
  paymentUri: TEXT_OR_NULL,
  fundable: about(BOOLEAN, 'whether the deposit may be sent; if false, send nothing'),
  asked: nullable(object<AskedAmounts>({ deposit: AMOUNT, receive: AMOUNT_OR_NULL })),
  labels: mapOf(TEXT),
  doubts: about(TEXTS, 'ways in which the swap does not match what was agreed'),
  profile: TEXT,
  environment: ENVIRONMENT,
};

/** The JSON of things that several commands print, and of errors. */
export const COMMON_SHAPES: Readonly<Record<string, JsonSchema>> = {
  deposit: object<SwapResult['deposit']>(DEPOSIT),
  receive: extending<SwapResult['deposit'], SwapResult['receive']>('deposit', { paidAmount: AMOUNT_OR_NULL }),
  swap: object<SwapResult>(SWAP),
  dryRun: object(
    {
      dryRun: TRUE,
      request: object({
        method: TEXT,
        url: TEXT,
        headers: mapOf(TEXT),
        body: ANYTHING,
      }),
      decision: ref('decision'),
    },
    ['decision'],
  ),
  decision: object<Decision>({
    decision: oneOf('allow', 'approve', 'refuse'),
    rules: listOf(
      object<Decision['rules'][number]>({
        index: INTEGER_OR_NULL,
        kind: TEXT,
        message: TEXT,
        limit: { type: ['string', 'integer', 'null'] },
        spent: { type: ['string', 'integer', 'null'] },
        left: { type: ['string', 'integer', 'null'] },
      }),
    ),
    approval: nullable(object({ id: TEXT, until: TIME })),
    policy: TEXT_OR_NULL,
    ...PLACE,
  }),
  statusLine: object({
    type: { const: 'status' },
    at: TIME,
    swap: ref('swap'),
  }),
  retryLine: object({
    type: { const: 'retry' },
    at: TIME,
    order: TEXT_OR_NULL,
    error: ref('error'),
  }),
  endLine: object({
    type: { const: 'end' },
    at: TIME,
    order: TEXT,
    status: STATUS,
    statusCode: INTEGER_OR_NULL,
  }),
  error: object<ErrorJson>({
    code: TEXT,
    message: TEXT,
    hint: TEXT_OR_NULL,
    httpStatus: INTEGER_OR_NULL,
    retryable: BOOLEAN,
    outcome: OUTCOME,
    exitCode: INTEGER,
    details: nullable(OPEN),
    actions: listOf(object({ command: TEXTS, why: TEXT })),
  }),
};
