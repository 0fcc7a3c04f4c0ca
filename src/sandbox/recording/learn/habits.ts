import type { HabitName } from '../../../partner-api/habits.ts';
import { HABIT_NAMES, HABITS } from '../../../partner-api/habits.ts';
import { MESSAGES } from '../../../partner-api/messages.ts';
import { isZero, sameAmount } from '../../../swap/amount.ts';
import { tooManyDecimals } from '../../../swap/decimals.ts';
import { UNPROCESSABLE } from '../../http/api-error.ts';
import { PLAIN_DECISIONS } from '../../state/assumptions.ts';
import type { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import { decimalAt, memberAt } from './exchange.ts';
import type { Findings } from './result.ts';
import { jsonNumber } from './result.ts';

/** Calls that wait for the whole coin list. */
const MAX_WAITING = 2000;

/** All habits but `text-amounts`, which `AmountsSeen` learns. */
const OWN_HABITS = HABIT_NAMES.filter((name) => name !== 'text-amounts');

const CALLS: Readonly<Record<(typeof OWN_HABITS)[number], string>> = {
  doubles: 'swapctl quote <from> <to> <amount>, for coins whose decimals are known',
  'networks-required': 'swapctl api exchange-coin without networkFrom and networkTo',
  'exact-case': 'a create with codes in another case: swapctl conformance --write',
  'no-maximum': 'swapctl quote <from> <to> <amount>',
  'expired-at': 'swapctl status <order>, or a create',
  'no-rate-headers': 'any read',
  unprocessable: 'swapctl api exchange-coin for a coin that there is not: swapctl conformance',
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

  see(exchange: Exchange): void {
    const { endpoint, ok } = exchange;
    if (ok && endpoint === 'exchange-coin') this.#seeMaximum(exchange);
    if (ok && !['create-transaction', 'update-refund-address'].includes(endpoint)) this.#seeHeaders(exchange);
    if (ok && (endpoint === 'get-transaction' || endpoint === 'create-transaction'))
      this.#vote('expired-at', memberAt(exchange.json, 'expiredAt') !== undefined);
    if (endpoint === 'exchange-coin') keep(this.#quotes, exchange);
    if (endpoint === 'create-transaction') keep(this.#creates, exchange);
  }

  #vote(name: HabitName, has: boolean): void {
    const votes = this.#votes.get(name) ?? { yes: 0, no: 0 };
    votes[has ? 'yes' : 'no'] += 1;
    this.#votes.set(name, votes);
  }

  #seeMaximum({ json }: Exchange): void {
    const max = decimalAt(json, 'maxAmount');
    this.#vote('no-maximum', max === undefined || isZero(max));
  }

  #seeHeaders({ headers }: Exchange): void {
    this.#vote('no-rate-headers', ![...headers.keys()].some((name) => name.startsWith('ratelimit-')));
  }

  /** Says which habits there are, and what is answered to a pair that there is not. */
  tell(findings: Findings, coins: CoinsSeen): void {
    const refusals: Refusal[] = [];
    for (const quote of this.#quotes) this.#judgeQuote(quote, coins, refusals);
    this.#judgeCreates(coins, refusals);
    if (refusals.length === 0) this.#collectOpen(coins, refusals);
    const unknownPair = this.#judgeRefusals(findings, refusals);
    for (const name of OWN_HABITS) {
      const votes = this.#votes.get(name);
      if (votes === undefined) findings.lacks(`habit ${name}`, CALLS[name]);
      else if (votes.yes > 0 && votes.no === 0) {
        findings.habits.push(name);
        findings.saw(`habit ${name}`, HABITS[name]);
      } else if (votes.yes === 0) {
        const other = name === 'unprocessable' ? unknownPair : null;
        findings.saw(`habit ${name}`, `no: ${other ?? PLAIN_DECISIONS[name]}`);
      } else this.#tellMixed(findings, name);
    }
  }

  /** One answer with too many digits is proof of doubles; amounts with few digits are none against them. */
  #tellMixed(findings: Findings, name: HabitName): void {
    const isProof = name === 'doubles' || name === 'networks-required';
    if (isProof) findings.habits.push(name);
    const sometimes = isProof ? `${HABITS[name]}, in some calls` : 'no: in some calls alone';
    findings.saw(`habit ${name}`, sometimes);
  }

  #judgeQuote(quote: Exchange, coins: CoinsSeen, refusals: Refusal[]): void {
    const { ok, parameters, json } = quote;
    const text = (name: string) => parameters.get(name) ?? '';
    const [from, to] = [coins.spelling(text('coinFrom')), coins.spelling(text('coinTo'))];
    const isOpen = text('networkFrom') === '' || text('networkTo') === '';
    if (from !== undefined && to !== undefined && isOpen && from !== to) {
      if (ok || plainRefusal(quote)?.status === 422) this.#vote('networks-required', !ok);
      return;
    }
    if (ok) {
      const receive = decimalAt(json, 'receive');
      if (receive !== undefined && text('lastSource') === 'deposit' && to !== undefined)
        this.#voteDoubles(receive, to, text('networkTo'));
      return;
    }
    if (coins.codes.length === 0 || isOpen) return;
    this.#collect(
      quote,
      refusals,
      isPair(coins, { from, to, ...networks(parameters, 'networkFrom', 'networkTo') }),
    );
  }

  /**
   * Refusals of quotes with an unknown coin and without a network, where a network is not what was missed: the service
   * gives other quotes without one, or the refusal is not about networks.
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

  #collect(exchange: Exchange, refusals: Refusal[], isListed: boolean): void {
    const refusal = plainRefusal(exchange);
    if (!isListed && refusal !== null) refusals.push(refusal);
  }

  /** Learns the refusal of a pair that there is not; gives its words, or null where there were none. */
  #judgeRefusals(findings: Findings, refusals: readonly Refusal[]): string | null {
    if (refusals.length === 0) {
      findings.lacks('unknown pair', CALLS.unprocessable);
      return null;
    }
    const times = new Map<string, number>();
    for (const refusal of refusals) {
      const key = JSON.stringify(refusal);
      times.set(key, (times.get(key) ?? 0) + 1);
    }
    const [[usual] = ['']] = [...times].toSorted(([, a], [, b]) => b - a);
    const { status, message } = JSON.parse(usual) as Refusal;
    const is = (other: number, words: string) => status === other && message === words;
    this.#vote('unprocessable', is(422, UNPROCESSABLE));
    const words = `${status} ${message}`;
    findings.decides('unknown pair', {
      name: 'unknownPair',
      value: { status: jsonNumber(status), message },
      words,
      isPlain: is(422, UNPROCESSABLE) || is(404, MESSAGES.NOT_FOUND),
    });
    return `a pair that cannot be swapped is ${words}`;
  }

  #judgeCreates(coins: CoinsSeen, refusals: Refusal[]): void {
    const accepted = new Set(this.#creates.filter(({ ok }) => ok).map(termsOf));
    for (const create of this.#creates) {
      const { ok, parameters, json } = create;
      const text = (name: string) => parameters.get(name) ?? '';
      const [from, to] = [coins.spelling(text('depositCoin')), coins.spelling(text('receiveCoin'))];
      const places = networks(parameters, 'depositNetwork', 'receiveNetwork');
      if (!isPair(coins, { from, to, ...places })) {
        this.#collect(create, refusals, false);
        continue;
      }
      const isListed =
        from === text('depositCoin') && to === text('receiveCoin') && isSpelt(coins, from, to, places);
      if (!isListed) {
        if (ok || plainRefusal(create) !== null) this.#vote('exact-case', !ok);
        continue;
      }
      if (coins.needsMemo(to ?? '', places.networkTo) && text('memo') === '') {
        const said = [memberAt(json, 'message')].flat().join(' ');
        if (ok || /memo|tag/i.test(said)) this.#vote('memo-required', !ok);
      }
      if (text('lastSource') === 'receive') this.#judgeReceive(create, accepted);
    }
  }

  #judgeReceive(create: Exchange, accepted: ReadonlySet<string>): void {
    const { ok, parameters, json, status } = create;
    const amount = parameters.get('depositAmount') ?? '';
    if (!ok) {
      // The same amount was taken as a deposit.
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
}

