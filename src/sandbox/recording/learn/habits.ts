import { ENDPOINTS } from '../../../partner-api/endpoints.ts';
import { HABIT_NAMES, HABITS, type HabitName } from '../../../partner-api/habits.ts';
import { decimalAt, memberAt, textAt } from '../../../partner-api/json-path.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import { isZero, sameAmount } from '../../../swap/amount.ts';
import { tooManyDecimals } from '../../../swap/decimals.ts';
import type { Asset } from '../../../swap/swap.ts';
import { UNPROCESSABLE } from '../../http/api-error.ts';
import { PLAIN_DECISIONS } from '../../state/assumptions.ts';
import type { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import { type Findings, jsonNumber } from './result.ts';

/** Calls of one kind that wait for the whole coin list. */
const MAX_WAITING = 2000;
const MAX_MESSAGE_LENGTH = 200;

/** All habits but `text-amounts`, which `AmountsSeen` learns. */
const OWN_HABITS = HABIT_NAMES.filter((name) => name !== 'text-amounts');

const CALLS: Readonly<Record<(typeof OWN_HABITS)[number], string>> = {
  doubles: 'swapctl quote <from> <to> <amount>, for coins whose decimals are known',
  'networks-required': 'swapctl api exchange-coin without networkFrom and networkTo',
  'exact-case': 'a create with codes in another case: swapctl conformance --write',
  'no-maximum': 'swapctl quote <from> <to> <amount>',
  'expired-at': 'swapctl status <order>, or a create',
  'no-rate-headers': 'any read',
  unprocessable: 'swapctl api exchange-coin for an unknown coin: swapctl conformance',
  'memo-required': 'a create without a memo to a network that needs one: swapctl conformance --write',
  'receive-amount': 'a create with lastSource=receive: swapctl conformance --write',
};

/** A refusal: its status, and its message where that is one text. */
interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Learns habits, each from the calls that show it. */
export class HabitsSeen {
  readonly #votes = new Map<HabitName, { yes: number; no: number }>();
  readonly #quotes: Exchange[] = [];
  readonly #creates: Exchange[] = [];
  readonly #unknownCoins: Exchange[] = [];

  see(exchange: Exchange): void {
    const { endpoint, ok, status, json, headers } = exchange;
    if (endpoint === 'exchange-coin') keep(this.#quotes, exchange);
    if (endpoint === 'create-transaction') keep(this.#creates, exchange);
    if (endpoint === 'get-coin-network' && [400, 404, 422].includes(status))
      keep(this.#unknownCoins, exchange);
    if (!ok) return;
    if (endpoint === 'exchange-coin') {
      const max = decimalAt(json, 'maxAmount');
      this.#vote('no-maximum', max === undefined || isZero(max));
    }
    if (ENDPOINTS[endpoint].method === 'GET')
      this.#vote('no-rate-headers', ![...headers.keys()].some((name) => name.startsWith('ratelimit-')));
    if (/transaction$/.test(endpoint)) this.#vote('expired-at', memberAt(json, 'expiredAt') !== undefined);
  }

  #vote(name: HabitName, has: boolean): void {
    const votes = this.#votes.get(name) ?? { yes: 0, no: 0 };
    votes[has ? 'yes' : 'no'] += 1;
    this.#votes.set(name, votes);
  }

  /** Reports which habits there are, and the answers to an unknown pair and coin. */
  report(findings: Findings, coins: CoinsSeen): void {
    const refusals: Refusal[] = [];
    for (const quote of this.#quotes) this.#judgeQuote(quote, coins, refusals);
    const accepted = new Set(this.#creates.filter(({ ok }) => ok).map(termsOf));
    for (const create of this.#creates) this.#judgeCreate(create, coins, refusals, accepted);
    if (refusals.length === 0) this.#collectOpen(coins, refusals);
    const unknownPair = this.#judgeRefusals(findings, refusals);
    for (const name of OWN_HABITS) {
      const { yes, no } = this.#votes.get(name) ?? { yes: 0, no: 0 };
      // One answer with too many digits proves doubles; amounts with few digits do not disprove them.
      const isProof = name === 'doubles' || name === 'networks-required';
      if (yes + no === 0) findings.lacking(`habit ${name}`, CALLS[name]);
      else if (yes > 0 && (no === 0 || isProof)) {
        findings.habits.push(name);
        findings.found(`habit ${name}`, no === 0 ? HABITS[name] : `${HABITS[name]}, in some calls`);
      } else if (yes > 0) findings.found(`habit ${name}`, 'no: only in some calls');
      else {
        const other = name === 'unprocessable' ? unknownPair : null;
        findings.found(`habit ${name}`, `no: ${other ?? PLAIN_DECISIONS[name]}`);
      }
    }
    this.#reportUnknownCoin(findings, coins);
  }

  #judgeQuote(quote: Exchange, coins: CoinsSeen, refusals: Refusal[]): void {
    const { ok, parameters, json } = quote;
    const text = (name: string) => parameters.get(name) ?? '';
    const [from, to] = [coins.spelling(text('coinFrom')), coins.spelling(text('coinTo'))];
    const isOpen = text('networkFrom') === '' || text('networkTo') === '';
    const refusal = plainRefusal(quote);
    if (from !== undefined && to !== undefined && isOpen && from !== to) {
      if (ok || refusal?.status === 422) this.#vote('networks-required', !ok);
      return;
    }
    if (ok) {
      const receive = decimalAt(json, 'receive');
      if (receive !== undefined && text('lastSource') === 'deposit' && to !== undefined)
        this.#voteDoubles(receive, to, text('networkTo'));
      return;
    }
    if (coins.codes.length === 0 || isOpen || refusal === null) return;
    const pair = [
      coins.listed(text('coinFrom'), text('networkFrom')),
      coins.listed(text('coinTo'), text('networkTo')),
    ] as const;
    if (!isPair(...pair)) refusals.push(refusal);
  }

  /**
   * Collects refusals of quotes with an unknown coin and without a network, where the network is not what was missed: the
   * service gives other quotes without one, or the refusal is not about networks.
   */
  #collectOpen(coins: CoinsSeen, refusals: Refusal[]): void {
    if (coins.codes.length === 0 || (this.#votes.get('networks-required')?.yes ?? 0) > 0) return;
    for (const quote of this.#quotes) {
      const codes = ['coinFrom', 'coinTo'].map((name) => quote.parameters.get(name) ?? '');
      const isUnknown = codes.some((code) => code !== '' && coins.spelling(code) === undefined);
      const refusal = quote.ok || !isUnknown ? null : plainRefusal(quote);
      if (refusal !== null && !/network/i.test(refusal.message)) refusals.push(refusal);
    }
  }

  #voteDoubles(receive: string, coin: string, network: string): void {
    if (tooManyDecimals(receive, coin, network) !== undefined) this.#vote('doubles', true);
    else if (tooManyDecimals('0.'.padEnd(80, '1'), coin, network) !== undefined) this.#vote('doubles', false);
  }

  /** Learns the refusal of an unknown pair; returns its words, or null if there were none. */
  #judgeRefusals(findings: Findings, refusals: readonly Refusal[]): string | null {
    const times = new Map<string, number>();
    for (const { status, message } of refusals) {
      const words = `${status} ${message}`;
      times.set(words, (times.get(words) ?? 0) + 1);
    }
    const [[words] = ['']] = [...times].toSorted(([, a], [, b]) => b - a);
    const usual = refusals.find(({ status, message }) => words === `${status} ${message}`);
    if (usual === undefined) {
      findings.lacking('unknown pair', CALLS.unprocessable);
      return null;
    }
    const isHabit = words === `422 ${UNPROCESSABLE}`;
    this.#vote('unprocessable', isHabit);
    const value = { status: jsonNumber(usual.status), message: usual.message };
    const isPlain = isHabit || words === `404 ${MESSAGES.NOT_FOUND}`;
    findings.decided('unknown pair', 'unknownPair', value, { words, isPlain });
    return `a pair that cannot be swapped is ${words}`;
  }

  #judgeCreate(create: Exchange, coins: CoinsSeen, refusals: Refusal[], accepted: ReadonlySet<string>): void {
    const { ok, parameters, json } = create;
    const text = (name: string) => parameters.get(name) ?? '';
    const from = coins.listed(text('depositCoin'), text('depositNetwork'));
    const to = coins.listed(text('receiveCoin'), text('receiveNetwork'));
    const refusal = plainRefusal(create);
    if (from === undefined || to === undefined || !isPair(from, to)) {
      if (refusal !== null) refusals.push(refusal);
      return;
    }
    const spelt = ['depositCoin', 'depositNetwork', 'receiveCoin', 'receiveNetwork'].map(text);
    if (spelt.join(' ') !== [from.coin, from.network, to.coin, to.network].join(' ')) {
      if (ok || refusal !== null) this.#vote('exact-case', !ok);
      return;
    }
    if (coins.needsMemo(to.coin, to.network) && text('memo') === '') {
      const message = [memberAt(json, 'message')].flat().join(' ');
      if (ok || /memo|tag/i.test(message)) this.#vote('memo-required', !ok);
    }
    if (text('lastSource') === 'receive') this.#judgeReceive(create, accepted);
  }

  #judgeReceive(create: Exchange, accepted: ReadonlySet<string>): void {
    const { ok, parameters, json, status } = create;
    const amount = parameters.get('depositAmount') ?? '';
    if (!ok) {
      // The same amount was accepted as a deposit.
      if (status === 400 && accepted.has(termsOf(create))) this.#vote('receive-amount', true);
      return;
    }
    const [deposit, receive] = ['deposit', 'receive'].map((side) =>
      decimalAt(json, `pairs.${side}.coin.value`),
    );
    if (deposit === undefined || receive === undefined || sameAmount(deposit, receive)) return;
    if (sameAmount(deposit, amount)) this.#vote('receive-amount', false);
    else if (sameAmount(receive, amount)) this.#vote('receive-amount', true);
  }

  /** The answer to a coin that the service does not have. */
  #reportUnknownCoin(findings: Findings, coins: CoinsSeen): void {
    const refused = this.#unknownCoins.find(({ parameters, json }) => {
      const coin = parameters.get('coin') ?? '';
      return coin !== '' && textAt(json, 'message') && coins.spelling(coin) === undefined;
    });
    if (refused === undefined || coins.codes.length === 0) {
      findings.lacking('unknown coin', 'swapctl api get-coin-network -f coin=NOSUCHCOIN');
      return;
    }
    const { status } = refused;
    const message = (textAt(refused.json, 'message') ?? '').slice(0, MAX_MESSAGE_LENGTH);
    const isPlain = status === 404 && message === MESSAGES.NOT_FOUND;
    const value = { status: jsonNumber(status), message };
    findings.decided('unknown coin', 'unknownCoin', value, { words: `${status} ${message}`, isPlain });
  }
}

function keep(list: Exchange[], exchange: Exchange): void {
  // Texts of answers would fill the memory; what was read of them is kept.
  if (list.length < MAX_WAITING) list.push({ ...exchange, text: '' });
}

function isPair(from: Asset | undefined, to: Asset | undefined): boolean {
  if (from === undefined || to === undefined) return false;
  return from.coin !== to.coin || from.network !== to.network;
}

/** The refusal in an answer, if its message is one text and it is not about amounts, keys or addresses. */
function plainRefusal({ status, json }: Exchange): Refusal | null {
  const message = textAt(json, 'message');
  if (!message) return null;
  if (![400, 404, 409, 422].includes(status) || /\bamount\b|address/i.test(message)) return null;
  return { status, message: message.slice(0, MAX_MESSAGE_LENGTH) };
}

function termsOf({ parameters }: Exchange): string {
  const names = ['depositCoin', 'depositNetwork', 'receiveCoin', 'receiveNetwork', 'depositAmount'];
  return names.map((name) => parameters.get(name) ?? '').join(' ');
}
