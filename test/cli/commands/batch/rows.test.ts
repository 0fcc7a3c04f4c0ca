import { beforeEach, describe, expect, it } from 'vitest';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { type Desk, deskWith } from './desk.ts';

const { eth, xrp } = ADDRESSES;
const HEAD = 'from,to,amount,address';

let desk: Desk;

beforeEach(async () => {
  desk = await deskWith();
});

/** What is refused of a file: `row:line column code: message`. */
async function problems(text: string): Promise<readonly string[]> {
  const run = await desk.run(['batch', desk.file('rows', text), '--yes', '--json']);
  expect(run.stdout).toBe('');
  expect(run.error).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent' });
  expect(desk.service.posts()).toBe(0);
  const errors = (run.error?.details?.['errors'] ?? []) as Record<string, unknown>[];
  return errors.map(({ row, line, column, code, message }) => `${row}:${line} ${column} ${code}: ${message}`);
}

describe('a batch file', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'has an unknown column',
      `from,to,amout,address\nBTC,ETH,1,${eth}\n`,
      ['null:1 amout usage: Unknown column amout.'],
    ],
    [
      'names saved addresses',
      `${HEAD},refund_address\nBTC,ETH,0.1,@treasury,@cold\n`,
      [
        '1:2 address invalid_address: A row needs the address itself, not the name of a saved one.',
        '1:2 refund_address invalid_address: A row needs the address itself, not the name of a saved one.',
      ],
    ],
    [
      'has errors in several rows and columns',
      `${HEAD},memo,receive,type,min_receive,refund_address,key\nBTC,ETH,"0,1",${eth},,maybe,fast,1e3,,a b\nBTCC,ETH,0.1,${eth},,,,,,\nBTC,XRP,0.1,${xrp},,,,,,\nBTC,ETH,0.123456789,0x12,,,,,nonsense,\nBTC,XRP,1e3,,,,,,nonsense,\n`,
      [
        '1:2 amount invalid_amount: Invalid amount 0,1: it contains a comma; use a decimal point and no thousands separators.',
        '1:2 receive usage: Expected true or false.',
        '1:2 type usage: Unknown rate type.',
        '1:2 min_receive invalid_amount: Invalid amount 1e3: it must not have an exponent.',
        '1:2 key usage: Invalid idempotency key: use 1 to 255 printable ASCII characters without spaces.',
        '2:3 from unknown_coin: The service has no coin BTCC.',
        '3:4 memo memo_required: Missing memo for XRP. This network needs a memo to credit a payment to the right recipient.',
        '4:5 amount invalid_amount: BTC has 8 decimals, so 0.123456789 cannot be paid exactly.',
        '4:5 address invalid_address: Invalid payout address. After 0x exactly 40 hexadecimal digits must follow.',
        '4:5 refund_address invalid_address: Invalid refund address. The address has the wrong checksum, length or network.',
        // What can be read is checked though the rest cannot.
        '5:6 amount invalid_amount: Invalid amount 1e3: it must not have an exponent.',
        '5:6 address usage: The row has no value for address.',
      ],
    ],
    [
      'has rows of the wrong length or without a required value',
      `${HEAD}\nBTC,ETH,0.1\nBTC,,0.1,${eth}\nBTC,ETH,0.1,${eth},more\n`,
      [
        '1:2 null usage: The row has 3 cells, but there are 4 headings.',
        '2:3 to usage: The row has no value for to.',
        '3:4 null usage: The row has 5 cells, but there are 4 headings.',
      ],
    ],
    [
      'has amounts outside the limits',
      `${HEAD}\nBTC,ETH,0.1,${eth}\nBTC,ETH,0.0001,${eth}\nBTC,ETH,1000,${eth}\n`,
      [
        '2:3 amount amount_below_min: 0.0001 BTC is below the minimum. The limits of BTC → ETH are 0.001 to 100 BTC.',
        '3:4 amount amount_above_max: 1000 BTC is above the maximum. The limits of BTC → ETH are 0.001 to 100 BTC.',
      ],
    ],
    [
      'requires more than the quote pays',
      `${HEAD},min_receive\nBTC,ETH,0.1,${eth},2.6\nBTC,ETH,0.1,${eth},2.5\n`,
      ['1:2 min_receive invalid_amount: The quote pays 2.5 ETH, less than the minimum of 2.6.'],
    ],
    [
      'has unknown JSON keys and values of the wrong type',
      `{"from":"BTC","to":"ETH","amount":1e-1,"address":"${eth}","min_receive":"1"}\n\n{"from":["BTC"],"to":"ETH","amount":0.1,"address":"${eth}","receive":"perhaps","labels":{"a":{},"b=c":"d"}}\nnot JSON\n[]\n{"to":"ETH","to":"BTC"}\n`,
      [
        '1:1 min_receive usage: Unknown key min_receive.',
        '1:1 amount invalid_amount: Invalid amount 1e-1: it must not have an exponent.',
        '2:3 from usage: from must be a string.',
        '2:3 labels usage: A label must be a string.',
        '2:3 labels usage: Invalid label: its key is not 1 to 64 letters, digits, dots, hyphens and underscores.',
        '2:3 receive usage: Expected true or false.',
        '3:4 null usage: The line is not valid JSON, or has a duplicate key.',
        '4:5 null usage: The line is not a JSON object.',
      ],
    ],
  ])('that %s is rejected with a list of its problems', async (_, text, expected) => {
    expect(await problems(text)).toEqual(expected);
  });

  it.each<[string, string | Buffer, string, string | null]>([
    [
      'has a quote within a cell',
      `${HEAD}\nBTC,ETH,0.1,x"${eth}\n`,
      'The CSV cannot be read at line 2: a cell that does not start with a quote contains one.',
      'Enclose cells that contain a comma, a quote or a line break in double quotes, and double each quote inside.',
    ],
    [
      'has a row that is too long',
      `${HEAD}\n${'x'.repeat(70_000)}`,
      'The CSV cannot be read at line 2: a row is longer than 65536 characters.',
      'Enclose cells that contain a comma, a quote or a line break in double quotes, and double each quote inside.',
    ],
  ])('that %s is rejected', async (_, text, message, hint) => {
    const run = await desk.run(['batch', desk.file('rows', String(text)), '--yes']);
    expect(run.error).toMatchObject({ code: 'usage', message, hint });
    expect(desk.service.requests.filter(({ endpoint }) => endpoint !== 'get-all-coins')).toEqual([]);
  });

  it('that is missing or a folder is rejected with its path, before --yes is required', async () => {
    for (const [path, message] of [
      ['/nowhere/rows.csv', 'File /nowhere/rows.csv does not exist.'],
      [desk.home, `${desk.home} is a folder, not a file.`],
    ] as const)
      expect((await desk.run(['batch', path])).error).toMatchObject({ code: 'usage', message });
  });

  it('prints one line for each problem with row, line and column', async () => {
    const run = await desk.run(['batch', desk.file('rows', `${HEAD}\nBTC,ETH,+1,${eth}\n`), '--yes']);
    expect(run.stderr).toContain(
      'row 1 (line 2), amount: Invalid amount +1: it must not start with a plus sign.',
    );
    expect(run.error?.message).toBe('Nothing was sent: 1 of 1 rows has a problem.');
  });

  it('is rejected without printing a seed phrase or private key in the wrong column', async () => {
    const phrase =
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
    const key = `L${'1'.repeat(51)}`;
    const text = `${HEAD},memo,label.note\nBTC,ETH,0.1,${eth},${phrase},${phrase}\n${phrase},ETH,${key},${phrase},,\n`;
    const run = await desk.run(['batch', desk.file('rows', text), '--yes']);
    expect(run.error?.exitCode).toBe(2);
    expect(run.stderr).not.toContain('abandon abandon');
    expect(run.stderr).not.toContain(key);
    const header = await desk.run(['batch', desk.file('rows', `${phrase}\n`), '--yes']);
    expect(`${header.stderr}${JSON.stringify(header.error?.toJSON())}`).not.toContain('abandon abandon');
  });
});

