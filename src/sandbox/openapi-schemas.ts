import { STATUS_CODES } from '../partner-api/statuses.ts';
import { ORDER_NUMBER_LENGTH } from './assumptions.ts';

/** A JSON Schema, or another object of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const amount = (description: string): Schema => ({ type: 'number', description });
const unknownYet = (description: string): Schema => ({ type: ['number', 'null'], description });

const time = (description: string): Schema =>
  text(description, {
    pattern: '^(\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z)?$',
    'x-assumed': 'RFC 3339 in UTC with milliseconds; empty while unknown',
  });

const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object all of whose properties are there, except those named last. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties, additionalProperties: false };
}

const orderNumber = text('Unique identifier of the transaction; used as id elsewhere', {
  pattern: `^[A-Z]{${ORDER_NUMBER_LENGTH}}$`,
  'x-assumed': 'six capitals',
});

const side = object({
  coin: object({
    name: text('Coin code'),
    value: amount('Amount to be sent or received'),
    network: text('Network used'),
    fullName: text('Full coin name'),
  }),
  address: text('Address to send to or receive at'),
  memo: text('Memo'),
});

const transaction = {
  type: object({ typeSwap: { type: 'number', enum: [1, 2], description: '1 = fixed, 2 = float' } }),
  pairs: object({ deposit: side, receive: side }),
  receiveTransaction: object({
    txId: text('Payout transaction id'),
    address: text('Payout address'),
    receivedTime: time('Time the payout was received'),
    gettingInTheBlock: time('Time of first payout confirmation'),
    amount: unknownYet('Amount sent out'),
    confirmation: unknownYet('Confirmations of the payout'),
    fees: unknownYet('Fees for sending funds'),
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
};

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

/** Every schema that the answers of the service have, by name. */
export const ANSWER_SCHEMAS: Readonly<Record<string, Schema>> = {
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
    receive: amount('Amount the user will receive'),
    minAmount: amount('Minimum deposit'),
    maxAmount: amount('Maximum deposit'),
  }),
  NewTransaction: object(transaction),
  Transaction: object({ ...transaction, createdAt: time('Creation time') }),
  RefundUpdate: object({
    message: text('Confirmation text'),
    orderNumber,
    newRefundAddress: text('The refund address now set'),
  }),
  Error: object({ statusCode: { type: 'integer' }, message: text('What went wrong') }),
  ValidationError: object({
    statusCode: { type: 'integer', const: 400 },
    message: list({ type: 'string' }, { 'x-assumed': 'wording and order of the texts' }),
    error: { type: 'string', const: 'Bad Request' },
  }),
};

/** A reference to one of {@link ANSWER_SCHEMAS}. */
export function schemaRef(name: string): Schema {
  if (!Object.hasOwn(ANSWER_SCHEMAS, name)) throw new RangeError(`There is no schema ${name}.`);
  return ref(name);
}
