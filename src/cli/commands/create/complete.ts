import { UsageError } from '../../../base/errors.ts';
import { type Asset, environmentWord, type RateType, type Side } from '../../../core/swap/swap.ts';
import type { Context } from '../../context.ts';
import { askAddress, askMemo, askRefundAddress, checkGivenAddresses } from '../shared/addresses/ask.ts';
import { askInTurn, type Step } from '../shared/in-turn.ts';
import { usualRateType } from '../shared/stored-setting.ts';
import { amountProblem, askAmount, askRateType } from './ask-amount.ts';
import { askCoin, askNetwork } from './ask-coin.ts';
import {
  type CompleteFlags,
  type CreateFlags,
  type GuidedFlags,
  requireSavedAddressOnNetwork,
} from './flags.ts';

/** Fills in missing flags by asking a person; without a terminal throws a usage error that names them. */
export async function completeFlags(
  context: Context,
  flags: CreateFlags,
  onAnswers: (answers: CreateFlags) => void,
): Promise<CompleteFlags> {
  if (context.streams.interactive && (isOpen(flags) || !flags.yes))
    return askForOpen(context, flags, onAnswers);
  const { from, to, amount, address } = flags;
  if (from === null || to === null || amount === null || address === null) throw missing(flags);
  if (!flags.yes && !flags.dryRun)
    throw new UsageError(
      'Without a terminal, create needs --yes.',
      'Review it with --dry-run first, then add --yes.',
    );
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

/** Whether a person will be asked for anything. */
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
  const words = `Missing ${names.join(', ')} (not running interactively).`;
  const hint = dryRun ? undefined : 'swapctl create <from> <to> <amount> --address <address> --yes';
  return new UsageError(words, hint, 'usage', { missing: names });
}

/**
 * Asks for missing flags, one question each. If a flag without a default is missing, also asks for those with a
 * default. A given flag that is wrong throws before the next question.
 */
async function askForOpen(
  context: Context,
  flags: CreateFlags,
  onAnswers: (answers: CreateFlags) => void,
): Promise<GuidedFlags> {
  const guided = isOpen(flags);
  if (guided) await introduce(context);
  const answers = await askInTurn<Answers>(context, flags, stepsOf(guided), onAnswers);
  onAnswers(answers);
  const { from, to, amount, lastSource, type, address } = answers;
  if (amount === null || lastSource === null || type === null || address === null)
    throw new TypeError('A question of the wizard was left out.');
  return { ...answers, from: assetOf(from), to: assetOf(to), amount, lastSource, type, address };
}

type Answers = CreateFlags & {
  /** The address is known to need no memo, or its memo is known. */
  readonly memoIsKnown?: boolean;
};

/** The questions in their order; those with a default only if `guided`. */
function stepsOf(guided: boolean): readonly Step<Answers>[] {
  return [
    async (context, flags) => ({
      ...flags,
      from: await askAsset(context, flags.from, 'deposit', namedAsset(flags.to)),
    }),
    async (context, flags) => {
      const from = assetOf(flags.from);
      const to = await askAsset(context, flags.to, 'receive', from);
      await requireSavedAddressOnNetwork(context, { ...flags, to });
      await checkGivenAddresses(context, from, to, flags);
      return { ...flags, to };
    },
    async (context, flags) => ({
      ...flags,
      ...(await amountOf(context, flags, assetOf(flags.from), assetOf(flags.to))),
    }),
    async (context, flags) => ({ ...flags, type: flags.type ?? (await rateTypeOf(context, flags, guided)) }),
    async (context, flags) => (flags.address === null ? withPayout(context, flags) : flags),
    async (context, flags) => {
      const { memo, memoWaived, memoIsKnown = false, address } = flags;
      if (memo !== null || memoWaived || memoIsKnown || address === null) return flags;
      return { ...flags, ...(await askMemo(context, assetOf(flags.to), address, guided)) };
    },
    async (context, flags) =>
      flags.refundAddress === null && guided
        ? { ...flags, ...(await askRefundAddress(context, assetOf(flags.from))) }
        : flags,
  ];
}

async function rateTypeOf(context: Context, flags: Answers, guided: boolean): Promise<RateType> {
  const { from, to, amount, lastSource } = flags;
  if (!guided || amount === null || lastSource === null) return usualRateType(context);
  return askRateType(context, { from: assetOf(from), to: assetOf(to), amount, lastSource });
}

async function withPayout(context: Context, flags: Answers): Promise<Answers> {
  const { address, savedPayout, memo } = await askAddress(context, assetOf(flags.to), flags);
  return {
    ...flags,
    address,
    savedPayout,
    ...(memo === null ? {} : { ...memo, memoIsKnown: true }),
  };
}

/** A coin whose network is decided. */
function assetOf(ref: CreateFlags['from']): Asset {
  const asset = namedAsset(ref);
  if (asset === null) throw new TypeError('A coin of the wizard has no network.');
  return asset;
}

/** The coin of a side whose network the flags name; null otherwise. */
function namedAsset(ref: CreateFlags['to']): Asset | null {
  return ref === null || ref.network === null ? null : { coin: ref.coin, network: ref.network };
}

async function introduce(context: Context): Promise<void> {
  const { kind, name, environment } = await context.profile();
  const where =
    kind === 'built-in'
      ? 'on the built-in sandbox'
      : `with profile ${name} (${environmentWord(environment)})`;
  context.streams.note(
    `New swap ${where}. Nothing is sent until you confirm. Press Esc to go back one question, Ctrl-C to quit.`,
  );
}

async function askAsset(context: Context, given: CreateFlags['from'], side: Side, other: Asset | null) {
  return given === null ? askCoin(context, side, other) : askNetwork(context, given, side, other);
}

async function amountOf(context: Context, flags: CreateFlags, from: Asset, to: Asset) {
  const { amount, lastSource, type } = flags;
  if (amount === null)
    return askAmount(context, { from, to, type: type ?? usualRateType(context) }, lastSource);
  const given = { amount, lastSource: lastSource ?? ('deposit' as const) };
  // The draft requests the same quote again, but a person should not answer five questions before learning its result.
  if (flags.address !== null) return given;
  const pricing = { ...given, from, to, type: type ?? usualRateType(context) };
  const problem = await amountProblem(context, pricing);
  if (problem === null) return given;
  throw new UsageError(problem, 'Pass another amount, or leave it out to be prompted.', 'invalid_amount');
}