describe('a valid batch file', () => {
  const review = async (text: string) => {
    const run = await desk.run(['batch', desk.file('rows', text), '--dry-run', '--json']);
    expect(run.error).toBeNull();
    expect(desk.service.posts()).toBe(0);
    return JSON.parse(run.stdout) as Record<string, unknown>;
  };
  const total = (side: string, coin: string, rows: number, amount: string, estimated: boolean) => ({
    side,
    coin,
    network: coin,
    rows,
    amount,
    estimated,
  });

  it('may have a byte order mark, CRLF line endings and quoted cells', async () => {
    const text = `\uFEFF"from",to, amount ,address,label.note\r\nbtc,"ETH",0.10,${eth},"a ""b"", c"\r\n\r\n BTC ,eth:ETH, 0.2 ,${eth},`;
    expect(await review(text)).toMatchObject({
      dryRun: true,
      rows: 2,
      toCreate: 2,
      repeated: 0,
      existing: 0,
      unknown: 0,
      totals: [total('deposit', 'BTC', 2, '0.3', false), total('receive', 'ETH', 2, '7.5', true)],
      profile: 'env',
      environment: 'sandbox',
    });
    // One for each amount, as long as they are few.
    expect(desk.service.count('exchange-coin')).toBe(2);
  });

  it('keeps the digits of JSON numbers, and each row may set `receive` and `type`', async () => {
    const rows = [
      `{"from":"BTC","to":"ETH","amount":0.10000001,"address":"${eth}"}`,
      `{"from":"BTC","to":"ETH","amount":"2.5","address":"${eth}","receive":true,"memo":null}`,
      `{"from":"BTC","to":"ETH","amount":2.5,"address":"${eth}","receive":true}`,
      `{"from":"BTC","to":"XRP","amount":0.1,"address":"${xrp}","memo":7,"type":"FIXED","minReceive":"2","labels":{"n":12}}`,
    ];
    const found = await review(rows.join('\n'));
    expect(found['totals']).toEqual([
      total('deposit', 'BTC', 4, '0.40000001', true),
      total('receive', 'ETH', 3, '7.50000025', true),
      total('receive', 'XRP', 1, '2.5', true),
    ]);
    // One of the first row, one for the two rows that want the same payout, one of the fixed rate.
    expect(desk.service.count('exchange-coin')).toBe(3);
  });

  it('is reviewed with the largest rows of each coin', async () => {
    const lines = ['0.1', '0.5', '0.3', '0.4', '0.2'].map(
      (amount) => `BTC,ETH,${amount},${eth.toLowerCase()}`,
    );
    const found = await review(`${HEAD}\n${lines.join('\n')}\nXRP,ETH,9,${eth}\n`);
    expect(found['largest']).toMatchObject(
      [
        [2, '0.5', 'BTC'],
        [4, '0.4', 'BTC'],
        [3, '0.3', 'BTC'],
        [6, '9', 'XRP'],
      ].map(([row, amount, coin]) => ({ row, deposit: { coin, amount }, address: eth })),
    );
  });

  it('is accepted on standard input', async () => {
    const input = `${HEAD}\nBTC,ETH,0.1,${eth}\n`;
    const run = await desk.run(['batch', '-', '--dry-run', '--json'], { input });
    expect(JSON.parse(run.stdout)).toMatchObject({ rows: 1 });
  });
});

it.each([
  ['deposit', ['', 'no', 'N', 'false', '0']],
  ['receive', ['yes', 'y', 'True', '1']],
])('the amount of a row is the %s amount if its cell `receive` is one of %j', async (side, cells) => {
  for (const cell of cells) {
    const text = `${HEAD},receive\nBTC,ETH,0.1,${eth},${cell}\n`;
    await desk.run(['batch', desk.file('rows', text), '--dry-run', '--json']);
    const asked = desk.service.requests.filter(({ endpoint }) => endpoint === 'exchange-coin').at(-1);
    expect([cell, asked?.query.get('lastSource')]).toEqual([cell, side]);
  }
});
