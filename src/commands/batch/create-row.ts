import type { Context } from '../../context.ts';
import { InterruptedError, SwapctlError } from '../../errors.ts';
import type { Entry } from '../../ledger/entry.ts';
import type { SwapResult } from '../../ledger/swap-result.ts';
import { recordedSwap } from '../../ledger/swap-result.ts';
import { withPrice } from '../../swaps/check.ts';
import type { CreatedSwap } from '../../swaps/create.ts';
import { createOnce } from '../../swaps/create.ts';
import { stillUnknown } from '../../swaps/idempotency.ts';
import { checkLeast } from '../../swaps/price.ts';
import type { RowOutcome } from '../../views/batch.ts';
import type { BudgetedService } from './budgeted.ts';
import type { CheckedRow, FreshRow } from './checked-row.ts';
import type { FreshPrices } from './prices/fresh-prices.ts';
import { refuseWorsePrice } from './prices/fresh-prices.ts';

/** How a row ended. */
export interface RowEnd {
  readonly row: number;
  readonly key: string;
  readonly outcome: RowOutcome;
  readonly swap: SwapResult | null;
  readonly error: SwapctlError | null;
  /** Its key had an order, or may have had one, before: nothing was sent. */
  readonly isEarlier: boolean;
  /** Sentences to be read before paying. */
  readonly notices: readonly string[];
}

/** What the creation of a row works with. */
export interface CreateTools extends BudgetedService {
  readonly prices: FreshPrices;
}

/**
 * Creates the swap of a row, unless its key has one. Throws only what ends the batch: an interruption before anything of
 * the row was sent, and what is a fault of swapctl's own.
 */
export async function createRow(context: Context, tools: CreateTools, checked: CheckedRow): Promise<RowEnd> {
  const { row, key, fresh } = checked;
  let isSent = false;
  const onSend = () => {
    isSent = true;
  };
  try {
    const entry = await (await context.ledger()).byKey(await context.owner(), key);
    // A row that was checked as a new one is compared with an entry that came meanwhile, where it is created.
    if (fresh === null && entry !== null && (entry.outcome === 'created' || entry.outcome === 'unknown'))
      return earlier(context, checked, entry);
    // Whoever dismissed it meanwhile can run the file again.
    if (fresh === null)
      throw new SwapctlError('rejected', 'What its key stood for was settled meanwhile.', AGAIN);
    const { swap, notices, ledgerError, replayed } = await created(
      context,
      tools,
      { ...checked, fresh },
      onSend,
    );
    const error = ledgerError;
    const outcome = replayed ? 'existing' : 'created';
    return { row, key, outcome, swap, error, isEarlier: replayed, notices };
  } catch (error) {
    if (!(error instanceof SwapctlError) || error instanceof InterruptedError) throw error;
    // Unknown without having been sent: another process has it under way, or died over it.
    return { ...failed(checked, error), isEarlier: error.outcome === 'unknown' && !isSent };
  }
}

const AGAIN = { hint: 'Nothing was sent; run the file again.', retryable: true } as const;

async function created(
  context: Context,
  { service, pace, prices }: CreateTools,
  { key, labels, fresh: { swap, reviewed } }: CheckedRow & { readonly fresh: FreshRow },
  onSend: () => void,
): Promise<CreatedSwap> {
  // The turn comes first: after it the price must not get old.
  await pace.take();
  const price = await prices.of(swap);
  checkLeast(price.quote, { receive: swap.request.receive, minReceive: swap.minReceive }, 'the row');
  refuseWorsePrice(swap, reviewed, price);
  context.signal.throwIfAborted();
  return createOnce(context, withPrice(service, swap, price, reviewed.receive), {
    ...{ idempotencyKey: key, labels },
    announce: () => undefined,
    meanwhile: (request) => {
      onSend();
      return request();
    },
    broughtBack: async (entry) => replayed(context, entry),
  });
}

/** The swap of an entry as the ledger has it: ten thousand rows must not be looked at one by one. */
function replayed(context: Context, entry: Entry): CreatedSwap {
  const swap = recordedSwap(entry, entry.doubts, context.now());
  return { swap, notices: [], replayed: true, ledgerError: null };
}

function earlier(context: Context, { row, key }: CheckedRow, entry: Entry): RowEnd {
  const isCreated = entry.outcome === 'created';
  return {
    ...{ row, key, outcome: isCreated ? 'existing' : 'unknown', isEarlier: true, notices: [] },
    swap: isCreated ? replayed(context, entry).swap : null,
    error: isCreated ? null : stillUnknown(entry),
  };
}

/** The end of a row by an error. */
export function failed({ row, key }: CheckedRow, error: SwapctlError): RowEnd {
  return { row, key, outcome: outcomeOf(error), swap: null, error, isEarlier: false, notices: [] };
}

function outcomeOf({ outcome }: SwapctlError): RowOutcome {
  if (outcome === 'nothing-sent') return 'not-sent';
  return outcome === 'refused' ? 'refused' : 'unknown';
}
