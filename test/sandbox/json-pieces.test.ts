import { expect, it } from 'vitest';
import { jsonPieces } from '../../src/sandbox/operator/json.ts';

async function* pages(...sizes: number[]) {
  for (const size of sizes) yield Array.from({ length: size }, (_, index) => ({ index, text: 'a\n"b' }));
}

const item = (index: number) => ({ index, text: 'a\n"b' });

it.each([0, 2])('JSON in pieces is that of the whole, with an indent of %d', async (indent) => {
  const inPieces = {
    name: null,
    list: pages(),
    nested: { empty: {}, list: pages(2, 0, 1) },
    last: () => [1],
  };
  const pieces: string[] = [];
  for await (const piece of jsonPieces(inPieces, { indent })) pieces.push(piece);
  const nested = { empty: {}, list: [item(0), item(1), item(0)] };
  expect(pieces.join('')).toBe(JSON.stringify({ name: null, list: [], nested, last: [1] }, null, indent));
});
