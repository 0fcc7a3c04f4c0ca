import { describe, expect, it } from 'vitest';
import type { CreateOutcome } from '../helpers/create-outcome.ts';
import { CREATED, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import type { Scene } from '../helpers/scene.ts';
import { inScene } from '../helpers/scene.ts';
import type { Plan, WireSwap } from '../helpers/swap-service.ts';
import { ADDRESSES, swapText } from '../helpers/swap-service.ts';

interface Echo {
  readonly name: string;
  /** What the service changes in the right answer. */
  readonly change: (swap: WireSwap) => unknown;
  readonly says: RegExp;
  readonly args?: readonly string[];
}

const ECHOES: readonly Echo[] = [
  {
    name: 'less than --min-receive',
    change: ({ pairs }) => (pairs.receive.coin.value = 2.2),
    says: /pays 2\.2, less than the 2\.4 of --min-receive/,
    args: ['--min-receive', '2.4'],
  },
  {
    name: 'a Cyrillic letter in the deposit address',
    change: ({ pairs }) => (pairs.deposit.address = ADDRESSES.btcDeposit.replace('a', '\u0430')),
    says: /address .*invalid characters/,
  },
  {
    name: 'a bidirectional control in the deposit memo',
    change: ({ pairs }) => (pairs.deposit.memo = '12\u202e3'),
    says: /memo .*invalid characters/,
  },
  {
    name: 'an amount beyond all digits',
    change: ({ pairs }) => Object.assign(pairs.deposit.coin, { value: '1e999999' }),
    says: /deposit amount cannot be read/,
  },
  {
    name: 'an order number that hides something',
    change: (swap) => (swap.orderNumber = 'KQ\u0000WZ\u202ePA'),
    says: /order number has unexpected characters/,
  },
];

const answering = (change: Echo['change']): Plan => ({
  'create-transaction': (seen, response) => sendJson(response, 201, swapText(seen, change)),
});

describe.concurrent('a create answered with an order that has', () => {
  it.each(ECHOES)('$name is never shown as one to fund', ({ change, says, args }) =>
    inScene(answering(change), async (scene) => {
      const run = await scene.create(args);
      await expectCreate(scene, run, { ...UNKNOWN, httpStatus: 201, says: [says, /Do not fund it/] });
    }),
  );
});

describe.concurrent('a create answered with a deposit address that is', () => {
  const ODD: readonly (readonly [string, (right: string) => string])[] = [
    ['mistyped', (right) => right.replace('q2d', 'q3d')],
    ['one of another network', () => ADDRESSES.eth],
  ];
  it.each(ODD)(
    '%s is created and doubted: no wallet pays to it, and the rules may be outdated',
    (_name, odd) =>
      inScene(
        answering(({ pairs }) => (pairs.deposit.address = odd(pairs.deposit.address))),
        async (scene) => {
          const run = await scene.create();
          await expectCreate(scene, run, {
            ...CREATED,
            says: [/the deposit address is not valid on BTC/, /Ask the service/],
          });
        },
      ),
  );
});

/** A payout to the XRP Ledger, which has a memo. */
const toXrp = (scene: Scene) =>
  scene.run([
    ...['create', 'BTC', 'XRP', '0.1', '-a', ADDRESSES.xrp, '-m', '12345'],
    ...['--yes', '--json', '--debug'],
  ]);

describe.concurrent('a create with a memo', () => {
  const MEMOS: readonly (CreateOutcome & { readonly name: string; readonly memo: unknown })[] = [
    { ...UNKNOWN, name: 'answered with another memo', memo: '12346', says: [/payout memo is/] },
    { ...UNKNOWN, name: 'answered without the memo', memo: '', says: [/pays without the memo/] },
    { ...CREATED, name: 'answered with the memo', memo: '12345' },
    { ...CREATED, name: 'answered with the memo as a number', memo: 12345 },
  ];
  it.each(MEMOS)('$name', ({ memo, ...expected }) =>
    inScene(
      answering(({ pairs }) => Object.assign(pairs.receive, { memo })),
      async (scene) => expectCreate(scene, await toXrp(scene), expected),
    ),
  );
});

describe.concurrent('a create answered in another spelling of the same thing', () => {
  const SPELLINGS: readonly (readonly [string, (text: string) => string])[] = [
    ['the amount as text', (text) => text.replace('"value":0.1', '"value":"0.1"')],
    ['the amount with trailing zeros', (text) => text.replace('"value":0.1', '"value":0.10000000')],
    ['the amount with an exponent', (text) => text.replace('"value":0.1', '"value":1E-1')],
    ['the status as text', (text) => text.replace('"status":9', '"status":"9"')],
    ['the status with a fraction', (text) => text.replace('"status":9', '"status":9.0')],
    ['the order number as a number', (text) => text.replace('"KQWZPA"', '90071992547409931')],
    ['the payout address in lower case', (text) => text.replace(ADDRESSES.eth, ADDRESSES.eth.toLowerCase())],
    ['codes in lower case', (text) => text.replaceAll('"BTC"', '"btc"')],
    ['a byte order mark in front', (text) => `\uFEFF${text}`],
    ['unknown fields', (text) => text.replace('{', '{"__proto__":{"status":6},"extra":[1e999],')],
  ];
  it.each(SPELLINGS)('%s is created', (_name, spell) =>
    inScene(
      { 'create-transaction': (seen, response) => response.writeHead(201).end(spell(swapText(seen))) },
      async (scene) => {
        const run = await scene.create();
        await expectCreate(scene, run, CREATED);
        const { deposit } = run.json<{ deposit: { amount: string; address: string } }>();
        expect(Number(deposit.amount)).toBe(0.1);
        expect(deposit.amount).toMatch(/^[0-9]+\.[0-9]+$/);
        expect(deposit.address).toBe(ADDRESSES.btcDeposit);
      },
    ),
  );
});
