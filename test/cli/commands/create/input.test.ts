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

  it('refuses an input of more than 64 KiB', async () => {
    const long = await create(`{"memo":"${'1'.repeat(70_000)}"}`, '--yes');
    expect(long.error()).toMatchObject({
      exitCode: 2,
      message: 'Standard input is larger than 65536 bytes.',
    });
  });

  it('is accepted by policy check', async () => {
    const args = ['policy', 'check', '--input', '-', '--json'];
    const input = `{"from":"BTC","to":"ETH","amount":"0.1","address":"${ETH}"}`;
    expect((await runMain(args, { home, input })).json()).toMatchObject({ decision: 'allow' });
  });
});
