import { beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { authHeaders } from '../../../src/core/partner-api/signature.ts';
import type { FaultRule } from '../../../src/sandbox/faults/rule.ts';
import { smallCatalogue } from '../catalogue/small-catalogue.ts';
import { rawRequest, sendRaw } from '../raw.ts';
import { call, NEW_SWAP, readAnswer, sandboxForTest, type TestAnswer, type TestSandbox } from '../sandbox.ts';

const slept: number[] = [];
let sandbox: TestSandbox;

beforeEach(async () => {
  slept.length = 0;
  sandbox = await sandboxForTest({
    catalogue: smallCatalogue(),
    sleep: async (milliseconds) => void slept.push(milliseconds),
  });
});

/** Sends a signed request whose response need not match the OpenAPI document. */
async function plainCall(
  place: Parameters<typeof call>[0] = sandbox,
  query = '?coin=BTC',
): Promise<TestAnswer> {
  const url = `${place.url}/api/private/get-coin-network${query}`;
  const headers = authHeaders('get-coin-network', place.credentials);
  return readAnswer(await fetch(url, { headers, redirect: 'manual' }));
}

const raw = () => sendRaw(sandbox.url, rawRequest(sandbox, 'get-coin-network', '?coin=BTC'));

describe('a fault', () => {
  it('affects only requests to its endpoint', async () => {
    await sandbox.operator.faults.add({ endpoint: 'get-coin-network', status: 500 });
    const { json } = await call(sandbox, 'get-coin-network', { coin: 'BTC' });
    expect(json).toEqual({ statusCode: 500, message: 'Error retrieving coins data.' });
    expect((await call(sandbox, 'get-all-coins')).status).toBe(200);
  });

  it('affects only requests of its partner', async () => {
    const credentials = await sandbox.operator.partners.add('unlucky');
    await sandbox.operator.faults.add({ partner: 'unlucky', status: 418, body: 'short and stout' });
    expect((await plainCall()).status).toBe(200);
    const answer = await plainCall({ ...sandbox, credentials });
    expect(answer).toMatchObject({ status: 418, text: 'short and stout' });
  });

  it('affects only the requests chosen by nth, times and probability', async () => {
    const affected = async (rule: FaultRule) => {
      await sandbox.operator.faults.add({ ...rule, status: 500 });
      const statuses: number[] = [];
      for (let index = 0; index < 6; index += 1) statuses.push((await plainCall()).status);
      await sandbox.operator.faults.clear();
      return statuses.map((status) => (status === 200 ? '.' : 'x')).join('');
    };
    expect(await affected({ nth: 3 })).toBe('..x...');
    expect(await affected({ nth: 3, times: 2 })).toBe('..xx..');
    expect(await affected({ times: 4 })).toBe('xxxx..');
    expect(await affected({ probability: 0 })).toBe('......');
  });

  it('counts the requests seen and affected, and can be removed by its id', async () => {
    const once = await sandbox.operator.faults.add({ times: 1, status: 500 });
    const always = await sandbox.operator.faults.add({ status: 404 });
    for (let index = 0; index < 3; index += 1) await plainCall();
    expect(await sandbox.operator.faults.list()).toEqual([
      { id: once.id, rule: { times: 1, status: 500 }, seen: 3, fired: 1 },
      { id: always.id, rule: { status: 404 }, seen: 3, fired: 2 },
    ]);
    expect(await sandbox.operator.faults.clear(always.id)).toBe(1);
    expect(await sandbox.operator.faults.clear(always.id)).toBe(0);
    expect((await plainCall()).status).toBe(200);
    expect((await sandbox.operator.faults.list()).map(({ id }) => id)).toEqual([once.id]);
  });

  it('with delay answers after that delay', async () => {
    await sandbox.operator.faults.add({ delay: 60_000 });
    expect((await plainCall()).status).toBe(200);
    expect(slept).toEqual([60_000]);
  });

  it('with drop before closes the connection before the order is created', async () => {
    await sandbox.operator.faults.add({ drop: 'before' });
    await expect(call(sandbox, 'create-transaction', NEW_SWAP)).rejects.toThrow();
    expect(await raw()).toEqual({ text: '', end: 'closed' });
    expect(await sandbox.operator.orders.list()).toEqual([]);
  });

  it('with drop after closes the connection after the order is created', async () => {
    await sandbox.operator.faults.add({ drop: 'after', times: 1 });
    await expect(call(sandbox, 'create-transaction', NEW_SWAP)).rejects.toThrow();
    expect(await sandbox.operator.orders.list()).toHaveLength(1);
    expect((await call(sandbox, 'create-transaction', NEW_SWAP)).status).toBe(201);
  });

  it('with reset resets the connection', async () => {
    await sandbox.operator.faults.add({ reset: true });
    expect(await raw()).toEqual({ text: '', end: 'reset' });
  });

  it('with truncate sends only the first bytes of the body', async () => {
    const whole = await raw();
    await sandbox.operator.faults.add({ truncate: 20 });
    const { text } = await raw();
    expect(text).toContain('HTTP/1.1 200 OK');
    expect(text.split('\r\n\r\n')[1]).toBe(whole.text.split('\r\n\r\n')[1]?.slice(0, 20));
    expect(/content-length: (\d+)/i.exec(text)?.[1]).toBe(/content-length: (\d+)/i.exec(whole.text)?.[1]);
    await sandbox.operator.faults.clear();
    await sandbox.operator.faults.add({ truncate: 0, body: 'never seen', status: 201 });
    const { text: empty } = await raw();
    expect(empty).toMatch(/^HTTP\/1\.1 201 /);
    expect(empty).toMatch(/\r\n\r\n$/);
  });

  it('with drip sends the body byte by byte', async () => {
    await sandbox.operator.faults.add({ drip: 250 });
    const answer = await plainCall();
    expect(answer.json).toEqual({ deposit: [{ subName: 'BTC' }], withdraws: [{ subName: 'BTC' }] });
    expect(slept).toEqual(Array.from({ length: answer.text.length }, () => 250));
  });

  it('changes the content type, the body and status, or redirects', async () => {
    await sandbox.operator.faults.add({ contentType: 'text/html', times: 1 });
    const html = await plainCall();
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(html.json.deposit).toHaveLength(1);
    const page = { body: '<h1>502</h1>', status: 502, contentType: 'text/html', times: 1 };
    await sandbox.operator.faults.add(page);
    expect(await plainCall()).toMatchObject({ status: 502, text: '<h1>502</h1>' });
    await sandbox.operator.faults.add({ redirect: 'https://example.com/elsewhere', times: 1 });
    const moved = await plainCall();
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'https://example.com/elsewhere']);
  });

  it('with hugeBody sends a body of that many spaces', async () => {
    await sandbox.operator.faults.add({ hugeBody: 3_000_000 });
    const answer = await plainCall();
    expect(answer.headers.get('content-length')).toBe('3000000');
    expect(answer.text).toHaveLength(3_000_000);
    expect(answer.text.trim()).toBe('');
  });

  it('for an unknown partner is rejected', async () => {
    const before = (await sandbox.operator.faults.list()).length;
    const adding = sandbox.operator.faults.add({ partner: 'nobody', status: 500 });
    await expect(adding).rejects.toMatchObject({ code: 'not_found' });
    await expect(adding).rejects.toThrow('The sandbox has no partner nobody.');
    expect(await sandbox.operator.faults.list()).toHaveLength(before);
  });

  it('with invalid or contradictory settings is rejected', async () => {
    for (const [rule, words] of [
      [{}, 'The fault does nothing.'],
      [{ drop: 'after', status: 500 }, '"drop" and "status" cannot be combined'],
      [{ hugeBody: 1000, truncate: 10 }, '"hugeBody" cannot be truncated'],
      [{ endpoint: 'get-all-coins' }, 'The fault does nothing.'],
      [{ status: 99 }, `The fault's "status" must be a whole number from 200 to 599.`],
      [{ status: 500, probability: 2 }, `The fault's "probability" must be a number from 0 to 1.`],
      [{ status: 500, endpoint: 'nothing' }, `The fault's "endpoint" must be one of get-all-coins, `],
      [{ redirect: 'a\r\nb' }, `The fault's "redirect" must be printable ASCII, as in a header.`],
      [{ explode: true }, 'Unknown fault setting "explode".'],
    ] as const) {
      const added = sandbox.operator.faults.add(rule as FaultRule);
      await expect(added).rejects.toThrow(words);
      await expect(added).rejects.toBeInstanceOf(UsageError);
    }
  });
});
