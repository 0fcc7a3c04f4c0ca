import type { EndpointName } from '../../../core/partner-api/endpoints.ts';
import { JsonNumber } from '../../../core/partner-api/json.ts';
import { TYPE_SWAP } from '../../../core/partner-api/statuses.ts';
import { compareDecimals } from '../../../core/swap/amount.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import { depositAddress } from '../../orders/deposit-address/deposit-address.ts';
import type { Pair, Pairs } from '../../prices/pairs.ts';

/** A successful request of each endpoint, by the names of its parameters. */
export type Examples = Readonly<Record<EndpointName, Readonly<Record<string, string | JsonNumber>>>>;

export interface ExampleSource {
  readonly catalogue: Catalogue;
  readonly pairs: Pick<Pairs, 'find'>;
  /** Number of an order that exists when the example that reads it is sent. */
  readonly orderNumber: string;
}

const DEFAULT_FROM = { coin: 'BTC', network: 'BTC' };
const DEFAULT_TO = { coin: 'ETH', network: 'ETH' };
const DEFAULT_AMOUNT = '0.1';
/** Makes the addresses of the examples different from those of any order. */
const ADDRESS_SEED = 0;

/** Examples for the coins of a catalogue; they can be sent one after the other. */
export function examplesFrom({ catalogue, pairs, orderNumber }: ExampleSource): Examples {
  const pair = pairs.find(DEFAULT_FROM, DEFAULT_TO) ?? firstPair(catalogue, pairs);
  const { from, to } = pair ?? { from: DEFAULT_FROM, to: DEFAULT_TO };
  const amount = pair === undefined ? DEFAULT_AMOUNT : amountFor(pair);
  const { address, memo } = addressFor(pair?.to, orderNumber);
  const refundAddress = addressFor(pair?.from, orderNumber).address;
  const [fixed, float] = [String(TYPE_SWAP.fixed), String(TYPE_SWAP.float)];
  return {
    'get-all-coins': {
      page: new JsonNumber('1'),
      limit: new JsonNumber('20'),
      search: from.coin,
      method: new JsonNumber('1'),
      depositCoin: from.coin,
      receiveCoin: to.coin,
      depositNetwork: from.network,
      receiveNetwork: to.network,
    },
    'get-coin-network': { coin: from.coin },
    'exchange-coin': {
      amount,
      coinFrom: from.coin,
      coinTo: to.coin,
      networkFrom: from.network,
      networkTo: to.network,
      lastSource: 'deposit',
      typeSwap: fixed,
    },
    'get-transaction': { id: orderNumber },
    'create-transaction': {
      depositCoin: from.coin,
      depositAmount: new JsonNumber(amount),
      depositNetwork: from.network,
      receiveAddress: address,
      receiveCoin: to.coin,
      receiveNetwork: to.network,
      typeSwap: new JsonNumber(float),
      refundAddress,
      ...(memo === '' ? {} : { memo }),
      lastSource: 'deposit',
    },
    'update-refund-address': { id: orderNumber, refundAddress },
  };
}

/** The first pair of two coins; one whose payout needs a memo only where there is no other. */
function firstPair({ coins }: Catalogue, pairs: Pick<Pairs, 'find'>): Pair | undefined {
  const assets = coins.flatMap((coin) => coin.assets);
  const from = assets.find(({ deposit }) => deposit);
  const others = assets.filter(({ coin, receive }) => receive && coin !== from?.coin);
  const to = others.find(({ memoNeeded }) => !memoNeeded) ?? others[0];
  return from === undefined || to === undefined ? undefined : pairs.find(from, to);
}

function amountFor({ terms: { bounds, max } }: Pair): string {
  const fits =
    compareDecimals(bounds.min, DEFAULT_AMOUNT) <= 0 &&
    (max === null || compareDecimals(DEFAULT_AMOUNT, bounds.max) <= 0);
  return fits ? DEFAULT_AMOUNT : bounds.min;
}

function addressFor(asset: SandboxAsset | undefined, orderNumber: string) {
  return asset === undefined ? { address: '', memo: '' } : depositAddress(asset, orderNumber, ADDRESS_SEED);
}
