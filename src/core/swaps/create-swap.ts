import { approvalId, SwapctlError } from '../../base/errors.ts';
import type { Entry } from '../ledger/entry.ts';
import type { ApprovalSelection } from '../ledger/policy/approvals.ts';
import type { Decision } from '../ledger/policy/evaluate.ts';
import type { Coin } from '../swap/swap.ts';
import { type CheckedSwap, draftSwap, type SwapInput } from './check.ts';
import { type CreatedSwap, type CreatePorts, type CreateTerms, createOnce, type Sending } from './create.ts';
import { refuseSecretLabels, refuseSecretMemo } from './destination.ts';
import type { DescribedSwap } from './idempotency.ts';
import { coinsOfPair } from './pair.ts';
import { changeWords, fellTooFar, hasWorsened, priceSwap } from './price.ts';

/*
 * The whole order of the checks of a create: secret memo, secret labels, idempotency key, draft (coins, addresses, memo,
 * amounts, price), the policy's decision, an identical recent order, review, price again, one request, agreement. Every
 * door calls `createSwap`: command, batch, MCP, library and laboratory. What a door adds is questions and screens.
 */

/** A draft to be reviewed, with what a reviewer has to know of it. */
export interface Review<A extends SwapInput> {
  readonly asked: A;
  readonly draft: CheckedSwap;
  /** Null without a ledger. */
  readonly decision: Decision | null;
  /** A sentence about a recent order that is identical; null for none. */
  readonly identical: string | null;
  /** The price has become worse than the one that was accepted: that yes does not hold any more. */
  readonly hasWorsened: boolean;
}

/** The amounts of a review, as decimal text. */
export interface ReviewedPrice {
  readonly deposit: string;
  readonly receive: string;
}

/**
 * What a reviewer answers: yes, another request, or null to end without sending. `yes` says to which price: `now` if
 * nobody was asked, so that no time has passed; `shown` to the draft, which a person has read, so that it is priced again;
 * or the price of an earlier review, with which the draft is compared.
 */
export type ReviewAnswer<A> =
  | { readonly yes: 'now' | 'shown' | ReviewedPrice }
  | { readonly changed: A }
  | null;

/** A request that a person completes and corrects. */
export interface OpenRequest<A extends SwapInput> {
  /** What is known before the first question. */
  readonly known: DescribedSwap;
  /** Whether a person is asked; otherwise what `known` leaves out means none. */
  readonly isInteractive: boolean;
  complete(): Promise<A>;
  /** The request as a person changed it after a draft was refused; throws the error if nobody is to be asked. */
  corrected(refused: A, error: unknown, wasReviewed: boolean): Promise<A>;
}

/** How the caller of a create shows and reads what it does; every part has a default. */
export interface CreateSteps<A extends SwapInput = SwapInput>
  extends Partial<Pick<Sending, 'announce' | 'meanwhile' | 'replay'>> {
  /** The coins of a request. Default: those of its pair. */
  coins?(asked: A): Promise<readonly Coin[]>;
  readonly price?: typeof priceSwap;
  /** Resolves once an approval is granted. By default `approval_required` is thrown instead. */
  granted?(id: string, error: unknown): Promise<void>;
}

/** What a create is called with besides its request. */
export interface CreateOptions<A extends SwapInput> extends CreateTerms {
  /** Reviews a draft; null for a caller whose request is the yes. */
  readonly confirm: ((review: Review<A>) => Promise<ReviewAnswer<A>>) | null;
  /** The price at which this request and its key were reviewed together with others; nothing is shown again. */
  readonly reviewed?: ReviewedPrice;
  readonly steps?: CreateSteps<A>;
}

/**
 * Creates a swap once, or returns the one of its idempotency key; null if `confirm` answered null. Throws the error of
 * the first check that refuses it, with the outcome `nothing-sent`; afterwards what {@link createOnce} throws.
 */
export function createSwap<A extends SwapInput>(
  ports: CreatePorts,
  request: A,
  options: CreateOptions<A> & { readonly confirm: null },
): Promise<CreatedSwap>;
export function createSwap<A extends SwapInput>(
  ports: CreatePorts,
  request: A | OpenRequest<A>,
  options: CreateOptions<A>,
): Promise<CreatedSwap | null>;
export async function createSwap<A extends SwapInput>(
  ports: CreatePorts,
  request: A | OpenRequest<A>,
  options: CreateOptions<A>,
): Promise<CreatedSwap | null> {
  const { records } = ports;
  const { steps = {} } = options;
  const open = openRequest(request);
  await refuseSecrets(ports, open.known, options);
  // A request that was reviewed has had its key looked up then; one that was used since is found where it is claimed.
  const isKnown = options.reviewed !== undefined;
  const earlier = isKnown ? null : await records.earlier(options.key, open.known, !open.isInteractive);
  const replay = steps.replay ?? ((entry: Entry) => records.replayed(entry, options.labels));
  if (earlier !== null) return replay(earlier);
  const { first, reviewUntilAccepted, send } = creation(ports, open, options);
  const accepted = await reviewUntilAccepted(await first());
  return accepted === null ? null : send(accepted, replay);
}

/** Checks a create as {@link createSwap} does, but for its key, and decides on it; nothing is sent or counted. */
export async function checkCreate<A extends SwapInput>(
  ports: CreatePorts,
  request: A | OpenRequest<A>,
  options: CreateOptions<A>,
): Promise<Review<A>> {
  const open = openRequest(request);
  await refuseSecrets(ports, open.known, options);
  const { first, review } = creation(ports, open, options);
  return review(await first());
}

