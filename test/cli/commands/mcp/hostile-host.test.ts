import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { rawHost } from './agent.ts';

const WANTED = {
  from: 'BTC',
  to: 'ETH',
  amount: '0.1',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  idempotencyKey: 'pay-1',
};
const ANSWER = { payoutAddress: { action: 'accept', content: { lastSix: '169EE7' } } };

/** Orders at the sandbox, which makes one of each create that it receives. */
async function creates(home: string): Promise<number> {
  return (JSON.parse((await runHere(['sandbox', 'orders', '--json'], { home })).stdout) as object[]).length;
}

/** A host that begins a create, and has the state of the form in its hands. */
async function asked() {
  const home = await temporaryFolder();
  let now = Date.now();
  const host = await rawHost({ home, now: () => now });
  const call = (args: object, more: object = {}) =>
    host.request('tools/call', { name: 'create_swap', arguments: args, ...more });
  const { result } = await call(WANTED);
  const { requestState } = result as { requestState: string };
  return { home, host, call, requestState, later: (milliseconds: number) => (now += milliseconds) };
}

describe('a hostile MCP host', () => {
  it('cannot alter, forge, delay or reuse the state of a form', async () => {
    const { home, call, requestState, later } = await asked();
    const [body = '', signature = ''] = requestState.split('.');
    const changed = Buffer.from(body, 'base64url').toString().replace('0.1', '9.9');
    for (const state of ['', 'x', `${Buffer.from(changed).toString('base64url')}.${signature}`, `${body}.`])
      expect((await call(WANTED, { requestState: state, inputResponses: ANSWER })).error).toMatchObject({
        code: -32602,
      });
    later(301_000);
    expect((await call(WANTED, { requestState, inputResponses: ANSWER })).error).toMatchObject({
      code: -32602,
    });
    expect(await creates(home)).toBe(0);
  });

  it('creates one order with parallel identical responses, and none with a reused state', async () => {
    const { home, call, requestState } = await asked();
    const same = () => call(WANTED, { requestState, inputResponses: ANSWER });
    await Promise.all(Array.from({ length: 8 }, same));
    expect(
      (await call({ ...WANTED, idempotencyKey: 'pay-2' }, { requestState, inputResponses: ANSWER })).error,
    ).toMatchObject({ code: -32602 });
    expect(await creates(home)).toBe(1);
  });

  it('cannot use the state of a form as an approval, with or without forms', async () => {
    const { home, host, call, requestState } = await asked();
    for (const capabilities of [{ elicitation: { form: {} } }, {}]) {
      host.meta['io.modelcontextprotocol/clientCapabilities'] = capabilities;
      const { result } = await call({ ...WANTED, approval: requestState });
      expect(result).toMatchObject({ isError: true });
    }
    expect(await creates(home)).toBe(0);
  });

  it('cannot use a form response for another request', async () => {
    const { home, call, requestState } = await asked();
    const refundAddress = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const { result } = await call({ ...WANTED, refundAddress }, { requestState, inputResponses: ANSWER });
    expect(result).toMatchObject({ isError: true });
    expect(await creates(home)).toBe(0);
  });

  it('gets a protocol error for malformed calls and can still make valid ones', async () => {
    const { host } = await asked();
    const call = (params: object) => host.request('tools/call', params);
    expect((await call({ name: 'no_such_tool', arguments: {} })).error).toMatchObject({ code: -32602 });
    expect((await call({ arguments: {} })).error).toMatchObject({ code: -32602 });
    expect((await host.request('tools/explode', {})).error).toMatchObject({ code: -32601 });
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

  it('that cancels a create finds it in the history with its outcome', async () => {
    const { home, host, requestState } = await asked();
    const id = host.send('tools/call', {
      name: 'create_swap',
      arguments: WANTED,
      requestState,
      inputResponses: ANSWER,
    });
    host.notify('notifications/cancelled', { requestId: id });
    await host.close();
    const [entry] = JSON.parse((await runHere(['history', '--json'], { home })).stdout) as {
      outcome: string;
    }[];
    expect([undefined, 'created', 'not-sent']).toContain(entry?.outcome);
    expect(await creates(home)).toBe(entry?.outcome === 'created' ? 1 : 0);
  });
});
