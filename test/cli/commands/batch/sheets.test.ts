import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RowRecord, readRows } from '../../../../src/cli/commands/batch/rows/read-rows.ts';
import { openSpool } from '../../../../src/cli/commands/batch/spool.ts';
import { sheetRows } from '../../../../src/cli/commands/shared/sheet.ts';
import { writeConfig } from '../../../helpers/config.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { liveHeap } from '../../../helpers/live-heap.ts';
import { runHere } from '../../../helpers/run-here.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { hasTool } from '../../../helpers/tools.ts';
import { type Desk, deskWith } from './desk.ts';

const { eth } = ADDRESSES;

let desk: Desk;

beforeEach(async () => {
  desk = await deskWith();
});

/** Rows and total of a dry run, or its error. */
async function reviewed(file: string, flags: readonly string[] = []) {
  const run = await desk.run(['batch', file, '--dry-run', '--json', ...flags]);
  if (run.error !== null) return run.error;
  const { rows, totals } = JSON.parse(run.stdout) as { rows: number; totals: { amount: string }[] };
  return [rows, totals[0]?.amount];
}

// Needs Debian's package python3, whose csv module writes as Excel and LibreOffice do.
describe.skipIf(!hasTool('python3'))('a file exported from a spreadsheet', () => {
  const PROGRAM = `
import csv, io, json, sys
rows = [["FROM", "To ", "Amount", "Address", "Min-Receive", "label.Note", ""],
        ["BTC", "ETH", "0.1", sys.argv[1], "", 'a; "b", c', ""], ["btc", "eth", "0.2", sys.argv[1], "", "", ""],
        ["", "", "", "", "", "", ""], ["", "", "", "", "", "", ""]]
def text(**options):
    out = io.StringIO()
    csv.writer(out, **options).writerows(rows)
    return out.getvalue()
bom = "\\ufeff"
print(json.dumps({
    "Excel": bom + text(dialect="excel"), "Excel with a decimal comma": bom + text(dialect="excel", delimiter=";"),
    "Excel as text": text(dialect="excel-tab"), "LibreOffice": text(dialect="unix"),
    "LibreOffice with tabs": text(dialect="unix", delimiter="\\t", quoting=csv.QUOTE_MINIMAL),
    "older Excel on a Mac": text(dialect="excel", lineterminator="\\r"),
}))`;
  let samples: Readonly<Record<string, string>>;

  beforeAll(() => {
    samples = JSON.parse(execFileSync('python3', ['-c', PROGRAM, eth], { encoding: 'utf8' }));
  });

  it('is read with any delimiter, quoting and line ending that Excel or LibreOffice writes', async () => {
    const found: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(samples)) found[name] = await reviewed(desk.file('rows', text));
    expect(Object.keys(found)).toHaveLength(6);
    expect(found).toEqual(Object.fromEntries(Object.keys(samples).map((name) => [name, [2, '0.3']])));
  });
});

