import { MAX_BODY_BYTES, RATE_LIMIT } from '../../state/assumptions.ts';
import type { Exchange } from './exchange.ts';
import type { Findings } from './result.ts';
import { jsonNumber } from './result.ts';

/** What a service without a limit is taken to allow, in bytes. */
const BIG_BODY = 16 * 1024 * 1024;
/** Usual windows in seconds: the headers tell only what is left of one. */
const WINDOWS = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 86_400];

/** Learns how many requests are allowed, and how large a body may be. */
export class LimitsSeen {
  #limit = 0;
  #reset = 0;
  #largestTaken = 0;
  #smallestRefused = Number.POSITIVE_INFINITY;

  see(exchange: Exchange): void {
    this.#seeRate(exchange);
    this.#seeBody(exchange);
  }

  #seeRate({ headers }: Exchange): void {
    const number = (name: string) =>
      Number.parseInt(/^\d{1,7}$/.exec(headers.get(name) ?? '')?.[0] ?? '0', 10);
    this.#limit = Math.max(this.#limit, number('ratelimit-limit'));
    const [, window = '0'] = /\bw=(\d{1,6})/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    this.#reset = Math.max(this.#reset, number('ratelimit-reset'), Number.parseInt(window, 10));
  }

  #seeBody({ bodyBytes, status }: Exchange): void {
    if (bodyBytes === 0) return;
    if (status === 413) this.#smallestRefused = Math.min(this.#smallestRefused, bodyBytes);
    else if (status < 500) this.#largestTaken = Math.max(this.#largestTaken, bodyBytes);
  }

  tell(findings: Findings): void {
    this.#tellRate(findings);
    this.#tellBody(findings);
  }

  #tellRate(findings: Findings): void {
    if (this.#limit === 0 || this.#reset === 0)
      findings.lacks('rate limit', 'RateLimit-* headers show it; this service sends none');
    else {
      const window = WINDOWS.find((seconds) => seconds >= this.#reset) ?? this.#reset;
      const words = `${this.#limit}/${window}s`;
      const isPlain = words === `${RATE_LIMIT.count}/${RATE_LIMIT.windowSeconds}s`;
      findings.decides('rate limit', { name: 'rateLimit', value: words, words, isPlain });
    }
  }

  #tellBody(findings: Findings): void {
    const [taken, refused] = [this.#largestTaken, this.#smallestRefused];
    if (taken > MAX_BODY_BYTES && taken < BIG_BODY) {
      const largest = Number.isFinite(refused) ? Math.max(taken, refused - 1) : BIG_BODY;
      findings.decides('largest body', {
        name: 'maxBodyBytes',
        value: jsonNumber(largest),
        words: `${taken} bytes and more`,
        isPlain: false,
      });
    } else if (refused <= MAX_BODY_BYTES && refused > 1024)
      findings.decides('largest body', {
        name: 'maxBodyBytes',
        value: jsonNumber(refused - 1),
        words: `below ${refused} bytes`,
        isPlain: false,
      });
    else if (Number.isFinite(refused)) findings.saw('largest body', `below ${refused} bytes`);
    else findings.lacks('largest body', 'a body over 64 KiB: swapctl conformance --write');
  }
}
