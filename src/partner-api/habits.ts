/**
 * Behaviours of real services where the API document is silent, with their descriptions. The sandbox can emulate them, and
 * conformance reports which of them a service has: docs/partner-api.md#habits.
 */
export const HABITS = {
  'text-amounts': 'amounts in answers are JSON text',
  doubles: "prices are IEEE doubles, whatever a coin's decimals are",
  'networks-required': 'a quote without both networks is a 422',
  'exact-case': 'a create with codes in another case than listed is a 422',
  'no-maximum': 'no amount is too large, and maxAmount is 0',
  'expired-at': 'a transaction has a field that is not in the document, expiredAt',
  'no-rate-headers': 'nothing is said of the rate limit, not even how long to wait after a 429',
  unprocessable: 'a pair that cannot be swapped is a 422',
  'memo-required': 'a create without the memo of a network that needs one is a 400',
  'receive-amount': 'under lastSource=receive, depositAmount is what is to be received',
} as const;

/** One of {@link HABITS}. */
export type HabitName = keyof typeof HABITS;

/** Every habit's name. */
export const HABIT_NAMES = Object.keys(HABITS) as readonly HabitName[];

/** Whether a text is the exact name of a habit. */
export function isHabitName(text: string): text is HabitName {
  return Object.hasOwn(HABITS, text);
}

/** Amounts of a quote, by their paths. */
export const QUOTE_AMOUNTS = ['amount', 'exchangeRate', 'receive', 'minAmount', 'maxAmount'] as const;

/** Amounts of a transaction, by their paths. */
export const TRANSACTION_AMOUNTS = [
  'pairs.deposit.coin.value',
  'pairs.receive.coin.value',
  'receiveTransaction.amount',
  'receiveTransaction.fees',
  'fees.feeNodeDeposit',
] as const;

/** Every amount of an answer, for the habit `text-amounts`. */
export const AMOUNT_FIELDS = [...QUOTE_AMOUNTS, ...TRANSACTION_AMOUNTS] as const;

/** One of {@link AMOUNT_FIELDS}. */
export type AmountField = (typeof AMOUNT_FIELDS)[number];
