import type { ApiRequest } from '../core/client/transport.ts';
import { isJsonObject, type JsonObject, textAt } from '../core/partner-api/json.ts';
import { findNetwork } from '../core/swap/networks/networks.ts';
import type { Asset, Side } from '../core/swap/swap.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';

/** Requested coins on a page, as in the client. */
export const PAGE_LIMIT = 100;

/** Query for the smallest possible page. */
export const ONE_COIN = { method: '1', page: '1', limit: '1' } as const;

/** Names of the parts of get-all-coins' two listings. */
export const LISTINGS = {
  deposit: { method: '1', list: 'depositCoins', networks: 'deposits' },
  receive: { method: '2', list: 'withdrawCoins', networks: 'withdraws' },
} as const;

export function coinsRequest(query: Readonly<Record<string, string>>): ApiRequest {
  return { endpoint: 'get-all-coins', query };
}

/** The first page of a listing; it is also the request that proves the key pair. */
export function firstPage(side: Side): ApiRequest {
  return coinsRequest({ method: LISTINGS[side].method, page: '1', limit: String(PAGE_LIMIT) });
}

/** Answer with the first page of a listing. */
export async function listed(probe: Probe, side: Side): Promise<Reply> {
  const reply = await probe.ask(firstPage(side));
  return reply.status === 400 ? probe.ask(coinsRequest({ method: LISTINGS[side].method })) : reply;
}

/** The coins of an answer of get-all-coins; other items in its list are ignored. */
export function coinsIn(reply: Reply, side: Side): JsonObject[] {
  return objectsOf(reply.body, LISTINGS[side].list);
}

/**
 * The objects of the named list, or of the only list there is: a wrong name is reported by one check and ignored by the
 * others.
 */
function objectsOf(holder: JsonObject, name: string): JsonObject[] {
  const list = holder[name] ?? Object.values(holder).find(Array.isArray);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The code of each coin, `subName`; empty for a coin without one. */
export function codesOf(coins: readonly JsonObject[]): string[] {
  return coins.map((coin) => textAt(coin, 'subName') ?? '');
}

export function networksOf(coin: JsonObject, side: Side): string[] {
  return networkEntries(coin, side).map((entry) => textAt(entry, 'subName') ?? '');
}

function networkEntries(coin: JsonObject, side: Side): JsonObject[] {
  const networks = coin['networks'];
  return isJsonObject(networks) ? objectsOf(networks, LISTINGS[side].networks) : [];
}

/** The first coin of a listing. */
export async function firstCoin(probe: Probe, side: Side): Promise<JsonObject> {
  const [coin] = coinsIn(await listed(probe, side), side);
  if (coin === undefined) throw new NotTestable(`no coin is listed for ${side}`);
  return coin;
}

/** Two assets to swap. */
export interface TestPair {
  readonly from: Asset;
  readonly to: Asset;
  /** Whether both sides accept the addresses without a key, so that an order can be created. */
  readonly orderable: boolean;
}

const WELL_KNOWN = { deposit: ['ETH', 'BNB'], receive: ['USDT', 'USDC', 'ETH'] } as const;
const NAMES = { deposit: 'Ethereum', receive: 'Tether' } as const;

/** The pair of each run: choosing it anew for every check that asks took a fifth of the time of a run. */
const pairByProbe = new WeakMap<Probe, TestPair>();

/** Chooses a pair to swap: well-known coins on networks of the Ethereum family where they are offered. */
export async function choosePair(probe: Probe): Promise<TestPair> {
  const known = pairByProbe.get(probe);
  if (known !== undefined) return known;
  const from = await chooseAsset(probe, 'deposit', null);
  const to = await chooseAsset(probe, 'receive', from.coin);
  const pair = { from, to, orderable: isEvm(from) && isEvm(to) };
  pairByProbe.set(probe, pair);
  return pair;
}

async function chooseAsset(probe: Probe, side: Side, not: string | null): Promise<Asset> {
  const other = ({ coin }: Asset) => coin !== not;
  const first = assetsIn(await listed(probe, side), side).filter(other);
  const found = wellKnown(first.filter(isEvm), side);
  if (found !== undefined) return found;
  const { method } = LISTINGS[side];
  const searched = await probe.ask(coinsRequest({ method, search: NAMES[side] }));
  const asset = wellKnown(assetsIn(searched, side).filter(other).filter(isEvm), side) ?? first[0];
  if (asset === undefined) throw new NotTestable('fewer than two coins are listed');
  return asset;
}

function wellKnown(assets: readonly Asset[], side: Side): Asset | undefined {
  const codes: readonly string[] = WELL_KNOWN[side];
  return assets.find(({ coin }) => codes.includes(coin.toUpperCase())) ?? assets[0];
}

/** The assets in an answer, either those without a memo or those with one. */
export function assetsIn(reply: Reply, side: Side, kind: 'without memo' | 'with memo' = 'without memo') {
  return coinsIn(reply, side).flatMap((coin) => {
    const code = textAt(coin, 'subName');
    const isMeant = (memoNeeded: unknown) => (memoNeeded === true) === (kind === 'with memo');
    const meant = networkEntries(coin, side).filter((entry) => isMeant(entry['memoNeeded']));
    return meant.flatMap((entry) => {
      const network = textAt(entry, 'subName');
      return code === undefined || network === undefined ? [] : [{ coin: code, network }];
    });
  });
}

function isEvm({ network }: Asset): boolean {
  return findNetwork(network)?.family === 'evm';
}
