import { attempt, restated, SwapctlError } from '../../base/errors.ts';
import type { Ports } from './ports.ts';
import { type OrderToPoll, ProfilePoll, type ProfilePollOptions } from './profile-poll.ts';

export interface FailedOrder {
  readonly order: string;
  readonly error: SwapctlError;
}

/** Orders that were read and those that could not be, each in the requested order. */
export type Polled = Readonly<Awaited<ReturnType<typeof pollOrders>>>;

/** Polls orders within budgets and deadline, longest unseen first. The others are returned as last seen. */
export async function pollOrders(orders: readonly OrderToPoll[], options: ProfilePollOptions) {
  const byProfile = new Map<Ports, [OrderToPoll, ...OrderToPoll[]]>();
  for (const wanted of orders) {
    const there = byProfile.get(wanted.ports);
    if (there === undefined) byProfile.set(wanted.ports, [wanted]);
    else there.push(wanted);
  }
  const polls = [...byProfile].map(([ports, wanted]) => new ProfilePoll(ports, wanted, options));
  const ends = new Map((await Promise.all(polls.map((poll) => poll.run()))).flatMap((found) => [...found]));
  const inOrder = orders.flatMap((wanted) => {
    const end = ends.get(wanted);
    return end === undefined ? [] : [{ ...end, wanted }];
  });
  const failures: FailedOrder[] = [];
  for (const { wanted, error } of inOrder) {
    if (error === null) continue;
    const { order, ports } = wanted;
    failures.push({ order, error: byProfile.size > 1 ? await ofProfile(ports, error) : error });
  }
  return { swaps: inOrder.flatMap(({ shown }) => (shown === null ? [] : [shown])), failures };
}

/** An error with the name of its profile in its details and next commands; unchanged if the profile is missing. */
async function ofProfile(ports: Ports, error: SwapctlError): Promise<SwapctlError> {
  const owner = await attempt(() => ports.owner());
  if (owner instanceof SwapctlError) return error;
  const { profile } = owner;
  return restated(error, error.message, {
    details: { ...error.details, profile },
    actions: error.actions.map(({ command, why }) => ({ command: [...command, '-p', profile], why })),
  });
}
