import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/base/errors.ts';
import { listedStatuses } from '../../src/core/partner-api/statuses.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { onEachService } from '../helpers/services.ts';
import { readPage } from './page.ts';

const PAGE = readPage('command-line/output.md');

describe('docs/command-line', () => {
  it('lists every error code with its exit code', () => {
    const rows = new Map(
      [...readPage('command-line/exit-codes.md').text.matchAll(/^\| (\d+)[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(
        ([, code = '', names = '']) => [
          Number.parseInt(code, 10),
          [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
        ],
      ),
    );
    const wanted = new Map<number, string[]>([[0, []]]);
    for (const [name, code] of Object.entries(EXIT_CODES))
      wanted.set(code, [...(wanted.get(code) ?? []), name]);
    expect(rows).toEqual(wanted);
  });

  it('lists every status with its codes', () => {
    const codes = new Map<string, number[]>();
    for (const { status, code } of listedStatuses()) codes.set(status, [...(codes.get(status) ?? []), code]);
    for (const [status, numbers] of codes) {
      const ascending = numbers.toSorted((a, b) => a - b).join(', ');
      expect(PAGE.section('Statuses')).toContain(`| \`${status}\` | ${ascending} |`);
    }
  });
});

type Json = Record<string, unknown>;

describe('the keys of --json in docs/command-line/output.md', () => {
  const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const REFUND = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';

  /** The keys of an object in a code block of the page. */
  function keysOf(name: string): string[] {
    const keys = new RegExp(`^${name} +(?:swap and )?\\{([^}]*)\\}`, 'm').exec(PAGE.text)?.[1];
    return (
      keys
        ?.replace(/\s/g, '')
        .split(',')
        .filter((key) => !key.endsWith('?')) ?? []
    );
  }

  onEachService({}, () => {
    it('are the keys that the program writes, in the same order', async () => {
      const home = await temporaryFolder();
      const json = async (...args: string[]) => {
        const { stdout } = await runHere([...args, '--json'], { home });
        return JSON.parse(stdout) as Json & Json[];
      };
      const create = ['create', 'BTC', 'ETH', '0.1', '--address', ADDRESS];
      const made = await json(...create, '--yes');
      const { order } = made as unknown as { order: string };
      const [entry] = await json('history');
      const dry = await json(...create, '--dry-run');
      const fault = await json('sandbox', 'fault', 'add', 'get-all-coins', '--status', '500', '--times', '1');
      const written: Readonly<Record<string, unknown>> = {
        networks: await json('networks', 'BTC'),
        quote: await json('quote', 'BTC', 'ETH', '0.1'),
        deposit: made['deposit'],
        receive: made['receive'],
        refund: await json('refund', order, REFUND, '--yes'),
        address: await json('address', 'ETH', ADDRESS),
        dryRun: dry,
        order: await json('sandbox', 'deposit', order),
        sides: ((await json('sandbox', 'orders'))[0] as Json)['deposit'],
        clock: await json('sandbox', 'clock'),
        fault,
        partner: (await json('sandbox', 'partner', 'list'))[0],
        info: await json('sandbox', 'info'),
        report: await json('report'),
        group: (await json('report'))['total'],
      };
      await json('sandbox', 'fault', 'clear');
      const others = { coin: (await json('coins', 'btc'))[0], profile: await json('auth', 'status') };
      for (const [name, value] of Object.entries({ ...written, ...others }))
        expect([name, ...keysOf(name)]).toEqual([name, ...Object.keys(value as Json)]);
      expect(Object.keys(made)).toEqual([...keysOf('swap'), ...keysOf('create')]);
      expect(Object.keys(await json('status', order))).toEqual([
        ...keysOf('swap'),
        ...keysOf('status'),
        'next',
        'action',
      ]);
      expect(Object.keys(entry as Json)).toEqual([...keysOf('swap'), ...keysOf('history')]);
    });
  });
});