function keep(list: Exchange[], exchange: Exchange): void {
  // Texts of answers would fill the memory; what was read of them is kept.
  if (list.length < MAX_WAITING) list.push({ ...exchange, text: '' });
}

function networks(parameters: Exchange['parameters'], from: string, to: string) {
  return { networkFrom: parameters.get(from) ?? '', networkTo: parameters.get(to) ?? '' };
}

interface Named {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly networkFrom: string;
  readonly networkTo: string;
}

function isPair(coins: CoinsSeen, { from, to, networkFrom, networkTo }: Named): boolean {
  if (from === undefined || to === undefined) return false;
  const [one, other] = [coins.networkSpelling(from, networkFrom), coins.networkSpelling(to, networkTo)];
  return one !== undefined && other !== undefined && !(from === to && one === other);
}

function isSpelt(
  coins: CoinsSeen,
  from: string,
  to: string,
  { networkFrom, networkTo }: Pick<Named, 'networkFrom' | 'networkTo'>,
): boolean {
  return (
    coins.networkSpelling(from, networkFrom) === networkFrom &&
    coins.networkSpelling(to, networkTo) === networkTo
  );
}

/** The refusal in an answer, if its message is one text and it is not about amounts, keys or addresses. */
function plainRefusal({ status, json }: Exchange): Refusal | null {
  const message = memberAt(json, 'message');
  if (typeof message !== 'string' || message === '') return null;
  if (![400, 404, 409, 422].includes(status) || /\bamount\b|address/i.test(message)) return null;
  return { status, message: message.slice(0, 200) };
}

function termsOf({ parameters }: Exchange): string {
  const names = ['depositCoin', 'depositNetwork', 'receiveCoin', 'receiveNetwork', 'depositAmount'];
  return names.map((name) => parameters.get(name) ?? '').join(' ');
}
