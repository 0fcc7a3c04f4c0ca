import { rfc3339 } from '../../../base/time.ts';
import { JsonNumber } from '../../../core/partner-api/json.ts';
import { MESSAGES } from '../../../core/partner-api/messages.ts';
import { TYPE_SWAP } from '../../../core/partner-api/statuses.ts';
import { type Decimal, shortenBound } from '../../../core/swap/amount.ts';
import type { RateType } from '../../../core/swap/swap.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import type { Decisions } from '../../habits/decisions.ts';
import type { NewOrder } from '../../orders/create.ts';
import { type OrderState, orderStateAt } from '../../orders/lifecycle.ts';
import type { Order, OrderSide } from '../../orders/order.ts';
import { OrderRepository } from '../../orders/repository.ts';
import type { Pair } from '../../prices/pairs.ts';
import { CREATED_STATUS, OK_STATUS } from '../../state/assumptions.ts';
import type { Call, Core } from '../core.ts';
import { type Answer, ApiError } from '../responses.ts';

/** Answers exchange-coin: the current price of a pair. */
export function exchangeCoin(
  { pairs, decisions }: Pick<Core, 'pairs' | 'decisions'>,
  { values, reading }: Call,
): Answer {
  const pair = decisions.pairOfQuote(
    pairs,
    { coin: values.get('coinFrom') ?? '', network: values.get('networkFrom') },
    { coin: values.get('coinTo') ?? '', network: values.get('networkTo') },
  );
  const query = {
    amount: values.get('amount') ?? '',
    lastSource: values.get('lastSource') === 'receive' ? 'receive' : 'deposit',
    type: rateType(values.get('typeSwap')),
    field: 'amount',
  } as const;
  const price = decisions.price(pairs, pair, query, reading);
  const { wireAmount } = decisions;
  const body = {
    pair: `${pair.from.coin}_${pair.to.coin}`.toUpperCase(),
    amount: wireAmount(price.amount),
    exchangeRate: wireAmount(price.rate),
    receive: wireAmount(price.receive),
    minAmount: wireAmount(price.min),
    maxAmount: wireAmount(price.max),
  };
  return { status: OK_STATUS, body };
}

/** Answers create-transaction: a new swap with a deposit address of its own, durable before the answer is sent. */
export async function createTransaction(core: Core, call: Call): Promise<Answer> {
  const { values } = call;
  const pair = core.decisions.pairOfOrder(
    core.pairs,
    { coin: values.get('depositCoin') ?? '', network: values.get('depositNetwork') },
    { coin: values.get('receiveCoin') ?? '', network: values.get('receiveNetwork') },
  );
  const asked = { asSent: values.get('depositAmount') ?? '', seed: call.reading.seed };
  const wanted = core.addActions(newOrder(core, call, pair), asked);
  const { isPayable, create } = await core.creating();
  if (!(await isPayable(pair.to.network, wanted.agreed.receive.address)))
    throw new ApiError(400, MESSAGES.INVALID_WITHDRAWAL_ADDRESS);
  const order = await create(wanted);
  const state = orderStateAt(order, [], order.createdAt);
  return { status: CREATED_STATUS, body: wireTransaction(order, state, core.decisions, null) };
}

/** Rate type of a `typeSwap` that was found valid. */
function rateType(typeSwap: string | undefined): RateType {
  return typeSwap !== undefined && /^1(?:\.0+)?$/.test(typeSwap) ? 'fixed' : 'float';
}

function newOrder(core: Core, { values, partner, reading }: Call, pair: Pair): NewOrder {
  const { decisions } = core;
  const type = rateType(values.get('typeSwap'));
  const lastSource = values.get('lastSource') === 'receive' ? 'receive' : 'deposit';
  const query = {
    amount: values.get('depositAmount') ?? '',
    lastSource: decisions.depositAmountIs(lastSource),
    type,
    field: 'depositAmount',
  };
  const price = decisions.price(core.pairs, pair, query, reading);
  const memo = values.get('memo') ?? '';
  decisions.demandMemo(pair, memo);
  const agreed = {
    partnerKey: partner.publicKey,
    type,
    receive: {
      ...agreedSide(core, pair.to, price.receive, pair.to.payoutFee),
      address: values.get('receiveAddress') ?? '',
      memo,
    },
    minAmount: price.min,
    refundAddress: values.get('refundAddress') ?? '',
    createdAt: reading.now,
    windowMs: decisions.depositWindow[type],
    confirmationMs: scaled(decisions.confirmationTime, core.timeScale),
    exchangeMs: scaled(decisions.exchangeTime, core.timeScale),
  } as const;
  const sent = shortenBound(price.amount, pair.from.decimals, 'up');
  const deposit = agreedSide(core, pair.from, sent, pair.from.depositFee);
  return { agreed, deposit, depositAsset: pair.from, generation: reading.generation };
}

function agreedSide({ catalogue }: Core, asset: SandboxAsset, amount: Decimal, fee: Decimal) {
  const { coin, network, confirmations } = asset;
  return { coin, name: catalogue.findCoin(coin)?.name ?? coin, network, amount, fee, confirmations };
}

