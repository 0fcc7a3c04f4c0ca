import type { JsonObject, JsonValue } from '../../../partner-api/json.ts';
import { decimalAt } from '../../../partner-api/json-path.ts';
import {
  compareDecimals,
  type Decimal,
  fromSmallestUnit,
  isZero,
  significantPlaces,
  toSmallestUnit,
} from '../../../swap/amount.ts';
import { counted } from '../../../text.ts';
import { builtInCatalogue } from '../../catalogue/catalogue.ts';
import type { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';

const STABLE = ['USDT', 'USDC', 'DAI', 'TUSD', 'BUSD'];
const PLACES = 18;
const MAX_PAIRS = 10_000;

/** A quote's coins and networks as they were requested, and the answer. */
interface SeenPair {
  readonly coins: readonly [from: string, to: string];
  readonly networks: readonly [from: string, to: string];
  readonly json: JsonValue | undefined;
}

/** Learns bounds and prices from quotes. */
export class QuotesSeen {
  readonly #pairs = new Map<string, SeenPair>();
  /** Payout for one amount of a pair, by rate type. */
  readonly #receives = new Map<string, Map<string, Decimal>>();

  see({ endpoint, ok, parameters, json }: Exchange): void {
    if (endpoint !== 'exchange-coin' || !ok || this.#pairs.size >= MAX_PAIRS) return;
    const text = (name: string) => parameters.get(name) ?? '';
    const coins = [text('coinFrom'), text('coinTo')] as const;
    const networks = [text('networkFrom'), text('networkTo')] as const;
    const key = [...coins, ...networks].join(' ');
    this.#pairs.set(key, { coins, networks, json });
    const receive = decimalAt(json, 'receive');
    if (receive === undefined || text('lastSource') !== 'deposit') return;
    const amount = `${key} ${text('amount')}`;
    const types = this.#receives.get(amount) ?? new Map<string, Decimal>();
    this.#receives.set(amount, types.set(text('typeSwap'), receive));
  }

  /** Bounds as an overlay has them, those of pairs that the coins do not have left out. */
  bounds(findings: Findings, coins: CoinsSeen): JsonObject[] {
    const list = [...this.#pairs.values()].flatMap(({ coins: codes, networks, json }) => {
      const from = coins.listedName(codes[0], networks[0], 'deposit');
      const to = coins.listedName(codes[1], networks[1], 'receive');
      const [min, max] = [decimalAt(json, 'minAmount'), decimalAt(json, 'maxAmount')];
      if (from === undefined || to === undefined || min === undefined || min.startsWith('-')) return [];
      const largest = max === undefined || isZero(max) || compareDecimals(max, min) < 0 ? null : max;
      return [{ from, to, min, max: largest }];
    });
    const unique = [...new Map(list.map((each) => [`${each.from} ${each.to}`, each])).values()];
    if (unique.length > 0) findings.found('bounds', counted(unique.length, 'pair'));
    findings.lacking(
      'bounds of other pairs',
      'swapctl quote <from> <to> <amount>, for each pair of interest',
    );
    return unique;
  }

  /** Whether a fixed rate was seen to cost more than a floating one; undefined if nothing shows it. */
  fixedCostsMore(): boolean | undefined {
    const both = [...this.#receives.values()].flatMap((types) => {
      const [fixed, float] = [types.get('1'), types.get('2')];
      return fixed === undefined || float === undefined ? [] : [compareDecimals(fixed, float) <= 0];
    });
    return both.length === 0 ? undefined : both.every((more) => more);
  }

  /** Prices of coins in dollars: by the rates to coins whose price is known, else those of the built-in service. */
  prices(findings: Findings, coins: CoinsSeen): (code: string) => Decimal {
    const builtIn = builtInCatalogue();
    const known = new Map<string, bigint>();
    const one = 10n ** BigInt(PLACES);
    for (const code of coins.codes) if (STABLE.includes(code)) known.set(code, one);
    const usual = (code: string) => builtIn.findCoin(code)?.usd;
    const edges = [...this.#pairs.values()].flatMap(({ coins: codes, json }) => {
      const [from, to] = codes.map((code) => coins.spelling(code));
      const rate = decimalAt(json, 'exchangeRate');
      if (from === undefined || to === undefined || rate === undefined) return [];
      return isZero(rate) || rate.startsWith('-') ? [] : [{ from, to, rate }];
    });
    spread(known, edges);
    const [anchor] = edges
      .map(({ from }) => from)
      .filter((code) => !known.has(code) && usual(code) !== undefined);
    if (anchor !== undefined) {
      known.set(anchor, unitsOf(usual(anchor) ?? '1'));
      spread(known, edges);
    }
    const unpriced = coins.codes.filter((code) => !known.has(code) && usual(code) === undefined);
    const quoted = known.size;
    if (quoted > 0) findings.found('prices', `${counted(quoted, 'coin')}, by their quotes`);
    if (unpriced.length > 0)
      findings.lacking(
        `prices of ${unpriced.length} coins`,
        `swapctl quote ${unpriced[0] ?? ''} USDT <amount>, and so on; a dollar is assumed`,
      );
    return (code) => {
      const units = known.get(code);
      return units === undefined || units <= 0n ? (usual(code) ?? '1') : fromSmallestUnit(units, PLACES);
    };
  }
}

/** Prices that follow from those known, over any number of quotes. */
function spread(
  known: Map<string, bigint>,
  edges: readonly { readonly from: string; readonly to: string; readonly rate: Decimal }[],
): void {
  for (let grew = true; grew; ) {
    grew = false;
    for (const { from, to, rate } of edges) {
      const places = significantPlaces(rate);
      const [above, below] = [toSmallestUnit(rate, places), 10n ** BigInt(places)];
      const [sent, received] = [known.get(from), known.get(to)];
      if (sent === undefined && received !== undefined) known.set(from, (received * above) / below);
      else if (received === undefined && sent !== undefined) known.set(to, (sent * below) / above);
      else continue;
      grew = true;
    }
  }
}

function unitsOf(price: Decimal): bigint {
  const places = significantPlaces(price);
  return places > PLACES ? 1n : toSmallestUnit(price, PLACES);
}
