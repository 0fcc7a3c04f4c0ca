import { type Command, Option } from 'commander';
import { UsageError } from '../../../base/errors.ts';
import type { Context } from '../../context.ts';
import * as args from '../shared/arguments.ts';
import { OWNER_KEY } from '../shared/owner-key.ts';
import { policyView, shownPolicy } from '../shared/policy-shown.ts';
import { approvalsCommand } from './approvals.ts';
import { auditCommand } from './audit.ts';
import { setPolicy, simulatePolicy } from './set.ts';
import { resumeCreates, type SuspendOptions, stopCreates, suspend, unsuspend } from './stop.ts';

/** Declares `swapctl policy` and its verbs; `declareCheck` declares the one that takes the arguments of create. */
export function policyCommand(
  policy: Command,
  context: () => Context,
  declareCheck: (command: Command, context: () => Context) => void,
): void {
  policy
    .description(
      'Limits that every new swap, batch row and refund address of a profile must pass. They are stored in the ledger, so every process on it obeys. See `swapctl help policy`.',
    )
    .helpCommand(false);
  policy
    .command('set')
    .description('Store a policy for the profile, after showing what it loosens and tightens.')
    .argument('<file>', 'policy as JSON, or - for standard input')
    .option(OWNER_KEY[0], `${OWNER_KEY[1]}; pins its public key, and signs changes that loosen the policy`)
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl policy set policy.json\n  $ swapctl policy set policy.json --owner-key owner.pem --yes',
    )
    .action((file: string, flags: args.Flags) =>
      setPolicy(context(), file, args.readFlags(flags).text('ownerKey'), flags['yes'] === true),
    );
  policy
    .command('show')
    .description('Show the rules, what is left of each limit, and when more becomes available.')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy show\n  $ swapctl policy show -p shop --json')
    .action(async () => context().streams.print(policyView(await shownPolicy(context()), context().now())));
  declareCheck(policy.command('check'), context);
  policy
    .command('simulate')
    .description('Replay the ledger under a policy, and show how many swaps each rule would have refused.')
    .argument('<file>', 'policy as JSON, or - for standard input')
    .option('--since <time>', args.SINCE)
    .addHelpText('after', '\nExamples:\n  $ swapctl policy simulate policy.json --since 90d')
    .action((file: string, flags: args.Flags) =>
      simulatePolicy(context(), file, args.periodOption(context(), flags).since),
    );
  policy
    .command('stop')
    .description('Refuse every new swap and refund address of the profile, in all processes on the ledger.')
    .option('--reason <text>', 'reason to show with each refusal')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy stop --reason "wallet is being moved"')
    .action((flags: args.Flags) => stopCreates(context(), reasonOption(flags)));
  policy
    .command('resume')
    .description('Lift the stop.')
    .option(...OWNER_KEY)
    .addHelpText('after', '\nExamples:\n  $ swapctl policy resume')
    .action((flags: args.Flags) => resumeCreates(context(), args.readFlags(flags).text('ownerKey')));
  const suspension = (command: Command) =>
    command
      .argument('<target>', 'coin, network or pair, such as XMR, USDT:TRX, TRX or BTC/USDT:TRX')
      .addOption(
        new Option('--side <side>', 'only this side (default: both)').choices(['deposit', 'receive']),
      );
  suspension(
    policy
      .command('suspend')
      .description(
        'Refuse new swaps with a coin, network or pair. A name that is both a coin and a network means both.',
      ),
  )
    .option('--until <time>', 'RFC 3339 time or duration such as 2h (default: until it is lifted)')
    .option('--reason <text>', 'reason to show with each refusal')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl policy suspend TRX --side receive --until 2h --reason maintenance',
    )
    .action((what: string, flags: args.Flags) => suspend(context(), suspensionOf(context(), what, flags)));
  suspension(policy.command('unsuspend').description('Lift the suspensions of a coin, network or pair.'))
    .option(...OWNER_KEY)
    .addHelpText('after', '\nExamples:\n  $ swapctl policy unsuspend TRX')
    .action((what: string, flags: args.Flags) => unsuspend(context(), suspensionOf(context(), what, flags)));
  approvalsCommand(
    policy.command('approvals').summary('review and grant requests that need approval'),
    context,
  );
  auditCommand(
    policy.command('audit').summary('list, export and verify the record of every decision'),
    context,
  );
}

const MAX_REASON_LENGTH = 500;

function reasonOption(flags: args.Flags): string | null {
  const reason = args.readFlags(flags).text('reason');
  if (reason === null) return null;
  if (reason !== '' && reason.length <= MAX_REASON_LENGTH) return reason;
  throw new UsageError(`A reason has 1 to ${MAX_REASON_LENGTH} characters.`);
}

function suspensionOf(context: Context, what: string, flags: args.Flags): SuspendOptions {
  const side = flags['side'];
  return {
    what,
    side: side === 'deposit' || side === 'receive' ? side : null,
    until: args.timeAheadArgument(args.readFlags(flags).text('until'), context.now(), args.dayZone(context)),
    reason: reasonOption(flags),
    ownerKey: args.readFlags(flags).text('ownerKey'),
  };
}
