import type { ErrorJson } from '../../../base/errors.ts';
import type { Decision } from '../../../core/ledger/policy/judge.ts';
import type {
  AskedAmounts,
  HistoryResult,
  LedgerSwap,
  SeenSwap,
  SwapResult,
} from '../../../core/ledger/swap-result.ts';
import { listedStatuses } from '../../../core/partner-api/statuses.ts';
import type { UsualNext } from '../../../core/swap/polling.ts';
import type { Coin, CoinNetwork, CoinOnNetwork, NetworkOfCoin } from '../../../core/swap/swap.ts';
import type { AddressResult } from '../../views/address.ts';
import type { AttentionResult } from '../../views/attention.ts';
import type { BatchReview, BatchRow } from '../../views/batch.ts';
import type { QuoteResult } from '../../views/quote.ts';
import type { SheetNotes } from '../../views/swap.ts';
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
  NUMBER,
  nullable,
  OPEN,
  OUTCOME,
  object,
  oneOf,
  RATE_TYPE,
  ref,
  TEXT,
  TEXT_OR_NULL,
  TEXTS,
  TIME,
  TIME_OR_NULL,
  TRUE,
} from '../schema.ts';

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

const STATUSES = [...new Set(listedStatuses().map(({ status }) => status))];

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

const NETWORKS = listOf(object<CoinNetwork>({ network: TEXT, memoRequired: BOOLEAN }));

const PLACE = { profile: TEXT, environment: ENVIRONMENT };

const COIN_ON_NETWORK = object<CoinOnNetwork>({ coin: TEXT, network: TEXT_OR_NULL });

const SUM = { coin: TEXT, network: TEXT, amount: AMOUNT };

/** Coins, prices, swaps and their errors. */
export const SWAP_SHAPES = {
  coin: object<Coin>({
    code: TEXT,
    name: TEXT,
    image: TEXT_OR_NULL,
    deposit: NETWORKS,
    receive: NETWORKS,
  }),
  networks: object({
    coin: TEXT,
    networks: listOf(
      object<NetworkOfCoin>({
        network: TEXT,
        deposit: BOOLEAN,
        receive: BOOLEAN,
        memoRequired: nullable(BOOLEAN),
        aliases: TEXTS,
      }),
    ),
  }),
  quote: object<QuoteResult>({
    pair: TEXT,
    type: RATE_TYPE,
    lastSource: oneOf('deposit', 'receive'),
    from: COIN_ON_NETWORK,
    to: COIN_ON_NETWORK,
    amount: AMOUNT,
    receive: AMOUNT,
    rate: AMOUNT,
    min: AMOUNT,
    max: AMOUNT_OR_NULL,
    fee: about(AMOUNT_OR_NULL, 'fee of the payout where the service states one; its coin is not stated'),
    at: TIME,
    impact: about(
      nullable({ type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }),
      'percent by which the rate differs from the rate at the minimum; with --impact',
    ),
    ...PLACE,
  }),
  deposit: object<SwapResult['deposit']>(DEPOSIT),
  receive: extending<SwapResult['deposit'], SwapResult['receive']>('deposit', { paidAmount: AMOUNT_OR_NULL }),
  swap: object<SwapResult>(SWAP),
  create: extending<SwapResult, SwapResult & { replayed: boolean }>('swap', {
    replayed: about(BOOLEAN, 'whether the idempotency key returned an earlier swap'),
  }),
  status: extending<SwapResult, SeenSwap>('swap', { seenAt: TIME_OR_NULL }),
  statusOne: extending<SeenSwap, SeenSwap & Required<Pick<SheetNotes, 'next' | 'action'>>>('status', {
    next: about(
      nullable(
        object<UsualNext>({
          status: TEXT,
          seconds: object<UsualNext['seconds']>({ median: NUMBER, p90: NUMBER }),
          secondsSoFar: NUMBER,
          swaps: INTEGER,
        }),
      ),
      'what usually happens next, from the times of earlier swaps of the pair',
    ),
    action: about(TEXT_OR_NULL, 'what a person has to do'),
  }),
  attention: extending<SeenSwap, AttentionResult>('status', { id: TEXT_OR_NULL, attention: TEXT }),
  history: extending<LedgerSwap, HistoryResult>('swap', {
    id: TEXT,
    outcome: oneOf('created', 'unknown', 'refused', 'not-sent', 'dismissed'),
    reason: TEXT_OR_NULL,
    requestedAt: TIME,
    seenAt: TIME_OR_NULL,
    idempotencyKey: TEXT_OR_NULL,
  }),
  batch: object<BatchRow>({
    row: INTEGER,
    idempotencyKey: TEXT,
    outcome: oneOf('created', 'existing', 'unknown', 'refused', 'not-sent'),
    swap: nullable(ref('create')),
    error: nullable(ref('error')),
  }),
  batchReview: object<BatchReview & { dryRun: true }>({
    dryRun: TRUE,
    rows: INTEGER,
    toCreate: INTEGER,
    repeated: INTEGER,
    existing: INTEGER,
    lastExistingAt: TIME_OR_NULL,
    unknown: INTEGER,
    totals: listOf(
      object<BatchReview['totals'][number]>({
        side: oneOf('deposit', 'receive'),
        ...SUM,
        rows: INTEGER,
        estimated: BOOLEAN,
      }),
    ),
    largest: listOf(
      object<BatchReview['largest'][number]>({
        row: INTEGER,
        deposit: object(SUM),
        receive: object(SUM),
        address: TEXT,
        memo: TEXT_OR_NULL,
      }),
    ),
    warnings: listOf(object<BatchReview['warnings'][number]>({ row: INTEGER, warning: TEXT })),
    moreWarnings: INTEGER,
    ...PLACE,
    host: TEXT,
  }),
  refund: object<
    Pick<SwapResult, 'refundAddress' | 'profile' | 'environment' | 'doubts'> & {
      order: string;
      message: string | null;
    }
  >({
    order: TEXT,
    refundAddress: TEXT,
    message: TEXT_OR_NULL,
    ...PLACE,
    doubts: TEXTS,
  }),
  address: object<AddressResult>({
    network: TEXT,
    address: TEXT,
    valid: about(nullable(BOOLEAN), 'payable on the main network; null where that cannot be verified'),
    verdict: oneOf('valid', 'unverified', 'invalid'),
    testnet: nullable(BOOLEAN),
    kind: TEXT_OR_NULL,
    canonical: TEXT_OR_NULL,
    memo: TEXT_OR_NULL,
    warnings: TEXTS,
    reason: TEXT_OR_NULL,
  }),
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
  quoteLine: object({
    type: { const: 'quote' },
    at: TIME,
    quote: ref('quote'),
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
