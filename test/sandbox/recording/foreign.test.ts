import { createReadStream } from 'node:fs';
import { expect, it } from 'vitest';
import { createTransport } from '../../../src/client/transport.ts';
import type { CheckResult } from '../../../src/conformance/check.ts';
import { learnFrom } from '../../../src/sandbox/recording/learn/learn.ts';
import { recordHere } from '../../commands/sandbox/record/recording.ts';
import { foreignService, KEYS } from './foreign-service.ts';
import { findingsOf, listCoins, twinFindings } from './twins.ts';

it('a service that is not ours is recorded, learned, and found again in the sandbox', async () => {
  const service = await foreignService();
  const env = {
    SWAPCTL_BASE_URL: service.url,
    SWAPCTL_PUBLIC_KEY: KEYS.publicKey,
    SWAPCTL_SECRET: KEYS.secret,
  };
  const recording = await recordHere(env, '--write');
  const transport = createTransport({ baseUrl: recording.url, credentials: KEYS, timeoutMs: 20_000 });
  await listCoins(transport, 2);
  const findings = await findingsOf({ transport, credentials: KEYS, baseUrl: recording.url });
  const { stdout } = await recording.stop();
  expect(stdout).toContain('validFor is not in the document');
  const learned = await learnFrom(createReadStream(recording.file), null);
  const { habits, decisions } = learned.overlay;
  expect(habits).toEqual(['text-amounts', 'exact-case', 'no-rate-headers']);
  expect(decisions).toMatchObject({
    createStatus: expect.objectContaining({ value: '200' }),
    defaultLimit: expect.objectContaining({ value: '2' }),
    maxLimit: expect.objectContaining({ value: '3' }),
    overMaxLimit: 'cut',
    unknownPair: { message: 'The pair is not available' },
    unknownCoin: { message: 'No such coin' },
    times: 'seconds',
    refundMessage: 'OK',
    boundsVerb: 'exchange',
    extraFields: { 'get-all-coins': { 'depositCoins[].rank': expect.anything() } },
  });
  const results = (all: readonly CheckResult[]) =>
    all.map(({ endpoint, check, result, habit }) => `${endpoint}: ${check}: ${result} ${habit ?? ''}`);
  const [here, there] = [results(findings), results(await twinFindings(learned))];
  // Order numbers of another form are the one thing that no overlay has.
  expect(there.filter((line) => !here.includes(line))).toEqual([
    'create-transaction: form of the order number: held ',
  ]);
  expect(learned.missing).toContainEqual({
    point: 'form of order numbers',
    call: 'it is not six capitals, and no overlay has another',
  });
});
