import { MESSAGES } from '../../../partner-api/messages.ts';
import type { Decimal } from '../../../swap/amount.ts';
import { shortenBound } from '../../../swap/amount.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import type { NewOrder } from '../../orders/create.ts';
import { orderStateAt } from '../../orders/lifecycle.ts';
import { sideAt } from '../../orders/order.ts';
import type { Pair } from '../../prices/pairs.ts';
import { CREATED_STATUS } from '../../state/assumptions.ts';
import type { Answer } from '../answer.ts';
import { ApiError } from '../api-error.ts';
import type { Call, Core } from '../core.ts';
import { rateType } from '../price-or-refuse.ts';
import { wireTransaction } from '../wire-transaction.ts';

/** Answers create-transaction: a new swap with a deposit address of its own, durable before the answer is sent. */
export async function createTransaction(core: Core, call: Call): Promise<Answer> {
  const { values } = call;
  const pair = core.decisions.pairOfOrder(
    core.pairs,
    { coin: values.get('depositCoin') ?? '', network: values.get('depositNetwork') },
    { coin: values.get('receiveCoin') ?? '', network: values.get('receiveNetwork') },
  );
  const wanted = steered(core, call, newOrder(core, call, pair));
  if (!(await core.payoutAddresses.isPayable(pair.to.network, wanted.agreed.receive.address))) {
    throw new ApiError(400, MESSAGES.INVALID_WITHDRAWAL_ADDRESS);
  }
  const order = await core.createOrder(wanted);
  const state = orderStateAt(order, [], order.createdAt);
  return {
    status: CREATED_STATUS,
    body: wireTransaction(order, state, core.decisions, { withCreation: false, payoutTxId: '' }),
  };
}

function newOrder(core: Core, { values, partner, snapshot }: Call, pair: Pair): NewOrder {
  const { decisions } = core;
  const type = rateType(values.get('typeSwap'));
  const lastSource = values.get('lastSource') === 'receive' ? 'receive' : 'deposit';
  const query = {
    amount: values.get('depositAmount') ?? '',
    lastSource: decisions.depositAmountIs(lastSource),
    type,
    field: 'depositAmount',
  };
  const price = decisions.price(core.pairs, pair, query, snapshot);
  const memo = values.get('memo') ?? '';
  decisions.demandMemo(pair, memo);
  const agreed = {
    partnerKey: partner.publicKey,
    type,
    lastSource,
    receive: sideAt(agreedSide(core, pair.to, price.receive, pair.to.payoutFee), {
      address: values.get('receiveAddress') ?? '',
      memo,
    }),
    rate: price.rate,
    minAmount: price.min,
    maxAmount: price.max,
    refundAddress: values.get('refundAddress') ?? '',
    createdAt: snapshot.now,
    windowMs: decisions.depositWindow[type],
    confirmationMs: scaled(decisions.confirmationTime, core.timeScale),
    exchangeMs: scaled(decisions.exchangeTime, core.timeScale),
  } as const;
  const deposit = agreedSide(
    core,
    pair.from,
    shortenBound(price.amount, pair.from.decimals, 'up'),
    pair.from.depositFee,
  );
  return { agreed, deposit, depositAsset: pair.from, generation: snapshot.generation };
}

function steered({ steer }: Core, { values, snapshot }: Call, order: NewOrder): NewOrder {
  if (steer === undefined) return order;
  return steer(order, { asSent: values.get('depositAmount') ?? '', seed: snapshot.seed });
}

function agreedSide({ catalogue }: Core, asset: SandboxAsset, amount: Decimal, fee: Decimal) {
  const { coin, network, confirmations } = asset;
  return { coin, name: catalogue.findCoin(coin)?.name ?? coin, network, amount, fee, confirmations };
}

function scaled(milliseconds: number, timeScale: number): number {
  return Math.max(1, Math.round(milliseconds / timeScale));
}