function scaled(milliseconds: number, timeScale: number): number {
  return Math.max(1, Math.round(milliseconds / timeScale));
}

/** Answers get-transaction: the current state of a swap of the calling partner. */
export async function getTransaction(
  core: Pick<Core, 'decisions' | 'orders' | 'orderNumbers' | 'payoutTxId'>,
  { values, partner, reading }: Call,
): Promise<Answer> {
  const sequence = core.orderNumbers.sequenceOf(values.get('id') ?? '');
  const found = sequence === undefined ? undefined : await core.orders.findIn(reading, sequence);
  if (found === undefined || found.order.partnerKey !== partner.publicKey)
    throw new ApiError(404, MESSAGES.TRANSACTION_NOT_FOUND);
  const state = orderStateAt(found.order, found.events, reading.now);
  const payoutTxId = state.payout === null ? '' : await core.payoutTxId(found.order, reading.seed);
  return { status: OK_STATUS, body: wireTransaction(found.order, state, core.decisions, payoutTxId) };
}

/**
 * Answers update-refund-address: sets or replaces the refund address of a swap, whatever its state. Throws StateReplaced.
 */
export async function updateRefundAddress(
  core: Pick<Core, 'database' | 'orderNumbers'>,
  { values, partner, reading }: Call,
): Promise<Answer> {
  const orderNumber = values.get('id') ?? '';
  const refundAddress = values.get('refundAddress') ?? '';
  const sequence = core.orderNumbers.sequenceOf(orderNumber);
  const update = { partnerKey: partner.publicKey, refundAddress, generation: reading.generation };
  const isSet =
    sequence !== undefined &&
    (await core.database.transaction((tx) => new OrderRepository(tx).setRefundAddress(sequence, update)));
  if (!isSet) throw new ApiError(404, MESSAGES.TRANSACTION_NOT_FOUND);
  const body = { message: MESSAGES.REFUND_UPDATED, orderNumber, newRefundAddress: refundAddress };
  return { status: OK_STATUS, body };
}

const HIGHEST_USUAL_RISK = 25;
const HIGH_RISK = '87';

type WireForms = Pick<Decisions, 'wireAmount' | 'expiry'>;

/**
 * A swap in the form of get-transaction and, without its creation time, of create-transaction:
 * docs/partner-api.md#transaction.
 *
 * @param payoutTxId transaction id of the payout, empty before there is one; null for create-transaction, which has no time
 */
function wireTransaction(
  order: Order,
  state: OrderState,
  { wireAmount, expiry }: WireForms,
  payoutTxId: string | null,
) {
  const { deposit, payout } = state;
  const expires = expiry(order);
  const paid = payout === null ? null : order.receive;
  return {
    type: { typeSwap: TYPE_SWAP[order.type] },
    pairs: {
      deposit: wireSide(order.deposit, wireAmount(state.depositAmount)),
      receive: wireSide(order.receive, wireAmount(state.receiveAmount ?? order.receive.amount)),
    },
    receiveTransaction: {
      txId: payoutTxId ?? '',
      address: paid?.address ?? '',
      receivedTime: timeText(payout?.seenAt),
      gettingInTheBlock: timeText(payout?.confirmedAt),
      amount: paid === null || state.receiveAmount === null ? null : wireAmount(state.receiveAmount),
      confirmation: payout?.confirmations ?? null,
      fees: paid === null ? null : wireAmount(paid.fee),
    },
    fees: { feeNodeDeposit: wireAmount(order.deposit.fee) },
    swapTime: {
      start: timeText(order.createdAt),
      end: timeText(state.endedAt),
      duration: state.endedAt === null ? '' : clockText(state.endedAt - order.createdAt),
    },
    orderNumber: order.orderNumber,
    status: state.status,
    txId: deposit?.txId ?? '',
    riskScore: deposit === null || deposit.confirmedAt === null ? null : riskScore(order),
    receivedTime: timeText(deposit?.seenAt),
    gettingInTheBlock: timeText(deposit?.confirmedAt),
    confirmation: deposit?.confirmations ?? null,
    ...(payoutTxId === null ? {} : { createdAt: timeText(order.createdAt) }),
    ...(expires === undefined ? {} : { expiredAt: timeText(expires) }),
  };
}

function timeText(at: number | null | undefined): string {
  return at === null || at === undefined ? '' : rfc3339(at);
}

/** A duration as `HH:MM:SS`, rounded down to whole seconds; more than 99 hours take more digits. */
function clockText(milliseconds: number): string {
  const whole = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function wireSide(side: OrderSide, value: ReturnType<WireForms['wireAmount']>) {
  const { coin, network, name, address, memo } = side;
  return { coin: { name: coin, value, network, fullName: name }, address, memo };
}

/** A risk score, always the same for an order; it has no effect, and is high where a commission is kept. */
function riskScore({ sequence, orderNumber, actions }: Order): JsonNumber {
  if (actions?.moves.some(({ kind }) => kind === 'commission') === true) return new JsonNumber(HIGH_RISK);
  return new JsonNumber(String((sequence * 7 + orderNumber.charCodeAt(0)) % (HIGHEST_USUAL_RISK + 1)));
}
