import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAddress } from '../../../../src/core/swap/addresses/check.ts';

interface Vector {
  readonly network: string;
  readonly address: string;
  readonly valid: boolean;
  readonly note: string;
}

const vectors = (
  JSON.parse(readFileSync(new URL('../address.vectors.json', import.meta.url), 'utf8')) as Vector[]
).filter(({ note }) => !note.startsWith('policy:'));

test('every published test vector gets the verdict of its source', async () => {
  const wrong: unknown[] = [];
  for (const vector of vectors) {
    const [code = '', test] = vector.network.split('-');
    const verdict = await checkAddress(code, vector.address);
    const valid = verdict.ok && verdict.testnet === (test !== undefined);
    if (valid !== vector.valid) wrong.push({ ...vector, verdict });
  }
  expect(wrong).toEqual([]);
});

test('the rejection of a test vector does not repeat its text', async () => {
  for (const { network, address } of vectors.filter(({ address }) => address.length > 9)) {
    const verdict = await checkAddress(network.split('-')[0] ?? '', address);
    if (!verdict.ok) expect(verdict.reason).not.toContain(address.trim() || address);
  }
});
