import { MESSAGES } from '../../../core/partner-api/messages.ts';
import type { Side } from '../../../core/swap/swap.ts';
import type { SandboxCoin } from '../../catalogue/coin.ts';
import { OK_STATUS } from '../../state/assumptions.ts';
import type { Call, Core } from '../core.ts';
import type { Values } from '../read-values.ts';
import { type Answer, ApiError } from '../responses.ts';

/** Answers get-all-coins: one page of the coins that can be deposited, or received, and that pass the filters. */
export function getAllCoins(core: Pick<Core, 'catalogue'>, { values }: Pick<Call, 'values'>): Answer {
  const side: Side = values.get('method')?.startsWith('2') === true ? 'receive' : 'deposit';
  const limit = wholeNumber(values, 'limit');
  const found = core.catalogue.coins.filter((coin) => passes(coin, side, values));
  const skipped = (wholeNumber(values, 'page') - 1) * limit;
  const page = found.slice(skipped, skipped + limit).map((coin) => wireCoin(coin, side));
  const pagination = { pageCount: Math.ceil(found.length / limit), totalCount: found.length };
  const body = side === 'deposit' ? { pagination, depositCoins: page } : { pagination, withdrawCoins: page };
  return { status: OK_STATUS, body };
}

function wholeNumber(values: Values, name: string): number {
  return Number.parseInt(values.get(name) ?? '1', 10);
}

function passes(coin: SandboxCoin, side: Side, values: Values): boolean {
  if (!coin.assets.some((asset) => asset[side])) return false;
  // Searched literally, not as a pattern, so that no search can take long.
  const wanted = (values.get('search') ?? '').toLowerCase();
  if (![coin.name, coin.code].some((name) => name.toLowerCase().includes(wanted))) return false;
  const other = side === 'deposit' ? 'receive' : 'deposit';
  return (
    isAsset(coin, side, values.get(`${side}Coin`), values.get(`${side}Network`)) &&
    hasPartner(coin, side, values.get(`${other}Coin`), values.get(`${other}Network`))
  );
}

function isAsset(coin: SandboxCoin, side: Side, code: string | undefined, network: string | undefined) {
  if (code !== undefined && !sameCode(code, coin.code)) return false;
  return (
    network === undefined || coin.assets.some((asset) => asset[side] && sameCode(network, asset.network))
  );
}

/**
 * Whether another asset is on the other side: a coin cannot be swapped for itself on the same network, so a filter by
 * the other side leaves it out.
 */
function hasPartner(coin: SandboxCoin, side: Side, code: string | undefined, network: string | undefined) {
  if (code === undefined || !sameCode(code, coin.code)) return true;
  const otherSide = side === 'deposit' ? 'receive' : 'deposit';
  const others = coin.assets.filter(
    (asset) => asset[otherSide] && (network === undefined || sameCode(network, asset.network)),
  );
  return coin.assets.some((asset) => asset[side] && others.some((other) => other !== asset));
}

function sameCode(a: string, b: string): boolean {
  return a.toUpperCase() === b.toUpperCase();
}

function wireCoin(coin: SandboxCoin, side: Side) {
  const networks = coin.assets
    .filter((asset) => asset[side])
    .map(({ network, memoNeeded }) => ({ subName: network, memoNeeded }));
  return {
    image: coin.image,
    subName: coin.code,
    name: coin.name,
    networks: side === 'deposit' ? { deposits: networks } : { withdraws: networks },
  };
}

/** Answers get-coin-network: where one coin can be deposited and received. */
export function getCoinNetwork(core: Pick<Core, 'catalogue'>, { values }: Pick<Call, 'values'>): Answer {
  const coin = core.catalogue.findCoin(values.get('coin') ?? '');
  if (coin === undefined) throw new ApiError(404, MESSAGES.NOT_FOUND);
  const names = (side: Side) =>
    coin.assets.filter((asset) => asset[side]).map(({ network }) => ({ subName: network }));
  return { status: OK_STATUS, body: { deposit: names('deposit'), withdraws: names('receive') } };
}