describe('a batch file from a spreadsheet', () => {
  const pieces = async function* (text: string) {
    yield* text;
  };

  it('may have mixed line endings, even split across chunks', async () => {
    const found: (readonly string[])[] = [];
    for await (const { cells } of sheetRows(pieces('\uFEFFa;b\r\n1;"x\r\ny"\n\r\n2;3\r4;5\r\n;;\r\n')))
      found.push(cells);
    expect(found).toEqual([
      ['a', 'b'],
      ['1', 'x\r\ny'],
      ['2', '3'],
      ['4', '5'],
    ]);
  });

  it('may omit empty trailing cells, but not a required cell or a heading', async () => {
    const short = `from,to,amount,address,memo,key\nBTC,ETH,0.1,${eth}\nBTC,ETH,0.1,${eth},,,,\n`;
    expect(await reviewed(desk.file('rows', short))).toEqual([2, '0.2']);
    const nameless = await reviewed(desk.file('rows', `from,to,amount,,address\nBTC,ETH,0.1,7,${eth}\n`));
    expect(nameless).toMatchObject({
      details: { errors: [{ message: 'Column 4 has a cell but no heading.' }] },
    });
  });

  it('maps other headings with --map and reports ignored columns', async () => {
    const text = `Datum;Von;Nach;Betrag netto;Empfänger;Text\n1.2.;BTC;ETH;0.1;${eth};Miete\n`;
    const file = desk.file('rows', text);
    const map = ['--map', 'from=von,to=Nach,amount=betrag-netto'];
    const also = ['--map', 'address=Empfänger,label.note=Text'];
    const run = await desk.run(['batch', file, '--yes', '--json', ...map, ...also]);
    expect(run.error).toBeNull();
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'created', swap: { labels: { note: 'Miete' } } });
    expect(run.stderr).toContain('Ignored columns: "Datum".\n');
    expect(await reviewed(file, ['--map', 'amount=Betrag'])).toMatchObject({
      message: 'The file has no column "Betrag".',
    });
  });

  it('is rejected if an ignored column may be a misspelled known column', async () => {
    const text = `from,to,Betrag,address,mem\nBTC,ETH,0.1,${eth},7\n`;
    expect(await reviewed(desk.file('rows', text), ['--map', 'amount=Betrag'])).toMatchObject({
      details: { errors: [{ message: 'Unknown column mem.', hint: 'Did you mean memo?' }] },
    });
    const both = `from,to,amount,Betrag,address\nBTC,ETH,7,0.1,${eth}\n`;
    expect(await reviewed(desk.file('rows', both), ['--map', 'amount=Betrag'])).toEqual([1, '0.1']);
  });

  it('lists a problem shared by many rows once', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => `BTC;ETH;0,${index + 1};${eth}\n`);
    const file = desk.file('rows', `from;to;amount;address\n${rows.join('')}`);
    const run = await desk.run(['batch', file, '--yes']);
    expect(run.error?.message).toBe('Nothing was sent: 5000 of 5000 rows have 5000 problems.');
    expect(run.stderr.split('\n').filter((line) => line.startsWith('rows '))).toEqual([
      'rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4990 more, amount: Invalid amount 0,1: it contains a comma; use a decimal point and no thousands separators. Export the file with decimal points: set the locale of the spreadsheet to English (USA) in LibreOffice or Google Sheets; in Excel turn off Options > Advanced > Use system separators.',
    ]);
    expect(run.error?.details).toMatchObject({ errors: [{ row: 1, line: 2, count: 5000 }] });
    expect(desk.service.requests.filter(({ endpoint }) => endpoint === 'exchange-coin')).toEqual([]);
  });

  it.each<[string, Buffer, string]>([
    ['an .xls file', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'is a spreadsheet, not CSV.'],
    ['UTF-16', Buffer.from('\uFEFFfrom,to', 'utf16le'), 'is text in UTF-16, not in UTF-8.'],
    ['Windows-1252', Buffer.from('from,Empf\u00e4nger\n', 'latin1'), 'is not text in UTF-8.'],
  ])('is rejected as %s, with steps to export it as CSV', async (_, bytes, words) => {
    const file = desk.file('rows.csv', '');
    writeFileSync(file, bytes);
    for (const args of [
      ['batch', file, '--dry-run'],
      ['reconcile', file],
      ['history', 'import', file],
    ]) {
      const { error } = await desk.run(args);
      expect(error).toMatchObject({ code: 'usage', message: `${file} ${words}` });
      expect(error?.hint).toMatch(/^Export it as CSV in UTF-8: /);
    }
    expect(desk.service.requests).toEqual([]);
  });

  it('without known column names is rejected without printing its content', async () => {
    const secret = 'sk-live-7d1f0c';
    const run = await desk.run(['batch', desk.file('secret', `${secret}\n`), '--yes']);
    expect(run.error?.message).toContain('the file is invalid');
    expect(run.stderr).toContain('line 1: The first line has no known column names. It must have from,to,');
    expect(`${run.stderr}${JSON.stringify(run.error?.toJSON())}`).not.toContain(secret);
  });

  it('is read in bounded memory', async () => {
    const spool = await openSpool<RowRecord>();
    const row = `BTC,ETH,0.1,${eth}\n`.repeat(1000);
    const before = liveHeap();
    let most = 0;
    const text = async function* () {
      yield 'from,to,amount,address\n';
      for (let part = 0; part < 100; part += 1) {
        yield row;
        if (part % 20 === 19) most = Math.max(most, liveHeap() - before);
      }
    };
    expect((await readRows(text(), new Map(), spool)).count).toBe(100_000);
    expect(most).toBeLessThan(10_000_000);
    await spool.close();
  });
});

it('batch --template prints a file that the sandbox accepts and a live profile rejects', async () => {
  const home = await temporaryFolder();
  const { stdout, error } = await runHere(['batch', '--template'], { home });
  expect(error).toBeNull();
  expect(stdout.split('\n')[0]).toBe(
    'from,to,amount,address,memo,receive,type,min_receive,refund_address,key,label.team',
  );
  const file = desk.file('template.csv', stdout);
  const accepted = await runHere(['batch', file, '--dry-run', '--json', '--sandbox'], { home });
  expect(accepted.error).toBeNull();
  expect(JSON.parse(accepted.stdout)).toMatchObject({ rows: 1, toCreate: 1 });
  const live = { baseUrl: desk.service.url, publicKey: 'pk', secret: 'sk', environment: 'live' };
  writeConfig(desk.home, { profiles: { live } });
  const refused = await desk.run(['batch', file, '--dry-run', '--json', '-p', 'live']);
  expect(refused.error?.details).toMatchObject({
    errors: [{ column: 'address' }, { column: 'refund_address' }],
  });
});
