import { HABITS, type HabitName } from '../../../core/partner-api/habits.ts';
import { STATUS_CODES } from '../../../core/partner-api/statuses.ts';
import type { Habits } from '../../habits/decisions.ts';
import { ORDER_NUMBER_LENGTH, PAYOUT_FEE, PLAIN_DECISIONS } from '../../state/assumptions.ts';

/** A JSON Schema, or another object of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const unknownYet = (description: string): Schema => ({ type: ['number', 'null'], description });

const time = (description: string): Schema =>
  text(description, {
    pattern: '^(\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    'x-assumed': 'RFC 3339 in UTC with milliseconds; empty while unknown',
  });

const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });

/** An object whose properties are all required. */
function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

const orderNumber = text('Unique identifier of the transaction; used as id elsewhere', {
  pattern: `^[A-Z]{${ORDER_NUMBER_LENGTH}}$`,
  'x-assumed': 'six capitals',
});

type AmountSchema = (description: string, type?: 'always' | 'once known') => Schema;

/** Schema of an amount, which two of the habits change. */
function amountSchema(habits: Habits): AmountSchema {
  const isText = habits.has('text-amounts');
  const type = isText ? 'string' : 'number';
  return (description, known = 'always') => ({
    type: known === 'always' ? type : [type, 'null'],
    description,
    ...(isText ? { pattern: '^[0-9]+(\\.[0-9]+)?$' } : {}),
    ...decided(habits, 'text-amounts', 'doubles'),
  });
}

function sideSchema(amount: AmountSchema): Schema {
  return object({
    coin: object({
      name: text('Coin code'),
      value: amount('Amount to be sent or received'),
      network: text('Network used'),
      fullName: text('Full coin name'),
    }),
    address: text('Address to send to or receive at'),
    memo: text('Memo'),
  });
}

function transactionFields(habits: Habits): Readonly<Record<string, Schema>> {
  const amount = amountSchema(habits);
  return {
    type: object({ typeSwap: { type: 'number', enum: [1, 2], description: '1 = fixed, 2 = float' } }),
    pairs: object({ deposit: sideSchema(amount), receive: sideSchema(amount) }),
    receiveTransaction: object({
      txId: text('Payout transaction id'),
      address: text('Payout address'),
      receivedTime: time('Time the payout was received'),
      gettingInTheBlock: time('Time of first payout confirmation'),
      amount: amount('Amount sent out', 'once known'),
      confirmation: unknownYet('Confirmations of the payout'),
      fees: amount('Fees for sending funds', 'once known'),
    }),
    fees: object({ feeNodeDeposit: amount('Deposit fee') }),
    swapTime: object({
      start: time('Start time'),
      end: time('Completion time'),
      duration: text('Duration', {
        pattern: '^(\\d{2,}:\\d{2}:\\d{2})?$',
        'x-assumed': 'HH:MM:SS; empty while unfinished',
      }),
    }),
    orderNumber,
    status: {
      type: 'number',
      enum: Object.values(STATUS_CODES),
      description: 'Status code',
      'x-assumed': '12 is written when the payout is sent, 4 once it has its confirmations',
    },
    txId: text('Deposit transaction id'),
    riskScore: unknownYet('Risk assessment'),
    receivedTime: time('Time the deposit was received'),
    gettingInTheBlock: time('Time of first deposit confirmation'),
    confirmation: unknownYet('Confirmations of the deposit'),
    ...(habits.has('expired-at') ? { expiredAt: time('When a new order expires') } : {}),
  };
}

const network = object({
  subName: text('Network name', { 'x-assumed': "the chain's own ticker" }),
  memoNeeded: { type: 'boolean', description: 'True when the network needs an extra identifier (memo)' },
});

const coin = (key: 'deposits' | 'withdraws'): Schema =>
  object({
    image: text('Coin image reference'),
    subName: text('Coin code (sub name)'),
    name: text('Coin name'),
    networks: object({ [key]: list(network) }),
  });

const pagination = object({
  pageCount: { type: 'integer', minimum: 0, description: 'Number of pages' },
  totalCount: { type: 'integer', minimum: 0, description: 'Total number of items' },
});

const networkNames = list(object({ subName: text('Network name') }));

/** Schemas of all answers of a service with these habits, by name. */
export function answerSchemas(habits: Habits) {
  const amount = amountSchema(habits);
  const transaction = transactionFields(habits);
  const fields = decided(habits, 'expired-at');
  return {
    CoinList: {
      oneOf: [
        object({ pagination, depositCoins: list(coin('deposits')) }),
        object({ pagination, withdrawCoins: list(coin('withdraws')) }),
      ],
    },
    CoinNetworks: object({ deposit: networkNames, withdraws: networkNames }),
    Quote: object({
      pair: text('The two coin codes joined by an underscore, upper case'),
      amount: amount('Amount sent'),
      exchangeRate: amount('Swap rate'),
      receive: { ...amount('Amount the user will receive'), 'x-assumed': PAYOUT_FEE },
      minAmount: amount('Minimum deposit'),
      maxAmount: { ...amount('Maximum deposit'), ...decided(habits, 'no-maximum') },
    }),
    NewTransaction: { ...object(transaction), ...fields },
    Transaction: { ...object({ ...transaction, createdAt: time('Creation time') }), ...fields },
    RefundUpdate: object({
      message: text('Confirmation text'),
      orderNumber,
      newRefundAddress: text('The new refund address'),
    }),
    Error: object({ statusCode: { type: 'integer' }, message: text('What went wrong') }),
    ValidationError: object({
      statusCode: { type: 'integer', const: 400 },
      message: list({ type: 'string' }, { 'x-assumed': 'wording and order of the texts' }),
      error: { type: 'string', const: 'Bad Request' },
    }),
  };
}

/** A reference to one of the schemas of {@link answerSchemas}. */
export function schemaRef(name: keyof ReturnType<typeof answerSchemas>): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Text for `x-assumed`: how this service decides each point that a habit can reverse, and how it could decide. */
export function decided(habits: Habits, ...names: readonly HabitName[]): { readonly 'x-assumed': string } {
  const texts = names.map((name) => {
    const [here, other] = habits.has(name)
      ? [HABITS[name], PLAIN_DECISIONS[name]]
      : [PLAIN_DECISIONS[name], HABITS[name]];
    return `${here} (other reading: ${other}; habit ${name})`;
  });
  return { 'x-assumed': texts.join('; ') };
}
