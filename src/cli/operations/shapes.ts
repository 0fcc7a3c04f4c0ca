import type { ErrorJson } from '../../base/errors.ts';
import type { Decision } from '../../core/ledger/policy/evaluate.ts';
import type { AgreedAmounts, SwapResult } from '../../core/ledger/swap-result.ts';
import { listedStatuses } from '../../core/partner-api/statuses.ts';
import * as is from './schema.ts';

/** The statuses of a swap, each once. */
export const STATUSES = [...new Set(listedStatuses().map(({ status }) => status))];

/** The environment and profile of most results. */
export const PLACE = { profile: is.TEXT, environment: is.ENVIRONMENT };

/** The keys of the deposit of a swap; its payout has one more. */
export const DEPOSIT = {
  coin: is.TEXT_OR_NULL,
  name: is.TEXT_OR_NULL,
  network: is.TEXT_OR_NULL,
  amount: is.AMOUNT_OR_NULL,
  address: is.TEXT_OR_NULL,
  memo: is.TEXT_OR_NULL,
  txId: is.TEXT_OR_NULL,
  confirmations: is.INTEGER_OR_NULL,
  receivedAt: is.TEXT_OR_NULL,
  confirmedAt: is.TEXT_OR_NULL,
  fee: is.AMOUNT_OR_NULL,
};

/** A status in one word; `unknown` is any code that the API document does not list. */
export const STATUS = is.ref('swapStatus');

/** What many shapes have: once in each schema, by its name. */
export const PARTS: Readonly<Record<string, is.JsonSchema>> = {
  amountOrNull: is.nullable(is.AMOUNT),
  swapStatus: is.oneOf(...STATUSES.filter((status) => status !== 'unknown'), 'unknown'),
};

const SWAP = {
  order: is.TEXT_OR_NULL,
  status: is.about(is.nullable(STATUS), 'null in the ledger where no swap exists'),
  statusCode: is.INTEGER_OR_NULL,
  final: is.BOOLEAN,
  type: is.oneOf('fixed', 'float', null),
  deposit: is.ref('deposit'),
  receive: is.ref('receive'),
  refundAddress: is.TEXT_OR_NULL,
  riskScore: is.AMOUNT_OR_NULL,
  createdAt: is.TEXT_OR_NULL,
  startedAt: is.TEXT_OR_NULL,
  endedAt: is.TEXT_OR_NULL,
  duration: is.TEXT_OR_NULL,
  expiresAt: is.TEXT_OR_NULL,
  paymentUri: is.TEXT_OR_NULL,
  fundable: is.about(is.BOOLEAN, 'whether the deposit may be sent; if false, send nothing'),
  asked: is.nullable(is.object<AgreedAmounts>({ deposit: is.AMOUNT, receive: is.AMOUNT_OR_NULL })),
  labels: is.mapOf(is.TEXT),
  doubts: is.about(is.TEXTS, 'ways in which the swap does not match what was agreed'),
  profile: is.TEXT,
  environment: is.ENVIRONMENT,
};

/** The JSON of things that several commands print, and of errors. */
export const COMMON_SHAPES: Readonly<Record<string, is.JsonSchema>> = {
  deposit: is.object<SwapResult['deposit']>(DEPOSIT),
  receive: is.extending<SwapResult['deposit'], SwapResult['receive']>('deposit', {
    paidAmount: is.AMOUNT_OR_NULL,
  }),
  swap: is.object<SwapResult>(SWAP),
  dryRun: is.object(
    {
      dryRun: is.TRUE,
      request: is.object({ method: is.TEXT, url: is.TEXT, headers: is.mapOf(is.TEXT), body: is.ANYTHING }),
      decision: is.ref('decision'),
    },
    ['decision'],
  ),
  decision: is.object<Decision>({
    decision: is.oneOf('allow', 'approve', 'refuse'),
    rules: is.objects<Decision['rules'][number]>({
      index: is.INTEGER_OR_NULL,
      kind: is.TEXT,
      message: is.TEXT,
      limit: { type: ['string', 'integer', 'null'] },
      spent: { type: ['string', 'integer', 'null'] },
      left: { type: ['string', 'integer', 'null'] },
    }),
    approval: is.nullable(is.object({ id: is.TEXT, until: is.TIME })),
    policy: is.TEXT_OR_NULL,
    ...PLACE,
  }),
  statusLine: is.object({ type: { const: 'status' }, at: is.TIME, swap: is.ref('swap') }),
  retryLine: is.object({
    type: { const: 'retry' },
    at: is.TIME,
    order: is.TEXT_OR_NULL,
    error: is.ref('error'),
  }),
  endLine: is.object({
    type: { const: 'end' },
    at: is.TIME,
    order: is.TEXT,
    status: STATUS,
    statusCode: is.INTEGER_OR_NULL,
  }),
  error: is.object<ErrorJson>({
    code: is.TEXT,
    message: is.TEXT,
    hint: is.TEXT_OR_NULL,
    httpStatus: is.INTEGER_OR_NULL,
    retryable: is.BOOLEAN,
    outcome: is.OUTCOME,
    exitCode: is.INTEGER,
    details: is.nullable(is.OPEN),
    actions: is.objects({ command: is.TEXTS, why: is.TEXT }),
  }),
};