function openRequest<A extends SwapInput>(request: A | OpenRequest<A>): OpenRequest<A> {
  if ('complete' in request) return request;
  return {
    known: request,
    isInteractive: false,
    complete: async () => request,
    corrected: (_, error) => Promise.reject(error),
  };
}

async function refuseSecrets(ports: CreatePorts, known: DescribedSwap, { labels }: CreateTerms) {
  await refuseMemoOf(known);
  await refuseSecretLabels(ports, labels);
}

function refuseMemoOf({ memo, to }: DescribedSwap): Promise<void> {
  return refuseSecretMemo(memo, to?.network ?? to?.coin ?? null);
}

interface Drafted<A> {
  readonly asked: A;
  readonly draft: CheckedSwap;
  /** The draft as a reviewer saw it, if it was priced again since. */
  readonly seen?: CheckedSwap;
  readonly hasWorsened?: boolean;
}

/** A create between its key and its request: drafted, reviewed and priced until it is agreed. */
function creation<A extends SwapInput>(ports: CreatePorts, open: OpenRequest<A>, options: CreateOptions<A>) {
  const { confirm, reviewed, labels, steps = {} } = options;
  const { coins = (pair: A) => coinsOfPair(ports, pair), price = priceSwap, granted } = steps;

  const drafted = async (asked: A): Promise<Drafted<A>> => {
    try {
      await refuseMemoOf(asked);
      return { asked, draft: await draftSwap(ports, await coins(asked), asked, price) };
    } catch (error) {
      return corrected(asked, error, false);
    }
  };
  const corrected = async (asked: A, error: unknown, wasReviewed: boolean) =>
    drafted(await open.corrected(asked, error, wasReviewed));

  /** A draft at the current price, compared with the one that was seen; a change is noted. */
  const repriced = async ({ asked, draft }: Drafted<A>, seen: CheckedSwap): Promise<Drafted<A>> => {
    const { service, request, asked: amountAsked, minReceive } = seen;
    const { quote, amount } = await price({ ...request, service, asked: amountAsked, minReceive });
    const now: CheckedSwap = { ...draft, quote, request: { ...request, amount } };
    const isWorse = hasWorsened(seen, now);
    const words = changeWords(seen, now);
    if (words !== null)
      await ports.notify(
        isWorse
          ? { level: 'warning', text: `the price has changed: ${words}.` }
          : { level: 'note', text: `The price has changed: ${words}.` },
      );
    // A worse price becomes the reviewed one.
    if (isWorse) return { asked, draft: { ...now, reviewed: quote.receive }, hasWorsened: true };
    return { asked, draft: now, seen, hasWorsened: false };
  };

  const review = async ({ asked, draft, hasWorsened: isWorse = false }: Drafted<A>): Promise<Review<A>> => {
    const decision = await ports.records.decision(draft, options);
    const identical = await ports.records.identical(draft, labels);
    return { asked, draft, decision, identical, hasWorsened: isWorse };
  };
  const answerTo = async (draft: Drafted<A>): Promise<ReviewAnswer<A>> => {
    if (reviewed !== undefined) return { yes: reviewed };
    return confirm === null ? { yes: 'now' } : confirm(await review(draft));
  };

  /** The draft that was accepted, at its current price; null if the review ended it. */
  const reviewUntilAccepted = async (first: Drafted<A>): Promise<Drafted<A> | null> => {
    for (let current = first; ; ) {
      const answer = await answerTo(current);
      if (answer === null) return null;
      if ('changed' in answer) current = await drafted(answer.changed);
      else if (answer.yes === 'now') return current;
      else if (answer.yes !== 'shown') return comparedWith(current, answer.yes);
      else {
        const { asked, draft } = current;
        const askForCorrection = (error: unknown) => corrected(asked, error, true);
        current = await repriced(current, draft).catch(askForCorrection);
        if (current.hasWorsened === false) return current;
      }
    }
  };

  const afterApproval = async (before: Drafted<A>): Promise<Drafted<A> | null> => {
    const seen = before.seen ?? before.draft;
    const now = await repriced(before, seen);
    if (now.hasWorsened !== true) return now;
    if (open.isInteractive) return reviewUntilAccepted(now);
    throw fellTooFar(seen, now.draft);
  };

  const once = ({ draft }: Drafted<A>, approval: ApprovalSelection, replay: Sending['replay']) => {
    const { announce = () => undefined, meanwhile = (request) => request() } = steps;
    return createOnce(ports, draft, { key: options.key, labels, approval, announce, meanwhile, replay });
  };

  return {
    first: async () => drafted(await open.complete()),
    review,
    reviewUntilAccepted,
    /** Sends what was agreed, once. If the policy wants an approval, it may be waited for; the swap is then priced again. */
    send: async (accepted: Drafted<A>, replay: Sending['replay']): Promise<CreatedSwap | null> => {
      try {
        return await once(accepted, options.approval, replay);
      } catch (error) {
        const id = approvalOf(error);
        if (id === null || granted === undefined) throw error;
        await granted(id, error);
        const now = await afterApproval(accepted);
        return now === null ? null : once(now, { id }, replay);
      }
    },
  };
}

/** A draft whose price is compared with that of an earlier review. Throws `invalid_amount` if it got worse. */
function comparedWith<A>({ asked, draft }: Drafted<A>, { deposit, receive }: ReviewedPrice): Drafted<A> {
  const before = { ...draft, request: { ...draft.request, amount: deposit }, quote: { receive } };
  if (hasWorsened(before, draft)) throw fellTooFar(before, draft);
  return { asked, draft: { ...draft, reviewed: receive } };
}

/** The approval that an error requires; null for any other error. */
function approvalOf(error: unknown): string | null {
  if (!(error instanceof SwapctlError) || error.code !== 'approval_required') return null;
  return approvalId(error.details ?? {});
}
