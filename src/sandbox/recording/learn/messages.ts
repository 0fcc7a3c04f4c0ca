import { MESSAGES } from '../../../partner-api/messages.ts';
import type { CoinsSeen } from './coins.ts';
import type { Exchange } from './exchange.ts';
import { textAt } from './exchange.ts';
import type { Findings } from './result.ts';
import { jsonNumber } from './result.ts';
import { UPDATE_CALL } from './statuses.ts';

const MAX_MESSAGE_LENGTH = 200;
const MAX_UNKNOWN_COINS = 100;

/** Learns the words of some answers, and the status for a coin that the service does not have. */
export class MessagesSeen {
  #refund: string | undefined;
  #boundsVerb: 'exchange' | 'swap' | undefined;
  readonly #unknownCoins: { status: number; message: string; coin: string }[] = [];

  see(exchange: Exchange): void {
    const { endpoint, ok, status, json } = exchange;
    const message = textAt(json, 'message');
    if (message === undefined) return;
    if (ok && endpoint === 'update-refund-address') this.#refund ??= message.slice(0, MAX_MESSAGE_LENGTH);
    if (endpoint === 'get-coin-network' && [400, 404, 422].includes(status))
      this.#seeUnknownCoin(exchange, message);
    if (status === 400 && /^amount to (swap|exchange)/i.test(message))
      this.#boundsVerb ??= /^amount to exchange/i.test(message) ? 'exchange' : 'swap';
  }

  #seeUnknownCoin({ status, parameters }: Exchange, message: string): void {
    const coin = parameters.get('coin') ?? '';
    if (coin !== '' && this.#unknownCoins.length < MAX_UNKNOWN_COINS)
      this.#unknownCoins.push({ status, message: message.slice(0, MAX_MESSAGE_LENGTH), coin });
  }

  tell(findings: Findings, coins: CoinsSeen): void {
    const refund = this.#refund;
    const refundPoint = 'message of a changed refund address';
    if (refund === undefined) findings.lacks(refundPoint, UPDATE_CALL);
    else
      findings.decides(refundPoint, {
        name: 'refundMessage',
        value: refund,
        words: refund,
        isPlain: refund === MESSAGES.REFUND_UPDATED,
      });
    const verb = this.#boundsVerb;
    const verbPoint = 'words for an amount out of bounds';
    if (verb === undefined) findings.lacks(verbPoint, 'swapctl quote with a tiny amount');
    else
      findings.decides(verbPoint, {
        name: 'boundsVerb',
        value: verb,
        words: `to ${verb}`,
        isPlain: verb === 'swap',
      });
    this.#tellUnknownCoin(findings, coins);
  }

  #tellUnknownCoin(findings: Findings, coins: CoinsSeen): void {
    const unknown = this.#unknownCoins.find(({ coin }) => coins.spelling(coin) === undefined);
    if (unknown === undefined || coins.codes.length === 0) {
      findings.lacks('unknown coin', 'swapctl api get-coin-network -f coin=NOSUCHCOIN');
      return;
    }
    const { status, message } = unknown;
    const isPlain = status === 404 && message === MESSAGES.NOT_FOUND;
    const value = { status: jsonNumber(status), message };
    findings.decides('unknown coin', { name: 'unknownCoin', value, words: `${status} ${message}`, isPlain });
  }
}
