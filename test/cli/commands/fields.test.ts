import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { loadOperations } from '../../../src/cli/command-list.ts';
import { checkFields, fieldNames } from '../../../src/cli/operations/fields.ts';
import { folderOfFile } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { runMain } from '../../helpers/run-main.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CREATE = `create BTC ETH 0.1 --address ${ETH} --yes`;

const home = await folderOfFile();

const swapctl = (line: string) => runMain(line.split(' '), { home });
const refusal = async (line: string) => (await swapctl(line)).error();

describe('--fields', () => {
  it('rejects an unknown key, suggests the nearest one and sends nothing', async () => {
    for (const [field, near] of [
      ['ordr', 'Did you mean order?'],
      ['deposit.adress', 'Did you mean deposit.address?'],
      ['memo', 'Did you mean deposit.memo, receive.memo, swap.deposit.memo?'],
      ['order.id', 'Did you mean id?'],
    ] as const) {
      const line = field === 'order.id' ? `history --fields ${field}` : `${CREATE} --fields order,${field}`;
      expect(await refusal(line)).toMatchObject({ code: 'usage', exitCode: 2, hint: near });
    }
    expect(await refusal('quote BTC ETH 1 --fields __proto__')).toMatchObject({
      message: 'Unknown field __proto__ of quote.',
      hint: expect.stringContaining('Fields: pair, type, '),
    });
    expect((await swapctl('history --json')).json()).toEqual([]);
  });

  it('keeps only the named keys, including nested keys, in the given order', async () => {
    const made = await swapctl(
      `${CREATE} --label shop=eu --fields deposit.address,order,deposit.coin,labels.shop`,
    );
    expect(made.stdout).toMatch(
      /^\{"deposit":\{"address":"[^"]+","coin":"BTC"\},"order":"[^"]+","labels":\{"shop":"eu"\}\}\n$/,
    );
    const { order } = made.json<{ order: string }>();
    expect((await swapctl('history --json --fields order,labels.none')).json()).toEqual([
      { order, labels: {} },
    ]);
    const whole = (await swapctl(`status ${order} --fields receive.coin,receive`)).json<{
      receive: object;
    }>();
    expect(Object.keys(whole)).toEqual(['receive']);
    expect(whole.receive).toMatchObject({ coin: 'ETH', address: ETH });
  });

  it('applies to each item of a list and to each line of a stream', async () => {
    expect((await swapctl('coins USDD --fields code,deposit.network')).json()).toEqual([
      { code: 'USDD', deposit: [{ network: 'TRX' }] },
    ]);
    const lines = await runMain(['address', '-', '--fields', 'valid'], {
      home,
      input: `ETH\t${ETH}\nETH\tnone\n`,
    });
    expect(lines.stdout).toBe('{"valid":true}\n{"valid":false}\n');
    const ctrlC = new AbortController();
    const watched = await runHere(`${CREATE} --watch --fields type,swap.status,error`.split(' '), {
      home,
      signal: ctrlC.signal,
      onOutput: () => ctrlC.abort(new InterruptedError('SIGINT')),
    });
    expect(watched.stdout.split('\n')[0]).toBe('{"type":"status","swap":{"status":"new"}}');
  });

  it('implies JSON on a terminal and keeps amounts as numbers in a dry run', async () => {
    const { stdout } = await runHere(['quote', 'BTC', 'ETH', '0.1', '--fields', 'pair'], {
      home,
      terminals: AT_TERMINAL,
    });
    expect(stdout).toBe('{\n  "pair": "BTC_ETH"\n}\n');
    const dry = await swapctl(`${CREATE} --dry-run --fields request.body.depositAmount,request.method`);
    expect(dry.stdout).toBe('{"request":{"body":{"depositAmount":0.1},"method":"POST"}}\n');
  });

  it('selects keys of a snapshot diff', async () => {
    await swapctl('sandbox snapshot save one');
    expect((await swapctl('sandbox snapshot diff one --fields same,from.name')).json()).toEqual({
      same: true,
      from: { name: 'one' },
    });
  });

  it('is a usage error for a command without fixed keys and for an empty name', async () => {
    for (const line of ['api coins-list --fields a', '--fields a', 'quote BTC ETH 1 --fields a,,b'])
      expect(await refusal(line)).toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it('accepts every key in the schema of every command', async () => {
    const table = await loadOperations();
    for (const [path, { result }] of table.operations) {
      const schema = table.resultSchema(path);
      const names = fieldNames(schema);
      expect([path, names.length > 0]).toEqual([path, result.length > 0]);
      if (names.length > 0) checkFields(schema, path, names);
    }
  });
});
