import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAddress } from '../../../src/swap/addresses/check.ts';
import { checkDestination } from '../../../src/swap/addresses/destination.ts';
import { NETWORKS } from '../../../src/swap/networks.ts';
import { CHECKSUMMED } from './samples.ts';

const CODES = [...NETWORKS.map(({ code }) => code), 'NOSUCHNET'];
const PREFIXES = [
  '',
  'bc1',
  '0x',
  'u1',
  'zs1',
  'kaspa:',
  'bitcoincash:',
  'addr1',
  'f410f',
  'nano_',
  'X',
  '1',
  '0.0.',
];

const texts = fc.oneof(
  fc.string({ maxLength: 256, unit: 'binary' }),
  fc.string({ maxLength: 300 }),
  fc
    .tuple(fc.constantFrom(...PREFIXES), fc.stringMatching(/^[a-zA-Z\d]{0,256}$/))
    .map(([head, tail]) => (head + tail).slice(0, 256)),
  fc.tuple(fc.constantFrom(...'1qzA0.'), fc.nat(256)).map(([letter, length]) => letter.repeat(length)),
);

test('any text is answered without throwing, and a refusal never repeats it', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...CODES), texts, async (code, text) => {
    const verdict = await checkAddress(code, text);
    if (!verdict.ok && text.length > 12) expect(verdict.reason).not.toContain(text);
    await checkDestination(code, text, text);
  });
  await fc.assert(property, { numRuns: 3000 });
});

test('a canonical form is its own canonical form', async () => {
  for (const [code, sample] of Object.entries(CHECKSUMMED)) {
    for (const address of fc.sample(sample, 20)) {
      const first = await checkAddress(code, address);
      const canonical = first.ok ? first.canonical : '';
      expect(await checkAddress(code, canonical), address).toMatchObject({ ok: true, canonical });
    }
  }
});

test('the longest texts are answered in a few milliseconds once warm', async () => {
  const long = [...PREFIXES, 'z'].map((head) => head.padEnd(256, 'q7'));
  for (const text of long) await checkAddress('NOSUCHNET', text);
  const start = performance.now();
  for (const text of long) await checkAddress('NOSUCHNET', text);
  expect((performance.now() - start) / long.length).toBeLessThan(25);
});
