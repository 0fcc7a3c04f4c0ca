import { StorageError, SwapctlError } from '../../base/errors.ts';
import { shellQuote } from '../../base/files.ts';
import type { Decoded } from '../client/send.ts';
import type { Entry, Owner } from '../ledger/entry.ts';
import type { ApprovalSelection } from '../ledger/policy/approvals.ts';
import type { Decision } from '../ledger/policy/evaluate.ts';
import type { SwapResult } from '../ledger/swap-result.ts';
import { loadWordLists } from '../swap/addresses/phrases.ts';
import type { Doubt, DoubtCode } from '../swap/agreement/agreed.ts';
import { createProblem, isPlainOrder } from '../swap/agreement/fundable.ts';
import type { Labels } from '../swap/labels.ts';
import type { Swap } from '../swap/swap.ts';
import type { CheckedSwap } from './check.ts';
import {
  doubtedOrder,
  LINKED_OTHERWISE,
  lateError,
  orderDetails,
  readOtherWay,
  shortfall,
} from './created.ts';
import type { DescribedSwap } from './idempotency.ts';
import { compareAnswer, type KnownSwap, shownSwap } from './lookup.ts';
import type { Meanwhile, Ports } from './ports.ts';

/** A swap that exists, with notices and, if recording failed, the error. */
export interface CreatedSwap {
  readonly swap: SwapResult;
  /** Sentences to be read before paying. */
  readonly notices: readonly string[];
  /** What the checks warned of before it was sent; empty for a replayed one. */
  readonly warnings: readonly string[];
  /** An idempotency key had created it before. */
  readonly replayed: boolean;
  /** The order exists and is shown, but could not be written to the ledger. */
  readonly ledgerError: SwapctlError | null;
}

/** What comes with a create besides the swap: its idempotency key (null for none), labels and approval. */
export interface CreateTerms {
  readonly key: string | null;
  readonly labels: Labels;
  /** The approval that a policy requires: a named one, any matching one, or none. */
  readonly approval: ApprovalSelection;
}

/** What a create works with. `records` is the ledger's part: its keys, policy and entries, or none of them. */
export interface CreatePorts extends Pick<Ports, 'now' | 'service' | 'coinList' | 'pairCoins' | 'notify'> {
  readonly signal: Pick<AbortSignal, 'throwIfAborted'>;
  owner(): Promise<Pick<Owner, 'environment'>>;
  readonly records: CreateRecords;
}

/** The ledger's part in a create. */
export interface CreateRecords {
  /**
   * The entry of a key with which this swap was created; null for none. With `asWritten` what the swap leaves out means
   * none. Throws `outcome_unknown` if it may have been created, a usage error if the key belongs to another swap, and
   * `storage_failed` if the ledger cannot be used, also without a key.
   */
  earlier(key: string | null, swap: DescribedSwap, asWritten: boolean): Promise<Entry | null>;
  /** The policy's current decision, without counting it; null where there is no policy. */
  decision(draft: CheckedSwap, terms: CreateTerms): Promise<Decision | null>;
  /** A sentence about a recent swap that is identical; null for none. */
  identical(draft: CheckedSwap, labels: Labels): Promise<string | null>;
  /** The swap of the entry of a used key, as it is now. Warns if it has other labels than those given again. */
  replayed(entry: Entry, labels: Labels): Promise<CreatedSwap>;
  /**
   * Records that an order may exist, and then sends the request once; null if another process has. Records a failure. A
   * refusal of the policy comes first. Throws `storage_failed`.
   */
  send(draft: CheckedSwap, terms: CreateTerms, meanwhile: Meanwhile): Promise<Sent | null>;
  /** The entry with the order of the process that sent it; throws what is known of an outcome without one. */
  orderOfOtherProcess(draft: CheckedSwap, terms: CreateTerms): Promise<Entry>;
}

