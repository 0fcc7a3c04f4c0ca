import { MESSAGES } from '../../partner-api/messages.ts';
import { ApiError } from '../api-error.ts';
import { CONFIRMATION_MS, CREATED_STATUS, DEPOSIT_WINDOW_MS, EXCHANGE_MS } from '../assumptions.ts';
import type { SandboxAsset } from '../catalogue.ts';
import type { Answer, Call, Core } from '../core.ts';
import type { NewOrder } from '../create-orders.ts';
import { orderStateAt } from '../lifecycle.ts';
import type { Pair } from '../pairs.ts';
import { priceOrRefuse, rateType } from '../pairs.ts';
import { wireTransaction } from '../wire-transaction.ts';

/** Answers create-transaction: a new swap with a deposit address of its own, durable before it is told. */
export async function createTransaction(core: Core, call: Call): Promise<Answer> {
  const { values } = call;
  const pair = core.pairs.find(
    { coin: values.get('depositCoin') ?? '', network: values.get('depositNetwork') },
    { coin: values.get('receiveCoin') ?? '', network: values.get('receiveNetwork') },
  );
  if (pair === undefined) throw new ApiError(404, MESSAGES.NOT_FOUND);
  const agreed = newOrder(core, call, pair);
  if (!(await core.payoutAddresses.isPayable(pair.to.network, agreed.receive.address))) {
    throw new ApiError(400, MESSAGES.INVALID_WITHDRAWAL_ADDRESS);
  }
  const order = await core.createOrder(agreed);
  const state = orderStateAt(order, [], order.createdAt);
  return { status: CREATED_STATUS, body: wireTransaction(order, state, false) };
}

function newOrder(core: Core, { values, partner, snapshot }: Call, pair: Pair): NewOrder {
  const type = rateType(values.get('typeSwap'));
  const wish = { amount: values.get('depositAmount') ?? '', lastSource: 'deposit', type } as const;
  const price = priceOrRefuse(pair, wish, snapshot, 'depositAmount');
  const nameOf = ({ coin }: SandboxAsset) => core.catalogue.findCoin(coin)?.name ?? coin;
  return {
    partnerKey: partner.publicKey,
    type,
    lastSource: values.get('lastSource') === 'receive' ? 'receive' : 'deposit',
    depositAsset: pair.from,
    receiveAsset: pair.to,
    deposit: {
      coin: pair.from.coin,
      name: nameOf(pair.from),
      network: pair.from.network,
      amount: price.amount,
      fee: pair.from.depositFee,
      confirmations: pair.from.confirmations,
    },
    receive: {
      coin: pair.to.coin,
      name: nameOf(pair.to),
      network: pair.to.network,
      amount: price.receive,
      address: values.get('receiveAddress') ?? '',
      memo: values.get('memo') ?? '',
      fee: pair.to.payoutFee,
      confirmations: pair.to.confirmations,
    },
    rate: price.rate,
    minAmount: price.min,
    maxAmount: price.max,
    refundAddress: values.get('refundAddress') ?? '',
    createdAt: snapshot.now,
    windowMs: DEPOSIT_WINDOW_MS[type],
    confirmationMs: scaled(CONFIRMATION_MS, core.timeScale),
    exchangeMs: scaled(EXCHANGE_MS, core.timeScale),
  };
}

function scaled(milliseconds: number, timeScale: number): number {
  return Math.max(1, Math.round(milliseconds / timeScale));
}
