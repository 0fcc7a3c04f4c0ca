import { isJsonObject, type JsonObject, type JsonValue } from '../../../partner-api/json.ts';
import { decimalAt, listAt, memberAt, textAt } from '../../../partner-api/json-path.ts';
import { type Decimal, shortenBound } from '../../../swap/amount.ts';
import { assetDecimals } from '../../../swap/decimals.ts';
import { findNetwork } from '../../../swap/networks/networks.ts';
import type { Asset, Side } from '../../../swap/swap.ts';
import { counted } from '../../../text.ts';
import { builtInCatalogue, type Catalogue } from '../../catalogue/catalogue.ts';
import type { SandboxAsset } from '../../catalogue/coin.ts';
import { CODE } from '../../catalogue/json-reader.ts';
import type { Exchange } from './exchange.ts';
import { type Findings, jsonNumber } from './result.ts';

const LISTS = {
  deposit: { list: 'depositCoins', networks: 'deposits' },
  receive: { list: 'withdrawCoins', networks: 'withdraws' },
} as const;
const SIDES = ['deposit', 'receive'] as const satisfies readonly Side[];
const FILTERS = ['search', 'depositCoin', 'receiveCoin', 'depositNetwork', 'receiveNetwork'];

const USUAL_DECIMALS = 8;

interface SeenNetwork {
  readonly sides: Set<Side>;
  memoNeeded: boolean;
}

interface SeenCoin {
  readonly code: string;
  name: string;
  image: string;
  /** Place in an unfiltered listing, infinity where it was not seen in one. */
  place: number;
  readonly networks: Map<string, SeenNetwork>;
}

/** Learns coins and networks from the coin list, and fees from transactions. */
export class CoinsSeen {
  readonly #coins = new Map<string, SeenCoin>();
  readonly #totals = new Map<Side, number>();
  readonly #fees = new Map<string, Decimal>();
  readonly #builtIn: Catalogue = builtInCatalogue();

  see(exchange: Exchange): void {
    if (!exchange.ok) return;
    if (exchange.endpoint === 'get-all-coins') for (const side of SIDES) this.#seeList(exchange, side);
    for (const [side, path] of [
      ['deposit', 'fees.feeNodeDeposit'],
      ['receive', 'receiveTransaction.fees'],
    ] as const) {
      const [coin, network] = ['name', 'network'].map((key) =>
        textAt(exchange.json, `pairs.${side}.coin.${key}`),
      );
      const fee = decimalAt(exchange.json, path);
      if (coin && network && fee !== undefined) this.#fees.set(`${side} ${coin}:${network}`, fee);
    }
  }

