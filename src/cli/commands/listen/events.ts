import type { Command } from 'commander';
import { notListed } from '../../../base/errors.ts';
import { echoed } from '../../../base/text.ts';
import type { RecordedEvent } from '../../../core/ledger/events/event.ts';
import type { Ledger } from '../../../core/ledger/ledger.ts';
import { namedOrder } from '../../../core/swaps/named-swap.ts';
import { announce, type Context } from '../../context.ts';
import * as args from '../shared/arguments.ts';
import { eventResult, eventsView, eventView, withAttempts } from './events-view.ts';

export function eventsCommand(events: Command, context: () => Context): void {
  events.description('Status changes of swaps, and their delivery.').helpCommand(false);
  events
    .command('list')
    .description(
      'List the events of the ledger, newest first; of all profiles unless -p or --sandbox is given.',
    )
    .option('--order <order>', 'only events of this order')
    .option('--undelivered', 'only events that are pending or failed')
    .option('--since <time>', args.SINCE)
    .addOption(args.limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl events list --undelivered\n  $ swapctl events list --order KQWZPA --json | jq -r ".[].type"',
    )
    .action((flags: args.Flags) => runEventsList(context(), flags));
  events
    .command('show')
    .description('Show one event and every delivery attempt.')
    .argument('<id>', 'id of the event, from `swapctl events list`')
    .addHelpText('after', '\nExamples:\n  $ swapctl events show evt_4f0e6d1c9a7b3e5d2c8f0a1b')
    .action(async (id: string) => printEvent(context(), (await context().ledger()).events, id));
  events
    .command('resend')
    .description('Deliver an event again with the same id, whether it failed or was delivered.')
    .argument('<id>', 'id of the event, from `swapctl events list`')
    .addHelpText(
      'after',
      '\nA running `swapctl listen` with a target delivers it immediately; otherwise the next one does.\n\nExamples:\n  $ swapctl events list --undelivered\n  $ swapctl events resend evt_4f0e6d1c9a7b3e5d2c8f0a1b',
    )
    .action((id: string) => runEventsResend(context(), id));
}

async function runEventsList(context: Context, flags: args.Flags): Promise<void> {
  const { streams } = context;
  const { text, number, on } = args.readFlags(flags);
  const given = text('order');
  const named =
    given === null ? null : await namedOrder(context, args.swapArgument(given), { whose: 'named' });
  const order = named?.order ?? null;
  const { since } = args.periodOption(context, flags);
  const profile = context.onlyProfile;
  const ledger = await context.ledger();
  const limit = number('limit') ?? (streams.format === 'screen' ? args.SCREEN_LIMIT : null);
  const filter = { profile, order, undelivered: on('undelivered'), since };
  const { events, count } = await ledger.events.list(filter, limit);
  // An unknown profile is a typo, not an empty list: this throws.
  if (count === 0 && profile !== null) await context.profile();
  await streams.print(eventsView(events.map(eventResult), context.now()));
  if (count === 0) streams.note('No event matches.');
  if (count > events.length && streams.format === 'screen')
    streams.note(`${count - events.length} more; show them with --limit ${count}.`);
}

async function runEventsResend(context: Context, id: string): Promise<void> {
  const { events, byId } = await context.ledger();
  const entry = await byId((await eventOf(events, id)).intentId);
  if (entry !== null) announce(context, entry);
  await events.resend(id, context.now());
  await printEvent(context, events, id);
  context.streams.note(
    'A running `swapctl listen` with a target delivers it immediately; otherwise the next one does.',
  );
}

async function printEvent(context: Context, events: Ledger['events'], id: string): Promise<void> {
  const event = eventResult(await eventOf(events, id));
  await context.streams.print(eventView(withAttempts(event, await events.attempts(id)), context.now()));
}

async function eventOf(events: Ledger['events'], id: string): Promise<RecordedEvent> {
  const event = await events.byId(id);
  if (event !== null) return event;
  throw notListed(`The ledger has no event ${echoed(id)}.`, 'events list');
}
