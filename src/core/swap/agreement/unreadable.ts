import type { AgreedField, Swap } from '../swap.ts';
import type { Doubt, DoubtCode } from './agreed.ts';

/** Each field that an agreement covers: the doubt when it cannot be read, and its name in a sentence. */
const FIELDS: Readonly<Record<AgreedField, readonly [code: DoubtCode, name: string]>> = {
  type: ['type_changed', 'rate type'],
  'deposit.coin': ['deposit_changed', 'deposit coin'],
  'deposit.network': ['deposit_changed', 'deposit network'],
  'deposit.amount': ['amount_changed', 'deposit amount'],
  'deposit.address': ['deposit_changed', 'deposit address'],
  'deposit.memo': ['deposit_changed', 'deposit memo'],
  'deposit.txId': ['deposit_changed', 'deposit transaction'],
  'receive.coin': ['payout_changed', 'payout coin'],
  'receive.network': ['payout_changed', 'payout network'],
  'receive.amount': ['payout_changed', 'payout amount'],
  'receive.address': ['payout_changed', 'payout address'],
  'receive.memo': ['payout_changed', 'payout memo'],
  'receive.txId': ['payout_changed', 'payout transaction'],
  'receive.paidAmount': ['payout_changed', 'amount paid out'],
  'receive.paidTo': ['payout_changed', 'address paid to'],
};

/** Doubts about fields that the service sent in a form that means nothing: never the same as leaving them out. */
export function unreadableDoubts({ unreadable = [] }: Swap): readonly Doubt[] {
  return unreadable.map((field) => {
    const [code, name] = FIELDS[field];
    return { code, words: `its ${name} cannot be read` };
  });
}

/** Whether a swap leaves out a field that it owes: not if it has ended, and an unreadable one has its own doubt. */
export function isMissing(swap: Swap, field: AgreedField): boolean {
  const { final, unreadable = [] } = swap;
  return agreedValue(swap, field) === null && !final && !unreadable.includes(field);
}

/** The value of a field; null if it is missing or unreadable. */
export function agreedValue(swap: Swap, field: AgreedField): unknown {
  const [side, key = ''] = field.split('.');
  const value: unknown =
    side === 'type' ? swap.type : Reflect.get(side === 'deposit' ? swap.deposit : swap.receive, key);
  return value ?? null;
}
