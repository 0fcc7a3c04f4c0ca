import { attempt, SwapctlError, UsageError } from '../base/errors.ts';
import { listedStatuses } from '../core/partner-api/statuses.ts';
import { codesOf, doubtsOf } from '../core/swap/agreement/agreement.ts';
import { DEFAULT_INTERVAL_MS, pollDelay, pollStateOf } from '../core/swap/polling.ts';
import type { Ports } from '../core/swaps/ports.ts';
import type { CallRunner } from './connection.ts';
import { agreementFromDescription, describe } from './create.ts';
import { callFields, readOrder } from './input.ts';
import type { SwapDescription } from './types.ts';

/** Reads a swap, compared with an earlier result if one is given, whose doubts remain. Throws the service's error. */
export async function readSwap(ports: Ports, given: string | SwapDescription): Promise<SwapDescription> {
  const service = await ports.service();
  const earlier = typeof given === 'object' && given !== null ? readDescription(given) : null;
  const { value: swap } = await service.client.transaction(readOrder(earlier?.order ?? given));
  const found = codesOf(await doubtsOf(agreementFromDescription(earlier, service), swap));
  // An earlier doubt is part of what this result is compared with, and would seem agreed.
  const doubts = [...new Set([...(earlier?.doubts ?? []), ...found])];
  const { refundAddress = null, asked = null } = earlier ?? {};
  return describe(service, swap, { refundAddress, asked, doubts, now: ports.now() });
}

const SIDE_TEXTS = ['coin', 'network', 'amount', 'address', 'memo', 'txId'];

/** A swap that `create` or `status` returned, perhaps stored as JSON since. Throws `usage` for any other object. */
function readDescription(given: SwapDescription): SwapDescription {
  const { deposit, receive, doubts, asked, refundAddress, type, status } = given;
  const isText = (value: unknown) => value === null || typeof value === 'string';
  const isSide = (value: unknown) =>
    typeof value === 'object' && value !== null && SIDE_TEXTS.every((key) => isText(Reflect.get(value, key)));
  const isAsked = asked === null || (typeof asked === 'object' && typeof asked.deposit === 'string');
  const isList = Array.isArray(doubts) && doubts.every((code) => typeof code === 'string');
  if (isSide(deposit) && isSide(receive) && isAsked && isList && [refundAddress, type, status].every(isText))
    return given;
  throw new UsageError('"order" must be an order number, or a swap from create or status.');
}

/** {@link pollUntil} without a ledger: each poll is compared with the one before. */
export async function waitForSwap(within: CallRunner, order: string | SwapDescription, options?: unknown) {
  const { until, signal } = callFields(options, ['until']);
  return within({ signal }, (ports) => pollUntil(ports, order, (known) => readSwap(ports, known), until));
}

/** Polls a swap as often as the command, until a wanted status or its end; temporary failures are tried again. */
export async function pollUntil<T extends SwapDescription>(
  call: Pick<Ports, 'now' | 'sleep'>,
  order: string | SwapDescription,
  read: (known: string | SwapDescription) => Promise<T>,
  until: unknown,
): Promise<T> {
  const wanted = readStatuses(until);
  let known = order;
  let changedAt = call.now();
  for (;;) {
    const given = known;
    const seen = await attempt(() => read(given));
    if (seen instanceof SwapctlError) {
      if (!seen.retryable) throw seen;
    } else {
      if (seen.final || wanted.has(seen.status)) return seen;
      if (typeof known === 'string' || known.status !== seen.status) changedAt = call.now();
      known = seen;
    }
    await call.sleep(
      typeof known === 'string' ? DEFAULT_INTERVAL_MS : pollDelay(pollStateOf(known, changedAt), call.now()),
    );
  }
}

/** The statuses to wait for, by default none. Throws `usage` for a word that is not a status. */
function readStatuses(value: unknown = []): ReadonlySet<string> {
  const words = Array.isArray(value) ? value : [value];
  const unknown = words.find((word) => !STATUSES.has(word));
  if (unknown === undefined) return new Set(words);
  throw new UsageError(`"until" must be one or several of: ${[...STATUSES].join(', ')}.`);
}

const STATUSES: ReadonlySet<unknown> = new Set(listedStatuses().map(({ status }) => status));