/** A create that was answered, and its record. */
export interface Sent {
  /** Id of its entry; null without a ledger. */
  readonly id: string | null;
  readonly known: KnownSwap;
  readonly answer: Decoded<Swap>;
  /** Records that the outcome is unknown; a failing ledger is only noted. */
  unknown(reason: string, order: string | undefined): Promise<void>;
  /** Records the order; false if the ledger links it to another request. Throws `storage_failed`. */
  created(swap: Swap, doubts: readonly DoubtCode[]): Promise<boolean>;
}

/** The terms of a create, and what its caller does before, during and instead of its request. */
export interface Sending extends CreateTerms {
  /** Called before the ledger says that an order may exist. */
  announce(): void | Promise<void>;
  readonly meanwhile: Meanwhile;
  /** The swap of a key that another process has used since. */
  replay(entry: Entry): Promise<CreatedSwap>;
}

/**
 * Sends a create once, and records its outcome. Before the first byte is sent the ledger says that an order may exist, and
 * all code that compares the answer is loaded: an upgrade may replace the program's files during the request.
 */
export async function createOnce(ports: CreatePorts, draft: CheckedSwap, sending: Sending) {
  await loadWordLists();
  ports.signal.throwIfAborted();
  await sending.announce();
  const sent = await ports.records.send(draft, sending, sending.meanwhile);
  if (sent === null) return sending.replay(await ports.records.orderOfOtherProcess(draft, sending));
  const { answer } = sent;
  try {
    return await settleCreate(ports, draft, sent);
  } catch (error) {
    const reason = 'internal error after the response';
    // Recording may fail for the same reason, and the order number matters more than its record.
    if (!(error instanceof SwapctlError))
      await sent.unknown(reason, plainOrder(answer.value)).catch(() => undefined);
    throw lateError(error, answer.value);
  }
}

async function settleCreate(ports: CreatePorts, draft: CheckedSwap, sent: Sent) {
  const { service, request } = draft;
  const { answer } = sent;
  const compared = await compareAnswer(ports, service, sent.known, answer.value);
  const { swap, found, doubts } = compared;
  const problem = createProblem(found, swap);
  if (problem !== null) {
    await sent.unknown(problem, plainOrder(swap));
    throw doubtedOrder(service, answer, `${problem}${readOtherWay(request, answer.value)}`);
  }
  const { refundAddress } = request;
  const known: KnownSwap = { ...sent.known, outcome: 'created', first: swap, refundAddress };
  const made = {
    swap: shownSwap(ports, service, known, compared),
    notices: [...shortfall(draft, swap), ...oddWords(found)],
    warnings: draft.warnings,
    replayed: false,
  };
  try {
    if (await sent.created(swap, doubts)) return { ...made, ledgerError: null };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { ...made, ledgerError: notRecorded(error, sent.id ?? '', made.swap) };
  }
  await sent.unknown(LINKED_OTHERWISE, undefined);
  throw doubtedOrder(service, answer, LINKED_OTHERWISE);
}

function plainOrder({ order }: Swap): string | undefined {
  return isPlainOrder(order) ? order : undefined;
}

const ASK = 'Ask the service before you send any money.';

/** Each doubt as a sentence, but for the payout, which {@link shortfall} compares with what was seen. */
function oddWords(found: readonly Doubt[]): readonly string[] {
  const odd = found.filter(({ code }) => code !== 'amount_changed');
  return odd.map(({ words: [first = '', ...rest] }) => `${first.toUpperCase()}${rest.join('')}. ${ASK}`);
}

function notRecorded(error: StorageError, id: string, swap: SwapResult): SwapctlError {
  const { order } = swap;
  const record = `swapctl history resolve ${id} --order ${shellQuote(order ?? '')}`;
  return new SwapctlError(
    'outcome_unknown',
    `Order ${order} was created, but the ledger could not be written. ${error.message}`,
    {
      outcome: 'done',
      hint: `Keep the order number, deposit address and memo yourself. Once the ledger works again, record the order with \`${record}\`. An unfunded order costs nothing.`,
      details: { id, ...orderDetails(swap) },
    },
  );
}
