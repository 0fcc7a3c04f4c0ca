import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/errors.ts';
import { listedStatuses } from '../../src/partner-api/statuses.ts';
import { buildProgram } from '../../src/program.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { runHere } from '../helpers/run-here.ts';
import { missingWords, readPage } from './page.ts';

const PAGE = readPage('command-line.md');
const program = await buildProgram(() => {
  throw new Error('no command is run');
});

interface Listed {
  readonly path: string;
  readonly usage: string;
  readonly flags: readonly string[];
}

/** Every command that can be run, with its arguments and flags. */
function* runnable(command: Command, path: string): Generator<Listed> {
  const usage = command.registeredArguments
    .map((argument) => `${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '' : '?'}`)
    .join(' ');
  const flags = command.options.map(({ flags }) => flags).filter((flags) => flags !== DATABASE);
  const isHome = command.commands.length > 0 && !['history', 'clock'].includes(command.name());
  if (!isHome) yield { path, usage, flags };
  for (const child of command.commands) yield* runnable(child, `${path} ${child.name()}`);
}

/** Said once on the page for all verbs of the sandbox. */
const DATABASE = '--database <location>';

/** Commands with their flags, as the page lists them. */
function listedIn(section: string): Listed[] {
  const blocks = [...section.matchAll(/^```\n(swapctl [\s\S]*?)^```/gm)]
    .map(([, block = '']) => block)
    .join('');
  const listed = blocks.split(/^(?=swapctl )/m).filter((part) => part.startsWith('swapctl '));
  return listed.map((part) => {
    const [head = '', ...rest] = part.trimEnd().split('\n');
    const [path = '', usage = ''] = /^(swapctl(?: [a-z]+)*)((?: [<[]\S+)*)/.exec(head)?.slice(1) ?? [];
    const names = usage
      .trim()
      .replace(/<(.*?)>/g, '$1')
      .replace(/\[(.*?)\]/g, '$1?');
    const flags = rest.map((line) => /^ {4}(.*?)(?: {2}|$)/.exec(line)?.[1] ?? '');
    return { path, usage: names, flags: flags.filter((flag) => flag !== DATABASE) };
  });
}

describe('docs/command-line.md', () => {
  it('lists every command with its arguments and flags, and no other', () => {
    const real = program.commands.flatMap((command) => [...runnable(command, `swapctl ${command.name()}`)]);
    const listed = [...listedIn(PAGE.section('Commands')), ...listedIn(PAGE.section('The sandbox'))];
    const known = listed.filter(({ path }) => path !== 'swapctl sandbox').map(shape);
    expect(known.toSorted()).toEqual(real.map(shape).toSorted());
    const globals = program.options.map(({ flags }) => flags);
    expect(missingWords([...globals, DATABASE], PAGE.text)).toEqual([]);
  });

  it('gives every error code beside its exit code', () => {
    const rows = new Map(
      [...PAGE.section('Exit codes').matchAll(/^\| (\d+)[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(
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

  it('gives every status its codes', () => {
    const codes = new Map<string, number[]>();
    for (const { status, code } of listedStatuses()) codes.set(status, [...(codes.get(status) ?? []), code]);
    for (const [status, numbers] of codes) {
      const ascending = numbers.toSorted((a, b) => a - b).join(', ');
      expect(PAGE.section('Statuses')).toContain(`| \`${status}\` | ${ascending} |`);
    }
  });
});

function shape({ path, usage, flags }: Listed): string {
  return `${path} ${usage}: ${flags.toSorted().join(', ')}`;
}

type Json = Record<string, unknown>;

describe('the keys of --json in docs/command-line.md', () => {
  const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const REFUND = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';

  /** The keys of an object as a code block of the page gives them. */
  function keysOf(name: string): string[] {
    const keys = new RegExp(`^${name} +(?:swap and )?\\{([^}]*)\\}`, 'm').exec(PAGE.text)?.[1];
    return keys?.replace(/\s/g, '').split(',') ?? [];
  }

  it('are those that the program writes, in their order', async () => {
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
    expect(Object.keys(await json('status', order))).toEqual([...keysOf('swap'), ...keysOf('status')]);
    expect(Object.keys(entry as Json)).toEqual([...keysOf('swap'), ...keysOf('history')]);
  });
});
