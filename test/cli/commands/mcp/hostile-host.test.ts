import { expect, it } from 'vitest';
import { rawHost } from './agent.ts';

const WANTED = {
  from: 'BTC',
  to: 'ETH',
  amount: '0.1',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  idempotencyKey: 'pay-1',
};

it('an MCP host gets a protocol error for malformed calls and can still make valid ones', async () => {
  const request = await rawHost();
  const call = (params: object) => request('tools/call', params);
  expect((await call({ name: 'no_such_tool', arguments: {} })).error).toMatchObject({ code: -32602 });
  expect((await call({ arguments: {} })).error).toMatchObject({ code: -32602 });
  expect((await request('tools/explode', {})).error).toMatchObject({ code: -32601 });
  const huge = { ...WANTED, address: 'x'.repeat(10_000_000) };
  expect((await call({ name: 'create_swap', arguments: huge })).result).toMatchObject({ isError: true });
  const many = {
    ...WANTED,
    labels: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, 'v'])),
  };
  expect(JSON.stringify(await call({ name: 'create_swap', arguments: many }))).toContain('rror');
  expect((await call({ name: 'policy_left', arguments: {} })).result).toMatchObject({
    structuredContent: {},
  });
});
