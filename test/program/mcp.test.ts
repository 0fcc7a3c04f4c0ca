import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { calling, connected } from '../commands/mcp/agent.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { PROGRAM, runProgram } from '../helpers/program.ts';

it('serves tools over standard input and output, on the sandbox whatever profile the environment names', async () => {
  const home = await temporaryFolder();
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', SWAPCTL_PROFILE: 'prod' };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env,
    stderr: 'pipe',
  });
  const client = await connected(transport, {});
  const { result } = await calling(client)('quote', { from: 'BTC', to: 'ETH', amount: '0.1' });
  expect(result).toMatchObject({ pair: 'BTC_ETH', profile: 'sandbox', environment: 'sandbox' });
  await client.close();
});

it('ends with 0 when the host closes standard input, and writes nothing else', async () => {
  const { code, stdout, stderr } = await runProgram(['mcp'], { home: await temporaryFolder() });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
});
