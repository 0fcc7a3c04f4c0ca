import type { EndpointName } from '../../core/partner-api/endpoints.ts';
import type { HabitName } from '../../core/partner-api/habits.ts';
import type { Choices } from '../habits/choices.ts';
import { DEFAULT_LIMIT, DEFAULT_METHOD, DEFAULT_PAGE, MAX_LIMIT } from '../state/assumptions.ts';

/** A parameter of an endpoint, used to validate requests and to write the OpenAPI document. */
export interface Field {
  readonly name: string;
  /** `decimal` is a text that holds a decimal number. */
  readonly type: 'string' | 'number' | 'decimal';
  readonly required: boolean;
  readonly description: string;
  /** The only values accepted; numbers are given as text. */
  readonly choices?: readonly string[];
  /** Largest value of a whole number that starts at 1. */
  readonly upTo?: number;
  readonly byDefault?: string;
  /** The part of this that goes beyond the API document. */
  readonly assumed?: string;
  /** Habit that reverses a decision about this parameter. */
  readonly habit?: HabitName;
}

const SIDES = ['deposit', 'receive'] as const;

function text(name: string, description: string): Field {
  return { name, type: 'string', required: true, description };
}

function number(name: string, description: string, more: Partial<Field>): Field {
  return { name, type: 'number', required: true, description, ...more };
}

/** A coin or network code in a create; some services demand its exact case. */
function listedCode(name: string, description: string): Field {
  return { ...text(name, description), habit: 'exact-case' };
}

function optional(field: Field): Field {
  return { ...field, required: false };
}

/** The parameters of each endpoint, by its name; {@link fieldsOf} gives those of a service. */
export type EndpointFields = Readonly<Record<EndpointName, readonly Field[]>>;

/** The parameters of the plain sandbox's endpoints, in the order of the API document. */
export const ENDPOINT_FIELDS: EndpointFields = {
  'get-all-coins': [
    number('page', 'Current page', {
      required: false,
      upTo: Number.MAX_SAFE_INTEGER,
      byDefault: String(DEFAULT_PAGE),
      assumed: 'default',
    }),
    number('limit', 'Items per page', {
      required: false,
      upTo: MAX_LIMIT,
      byDefault: String(DEFAULT_LIMIT),
      assumed: 'default and maximum',
    }),
    optional(text('search', 'Search by currency name')),
    number('method', '1 = return coins available for deposit; 2 = return coins available for output', {
      required: false,
      choices: ['1', '2'],
      byDefault: DEFAULT_METHOD,
      assumed: 'default',
    }),
    optional(text('depositCoin', 'Deposit coin filter')),
    optional(text('receiveCoin', 'Receive coin filter')),
    optional(text('depositNetwork', 'Deposit network filter')),
    optional(text('receiveNetwork', 'Receive network filter')),
  ],
  'get-coin-network': [text('coin', 'Coin code (coin sub name)')],
  'exchange-coin': [
    { name: 'amount', type: 'decimal', required: true, description: 'Amount to send or to get' },
    text('coinFrom', 'Coin to swap from'),
    text('coinTo', 'Coin to swap to'),
    { ...optional(text('networkFrom', 'Network to swap from')), habit: 'networks-required' },
    { ...optional(text('networkTo', 'Network to swap to')), habit: 'networks-required' },
    { ...text('lastSource', 'Which input was edited last: deposit or receive'), choices: SIDES },
    { ...text('typeSwap', '1 = fixed, 2 = float'), choices: ['1', '2'] },
  ],
  'get-transaction': [text('id', 'Transaction identifier (orderNumber)')],
  'create-transaction': [
    listedCode('depositCoin', 'Coin to deposit'),
    number('depositAmount', 'Amount to deposit', { habit: 'receive-amount' }),
    listedCode('depositNetwork', 'Network of the deposit'),
    text('receiveAddress', 'Address where the swapped coin is paid'),
    listedCode('receiveCoin', 'Coin to receive'),
    listedCode('receiveNetwork', 'Network of the receive coin'),
    number('typeSwap', '1 = fixed, 2 = float', { choices: ['1', '2'] }),
    optional(text('refundAddress', 'Refund address')),
    { ...optional(text('memo', 'Memo, when the receive network needs one')), habit: 'memo-required' },
    { ...text('lastSource', 'deposit or receive'), choices: SIDES },
  ],
  'update-refund-address': [
    text('id', 'orderNumber of an existing transaction owned by the calling partner'),
    text('refundAddress', 'New refund address'),
  ],
};

/** The parameters of every endpoint of a service with these choices. */
export function fieldsOf({ defaultLimit = DEFAULT_LIMIT, maxLimit = MAX_LIMIT }: Choices): EndpointFields {
  const listing = ENDPOINT_FIELDS['get-all-coins'].map((field) =>
    field.name === 'limit' ? { ...field, byDefault: String(defaultLimit), upTo: maxLimit } : field,
  );
  return { ...ENDPOINT_FIELDS, 'get-all-coins': listing };
}
