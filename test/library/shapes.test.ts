import { afterAll, describe, expect, it } from 'vitest';
import { SwapctlError } from '../../src/base/errors.ts';
import * as library from '../../src/library/library.ts';
import { startSandbox } from '../../src/library/testing.ts';

const { createSwapClient } = library;
const PAIR = { from: { coin: 'BTC' }, to: { coin: 'ETH', network: 'ETH' }, amount: '0.1' };
const CREATE = { ...PAIR, address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };

const sandbox = await startSandbox();
afterAll(() => sandbox.close());

/** A value of every kind that JavaScript has. */
const ANYTHING: readonly unknown[] = [
  ...[undefined, null, true, 5, Number.NaN, 10n, '', 'x', Symbol('s'), () => 1, [], [null], {}],
  ...[Object.create(null), new Date(), new Map(), { coin: {} }, { order: 'A' }],
];

type Call = (...values: unknown[]) => unknown;

/** Calls a function with anything; every error must be a SwapctlError. */
async function tortured(call: Call, others: readonly unknown[] = [undefined]): Promise<number> {
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

describe('a value of a wrong shape', () => {
  it.each(
    Object.entries(library).filter(([name, value]) => typeof value === 'function' && name !== 'SwapctlError'),
  )('is a SwapctlError of %s, if it is refused at all', async (_, call) => {
    await tortured(call as Call, ANYTHING);
  });

  it.each(['create', 'quote', 'status', 'networks', 'setRefundAddress'] as const)(
    'is a SwapctlError of client.%s',
    async (method) => {
      const call = createSwapClient(sandbox)[method] as Call;
      expect(await tortured(call)).toBe(ANYTHING.length);
    },
  );

  it.each('from to amount address type lastSource memo noMemo refundAddress minReceive'.split(' '))(
    'is a SwapctlError as the field %s of a create, where it is not left out',
    async (field) => {
      const client = createSwapClient(sandbox);
      for (const value of ANYTHING.filter((each) => each !== undefined && each !== null && each !== true)) {
        const made = client.create({ ...CREATE, [field]: value });
        await expect(made, String(typeof value)).rejects.toBeInstanceOf(SwapctlError);
      }
    },
  );

  it.each(['deposit', 'receive', 'doubts', 'asked'])(
    'is a SwapctlError as the field %s of an earlier description',
    async (field) => {
      const client = createSwapClient(sandbox);
      const created = await client.create(CREATE);
      for (const value of ANYTHING.filter((each) => !(Array.isArray(each) && each.length === 0)))
        if (!(field === 'asked' && value === null))
          await expect(client.status({ ...created, [field]: value })).rejects.toBeInstanceOf(SwapctlError);
    },
  );

  it.each(['deposit', 'move', 'fault', 'save', 'load', 'advance'] as const)(
    'is a SwapctlError of sandbox.%s',
    async (method) => {
      await tortured(sandbox[method] as Call, [undefined, {}, 5]);
    },
  );

  it.each(['rough', 'catalog', 'overlay', 'seed', 'timeScale', 'scenario', 'magic'])(
    'is a SwapctlError as the option %s of a sandbox',
    async (option) => {
      const accepted: unknown[] = option === 'magic' || option === 'rough' ? [undefined, true] : [undefined];
      for (const value of ANYTHING.filter((each) => !accepted.includes(each))) {
        const started = startSandbox({ [option]: value } as object).then(
          (own) => own.close(),
          (error: unknown) => expect(error).toBeInstanceOf(SwapctlError),
        );
        await started;
      }
    },
  );

  it('is a SwapctlError as the options of a sandbox', async () => {
    for (const value of [null, 5, 'x', [], 10n])
      await expect(startSandbox(value as object)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a field', () => {
  it('that is missing is reported as missing', async () => {
    const { amount, ...withoutAmount } = CREATE;
    const client = createSwapClient(sandbox);
    const asked: [() => unknown, string][] = [
      [() => createSwapClient({} as never), '"baseUrl" is missing.'],
      [() => createSwapClient(undefined as never), '"options" is missing.'],
      [() => client.create(withoutAmount as never), '"amount" is missing.'],
      [() => client.create({ ...CREATE, to: undefined } as never), '"to" is missing.'],
      [() => client.create(PAIR as never), '"address" is missing.'],
      [() => client.status(undefined as never), '"order" is missing.'],
      [() => library.sign('exchange-coin', undefined as never), '"secret" is missing.'],
    ];
    for (const [call, message] of asked)
      await expect((async () => call())()).rejects.toMatchObject({ code: 'usage', message });
  });

  it('that is unknown is refused with the nearest name', async () => {
    const client = createSwapClient(sandbox);
    const typo: object = { ...CREATE, minRecieve: '2' };
    await expect(client.create(typo as typeof CREATE)).rejects.toMatchObject({
      ...{
        code: 'usage',
        message: '"request" has an unknown field minRecieve.',
        hint: 'Did you mean minReceive?',
      },
    });
    expect(() => createSwapClient({ ...sandbox, timeout: 5 } as never)).toThrow('unknown field timeout');
    await expect(startSandbox({ scenarios: 'success' } as object)).rejects.toMatchObject({
      hint: 'Did you mean scenario?',
    });
    // The request of a create is good for its quote too.
    expect(await client.quote({ ...CREATE })).toMatchObject({ amount: '0.1' });
  });
});

it('NODE_DEBUG that would print signatures is refused as in the program', () => {
  process.env['NODE_DEBUG'] = 'http';
  try {
    expect(() => createSwapClient(sandbox)).toThrow('NODE_DEBUG makes Node print http');
  } finally {
    delete process.env['NODE_DEBUG'];
  }
});
