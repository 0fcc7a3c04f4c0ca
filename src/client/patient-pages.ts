import { SwapctlError } from '../errors.ts';
import type { Client } from './client.ts';
import type { CoinPage, ListingMethod } from './coin-page.ts';
import { MAX_WAIT_MS } from './retry.ts';

/** Pause where the service asks for none in particular, doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 10_000;
/** A service that asks for more than this has to be asked again by a person. */
const MAX_PAUSE_MS = 300_000;
const MAX_PAUSES = 10;

/** How a rate limit is waited out in the midst of a list. */
export interface Patience {
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Milliseconds that are left for everything; infinity without a limit. */
  readonly timeLeft: () => number;
  /** Called before each pause, with the pages that are kept. */
  readonly onPause: (milliseconds: number, pages: number) => void;
}

/** Reads one page of the coin list. */
export type ReadPage = (method: ListingMethod, page: number) => Promise<CoinPage>;

/**
 * Reads pages, also several at once. Once one has come, a rate limit holds them all for a while, and only the pages
 * that were refused are asked for again. Throws `rate_limited` where the first page already meets the limit, or where
 * there is no time left for the pause.
 */
export function patientPages(client: Pick<Client, 'coins'>, patience: Patience): ReadPage {
  let pages = 0;
  let pauses = 0;
  let pause: Promise<void> | undefined;
  const wait = async (refusal: SwapctlError): Promise<void> => {
    const asked = refusal.details?.['retryAfterSeconds'];
    const usual = Math.min(MAX_WAIT_MS, FIRST_PAUSE_MS * 2 ** pauses);
    const milliseconds = typeof asked === 'number' ? asked * 1000 : usual;
    pauses += 1;
    if (pauses > MAX_PAUSES || milliseconds > MAX_PAUSE_MS || milliseconds >= patience.timeLeft())
      throw refusal;
    patience.onPause(milliseconds, pages);
    await patience.sleep(milliseconds);
  };
  return async (method, page) => {
    for (;;) {
      await pause;
      const begun = pauses;
      try {
        const read = await client.coins(method, page);
        pages += 1;
        return read;
      } catch (error) {
        if (!(error instanceof SwapctlError) || error.code !== 'rate_limited' || pages === 0) throw error;
        // What was asked for before a pause is refused for what was before it.
        if (begun === pauses) pause ??= wait(error).finally(() => (pause = undefined));
      }
    }
  };
}
