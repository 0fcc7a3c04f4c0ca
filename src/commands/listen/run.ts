import { announce, type Context } from '../../context.ts';
import { openUpkeep } from '../../swaps/listen/upkeep.ts';
import { recordedOrders } from '../../swaps/lookup.ts';
import { sharedBudget } from '../../swaps/request-budget.ts';
import { visible } from '../../text.ts';
import { untilInterrupted } from '../shared/interrupt.ts';
import { budgetOf, storedSetting } from '../shared/stored-setting.ts';
import { openDelivery } from './delivery.ts';
import { Figures } from './figures.ts';
import type { Listening } from './listening.ts';
import { startMetrics } from './metrics.ts';
import type { ListenOptions } from './options.ts';
import { lookOnce, runParts } from './parts.ts';
import { openPrinter, printEvent } from './print.ts';
import { snapshots } from './snapshots.ts';

/** Follows the swaps, prints their events and delivers them; or prints the secret that webhooks are signed with. */
export async function runListen(context: Context, options: ListenOptions): Promise<void> {
  if (options.printSecret) return printSecret(context);
  const words = 'Interrupted; the swaps go on without swapctl.';
  await untilInterrupted(context, words, () => listen(context, options));
}

async function printSecret(context: Context): Promise<void> {
  const { profile, account } = await context.owner();
  const secret = await (await context.ledger()).events.webhooks.secret(account);
  await context.streams.print({
    json: () => ({ profile, secret }),
    rows: () => [[secret]],
    screen: () => visible(secret),
  });
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const service = await context.service();
  const ledger = await context.ledger();
  const owner = await context.owner();
  const end = new AbortController();
  const stop = AbortSignal.any([context.signal, end.signal]);
  announce(context, service);
  const place = { context, service, ledger, owner };
  const orders = options.orders.length === 0 ? null : await recordedOrders(context, options.orders);
  const listening: Listening = { ...place, options, orders, stop };
  const figures = new Figures();
  const parts = {
    deliver: await openDelivery(listening, (attempts) => figures.onSettled(attempts)),
    print: await openPrinter(listening, (event) => figures.onEvent(event)),
    upkeep: openUpkeep(context, ledger.events, {
      account: owner.account,
      keptMs: storedSetting(context, 'events-kept'),
    }),
    onAnswer: (code: string) => figures.onAnswer(code),
  };
  for (const snapshot of await snapshots(context, ledger, owner, orders)) await printEvent(context, snapshot);
  if (options.once) return lookOnce(listening, parts);
  const limit = options.budget === null ? null : budgetOf(options.budget);
  const budget = await sharedBudget(context, limit, () => undefined);
  const metrics =
    options.metricsPort === null
      ? null
      : await startMetrics(options.metricsPort, async () => figures.read(listening, await budget.left()));
  if (metrics !== null) context.streams.note(`metrics at ${metrics.url}`, true);
  try {
    await runParts(listening, parts, () => end.abort());
  } finally {
    await metrics?.close();
  }
}
