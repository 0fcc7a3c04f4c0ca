import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { usualRateType } from '../shared/stored-setting.ts';
import type { CompleteFlags, CreateFlags } from './options.ts';

/** Fills in missing flags by asking a person; without a terminal throws a usage error that names them. */
export async function completeFlags(context: Context, flags: CreateFlags): Promise<CompleteFlags> {
  if (context.streams.interactive && (isOpen(flags) || !flags.yes)) {
    const { askForOpen } = await import('./wizard.ts');
    return askForOpen(context, flags);
  }
  const { from, to, amount, address } = flags;
  if (from === null || to === null || amount === null || address === null) throw missing(flags);
  if (!flags.yes && !flags.dryRun) {
    throw new UsageError(
      'Without a terminal, create needs --yes.',
      'Review it with --dry-run first, then add --yes.',
    );
  }
  return {
    ...flags,
    from,
    to,
    amount,
    address,
    lastSource: flags.lastSource ?? 'deposit',
    type: flags.type ?? usualRateType(context),
  };
}

/** Whether a person is asked for something. */
export function hasQuestions({ streams }: Context, flags: CreateFlags): boolean {
  return streams.interactive && isOpen(flags);
}

/** Whether a flag without a default is missing. */
function isOpen({ from, to, amount, address }: CreateFlags): boolean {
  return from === null || to === null || amount === null || address === null;
}

function missing({ from, to, amount, address, yes, dryRun }: CreateFlags): UsageError {
  const names = [
    from === null ? '<from>' : '',
    to === null ? '<to>' : '',
    amount === null ? '<amount>' : '',
    address === null ? '--address' : '',
    yes || dryRun ? '' : '--yes',
  ].filter((name) => name !== '');
  return new UsageError(
    `Missing ${names.join(', ')} (not running interactively).`,
    'swapctl create <from> <to> <amount> --address <address> --yes',
    'usage',
    { missing: names },
  );
}