  #seeList({ json, parameters }: Exchange, side: Side): void {
    const isFiltered = FILTERS.some((name) => parameters.has(name));
    const total = decimalAt(json, 'pagination.totalCount');
    if (!isFiltered && total !== undefined && /^[0-9]{1,7}$/.test(total) && memberAt(json, LISTS[side].list))
      this.#totals.set(side, Math.max(this.#totals.get(side) ?? 0, Number.parseInt(total, 10)));
    const [page, limit] = ['page', 'limit'].map((name) => Number.parseInt(parameters.get(name) ?? '', 10));
    const first =
      Number.isNaN(page ?? Number.NaN) || page === 1 ? 0 : ((page ?? 1) - 1) * (limit ?? Number.NaN);
    for (const [index, item] of listAt(json, LISTS[side].list).entries())
      if (isJsonObject(item)) this.#seeCoin(item, side, isFiltered ? Number.NaN : first + index);
  }

  #seeCoin(item: JsonObject, side: Side, place: number): void {
    const code = textAt(item, 'subName');
    if (code === undefined || !CODE.test(code)) return;
    const coin = this.#coins.get(code) ?? {
      code,
      name: code,
      image: '',
      place: Number.POSITIVE_INFINITY,
      networks: new Map<string, SeenNetwork>(),
    };
    this.#coins.set(code, coin);
    coin.name = textAt(item, 'name') || coin.name;
    coin.image = textAt(item, 'image') || coin.image;
    if (!Number.isNaN(place)) coin.place = Math.min(coin.place, place);
    for (const entry of listAt(item, `networks.${LISTS[side].networks}`)) {
      const network = textAt(entry, 'subName');
      if (network === undefined || !CODE.test(network)) continue;
      const seen = coin.networks.get(network) ?? { sides: new Set<Side>(), memoNeeded: false };
      seen.sides.add(side);
      seen.memoNeeded ||= memberAt(entry, 'memoNeeded') === true;
      coin.networks.set(network, seen);
    }
  }

  get codes(): readonly string[] {
    return [...this.#coins.keys()];
  }

  /** A coin's code as it is listed, whatever its case here. */
  spelling(code: string): string | undefined {
    if (this.#coins.has(code)) return code;
    const upper = code.toUpperCase();
    return this.codes.find((each) => each.toUpperCase() === upper);
  }

  /** An asset as it is listed, whatever the case of its codes here; undefined for one that is not listed. */
  listed(code: string, network: string): Asset | undefined {
    const coin = this.spelling(code);
    const names = coin === undefined ? [] : [...(this.#coins.get(coin)?.networks.keys() ?? [])];
    const isSame = (name: string) => name.toUpperCase() === network.toUpperCase();
    const found = names.find((name) => name === network) ?? names.find(isSame);
    return coin === undefined || found === undefined ? undefined : { coin, network: found };
  }

  /** Name of an asset in an overlay's bounds, where it is listed on that side; without a network, of the coin. */
  listedName(code: string, network: string, side: Side): string | undefined {
    const coin = network === '' ? this.spelling(code) : this.listed(code, network)?.coin;
    if (coin === undefined) return undefined;
    const chosen = network === '' ? undefined : this.listed(code, network)?.network;
    const isOffered = [...(this.#coins.get(coin)?.networks ?? [])].some(
      ([name, { sides }]) => (chosen === undefined || name === chosen) && this.#isOn(sides, side),
    );
    if (!isOffered) return undefined;
    return chosen === undefined ? coin : `${coin}:${chosen}`;
  }

  /** Whether a payout of an asset needs a memo. */
  needsMemo(code: string, network: string): boolean {
    return this.#coins.get(code)?.networks.get(network)?.memoNeeded === true;
  }

  /** Where only one side was listed, the other one is assumed to be the same. */
  #isOn(sides: ReadonlySet<Side>, side: Side): boolean {
    return sides.has(side) || !this.#totals.has(side);
  }

  /** The coins as a catalogue file has them. */
  report(findings: Findings, prices: (code: string) => Decimal): JsonValue[] {
    const coins = [...this.#coins.values()].filter(({ networks }) => networks.size > 0);
    const sorted = coins.toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place));
    if (sorted.length === 0) {
      findings.lacking('coins and networks', 'swapctl coins --refresh');
      return [];
    }
    const networks = new Set(sorted.flatMap((coin) => [...coin.networks.keys()]));
    findings.found('coins and networks', `${sorted.length} coins on ${networks.size} networks`);
    for (const side of SIDES) this.#reportTotal(findings, side, sorted);
    const guessed = new Set<string>();
    const list = sorted.map((coin) => this.#coinOf(coin, prices(coin.code), guessed));
    if (guessed.size > 0)
      findings.lacking(
        `decimals of ${counted(guessed.size, 'asset')}`,
        `no call shows them; ${USUAL_DECIMALS} are assumed, as for ${[...guessed][0] ?? ''}`,
      );
    return list;
  }

  #reportTotal(findings: Findings, side: Side, coins: readonly SeenCoin[]): void {
    const total = this.#totals.get(side);
    const listed = coins.filter(({ networks }) =>
      [...networks.values()].some(({ sides }) => sides.has(side)),
    );
    const method = side === 'deposit' ? '1' : '2';
    const call = `swapctl api get-all-coins -f method=${method} -f page=1 -f limit=100, and its further pages`;
    if (total === undefined) findings.lacking(`coins to ${side}`, call);
    else if (listed.length < total)
      findings.lacking(`${total - listed.length} of ${total} coins to ${side}`, call);
  }

  #coinOf({ code, name, image, networks }: SeenCoin, usd: Decimal, guessed: Set<string>): JsonObject {
    const assets = [...networks].map(([network, seen]) => this.#assetOf(code, network, seen, guessed));
    return { code, name, ...(image === '' ? {} : { image }), usd, assets };
  }

  #assetOf(code: string, network: string, seen: SeenNetwork, guessed: Set<string>): JsonObject {
    const chain = findNetwork(network)?.code ?? network;
    const known = SIDES.map((side) => this.#builtIn.findAsset(code, chain, side)).find(
      (asset) => asset !== undefined && asset.network === chain,
    );
    const decimals = assetDecimals(code, network) ?? known?.decimals;
    if (decimals === undefined) guessed.add(`${code} on ${network}`);
    const places = decimals ?? USUAL_DECIMALS;
    return {
      network,
      decimals: jsonNumber(places),
      deposit: this.#isOn(seen.sides, 'deposit'),
      receive: this.#isOn(seen.sides, 'receive'),
      memoNeeded: seen.memoNeeded,
      confirmations: jsonNumber(known?.confirmations ?? 1),
      depositFee: this.#fee('deposit', code, network, known, places),
      payoutFee: this.#fee('receive', code, network, known, places),
    };
  }

  #fee(side: Side, code: string, network: string, known: SandboxAsset | undefined, places: number): Decimal {
    const usual = side === 'deposit' ? known?.depositFee : known?.payoutFee;
    const fee = this.#fees.get(`${side} ${code}:${network}`) ?? usual ?? '0';
    return shortenBound(fee.replace(/^-/, ''), places, 'up');
  }
}
