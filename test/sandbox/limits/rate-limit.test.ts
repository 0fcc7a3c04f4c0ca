import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { call, freshFile, sandboxForTest, testClock, testSandbox } from '../sandbox.ts';

const start = (options: Parameters<typeof sandboxForTest>[0] = {}) =>
  sandboxForTest({ rateLimit: { count: 5, windowSeconds: 10 }, ...options });

describe('the rate limit', () => {
  it('allows a number of requests per window and reports what is left in headers', async () => {
    const sandbox = await start();
    const left: (string | null)[] = [];
    for (let index = 0; index < 5; index += 1) {
      const answer = await call(sandbox, 'get-all-coins');
      expect(answer.status).toBe(200);
      left.push(answer.headers.get('ratelimit-remaining'));
    }
    expect(left).toEqual(['4', '3', '2', '1', '0']);
    sandbox.clock.pass(6500);
    const refused = await call(sandbox, 'get-all-coins');
    expect(refused.text).toBe(
      '{"statusCode":429,"message":"You have exceeded your request limit. Please try again later."}',
    );
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('4');
    expect(refused.headers.get('ratelimit-limit')).toBe('5');
    expect(refused.headers.get('ratelimit-reset')).toBe('4');
    sandbox.clock.pass(3499);
    expect((await call(sandbox, 'get-all-coins')).status).toBe(429);
    sandbox.clock.pass(1);
    expect((await call(sandbox, 'get-all-coins')).status).toBe(200);
  });

  it('counts requests for each key pair separately, and only those with a valid signature', async () => {
    const sandbox = await start();
    const credentials = await sandbox.operator.partners.add('other');
    for (let index = 0; index < 8; index += 1)
      expect((await call(sandbox, 'get-all-coins', {}, { 'x-api-signature': 'no' })).status).toBe(403);
    for (let index = 0; index < 5; index += 1) await call(sandbox, 'get-all-coins');
    expect((await call(sandbox, 'get-all-coins')).status).toBe(429);
    expect((await call({ ...sandbox, credentials }, 'get-all-coins')).status).toBe(200);
  });

  it('is applied before the parameters are checked', async () => {
    const sandbox = await start();
    for (let index = 0; index < 5; index += 1)
      expect((await call(sandbox, 'get-transaction')).status).toBe(400);
    expect((await call(sandbox, 'get-transaction')).status).toBe(429);
  });

  it('continues after a restart of the server until its window ends', async () => {
    const clock = testClock();
    const options = { database: freshFile(), rateLimit: { count: 2, windowSeconds: 60 }, now: clock.now };
    const statuses: number[] = [];
    for (let starts = 0; starts < 4; starts += 1) {
      const sandbox = await testSandbox(options);
      statuses.push((await call(sandbox, 'get-all-coins')).status);
      await sandbox.stop();
      if (starts === 2) clock.pass(60_000);
    }
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('is 120 requests in 60 seconds by default', async () => {
    const sandbox = await startSandbox({ database: freshFile() });
    const { headers } = await call(sandbox, 'get-all-coins');
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-reset')]).toEqual(['120', '60']);
    await sandbox.close();
  });
});
