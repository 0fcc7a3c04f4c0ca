import type { Context } from '../context.ts';
import { visible } from '../swap/text.ts';
import type { CreateFlags } from './create.ts';
import type { CompleteFlags } from './create-flags.ts';
import {
  askAddress,
  askAmount,
  askCoin,
  askMemo,
  askNetwork,
  askRateType,
  askRefundAddress,
  type Leg,
} from './create-questions.ts';

/** What the review offers to change. */
export const EDITABLE = ['send', 'receive', 'amount', 'rate', 'address', 'memo', 'refund address'] as const;

/** A field of a swap that a person can change before it is created. */
export type EditableField = (typeof EDITABLE)[number];

/**
 * Asks for what the flags left open, one question each, and for nothing else. What has a default is asked about
 * only where something had to be asked anyway.
 */
export async function askForOpen(context: Context, flags: CreateFlags): Promise<CompleteFlags> {
  const guided = flags.from === null || flags.to === null || flags.amount === null || flags.address === null;
  const { coins } = await context.catalogue();
  const from = await leg(context, flags.from, 'deposit', null);
  const to = await leg(context, flags.to, 'receive', from);
  const { amount, lastSource } =
    flags.amount === null
      ? await askAmount(context, from, to, flags.type ?? 'float', flags.lastSource)
      : { amount: flags.amount, lastSource: flags.lastSource ?? ('deposit' as const) };
  const type = flags.type ?? (guided ? await askRateType(context, from, to, amount, lastSource) : 'float');
  const address = flags.address ?? (await askAddress(context, to));
  const memo = await askMemo(context, coins, { ...flags, to, address });
  const refundAddress = flags.refundAddress ?? (guided ? await askRefundAddress(context, from) : null);
  return { ...flags, from, to, amount, lastSource, type, address, ...memo, refundAddress };
}

async function leg(
  context: Context,
  given: CreateFlags['from'],
  side: 'deposit' | 'receive',
  other: Leg | null,
): Promise<Leg> {
  return given === null ? askCoin(context, side, other) : askNetwork(context, given, side);
}

/** Asks which field to change, and forgets with it whatever no longer fits: a memo never outlives its coin. */
export async function changeField(context: Context, flags: CompleteFlags): Promise<CompleteFlags> {
  const field = await context.prompter.select<EditableField>({
    message: 'What do you want to change?',
    choices: EDITABLE.map((value) => ({ name: describe(value, flags), value })),
  });
  if (field === 'refund address') {
    const { from } = flags;
    const leg = await askNetwork(context, from, 'deposit');
    return { ...flags, refundAddress: await askRefundAddress(context, leg) };
  }
  return askForOpen(context, opened(field, flags));
}

function opened(field: Exclude<EditableField, 'refund address'>, flags: CompleteFlags): CreateFlags {
  const noMemo = { memo: null, memoWaived: false };
  switch (field) {
    case 'send':
      return { ...flags, from: null, amount: null, refundAddress: null };
    case 'receive':
      return { ...flags, to: null, amount: null, address: null, ...noMemo };
    case 'amount':
      return { ...flags, amount: null, lastSource: null };
    case 'rate':
      return { ...flags, type: flags.type === 'fixed' ? 'float' : 'fixed' };
    case 'address':
      return { ...flags, address: null, ...noMemo };
    case 'memo':
      return { ...flags, ...noMemo };
  }
}

function describe(field: EditableField, flags: CompleteFlags): string {
  const values: Readonly<Record<EditableField, string>> = {
    send: `coin to send (${flags.from.coin})`,
    receive: `coin to receive (${flags.to.coin})`,
    amount: `amount (${flags.amount})`,
    rate: `rate type (${flags.type})`,
    address: `payout address (${flags.address})`,
    memo: `memo (${flags.memo ?? 'none'})`,
    'refund address': `refund address (${flags.refundAddress ?? 'none'})`,
  };
  return visible(values[field]);
}
