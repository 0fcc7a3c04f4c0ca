import { inBody, isCallOf, refusal, refused } from './altering-server.ts';
import { type Difference, made } from './difference.ts';

/** Differences in creating and reading an order. */
export const orders: readonly Difference[] = [
  made((body) => ({ ...body, riskScore: {} }), ['fields of a new order'], 'riskScore is an object'),
  made((body) => ({ ...body, type: { typeSwap: 1 } }), ['as requested'], 'type.typeSwap differs'),
  made(
    (body) => {
      body.pairs.receive.coin.network = 'TRX';
    },
    ['as requested'],
    'pairs.receive.coin.network differs',
    ['get-transaction: the order as created'],
  ),
  made(
    (body) => {
      body.pairs.deposit.address = '';
    },
    ['an address to fund'],
    'none',
    ['get-transaction: the order as created'],
  ),
  made((body) => ({ ...body, status: 1 }), ['status New'], 'status 1'),
  made((body) => ({ ...body, createdAt: '' }), ['no createdAt yet']),
  made(
    (body) => {
      body.swapTime.end = 'soon';
    },
    ['no end yet'],
    'swapTime.end is not empty',
  ),
  made((body) => ({ ...body, status: String(body.status) }), ['JSON numbers'], 'status is text'),
  made(
    (body) => {
      body.swapTime.start = '1700000000';
    },
    ['form of swapTime.start'],
    '1700000000',
  ),
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
  {
    write: true,
    alter: refusal('create-transaction', [400, 'withdrawal'], refused(400, 'Bad address')),
    differs: ['create-transaction: an invalid address'],
  },
  {
    write: true,
    alter: refusal('create-transaction', [400, 'below'], refused(500, 'Failed create transaction.')),
    differs: ['create-transaction: below the minimum'],
  },
  {
    write: true,
    alter: refusal('create-transaction', [404, 'Not found.'], refused(400, 'No such coin')),
    differs: ['create-transaction: an unknown coin'],
  },
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
  {
    write: true,
    alter: inBody('get-transaction', ({ createdAt, ...rest }) => rest),
    differs: ['get-transaction: fields of an order'],
    skipped: ['get-transaction: form of createdAt'],
    found: 'createdAt is missing',
  },
  {
    write: true,
    alter: inBody('get-transaction', (body) => ({ ...body, createdAt: '' })),
    differs: ['get-transaction: form of createdAt'],
    found: 'empty',
  },
];

/** Differences in setting a refund address. */
export const refunds: readonly Difference[] = [
  {
    write: true,
    alter: inBody('update-refund-address', ({ message, ...rest }) => rest),
    differs: ['update-refund-address: fields of the answer', 'update-refund-address: message in state New'],
    found: 'message is missing',
  },
  {
    write: true,
    alter: inBody('update-refund-address', (body) => ({ ...body, newRefundAddress: '0x0' })),
    differs: ['update-refund-address: as requested'],
  },
  {
    write: true,
    alter: refusal('update-refund-address', [404, 'Transaction'], refused(404, 'Not found.')),
    differs: ['update-refund-address: an unknown order'],
  },
  {
    write: true,
    alter: (answer, seen) =>
      isCallOf('update-refund-address', seen) ? refused(403, 'Invalid payload.') : answer,
    differs: [
      'update-refund-address: the payload',
      'update-refund-address: message in state New',
      'update-refund-address: code of a success',
    ],
    skipped: [
      'a wrong signature',
      'fields of the answer',
      'as requested',
      'an unknown order',
      'no fields',
    ].map((check) => `update-refund-address: ${check}`),
  },
];
