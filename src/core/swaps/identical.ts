import { StorageError } from '../../base/errors.ts';
import type { Entry } from '../ledger/entry.ts';
import { EVERY_ENTRY } from '../ledger/filter.ts';
import { type Labels, labelsWords, sameLabels } from '../swap/labels.ts';
import type { CheckedSwap, UnpricedSwap } from './check.ts';
import { contentText } from './idempotency.ts';
import { requestedWords } from './lookup.ts';
import type { Ports, Service } from './ports.ts';

/** Time in which the same swap again may be a mistake, in milliseconds. */
const MAX_AGE_MS = 10 * 60_000;

/** Swaps of the last ten minutes by their {@link contentText}, the newest first. */
export type RecentSwaps = ReadonlyMap<string, readonly RecentSwap[]>;

/** What is reported about a recent swap. */
export type RecentSwap = Pick<
  Entry,
  'outcome' | 'order' | 'requestedAt' | 'first' | 'idempotencyKey' | 'labels'
>;

/** The account's swaps of the last ten minutes by {@link contentText}, unknown outcomes too, newest first. */
export async function recentSwaps(ports: Ports, coin: string | null): Promise<RecentSwaps> {
  const recent = new Map<string, RecentSwap[]>();
  const { account } = await ports.owner();
  const filter = { ...EVERY_ENTRY, coin, since: ports.now() - MAX_AGE_MS };
  try {
    const { books } = await ports.ledger();
    for await (const entry of books.entries(filter)) {
      const { request, outcome } = entry;
      if (entry.account !== account || request === null) continue;
      if (outcome !== 'created' && outcome !== 'unknown') continue;
      const content = contentText({ ...request, amount: request.asked });
      const equal = recent.get(content) ?? [];
      recent.set(content, [...equal, entry]);
    }
  } catch (error) {
    // The create itself reports what is wrong with the ledger.
    if (!(error instanceof StorageError)) throw error;
  }
  return recent;
}

/** The newest recent swap with the content of one to be created, with its labels if possible; undefined for none. */
export function identicalTo(recent: RecentSwaps, { request }: Pick<UnpricedSwap, 'request'>, labels: Labels) {
  const equal = recent.get(contentText(request)) ?? [];
  return equal.find((swap) => sameLabels(swap.labels, labels)) ?? equal[0];
}

/** A sentence about a recent swap that is identical to the draft; null if there is none. */
export async function identicalSwap(
  ports: Ports,
  {
    request,
    asked,
    service,
  }: Pick<CheckedSwap, 'request' | 'asked'> & {
    readonly service: Pick<Service, 'clockAhead'>;
  },
  labels: Labels,
): Promise<string | null> {
  const recent = await recentSwaps(ports, request.deposit.coin);
  const found = identicalTo(recent, { request: { ...request, amount: asked } }, labels);
  return found === undefined ? null : identicalWords(found, labels, requestedWords(ports, service, found));
}

/** A sentence about a swap that would be duplicated; `when` it was requested, in words. */
export function identicalWords({ outcome, order, labels: its }: RecentSwap, labels: Labels, when: string) {
  const isOther = !sameLabels(its, labels);
  const differ = `${labelsWords(its)}, while this swap has ${labelsWords(labels)}`;
  if (outcome === 'created')
    return isOther
      ? `Order ${order}, created ${when}, has the same coins, amount, address and memo, but ${differ}.`
      : `Order ${order}, created ${when}, has the same coins, amount, address and memo. You would be creating a duplicate.`;
  return isOther
    ? `A request sent ${when} with the same coins, amount, address and memo, but ${differ}, has an unknown outcome: an order may exist.`
    : `A request sent ${when} with the same coins, amount, address and memo has an unknown outcome: an order may exist. You could be creating a duplicate.`;
}
