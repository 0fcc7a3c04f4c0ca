import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { admin as adminOf, call, newOrder, sandboxForTest, statusOf, testSandbox } from '../sandbox.ts';

const sandbox = await testSandbox({ adminPort: 0 });
afterAll(() => sandbox.stop());

const admin = (method: string, path: string, body?: object) => adminOf(sandbox, method, path, body);

/** The status of a request with other headers; `fetch` does not allow Host. */
function statusWithHeaders(headers: Record<string, string | undefined>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { headers: { authorization: `Bearer ${sandbox.adminToken}`, ...headers } };
    request(`${sandbox.adminUrl}/info`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
}

describe('the admin port', () => {
  it.each([
    ['/snapshots', { name: '-a' }],
    ['/snapshots', { name: '..' }],
    ['/partners', { name: '--json' }],
  ])('rejects a name that a command line would read as a flag or a path: %s %j', async (path, body) => {
    const answer = await admin('POST', path, body);
    expect([answer.status, answer.json.error.code]).toEqual([400, 'usage']);
    expect(answer.json.error.message).toMatch(/start with a letter, digit or underscore\.$/);
  });

  it('has an endpoint for every operator action', async () => {
    const id = await newOrder(sandbox);
    expect((await admin('POST', `/orders/${id}/deposit`)).json).toMatchObject({ order: id, statusCode: 1 });
    expect((await admin('POST', `/orders/${id}/move`, { verb: 'pause' })).json.statusCode).toBe(10);
    expect((await admin('GET', '/orders?limit=1')).json).toHaveLength(1);
    expect((await admin('POST', '/clock/advance', { milliseconds: 1000 })).json).toMatchObject({
      offsetSeconds: 1,
      transitions: [],
    });
    expect((await admin('GET', '/clock')).json.offsetSeconds).toBe(1);
    expect((await admin('POST', '/clock/reset')).json.offsetSeconds).toBe(0);
    const fault = await admin('POST', '/faults', { status: 500, times: 1 });
    expect(fault.json).toMatchObject({ rule: { status: 500, times: 1 }, seen: 0, fired: 0 });
    expect((await call(sandbox, 'get-all-coins')).status).toBe(500);
    expect((await admin('GET', '/faults')).json[0].fired).toBe(1);
    expect((await admin('DELETE', `/faults/${fault.json.id}`)).json).toEqual({ cleared: 1 });
    expect((await admin('DELETE', '/faults')).json).toEqual({ cleared: 0 });
    const partner = (await admin('POST', '/partners', { name: 'second' })).json;
    expect((await call({ ...sandbox, credentials: partner }, 'get-all-coins')).status).toBe(200);
    expect((await admin('GET', '/partners')).json).toHaveLength(2);
    expect((await admin('DELETE', '/partners/second')).json).toEqual({ name: 'second', removed: true });
    expect((await admin('GET', '/info')).json).toMatchObject({ kind: 'sqlite', orders: 1 });
    const second = await newOrder(sandbox);
    expect((await admin('POST', `/orders/${second}/deposit`, { amount: '0.00000001' })).json).toMatchObject({
      status: 'error',
      statusCode: 6,
    });
    expect(await statusOf(sandbox, second)).toBe(6);
    expect((await admin('POST', '/reset')).json).toEqual({ reset: true });
    expect((await admin('GET', '/orders')).json).toEqual([]);
  });

  it('returns the same bytes as the sandbox commands print with --json', async () => {
    const home = await temporaryFolder();
    const { database, clock } = sandbox;
    const printed = async (...verb: string[]): Promise<string> => {
      const args = ['sandbox', ...verb, '--database', database, '--json'];
      const { stdout, error } = await runHere(args, { home, now: clock.now });
      expect(error).toBeNull();
      return JSON.stringify(JSON.parse(stdout));
    };
    const same = async (method: string, path: string, verb: readonly string[]): Promise<void> =>
      expect((await admin(method, path)).text).toBe(await printed(...verb));
    const id = await newOrder(sandbox);
    await admin('POST', `/orders/${id}/deposit`);
    clock.pass(3000);
    expect((await admin('POST', `/orders/${id}/move`, { verb: 'succeed' })).json).toMatchObject({
      createdAt: new Date(clock.now() - 3000).toISOString(),
      transitions: [{ from: 9, to: 1 }, { to: 3 }, { to: 12 }, { to: 4 }],
    });
    await admin('POST', '/faults', { status: 500, nth: 99 });
    await same('GET', '/orders', ['orders']);
    await same('GET', '/info', ['info']);
    await same('GET', '/clock', ['clock']);
    await same('POST', '/clock/reset', ['clock', 'reset']);
    await same('GET', '/faults', ['fault', 'list']);
    await same('GET', '/partners', ['partner', 'list']);
    await same('POST', '/reset', ['reset']);
  });

  it('rejects invalid requests with status and error code', async () => {
    const id = await newOrder(sandbox);
    const cases = [
      ['POST', '/orders/ABCDEF/deposit', undefined, 404, 'not_found'],
      ['POST', `/orders/${id}/deposit`, { amount: '1,5' }, 400, 'invalid_amount'],
      ['POST', `/orders/${id}/deposit`, { amount: 1.5 }, 400, 'usage'],
      ['POST', `/orders/${id}/move`, { verb: 'dance' }, 400, 'usage'],
      ['POST', `/orders/${id}/move`, { verb: 'pause' }, 400, 'usage'],
      ['POST', '/clock/advance', { milliseconds: -5 }, 400, 'usage'],
      ['POST', '/clock/advance', { milliseconds: Number.MAX_SAFE_INTEGER }, 400, 'usage'],
      ['POST', '/faults', [1], 400, 'usage'],
      ['POST', '/faults', { body: 'x'.repeat(2_000_000) }, 400, 'usage'],
      ['DELETE', '/faults/x', undefined, 400, 'usage'],
      ['DELETE', '/faults/99', undefined, 404, 'not_found'],
      ['DELETE', '/partners/default', undefined, 400, 'usage'],
      ['DELETE', '/partners/%00', undefined, 404, 'not_found'],
      ['GET', '/nothing', undefined, 404, 'not_found'],
    ] as const;
    for (const [method, path, body, status, code] of cases) {
      const answer = await admin(method, path, body);
      expect([path, answer.status, answer.json.error.code]).toEqual([path, status, code]);
    }
  });

  it('requires its own token', async () => {
    for (const authorization of ['', 'Bearer ', `Bearer ${sandbox.credentials.secret}`, sandbox.adminToken])
      expect(await statusWithHeaders({ authorization })).toBe(401);
  });

  it('rejects an unknown Host header and every request from a browser', async () => {
    expect(await statusWithHeaders({})).toBe(200);
    expect(await statusWithHeaders({ host: 'localhost:4011' })).toBe(200);
    expect(await statusWithHeaders({ host: 'evil.example' })).toBe(403);
    expect(await statusWithHeaders({ host: '127.0.0.1.evil.example' })).toBe(403);
    expect(await statusWithHeaders({ origin: 'http://127.0.0.1' })).toBe(403);
    expect(await statusWithHeaders({ origin: 'null' })).toBe(403);
    expect(await statusWithHeaders({ 'sec-fetch-site': 'same-origin' })).toBe(403);
  });

  it('exists only with adminPort, and separately from the port of the service', async () => {
    expect((await sandboxForTest()).adminUrl).toBeUndefined();
    const answer = await fetch(`${sandbox.url}/info`, {
      headers: { authorization: `Bearer ${sandbox.adminToken}` },
    });
    expect(answer.status).toBe(404);
  });
});
