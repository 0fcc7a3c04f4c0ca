import { SwapctlError } from '../errors.ts';
import type { Client } from './client.ts';
import type { CoinPage, ListingMethod } from './coin-page.ts';
import { MAX_WAIT_MS } from './retry.ts';

/** Pause where the service asks for none in particular, doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 10_000;
/** Longest pause that is waited out; beyond it the command ends with `rate_limited`. */
const MAX_PAUSE_MS = 300_000;
const MAX_PAUSES = 10;

/** Means to wait out a rate limit in the middle of a list. */
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
 * Reads pages, also several at once. After the first page a rate limit pauses all of them, and only the refused pages
 * are read again. Throws `rate_limited` where the first page is refused, or where no time is left for the pause.
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
        // A pause that began while this request was under way is answer enough to its refusal: no second one.
        if (begun === pauses) pause ??= wait(error).finally(() => (pause = undefined));
      }
    }
  };
}
