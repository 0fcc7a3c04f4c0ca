import { decimalAt, listAt } from '../../../partner-api/json-path.ts';
import { DEFAULT_LIMIT, MAX_BODY_BYTES, MAX_LIMIT, RATE_LIMIT } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';

/** Largest limit that an overlay takes. */
const MAX_PAGE = 10_000;
/** What a service without a limit is assumed to allow, in bytes. */
const BIG_BODY = 16 * 1024 * 1024;
/** Usual windows in seconds: the headers state only what is left of one. */
const WINDOWS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400];

/** Learns how long pages of the coin list are, how many requests are allowed, and how large a body may be. */
export class LimitsSeen {
  #defaultLimit: number | undefined;
  #isListWhole = false;
  /** Largest limit that returned as many coins, or all that exist. */
  #taken = 0;
  #refused = Number.POSITIVE_INFINITY;
  /** Coins on a page that is shorter than its limit, though there are more. */
  #cut: number | undefined;
  #rateLimit = 0;
  #rateReset = 0;
  #largestBody = 0;
  #refusedBody = Number.POSITIVE_INFINITY;

  see(exchange: Exchange): void {
    if (exchange.endpoint === 'get-all-coins') this.#seePage(exchange);
    const { headers, bodyBytes, status } = exchange;
    const number = (name: string) => wholeNumber(headers.get(name)) ?? 0;
    this.#rateLimit = Math.max(this.#rateLimit, number('ratelimit-limit'));
    const [, window = '0'] = /\bw=(\d{1,6})/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    this.#rateReset = Math.max(this.#rateReset, number('ratelimit-reset'), Number.parseInt(window, 10));
    if (bodyBytes === 0) return;
    if (status === 413) this.#refusedBody = Math.min(this.#refusedBody, bodyBytes);
    else if (status < 500) this.#largestBody = Math.max(this.#largestBody, bodyBytes);
  }

  #seePage({ ok, status, parameters, json }: Exchange): void {
    if ((parameters.get('page') ?? '1') !== '1') return;
    const limit = wholeNumber(parameters.get('limit'));
    const hasMethod = ['1', '2'].includes(parameters.get('method') ?? '');
    if (status === 400 && limit !== undefined && limit > 0 && hasMethod)
      this.#refused = Math.min(this.#refused, limit);
    if (!ok) return;
    const count = ['depositCoins', 'withdrawCoins'].reduce((sum, name) => sum + listAt(json, name).length, 0);
    const total = wholeNumber(decimalAt(json, 'pagination.totalCount')) ?? count;
    if (limit !== undefined) {
      if (count < Math.min(limit, total)) this.#cut = Math.max(this.#cut ?? 0, count);
      else this.#taken = Math.max(this.#taken, limit);
    } else if (!parameters.has('limit')) {
      if (count < total) this.#defaultLimit = count;
      else this.#isListWhole = true;
    }
  }

  report(findings: Findings): void {
    const limit = this.#defaultLimit;
    if (limit !== undefined)
      findings.decided('default limit', 'defaultLimit', limit, { isPlain: limit === DEFAULT_LIMIT });
    else
      findings.lacking(
        'default limit',
        this.#isListWhole ? 'all coins fit on a page' : 'swapctl api get-all-coins -f method=1',
      );
    this.#reportLargestPage(findings);
    this.#reportRate(findings);
    this.#reportBody(findings);
  }

  #reportLargestPage(findings: Findings): void {
    const [point, taken, refused] = ['largest limit', this.#taken, this.#refused] as const;
    const callWith = (limit: number) => `swapctl api get-all-coins -f method=1 -f limit=${limit}`;
    if (this.#cut !== undefined) {
      findings.decided(point, 'maxLimit', this.#cut, { words: `${this.#cut}, larger ones are cut` });
      findings.decisions['overMaxLimit'] = 'cut';
    } else if (Number.isFinite(refused)) {
      const largest = Math.min(MAX_PAGE, taken < refused ? Math.max(1, taken) : refused - 1);
      const isExact = largest === refused - 1;
      const words = isExact ? String(largest) : `from ${largest} to ${refused - 1}`;
      findings.decided(point, 'maxLimit', largest, { words, isPlain: largest === MAX_LIMIT });
      if (!isExact) findings.lacking('the largest limit exactly', callWith(largest + 1));
    } else if (taken > MAX_LIMIT)
      findings.decided(point, 'maxLimit', null, { words: `${taken} is accepted` });
    else findings.lacking(point, callWith(MAX_LIMIT + 1));
  }

  #reportRate(findings: Findings): void {
    if (this.#rateLimit === 0 || this.#rateReset === 0) {
      findings.lacking('rate limit', 'RateLimit-* headers show it; this service sends none');
      return;
    }
    const window = WINDOWS.find((seconds) => seconds >= this.#rateReset) ?? this.#rateReset;
    const value = `${this.#rateLimit}/${window}s`;
    const isPlain = value === `${RATE_LIMIT.count}/${RATE_LIMIT.windowSeconds}s`;
    findings.decided('rate limit', 'rateLimit', value, { isPlain });
  }

  #reportBody(findings: Findings): void {
    const [point, taken, refused] = ['largest body', this.#largestBody, this.#refusedBody] as const;
    if (taken > MAX_BODY_BYTES && taken < BIG_BODY) {
      const largest = Number.isFinite(refused) ? Math.max(taken, refused - 1) : BIG_BODY;
      findings.decided(point, 'maxBodyBytes', largest, { words: `${taken} bytes and more` });
    } else if (refused <= MAX_BODY_BYTES && refused > 1024)
      findings.decided(point, 'maxBodyBytes', refused - 1, { words: `below ${refused} bytes` });
    else if (Number.isFinite(refused)) findings.found(point, `below ${refused} bytes`);
    else findings.lacking(point, 'a body over 64 KiB: swapctl conformance --write');
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
