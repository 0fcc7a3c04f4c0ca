import { describe, expect, it } from 'vitest';
import { CREATED, expectCreate } from '../helpers/create-outcome.ts';
import { inScene } from '../helpers/scene.ts';
import { ADDRESSES, swapText } from '../helpers/swap-service.ts';

describe.concurrent('a response to a create that is written differently but means the same', () => {
  const SPELLINGS: readonly (readonly [string, (text: string) => string])[] = [
    ['the amount with an exponent', (text) => text.replace('"value":0.1', '"value":1E-1')],
    ['the order number as a number', (text) => text.replace('"KQWZPA"', '90071992547409931')],
    ['the payout address in lower case', (text) => text.replace(ADDRESSES.eth, ADDRESSES.eth.toLowerCase())],
    ['a byte order mark before it', (text) => `\uFEFF${text}`],
    ['unknown fields', (text) => text.replace('{', '{"__proto__":{"status":6},"extra":[1e999],')],
  ];
  it.each(SPELLINGS)('is accepted with %s', (_name, spell) =>
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
