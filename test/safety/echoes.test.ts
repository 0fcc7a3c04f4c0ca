import { describe, expect, it } from 'vitest';
import { CREATED, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { inScene } from '../helpers/scene.ts';
import type { Answer } from '../helpers/swap-service.ts';
import { ADDRESSES, createdAs, swapText } from '../helpers/swap-service.ts';

it('a create answered with less than --min-receive is never shown as one to fund', () => {
  const less: Answer = createdAs(({ pairs }) => (pairs.receive.coin.value = 2.2));
  return inScene({ 'create-transaction': less }, async (scene) => {
    const says = [/pays 2\.2, less than the 2\.4 of --min-receive/, /Do not fund it/];
    const run = await scene.create(['--min-receive', '2.4']);
    await expectCreate(scene, run, { ...UNKNOWN, httpStatus: 201, says });
  });
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
