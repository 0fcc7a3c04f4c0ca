import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMain } from '../../../helpers/run-main.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const REFUND = 'tb1q2dq5u3zzfavd5el7h0nk4v098sqz223690948h';

const home = await mkdtemp(join(tmpdir(), 'swapctl-input-'));

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

  it('is accepted by policy check', async () => {
    const args = ['policy', 'check', '--input', '-', '--json'];
    const input = `{"from":"BTC","to":"ETH","amount":"0.1","address":"${ETH}"}`;
    expect((await runMain(args, { home, input })).json()).toMatchObject({ decision: 'allow' });
  });
});
