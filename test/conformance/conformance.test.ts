import { afterAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/conformance/check.ts';
import type { CheckOptions, ConformanceReport } from '../../src/conformance/run.ts';
import { checkService, checkThrough } from '../../src/conformance/run.ts';
import { type Credentials, sign } from '../../src/core/partner-api/signature.ts';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { rawServer, type SeenRequest, sendJson } from '../helpers/raw-server.ts';
import { freshFile } from '../sandbox/sandbox.ts';
import { APP_URL, alteringTransport, sandboxApp } from './altering-app.ts';
import { type Alteration, alteringServer, isCallOf, type RequestChange } from './altering-server.ts';
import { differences } from './differences.ts';

const database = freshFile();

const sandbox = await startSandbox({ database, rateLimit: { count: 1_000_000, windowSeconds: 60 } });
afterAll(() => sandbox.close());

interface Run {
  readonly baseUrl?: string;
  readonly credentials?: Credentials;
  readonly write?: boolean;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly timeoutMs?: number;
}

function check(run: Run = {}): Promise<ConformanceReport> {
  return checkService(checkOptions(run));
}

function checkOptions(run: Run): CheckOptions {
  // A clock that each sleep moves on.
  let slept = 0;
  return {
    baseUrl: sandbox.url,
    credentials: sandbox.credentials,
    signal: new AbortController().signal,
    now: () => Date.now() + slept,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
    write: false,
    ...run,
    timeoutMs: run.timeoutMs ?? null,
  };
}

function named(results: readonly CheckResult[], result: CheckResult['result']): string[] {
  return results
    .filter((item) => item.result === result)
    .map(({ endpoint, check }) => `${endpoint}: ${check}`);
}

async function checkAltered(
  alter: Alteration,
  run: Run = {},
  change?: RequestChange,
): Promise<readonly CheckResult[]> {
  const server = await alteringServer(sandbox.url, alter, change);
  return (await check({ ...run, baseUrl: server.url })).results;
}

describe('the conformance checks of the sandbox', () => {
  it('send only GET requests without write, and all hold', async () => {
    const server = await alteringServer(sandbox.url, (answer) => answer);
    const { results, orders } = await check({ baseUrl: server.url });
    expect(named(results, 'differs')).toEqual([]);
    const skipped = results.filter(({ result }) => result === 'skipped');
    expect(new Set(skipped.map(({ found }) => found))).toEqual(new Set(['needs --write']));
    expect(results.length - skipped.length).toBeGreaterThan(65);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(orders).toEqual([]);
  });

  it('create orders that pay to addresses without a key with write, and all hold', async () => {
    const server = await alteringServer(sandbox.url, (answer) => answer);
    const { results, orders } = await check({ baseUrl: server.url, write: true });
    expect(results.filter(({ result }) => result !== 'held')).toEqual([]);
    expect(orders).toHaveLength(4);
    const made = server.requests.filter(
      ({ method, body }) => method === 'POST' && body.includes('0x53414E44424f58'),
    );
    expect(made.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThan(110);
  });

  it('hold for a second partner', async () => {
    const operator = await openOperator({ database, now: Date.now });
    const { publicKey, secret } = await operator.partners.add('second');
    await operator.close();
    const { results } = await check({ credentials: { publicKey, secret }, write: true });
    expect(results.filter(({ result }) => result !== 'held')).toEqual([]);
  });

  it('cover 21 assumptions, and checks of the API document have none', async () => {
    const { results } = await check();
    for (const { basis, decision, expected } of results) {
      if (basis === 'document') expect(decision).toBeNull();
      expect(expected).not.toBe('');
    }
    expect(new Set(results.flatMap(({ decision }) => decision ?? [])).size).toBe(21);
  });
});

const honest = await sandboxApp();
afterAll(() => honest.close());

describe('a service that differs in one respect', () => {
  for (const { alter, change, write, differs, skipped = [], found } of differences) {
    it(`differs in: ${differs.join(', ') || 'no check, because the document allows it'}`, async () => {
      const { results } = await checkThrough(
        alteringTransport(honest, alter, change),
        checkOptions({ write: write === true, baseUrl: APP_URL, credentials: honest.credentials }),
      );
      expect(named(results, 'differs')).toEqual(differs);
      const left = results.filter((item) => item.result === 'skipped' && item.found !== 'needs --write');
      expect(left.map(({ endpoint, check }) => `${endpoint}: ${check}`)).toEqual(skipped);
      if (found !== undefined) expect(results.find(({ result }) => result === 'differs')?.found).toBe(found);
    });
  }
});

describe('the pace of the conformance checks', () => {
  const clock = () => {
    let time = 0;
    const sleep = async (milliseconds: number) => {
      time += milliseconds;
    };
    return { now: () => time, sleep };
  };

  it('stays below 120 requests a minute if the service does not report its limit', async () => {
    const ticking = clock();
    const times: number[] = [];
    const server = await alteringServer(sandbox.url, (answer) => {
      times.push(ticking.now());
      return { ...answer, headers: { 'content-type': 'application/json' } };
    });
    await check({ baseUrl: server.url, write: true, ...ticking });
    expect(times.length).toBeGreaterThan(60);
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(index * 500);
  });

  it('spreads the remaining requests over the remaining window', async () => {
    const ticking = clock();
    const alter: Alteration = (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'ratelimit-remaining': '10', 'ratelimit-reset': '20' },
    });
    const server = await alteringServer(sandbox.url, alter);
    await check({ baseUrl: server.url, ...ticking });
    expect(ticking.now()).toBe((server.requests.length - 1) * 2000);
  });

  it('waits after a 429, and ends with rate_limited if they continue', async () => {
    const ticking = clock();
    let limited = 1;
    const alter: Alteration = (answer) => {
      if (limited <= 0) return answer;
      limited -= 1;
      const text = JSON.stringify({ statusCode: 429, message: 'slow down' });
      return { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' }, text };
    };
    expect(named(await checkAltered(alter, ticking), 'differs')).toEqual([]);
    expect(ticking.now()).toBe(7000);
    limited = Number.POSITIVE_INFINITY;
    await expect(checkAltered(alter, clock())).rejects.toMatchObject({ code: 'rate_limited', exitCode: 6 });
  });

  it('ends with timeout after timeoutMs', async () => {
    const alter: Alteration = (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } });
    await expect(checkAltered(alter, { ...clock(), timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});

describe('a conformance run', () => {
  it('throws network_error, invalid_public_key or not_found if the service cannot be checked', async () => {
    const gone = await rawServer(() => undefined);
    await gone.close();
    await expect(check({ baseUrl: gone.url })).rejects.toMatchObject({ code: 'network_error' });
    const stranger = { publicKey: 'nobody', secret: 'nothing-at-all' };
    await expect(check({ credentials: stranger })).rejects.toMatchObject({ code: 'invalid_public_key' });
    const other = await rawServer((_, response) => sendJson(response, 404, { message: 'no such page' }));
    await expect(check({ baseUrl: other.url })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('fails one check if one request gets no response, and ends if two in a row get none', async () => {
    const broken = (isBroken: (count: number, seen: SeenRequest) => boolean): Alteration => {
      let count = 0;
      return (answer, seen) => {
        count += 1;
        return isBroken(count, seen) ? 'nothing' : answer;
      };
    };
    expect(named(await checkAltered(broken((count) => count === 3)), 'differs')).toEqual([]);
    const always = broken((_, { url }) => url.includes('limit=101'));
    expect((await checkAltered(always)).filter(({ result }) => result === 'differs')).toMatchObject([
      {
        check: 'a limit of 101',
        found: expect.stringMatching(/closed the connection before the response was complete/),
      },
    ]);
    await expect(checkAltered(broken((count) => count >= 3))).rejects.toMatchObject({
      code: 'network_error',
    });
  });

  it('creates the order once even if the response is lost', async () => {
    let sent = 0;
    const alter: Alteration = (answer, seen) => {
      if (answer.status !== 201) return answer;
      sent += isCallOf('create-transaction', seen) ? 1 : 0;
      return 'nothing';
    };
    const results = await checkAltered(alter, { write: true });
    expect(sent).toBe(1);
    expect(named(results, 'differs')).toEqual(['create-transaction: fields of a new order']);
  });

  it('redacts a secret or signature that the service sends back', async () => {
    const { secret } = sandbox.credentials;
    const alter: Alteration = (answer, { headers }) => {
      const echo = `${secret} ${String(headers['x-api-signature'])} ${String(headers['x-api-signature']).toUpperCase()}`;
      if (answer.status < 300) return { ...answer, headers: { ...answer.headers, 'content-type': echo } };
      return { ...answer, text: JSON.stringify({ statusCode: answer.status, message: echo }) };
    };
    const reported = JSON.stringify(await checkAltered(alter, { write: true })).toLowerCase();
    expect(reported).toContain('<redacted>');
    expect(reported).not.toContain(secret.toLowerCase());
    expect(reported).not.toMatch(/[0-9a-f]{100}/);
    expect(reported).not.toContain(sign('get-all-coins', secret).slice(0, 40));
  });
});
