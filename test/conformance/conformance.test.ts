import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/conformance/check.ts';
import type { CheckOptions, ConformanceReport } from '../../src/conformance/run.ts';
import { checkService, checkThrough } from '../../src/conformance/run.ts';
import type { Credentials } from '../../src/core/partner-api/signature.ts';
import { sign } from '../../src/core/partner-api/signature.ts';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { SeenRequest } from '../helpers/raw-server.ts';
import { rawServer, sendJson } from '../helpers/raw-server.ts';
import { freshFile } from '../sandbox/sandbox.ts';
import { differences } from './differences.ts';
import type { SandboxApp } from './lying-app.ts';
import { APP_URL, lyingTransport, sandboxApp } from './lying-app.ts';
import type { Hearing, Lie } from './lying-server.ts';
import { isCallOf, lyingServer } from './lying-server.ts';

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

async function lied(lie: Lie, run: Run = {}, hear?: Hearing): Promise<readonly CheckResult[]> {
  const server = await lyingServer(sandbox.url, lie, hear);
  return (await check({ ...run, baseUrl: server.url })).results;
}

describe('the sandbox', () => {
  it('holds in all that can be read, and is sent GET requests only', async () => {
    const server = await lyingServer(sandbox.url, (answer) => answer);
    const { results, orders } = await check({ baseUrl: server.url });
    expect(named(results, 'differs')).toEqual([]);
    const skipped = results.filter(({ result }) => result === 'skipped');
    expect(new Set(skipped.map(({ found }) => found))).toEqual(new Set(['needs --write']));
    expect(results.length - skipped.length).toBeGreaterThan(65);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(orders).toEqual([]);
  });

  it('holds in all that is written too, with orders that pay to addresses without a key', async () => {
    const server = await lyingServer(sandbox.url, (answer) => answer);
    const { results, orders } = await check({ baseUrl: server.url, write: true });
    expect(results.filter(({ result }) => result !== 'held')).toEqual([]);
    expect(orders).toHaveLength(4);
    const made = server.requests.filter(
      ({ method, body }) => method === 'POST' && body.includes('0x53414E44424f58'),
    );
    expect(made.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThan(110);
  });

  it('holds for another partner, whose order the first cannot read', async () => {
    const operator = await openOperator({ database, now: Date.now });
    const { publicKey, secret } = await operator.partners.add('second');
    await operator.close();
    const { results } = await check({ credentials: { publicKey, secret }, write: true });
    expect(results.filter(({ result }) => result !== 'held')).toEqual([]);
  });

  it('leaves no statement without its basis', async () => {
    const { results } = await check();
    for (const { basis, decision, expected } of results) {
      if (basis === 'document') expect(decision).toBeNull();
      expect(expected).not.toBe('');
    }
    const decisions = new Set(results.flatMap(({ decision }) => decision ?? []));
    expect(decisions.size).toBe(21);
  });
});

describe('a service that differs in one point', () => {
  let truth: SandboxApp;

  beforeAll(async () => {
    truth = await sandboxApp();
  });

  afterAll(() => truth.close());

  for (const { lie, hear, write, differs, skipped = [], found } of differences) {
    it(`is distinguished by: ${differs.join(', ') || 'nothing, where the document allows it'}`, async () => {
      const { results } = await checkThrough(
        lyingTransport(truth, lie, hear),
        checkOptions({ write: write === true, baseUrl: APP_URL, credentials: truth.credentials }),
      );
      expect(named(results, 'differs')).toEqual(differs);
      const left = results.filter((item) => item.result === 'skipped' && item.found !== 'needs --write');
      expect(left.map(({ endpoint, check }) => `${endpoint}: ${check}`)).toEqual(skipped);
      if (found !== undefined) expect(results.find(({ result }) => result === 'differs')?.found).toBe(found);
    });
  }
});

describe('the pace', () => {
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
    const server = await lyingServer(sandbox.url, (answer) => {
      times.push(ticking.now());
      return { ...answer, headers: { 'content-type': 'application/json' } };
    });
    await check({ baseUrl: server.url, write: true, ...ticking });
    expect(times.length).toBeGreaterThan(60);
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThanOrEqual(index * 500);
  });

  it('spreads what is left of the limit over what is left of the window', async () => {
    const ticking = clock();
    const lie: Lie = (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'ratelimit-remaining': '10', 'ratelimit-reset': '20' },
    });
    const server = await lyingServer(sandbox.url, lie);
    await check({ baseUrl: server.url, ...ticking });
    expect(ticking.now()).toBe((server.requests.length - 1) * 2000);
  });

  it('waits out a 429, and gives up where there is no end of them', async () => {
    const ticking = clock();
    let limited = 1;
    const lie: Lie = (answer) => {
      if (limited <= 0) return answer;
      limited -= 1;
      const text = JSON.stringify({ statusCode: 429, message: 'slow down' });
      return { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' }, text };
    };
    expect(named(await lied(lie, ticking), 'differs')).toEqual([]);
    expect(ticking.now()).toBe(7000);
    limited = Number.POSITIVE_INFINITY;
    await expect(lied(lie, clock())).rejects.toMatchObject({ code: 'rate_limited', exitCode: 6 });
  });

  it('ends with the time of --timeout', async () => {
    const lie: Lie = (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } });
    await expect(lied(lie, { ...clock(), timeoutMs: 5000 })).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('a service that cannot be checked', () => {
  it('is named as unreachable, of an unknown key, or no partner API', async () => {
    const gone = await rawServer(() => undefined);
    await gone.close();
    await expect(check({ baseUrl: gone.url })).rejects.toMatchObject({ code: 'network_error' });
    const stranger = { publicKey: 'nobody', secret: 'nothing-at-all' };
    await expect(check({ credentials: stranger })).rejects.toMatchObject({ code: 'invalid_public_key' });
    const other = await rawServer((_, response) => sendJson(response, 404, { message: 'no such page' }));
    await expect(check({ baseUrl: other.url })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('costs one check where one request always breaks off, and the run where two in a row do', async () => {
    const broken = (isBroken: (count: number, seen: SeenRequest) => boolean): Lie => {
      let count = 0;
      return (answer, seen) => {
        count += 1;
        return isBroken(count, seen) ? 'nothing' : answer;
      };
    };
    expect(named(await lied(broken((count) => count === 3)), 'differs')).toEqual([]);
    const always = broken((_, { url }) => url.includes('limit=101'));
    expect((await lied(always)).filter(({ result }) => result === 'differs')).toMatchObject([
      {
        check: 'a limit of 101',
        found: expect.stringMatching(/closed the connection before the response was complete/),
      },
    ]);
    await expect(lied(broken((count) => count >= 3))).rejects.toMatchObject({ code: 'network_error' });
  });

  it('is sent the order once, though its answer is lost', async () => {
    let sent = 0;
    const lie: Lie = (answer, seen) => {
      if (answer.status !== 201) return answer;
      sent += isCallOf('create-transaction', seen) ? 1 : 0;
      return 'nothing';
    };
    const results = await lied(lie, { write: true });
    expect(sent).toBe(1);
    expect(named(results, 'differs')).toEqual(['create-transaction: fields of a new order']);
  });

  it('never gets a secret or a signature onto the screen by sending it back', async () => {
    const { secret } = sandbox.credentials;
    const lie: Lie = (answer, { headers }) => {
      const echo = `${secret} ${String(headers['x-api-signature'])} ${String(headers['x-api-signature']).toUpperCase()}`;
      if (answer.status < 300) return { ...answer, headers: { ...answer.headers, 'content-type': echo } };
      return { ...answer, text: JSON.stringify({ statusCode: answer.status, message: echo }) };
    };
    const reported = JSON.stringify(await lied(lie, { write: true })).toLowerCase();
    expect(reported).toContain('<redacted>');
    expect(reported).not.toContain(secret.toLowerCase());
    expect(reported).not.toMatch(/[0-9a-f]{100}/);
    expect(reported).not.toContain(sign('get-all-coins', secret).slice(0, 40));
  });
});
