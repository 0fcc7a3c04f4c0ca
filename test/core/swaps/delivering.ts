import { setImmediate as turn } from 'node:timers/promises';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import type { Delivering } from '../../../src/core/swaps/listen/deliver.ts';
import { OWNER } from '../ledger/entries.ts';

/** The answer of a receiver that accepts an event. */
export const ACCEPTED = { at: 2, target: 'http', httpStatus: 204, error: null, milliseconds: 1 } as const;

/** A listener that delivers every event of one account to a receiver that accepts it. */
export const delivering = ({ events }: Ledger): Delivering => ({
  events,
  unrecorded: [],
  scope: { account: OWNER.account, orders: null },
  holder: 'listener',
  types: null,
  targets: [async () => ACCEPTED],
  now: () => 2,
  stop: new AbortController().signal,
  pause: turn,
  onDraining: () => undefined,
  onSettled: () => undefined,
});
