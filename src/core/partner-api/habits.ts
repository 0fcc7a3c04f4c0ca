/** Behaviours of real services where the API document is silent: docs/partner-api.md#habits. */
export const HABITS = {
  'text-amounts': 'amounts in responses are JSON strings',
  doubles: "prices are IEEE doubles, regardless of the coin's decimals",
  'networks-required': 'a quote without both networks is a 422',
  'exact-case': 'a create with codes in a different case than listed is a 422',
  'no-maximum': 'no amount is too large, and maxAmount is 0',
  'expired-at': 'a transaction has the undocumented field expiredAt',
  'no-rate-headers': 'no rate limit headers, not even how long to wait after a 429',
  unprocessable: 'an unavailable pair is a 422',
  'memo-required': 'a create without the memo that a network needs is a 400',
  'receive-amount': 'with lastSource=receive, depositAmount is the amount to receive',
} as const;

export type HabitName = keyof typeof HABITS;

export const HABIT_NAMES = Object.keys(HABITS) as readonly HabitName[];

export function isHabitName(text: string): text is HabitName {
  return Object.hasOwn(HABITS, text);
}

export const QUOTE_AMOUNTS = ['amount', 'exchangeRate', 'receive', 'minAmount', 'maxAmount'] as const;

/** Paths of the amounts in the service's description of a transaction. */
export const TRANSACTION_AMOUNTS = [
  'pairs.deposit.coin.value',
  'pairs.receive.coin.value',
  'receiveTransaction.amount',
  'receiveTransaction.fees',
  'fees.feeNodeDeposit',
] as const;
