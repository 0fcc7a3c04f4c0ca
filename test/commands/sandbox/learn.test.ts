import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { call, testSandbox } from '../../sandbox/sandbox.ts';
import { startHere } from '../../sandbox/start-here.ts';
import { recordHere } from './record/recording.ts';

const QUOTE = { amount: '0.1', coinFrom: 'BTC', coinTo: 'ETH', lastSource: 'deposit', typeSwap: '2' };

/** A HAR file with one quote. */
async function recorded(): Promise<{ home: string; file: string }> {
  const home = await temporaryFolder();
  const file = join(home, 'calls.har');
  const url = `https://api.example.com/api/private/exchange-coin?${new URLSearchParams(QUOTE)}`;
  const text =
    '{"pair":"BTC_ETH","amount":"0.1","exchangeRate":"20","receive":"2","minAmount":"0.001","maxAmount":"0"}';
  const entry = {
    request: { method: 'GET', url },
    response: { status: 200, headers: [], content: { text } },
  };
  writeFileSync(file, JSON.stringify({ log: { entries: [entry] } }));
  return { home, file };
}

describe('sandbox learn', () => {
  it('makes an overlay of what was recorded, which starts a sandbox', async () => {
    const service = await testSandbox({ habits: new Set(['text-amounts']) });
    const { publicKey, secret } = service.credentials;
    const recording = await recordHere({
      ...{ SWAPCTL_BASE_URL: service.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret },
    });
    const place = { ...service, url: recording.url };
    for (const method of [1, 2]) await call(place, 'get-all-coins', { method, page: 1, limit: 100 });
    await call(place, 'exchange-coin', QUOTE);
    await recording.stop();
    await service.stop();
    const { home, file } = recording;
    const output = join(home, 'service.json');
    const { stdout, error } = await runHere(['sandbox', 'learn', file, '-o', output], { home });
    expect(error).toBeNull();
    expect(stdout).toMatch(/^learned\thabit text-amounts\tamounts in responses are JSON strings$/m);
    expect(stdout).toMatch(/^not shown\tstatus of a create\ta create: /m);
    expect(statSync(output).mode & 0o777).toBe(0o600);
    const server = await startHere(home, '--overlay', output);
    expect((await server.stop()).stderr).toContain('habits of this server: text-amounts\n');
  });

  it('prints the overlay where no file is named, and everything as data', async () => {
    const { home, file } = await recorded();
    const learn = (...args: string[]) => runHere(['sandbox', 'learn', file, ...args], { home });
    const { stdout, stderr } = await learn();
    expect(JSON.parse(stdout).habits).toEqual(['text-amounts', 'no-maximum', 'no-rate-headers']);
    expect(stderr).toContain('1 call to https://api.example.com\n');
    expect(stderr).toContain('not shown: status of a create; a create: swapctl conformance --write\n');
    const data = JSON.parse((await learn('--json')).stdout);
    expect(Object.keys(data)).toEqual(['service', 'calls', 'file', 'overlay', 'learned', 'missing']);
    expect(data.overlay).toEqual(JSON.parse(stdout));
  });

  it('refuses a file that does not end', async () => {
    const { error } = await runHere(['sandbox', 'learn', '/dev/zero'], { home: await temporaryFolder() });
    expect(error).toMatchObject({
      code: 'usage',
      message: 'The file /dev/zero is larger than 256 MB.',
    });
  });

  it('draws a table for a person, overwrites no file, and fails if there is none', async () => {
    const { home, file } = await recorded();
    const args = ['sandbox', 'learn', file, '-o', join(home, 'service.json')];
    const screen = await runHere(args, { home, terminals: ['stdout'], columns: 100 });
    expect(screen.stdout).toContain(' learned    habit text-amounts ');
    const before = readFileSync(join(home, 'service.json'), 'utf8');
    expect((await runHere(args, { home })).error).toMatchObject({ code: 'usage' });
    expect(readFileSync(join(home, 'service.json'), 'utf8')).toBe(before);
    const { error } = await runHere(['sandbox', 'learn', join(home, 'none.har')], { home });
    expect(error).toMatchObject({
      ...{ code: 'usage', exitCode: 2 },
      message: `File ${join(home, 'none.har')} does not exist.`,
    });
  });
});
