import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/home.ts';
import { PROGRAM, runProgram } from '../../helpers/program.ts';
import { calling, connected, REVISIONS } from '../commands/mcp/agent.ts';

const stdio = (env: Record<string, string>) =>
  new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env });

it.each(REVISIONS)('swapctl mcp serves the official client in revision %s', async (revision) => {
  const home = await temporaryFolder();
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', SWAPCTL_PROFILE: 'prod' };
  const transport = stdio(env);
  const onForm = () => ({ action: 'accept', content: { lastSix: '169EE7' } });
  const client = await connected(transport, { revision, onForm });
  const call = calling(client);
  const pair = { from: 'BTC', to: 'ETH', amount: '0.1' };
  // Whatever profile the environment names, the sandbox is used without -p.
  expect((await call('quote', pair)).result).toMatchObject({ pair: 'BTC_ETH', profile: 'sandbox' });
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const { order } = (await call('create_swap', { ...pair, address, idempotencyKey: 'a' })).result;
  expect((await call('sandbox_deposit', { order })).result).toMatchObject({ status: 'confirmation' });
  await call('sandbox_advance', { duration: '2h' });
  expect((await call('swap_status', { order })).result).toMatchObject({ status: 'success', final: true });
  await client.close();
});

it('swapctl mcp ignores malformed messages and reports them only on standard error', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const input = `garbage\n{"jsonrpc":"2.0"}\n${hello}\n`;
  const { code, stdout, stderr } = await runProgram(['mcp'], { home: await temporaryFolder(), input });
  expect(code).toBe(0);
  for (const line of stdout.split('\n').filter(Boolean))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  expect(stderr).toBe('MCP: ignored a malformed message\n');
});

const MIB = 1024 * 1024;
it('swapctl mcp responds to a message of 20 MB with a tool error', async () => {
  const home = await temporaryFolder();
  const client = await connected(stdio({ HOME: home, PATH: process.env['PATH'] ?? '' }), {});
  const amount = '9'.repeat(20 * MIB);
  const { isError, text } = await calling(client)('quote', { from: 'BTC', to: 'ETH', amount });
  expect(isError).toBe(true);
  expect(text).toMatch(/amount/);
  expect(text.length).toBeLessThan(2000);
  await client.close();
});

it('swapctl mcp responds to a message above 64 MiB with a protocol error and exits with 2', async () => {
  const input = `${JSON.stringify('9'.repeat(65 * MIB))}\n`;
  const { code, stdout, stderr } = await runProgram(['mcp'], { home: await temporaryFolder(), input });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    ...{ jsonrpc: '2.0', id: null },
    error: { code: -32600, message: 'A message is larger than 64 MiB.' },
  });
  expect(stderr).toContain('A message is larger than 64 MiB.');
});

it('swapctl mcp exits with 0 and prints nothing when standard input is closed', async () => {
  const { code, stdout, stderr } = await runProgram(['mcp'], { home: await temporaryFolder() });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
});

it.each([['--version'], ['quote', 'BTC', 'ETH', '0.1']])('`%s` loads no MCP library', async (...args) => {
  const home = await temporaryFolder();
  const folder = join(home, 'loaded');
  expect(await runProgram(args, { home, env: { NODE_V8_COVERAGE: folder } })).toMatchObject({ code: 0 });
  const { result } = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'utf8'));
  const urls = (result as { url: string }[]).map(({ url }) => url).filter((url) => url.startsWith('file:'));
  expect(urls).toContainEqual(expect.stringContaining('swapctl.js'));
  const withProtocol = urls.filter((url) =>
    readFileSync(new URL(url), 'utf8').includes('modelcontextprotocol'),
  );
  expect(withProtocol).toEqual([]);
});
