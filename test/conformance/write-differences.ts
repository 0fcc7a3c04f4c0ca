import { isCallOf, refusal, refused } from './altering-server.ts';
import type { Difference } from './difference.ts';
import { differing, refusing } from './difference.ts';

const made = differing('create-transaction', true);
const read = differing('get-transaction', true);
const updated = differing('update-refund-address', true);
const refusingCreate = refusing('create-transaction', true);
const AS_CREATED = 'get-transaction: the order as created';

/** Differences in creating and reading an order. */
export const orders: readonly Difference[] = [
  made({ differs: ['fields of a new order'], found: 'riskScore is an object' }, (body) => {
    body.riskScore = {};
  }),
  made({ differs: ['as requested'], found: 'type.typeSwap differs' }, (body) => {
    body.type = { typeSwap: 1 };
  }),
  made({ differs: ['as requested', AS_CREATED], found: 'pairs.receive.coin.network differs' }, (body) => {
    body.pairs.receive.coin.network = 'TRX';
  }),
  made({ differs: ['an address to fund', AS_CREATED], found: 'none' }, (body) => {
    body.pairs.deposit.address = '';
  }),
  made({ differs: ['status New'], found: 'status 1' }, (body) => ({ ...body, status: 1 })),
  made({ differs: ['no createdAt yet'] }, (body) => ({ ...body, createdAt: '' })),
  made({ differs: ['no end yet'], found: 'swapTime.end is not empty' }, (body) => {
    body.swapTime.end = 'soon';
  }),
  made({ differs: ['JSON numbers'], found: 'status is text' }, (body) => {
    body.status = String(body.status);
  }),
  made({ differs: ['form of swapTime.start'], found: '1700000000' }, (body) => {
    body.swapTime.start = '1700000000';
  }),
  {
    write: true,
    alter: (answer, seen) =>
      isCallOf('create-transaction', seen) && answer.status === 201 ? { ...answer, status: 200 } : answer,
    differs: ['create-transaction: code of a success'],
    found: '200',
  },
  {
    write: true,
    alter: (answer) => ({ ...answer, text: answer.text.replace('"orderNumber":"', '"orderNumber":"swap-') }),
    change: (seen) => ({
      ...seen,
      url: seen.url.replace('id=swap-', 'id='),
      body: seen.body.replace('"id":"swap-', '"id":"'),
    }),
    differs: ['create-transaction: form of the order number'],
  },
  refusingCreate([400, 'withdrawal'], [400, 'Bad address'], ['an invalid address']),
  refusingCreate([400, 'below'], [500, 'Failed create transaction.'], ['below the minimum']),
  refusingCreate([404, 'Not found.'], [400, 'No such coin'], ['an unknown coin']),
  {
    write: true,
    alter: refusal(
      'create-transaction',
      [400, 'depositAmount must'],
      refused(400, 'Invalid withdrawal address.'),
      ({ body }) => body !== '{}',
    ),
    differs: ['create-transaction: an amount that is text'],
  },
  read(
    { differs: ['fields of an order'], skipped: ['form of createdAt'], found: 'createdAt is missing' },
    ({ createdAt, ...rest }) => rest,
  ),
  read({ differs: ['form of createdAt'], found: 'empty' }, (body) => ({ ...body, createdAt: '' })),
];

/** Differences in setting a refund address. */
export const refunds: readonly Difference[] = [
  updated(
    { differs: ['fields of the answer', 'message in state New'], found: 'message is missing' },
    ({ message, ...rest }) => rest,
  ),
  updated({ differs: ['as requested'] }, (body) => ({ ...body, newRefundAddress: '0x0' })),
  refusing('update-refund-address', true)([404, 'Transaction'], [404, 'Not found.'], ['an unknown order']),
  {
    write: true,
    alter: (answer, seen) =>
      isCallOf('update-refund-address', seen) ? refused(403, 'Invalid payload.') : answer,
    differs: ['the payload', 'message in state New', 'code of a success'].map(
      (check) => `update-refund-address: ${check}`,
    ),
    skipped: [
      'a wrong signature',
      'fields of the answer',
      'as requested',
      'an unknown order',
      'no fields',
    ].map((check) => `update-refund-address: ${check}`),
  },
];
