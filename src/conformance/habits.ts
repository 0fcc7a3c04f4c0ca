import { createBody } from '../core/client/client.ts';
import type { ApiRequest } from '../core/client/transport.ts';
import { decimalAt, textAt, writeJson } from '../core/partner-api/json.ts';
import { compareDecimals, sameAmount } from '../core/swap/amount.ts';
import { findNetwork } from '../core/swap/networks/networks.ts';
import type { Asset } from '../core/swap/swap.ts';
import { assume, at, differs, HELD, passIf, type Verdict } from './check.ts';
import { assetsIn, choosePair, coinsRequest, LISTINGS, listed } from './listing.ts';
import { NotTestable, type Probe } from './probe.ts';
import { figuresOf, KEYLESS_XRP, madeOrder, orderRequest, quoted, quoteRequest } from './test-swap.ts';

/** Checks for habits of a create, each by an order that is never funded. */
export const ORDER_HABIT_CHECKS = at(
  'create-transaction',
  assume('case of codes in create', 'codes in another case', 'an order', otherCase),
  assume('memo where memoNeeded', 'no memo where one is needed', 'an order', withoutMemo),
  assume(
    'depositAmount under lastSource=receive',
    'depositAmount under lastSource=receive',
    'the amount to deposit',
    amountUnderReceive,
  ),
);

async function otherCase(probe: Probe): Promise<Verdict> {
  await madeOrder(probe);
  const { from, to } = await choosePair(probe);
  const change = { deposit: inOtherCase(from), receive: inOtherCase(to) };
  const reply = await probe.ask(await orderRequest(probe, change));
  return passIf(reply.ok, reply.words, 'exact-case');
}

function inOtherCase({ coin, network }: Asset): Asset {
  const other = (code: string) => (code === code.toLowerCase() ? code.toUpperCase() : code.toLowerCase());
  return { coin: other(coin), network: other(network) };
}

async function withoutMemo(probe: Probe): Promise<Verdict> {
  await madeOrder(probe);
  const { from } = await choosePair(probe);
  const to = await assetWithMemo(probe);
  const price = await probe.ask(quoteRequest({ from, to }, (await quoted(probe)).asked));
  const body = createBody({
    deposit: from,
    receive: to,
    amount: figuresOf(price)('minAmount'),
    lastSource: 'deposit',
    type: 'float',
    address: KEYLESS_XRP,
    memo: null,
    refundAddress: null,
  });
  const request: ApiRequest = { endpoint: 'create-transaction', body: writeJson(body) };
  const reply = await probe.ask(request);
  if (reply.ok) return HELD;
  if (/memo|tag/i.test(reply.words)) return differs(reply.words, 'memo-required');
  throw new NotTestable(`no order to ${to.coin} was created: ${reply.words}`);
}

/** A coin whose payout needs a memo, on the one such network for which there is an address without a key. */
async function assetWithMemo(probe: Probe): Promise<Asset> {
  const isMeant = ({ network }: Asset) => findNetwork(network)?.code === 'XRP';
  const { method } = LISTINGS.receive;
  const first = assetsIn(await listed(probe, 'receive'), 'receive', 'with memo').find(isMeant);
  if (first !== undefined) return first;
  const searched = await probe.ask(coinsRequest({ method, search: 'XRP' }));
  const found = assetsIn(searched, 'receive', 'with memo').find(isMeant);
  if (found === undefined) throw new NotTestable('XRP with a memo is not listed for receive');
  return found;
}

/**
 * The minimum was accepted as a deposit before. If it is refused now, or appears on the other side, the service takes
 * it as the amount to receive.
 */
async function amountUnderReceive(probe: Probe): Promise<Verdict> {
  await madeOrder(probe);
  const min = (await quoted(probe)).figures('minAmount');
  const reply = await probe.ask(await orderRequest(probe, { lastSource: 'receive' }));
  if (!reply.ok) return differs(`${reply.words}, for the smallest deposit`, 'receive-amount');
  const deposit = decimalAt(reply.json, 'pairs.deposit.coin.value');
  if (deposit === undefined) throw new NotTestable('the order has no deposit amount');
  if (sameAmount(deposit, min)) return HELD;
  const receive = textAt(reply.json, 'pairs.receive.coin.name') ?? 'the coin to receive';
  const more = compareDecimals(deposit, min) > 0 ? 'more' : 'less';
  return differs(
    `a deposit of ${deposit}, ${more} than ${min}, read as an amount of ${receive}`,
    'receive-amount',
  );
}
