import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import { unknownTypeMessage } from '../../../core/swaps/listen/deliver.ts';
import type { Context } from '../../context.ts';
import * as args from '../shared/arguments.ts';
import { requestBudget, storedSetting, webhookUrlArgument } from '../shared/stored-setting.ts';
import { runListen } from './run.ts';

export function listenCommand(command: Command, context: () => Context, run = runListen): void {
  command
    .description(
      'Watch the open swaps of the profile, including new ones. Each change is recorded as an event, printed, and delivered if a target is given.',
    )
    .argument('[order...]', 'watch only these orders')
    .option(
      '--forward-to <url>',
      'send each event as a signed webhook (https, or http on loopback)',
      webhookUrlArgument,
    )
    .option(
      '--exec <command>',
      'run a shell command for each event, with the event on stdin, for at most 15 seconds',
      shellCommandArgument,
    )
    .option(
      '--events <types>',
      'only these types, comma-separated, such as swap.success,swap.re*',
      eventTypesArgument,
    )
    .option('--once', 'poll each swap once, deliver what is due, then exit')
    .option(
      '--metrics-port <n>',
      'serve Prometheus metrics on this loopback port, 0 for a free one',
      args.portArgument,
    )
    .option('--print-secret', 'print the secret for webhook signatures, then exit')
    .option(
      '-i, --interval <seconds>',
      'seconds between checks of a swap (default: 10)',
      args.secondsArgument,
    )
    .option('--budget <limit>', 'request budget, such as 60/60s', args.budgetArgument)
    .addHelpText('after', `\n${DELIVERY}\n\n${EXAMPLES}`)
    .action((orders: string[], flags: args.Flags) => {
      const { text, number, on } = args.readFlags(flags);
      if (on('printSecret') && Object.keys(flags).length > 1)
        throw new UsageError('--print-secret cannot be combined with other flags of listen.');
      return run(context(), {
        orders: [...new Set(orders.map(args.swapArgument))],
        forwardTo: text('forwardTo') ?? storedSetting(context(), 'forward-to'),
        exec: text('exec'),
        types: (flags['events'] as readonly string[] | undefined) ?? null,
        once: on('once'),
        metricsPort: number('metricsPort'),
        printSecret: on('printSecret'),
        intervalMs: number('interval') ?? storedSetting(context(), 'interval'),
        budget: requestBudget(context(), flags),
      });
    });
}

/** Reads a shell command; a blank one would succeed, and count every event as delivered. */
function shellCommandArgument(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Use a shell command, such as ./on-event.sh.');
}

const DELIVERY =
  'Webhooks are signed as in Standard Webhooks 1.0; a 2xx response counts as delivered. A command gets the event on standard input, and SWAPCTL_EVENT_ID, SWAPCTL_EVENT_TYPE, SWAPCTL_ORDER and SWAPCTL_STATUS in its environment; exit code 0 counts as delivered. Failed deliveries are retried for up to two days: see `swapctl events`.';

const EXAMPLES =
  'Examples:\n  $ swapctl listen\n  $ swapctl listen --forward-to https://shop.example.com/hooks --events swap.success,swap.error\n  $ swapctl listen --exec "jq -r .type >> events.log"\n  $ swapctl listen --once --forward-to http://127.0.0.1:8080/hooks';

/** Reads comma-separated event types, which may contain `*` for any letters: `swap.success,swap.re*`. */
export function eventTypesArgument(text: string): readonly string[] {
  const globs = text.split(',').map((part) => part.trim().toLowerCase());
  if (globs.includes(''))
    throw new InvalidArgumentError('Use comma-separated event types, such as swap.success,swap.re*.');
  const problem = unknownTypeMessage(globs);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return globs;
}
