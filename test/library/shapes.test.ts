import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import * as library from '../../src/library/library.ts';
import { startSandbox } from '../../src/library/testing.ts';

const { createSwapClient } = library;
const PAIR = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
const CREATE = { ...PAIR, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };

const sandbox = await startSandbox();
afterAll(() => sandbox.close());

/** A value of every type in JavaScript. */
const ANYTHING: readonly unknown[] = [
  undefined,
  null,
  true,
  5,
  Number.NaN,
  10n,
  '',
  'x',
  Symbol('s'),
  () => 1,
  [],
  [null],
  {},
  Object.create(null),
  new Date(),
  new Map(),
  { coin: {} },
  { order: 'A' },
];

type Call = (...values: unknown[]) => unknown;

/** Calls a function with each of these values; the number of errors, which must all be SwapctlErrors. */
async function callWithAnything(call: Call, others: readonly unknown[] = [undefined]): Promise<number> {
  let refusals = 0;
  for (const value of ANYTHING) {
    for (const other of others) {
      try {
        await call(value, other);
      } catch (error) {
        if (!(error instanceof SwapctlError)) throw error;
        refusals += 1;
      }
    }
  }
  return refusals;
}

describe('a value of any type', () => {
  it.each(
    Object.entries(library).filter(([name, value]) => typeof value === 'function' && name !== 'SwapctlError'),
  )('makes %s return or throw a SwapctlError', async (_, call) => {
    await callWithAnything(call as Call, ANYTHING);
  });

  it.each(['create', 'quote', 'status', 'networks', 'setRefundAddress'] as const)(
    'makes client.%s throw a SwapctlError',
    async (method) => {
      const call = createSwapClient(sandbox)[method] as Call;
      expect(await callWithAnything(call)).toBe(ANYTHING.length);
    },
  );

  it.each('from to amount address type lastSource memo noMemo refundAddress minReceive'.split(' '))(
    'is rejected with a SwapctlError as the field %s of a create',
    async (field) => {
      const client = createSwapClient(sandbox);
      for (const value of ANYTHING.filter((each) => each !== undefined && each !== null && each !== true)) {
        const made = client.create({ ...CREATE, [field]: value });
        await expect(made, String(typeof value)).rejects.toBeInstanceOf(SwapctlError);
      }
    },
  );

  it.each(['deposit', 'receive', 'doubts', 'asked'])(
    'is rejected with a SwapctlError as the field %s of a SwapDescription',
    async (field) => {
      const client = createSwapClient(sandbox);
      const created = await client.create(CREATE);
      for (const value of ANYTHING.filter((each) => !(Array.isArray(each) && each.length === 0)))
        if (!(field === 'asked' && value === null))
          await expect(client.status({ ...created, [field]: value })).rejects.toBeInstanceOf(SwapctlError);
    },
  );

  it.each(['deposit', 'move', 'fault', 'advance'] as const)(
    'makes sandbox.%s return or throw a SwapctlError',
    async (method) => {
      await callWithAnything(sandbox[method] as Call, [undefined, {}, 5]);
    },
  );

  it.each(['rough', 'overlay', 'seed', 'timeScale', 'scenario'])(
    'is accepted or rejected with a SwapctlError as the option %s of startSandbox',
    async (option) => {
      const accepted: unknown[] = option === 'rough' ? [undefined, true] : [undefined];
      for (const value of ANYTHING.filter((each) => !accepted.includes(each))) {
        const started = startSandbox({ [option]: value } as object).then(
          (own) => own.close(),
          (error: unknown) => expect(error).toBeInstanceOf(SwapctlError),
        );
        await started;
      }
    },
  );

  it('is rejected as the options of startSandbox', async () => {
    for (const value of [null, 5, 'x', [], 10n])
      await expect(startSandbox(value as object)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a field of the library', () => {
  it('that is missing is named by the error', async () => {
    const client = createSwapClient(sandbox);
    const asked: [() => unknown, string][] = [
      [() => createSwapClient({} as never), '"baseUrl" is missing.'],
      [() => createSwapClient(undefined as never), '"options" is missing.'],
      [() => client.create({ ...CREATE, to: undefined } as never), '"to" is missing.'],
      [() => library.sign('exchange-coin', undefined as never), '"secret" is missing.'],
    ];
    for (const [call, message] of asked)
      await expect((async () => call())()).rejects.toMatchObject({ code: 'usage', message });
  });

  it('that is unknown is rejected with the nearest name', async () => {
    const client = createSwapClient(sandbox);
    const typo: object = { ...CREATE, minRecieve: '2' };
    await expect(client.create(typo as typeof CREATE)).rejects.toMatchObject({
      code: 'usage',
      message: '"request" has an unknown field minRecieve.',
      hint: 'Did you mean minReceive?',
    });
    const keyed: object = { ...CREATE, idempotencyKey: 'one' };
    await expect(client.create(keyed as typeof CREATE)).rejects.toThrow(
      '"idempotencyKey" needs a client with a "ledger".',
    );
    expect(() => createSwapClient({ ...sandbox, timeout: 5 } as never)).toThrow('unknown field timeout');
    await expect(startSandbox({ scenarios: 'success' } as object)).rejects.toMatchObject({
      hint: 'Did you mean scenario?',
    });
    // A quote accepts the request of a create.
    expect(await client.quote({ ...CREATE })).toMatchObject({ amount: '0.1' });
  });
});

it('createSwapClient throws if NODE_DEBUG would print signatures', () => {
  process.env['NODE_DEBUG'] = 'http';
  try {
    expect(() => createSwapClient(sandbox)).toThrow('NODE_DEBUG makes Node print http');
  } finally {
    delete process.env['NODE_DEBUG'];
  }
});
