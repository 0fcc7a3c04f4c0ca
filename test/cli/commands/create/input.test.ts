import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOfFile } from '../../../helpers/home.ts';
import { runMain } from '../../../helpers/run-main.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const REFUND = 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h';

const home = await folderOfFile();

const create = (input: string, ...args: string[]) =>
  runMain(['create', '--input', '-', '--json', ...args], { home, input });
const refusal = async (input: string, ...args: string[]) => (await create(input, '--yes', ...args)).error();

describe('create --input', () => {
  it('creates the described swap with all digits of its amount, and reuses it for the same key', async () => {
    const row = `{"from":"BTC","to":"ETH","amount":0.12345678,"address":"${ETH}","refundAddress":"${REFUND}",
      "type":"fixed","minReceive":"1","key":"row-1","labels":{"shop":"eu"},"memo":null}`;
    const made = (await create(row, '--yes')).json();
    expect(made).toMatchObject({
      type: 'fixed',
      refundAddress: REFUND,
      labels: { shop: 'eu' },
      replayed: false,
      asked: { deposit: '0.12345678' },
      receive: { coin: 'ETH', address: ETH },
    });
    const file = join(home, 'row.json');
    await writeFile(file, row);
    const again = await runMain(['create', '--input', file, '--yes', '--json'], { home });
    expect(again.json()).toMatchObject({ order: made['order'], replayed: true });
  });

  it('uses flags for keys that the object leaves out', async () => {
    const dry = await create(
      `{"from":"BTC","to":"ETH","amount":"2","receive":true,"address":"${ETH}"}`,
      '--fixed',
      '--label',
      'a=1',
      '--dry-run',
    );
    expect(dry.json()).toMatchObject({ request: { body: { lastSource: 'receive', typeSwap: 1 } } });
  });

  it('rejects invalid input with the name of the key and sends nothing', async () => {
    const before = (await runMain(['history', '--json'], { home })).json();
    for (const [input, message] of [
      ['', 'The input is not one JSON object, or has a duplicate key.'],
      ['[{"from":"BTC"}]', 'The input is not one JSON object, or has a duplicate key.'],
      ['{"from":"BTC","from":"ETH"}', 'The input is not one JSON object, or has a duplicate key.'],
      ['{"adress":"x"}', 'Invalid adress in the input: Unknown key adress.'],
      ['{"address":["x"]}', 'Invalid address in the input: address must be a string.'],
      ['{"receive":"perhaps"}', 'Invalid receive in the input: Expected true or false.'],
      ['{"type":"best"}', 'Invalid type in the input: Unknown rate type.'],
      ['{"labels":["a"]}', 'Invalid labels in the input: labels must be an object with string values.'],
      [`{"memo":"${'1'.repeat(70_000)}"}`, 'Standard input is larger than 65536 bytes.'],
    ] as const)
      expect(await refusal(input)).toMatchObject({ code: 'usage', exitCode: 2, message });
    expect(await refusal('{"adress":"x"}')).toMatchObject({ hint: 'Did you mean address?' });
    expect((await runMain(['history', '--json'], { home })).json()).toEqual(before);
  });

  it('rejects a value set both in the object and by a flag', async () => {
    const row = '{"from":"BTC","to":"ETH","amount":"1","type":"float","key":"k","memo":"1"}';
    expect(await refusal(row, 'BTC')).toMatchObject({
      message: '--input cannot be combined with coins, an amount or --like.',
    });
    for (const [flags, name] of [
      [['--fixed'], '--float'],
      [['--idempotency-key', 'other'], '--idempotency-key'],
      [['--no-memo'], '--memo'],
    ] as const)
      expect(await refusal(row, ...flags)).toMatchObject({ message: `${name} is also in the input.` });
  });

  it('is accepted by policy check', async () => {
    const args = ['policy', 'check', '--input', '-', '--json'];
    const input = `{"from":"BTC","to":"ETH","amount":"0.1","address":"${ETH}"}`;
    expect((await runMain(args, { home, input })).json()).toMatchObject({ decision: 'allow' });
  });
});
