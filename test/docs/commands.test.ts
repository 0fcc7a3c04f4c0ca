import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadOperations } from '../../src/cli/command-list.ts';
import type { CommandLineData, CommandSchemas } from '../../src/cli/operations/command-line.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { ajv } from '../helpers/json-schema.ts';
import { runMain } from '../helpers/run-main.ts';
import { hasTool } from '../helpers/tools.ts';
import { words } from '../helpers/words.ts';
import { readPage } from './page.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MANUAL = join(ROOT, 'man', 'swapctl.1');
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

/** Runs a command that reads nothing from its home. */
const run = (...args: string[]) => runMain(args, { home: '/' });
const data = (await run('help', '--json')).json<CommandLineData>();
const program = await buildProgram(() => {
  throw new Error('no command is run');
});
const { operations } = await loadOperations();
const runnable = data.commands.filter(({ runnable }) => runnable);

describe('swapctl help --json', () => {
  it('has 23 commands', () => {
    expect(data.commands.map(({ path }) => path).filter((path) => !path.includes(' '))).toEqual(
      words(`quote create status refund history batch coins networks address report reconcile listen events
      policy auth config api mcp completion sandbox conformance doctor help`),
    );
  });

  it('has every registered command with its arguments and flags', () => {
    const declared: unknown[] = [];
    const walk = (command: typeof program, parents: readonly string[]) => {
      const path = [...parents, command.name()];
      declared.push([
        path.join(' '),
        command.registeredArguments.map((argument) => argument.name()),
        command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags),
      ]);
      for (const verb of command.commands) walk(verb, path);
    };
    for (const command of program.commands) walk(command, []);
    expect(
      data.commands.map(({ path, arguments: names, options }) => [
        path,
        names.map(({ name }) => name),
        options.map(({ flags }) => flags),
      ]),
    ).toEqual(declared);
  });

  it('marks as runnable exactly the commands with exit codes and a result', () => {
    const verbs = data.commands.filter(
      ({ path }) =>
        ['history', 'report', 'sandbox clock'].includes(path) ||
        !data.commands.some((other) => other.path.startsWith(`${path} `)),
    );
    expect(runnable.map(({ path }) => path)).toEqual(verbs.map(({ path }) => path));
    expect([...operations.keys()].toSorted()).toEqual(verbs.map(({ path }) => path).toSorted());
  });

  it('lists known exit codes in order, including 0 and 2, for each command', () => {
    const known = [...data.exitCodes.map(({ code }) => code), 143];
    for (const { path, exitCodes } of data.commands) {
      expect([path, exitCodes.filter((code) => !known.includes(code))]).toEqual([path, []]);
      expect([path, exitCodes]).toEqual([path, [...new Set(exitCodes)].sort((a, b) => a - b)]);
      expect([path, exitCodes]).toEqual([path, expect.arrayContaining([0, 2])]);
    }
  });

  it('names only results that docs/command-line/output.md explains', () => {
    const page = readPage('command-line/output.md').text;
    const missing = runnable.filter(
      ({ json }) => json !== null && !new RegExp(`^${json} +(?:\\w+ and )?\\[?\\{`, 'm').test(page),
    );
    expect(missing.map(({ path, json }) => `${path}: ${json}`)).toEqual([]);
  });

  it('has an example of each command, with existing flags only', () => {
    for (const { path, examples, options } of runnable) {
      const own = examples.filter((line) => line.includes(`swapctl ${path}`));
      expect([path, own.length > 0]).toEqual([path, true]);
      const known = [...options, ...data.globalOptions].flatMap(({ long, short }) => [long, short]);
      const [, first = ''] = own[0]?.split(`swapctl ${path}`) ?? [];
      const words = first.replace(/[|>)].*$/, '').split(/[\s=]+/);
      const unknown = words.filter((word) => /^-{1,2}[a-z]/i.test(word) && !known.includes(word));
      expect([path, unknown]).toEqual([path, []]);
    }
  });

  it('lists values only for existing arguments and flags', () => {
    const wrong = runnable.flatMap(({ path, arguments: names, options }) => {
      const known = [...names.map(({ name }) => name), ...options.map(({ long }) => long)];
      return Object.keys(operations.get(path)?.values ?? {}).filter((name) => !known.includes(name));
    });
    expect(wrong).toEqual([]);
  });

  it('has the same commands and flags as the help and completion', async () => {
    const help = async (...path: string[]) => (await run('help', ...path)).stdout;
    const listed = [...(await help()).matchAll(/^ {2}([a-z]+)(?: [[<].*?)? {2,}/gm)].map(([, name]) => name);
    expect(listed).toEqual(data.commands.map(({ path }) => path).filter((path) => !path.includes(' ')));
    for (const { path, options } of runnable) {
      const [own = ''] = (await help(...path.split(' '))).split(/^Global /im);
      const flags = [...own.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
      expect([path, flags.filter((flag) => flag !== '--help')]).toEqual([
        path,
        options.map(({ long }) => long),
      ]);
    }
    expect(JSON.parse(read('dist', 'commands.json'))).toEqual(data);
  });

  it('has the command of each MCP tool in docs/agents.md', () => {
    const rows = readPage('agents.md').text.matchAll(/^\| `[a-z_]+`.*\| `([a-z ]+)[^|]*\|$/gm);
    const paths = [...rows].map(([, path = '']) => path.trim());
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !data.commands.some((each) => each.path === path))).toEqual([]);
  });

  it('prints each command with valid schemas in less than 8 kB', async () => {
    for (const { path } of runnable) {
      const { stdout, json } = await run('help', ...path.split(' '), '--json');
      const { input, output, exitCodes } = json<CommandSchemas>();
      expect([path, Buffer.byteLength(stdout) < 8000]).toEqual([path, true]);
      expect(exitCodes).toEqual(operations.get(path)?.exitCodes);
      ajv.compile(input);
      ajv.compile(output ?? {});
    }
  });

  it('has input schemas that accept only valid arguments', async () => {
    const { input } = (await run('help', 'create', '--json')).json<CommandSchemas>();
    const accepts = ajv.compile(input);
    const line = {
      from: 'BTC',
      to: 'XRP',
      amount: '0.1',
      '--memo': '7',
      '--label': ['a=1', 'b=2'],
      '--yes': true,
    };
    expect(accepts(line)).toBe(true);
    expect(accepts({ ...line, '--label': 'a=1' })).toBe(false);
    expect(accepts({ ...line, '--min-receive': '1e5' })).toBe(false);
    expect(accepts({ ...line, memo: '7' })).toBe(false);
    const listen = (await run('help', 'listen', '--json')).json<CommandSchemas>();
    const listens = ajv.compile(listen.input);
    expect(listens({ '--events': 'swap.success,swap.doubtful' })).toBe(true);
    expect(listens({ '--events': 'swap.success,paid' })).toBe(false);
  });

  it('prints the subcommands of a command that needs one', async () => {
    const { commands } = (await run('help', 'sandbox', 'fault', '--json')).json<CommandLineData>();
    expect(commands.map(({ path }) => path)).toEqual([
      'sandbox fault',
      'sandbox fault add',
      'sandbox fault list',
      'sandbox fault clear',
    ]);
  });

  it('suggests the nearest command for an unknown one', async () => {
    const refused = async (...args: string[]) => (await run('help', ...args, '--json')).error();
    expect(await refused('qoute')).toMatchObject({ exitCode: 2, hint: 'Did you mean quote?' });
    expect(await refused('sandbox', 'fault', 'ad')).toMatchObject({ hint: 'Did you mean add?' });
    expect(await refused('quote', '--errors')).toMatchObject({ code: 'usage' });
  });

  it('prints every error code with --errors', async () => {
    const codes = (await run('help', '--errors', '--json')).json<{ code: string; exitCode: number }[]>();
    expect(codes.map(({ code, exitCode }) => ({ code, exitCode }))).toEqual(data.errorCodes);
    expect((await run('help', '--errors')).stdout).toContain(
      'memo_required\t2\tthe recipient needs a memo, and none was given\t',
    );
  });

  it('prints a topic together with the commands of the same name', async () => {
    const policy = (await run('help', 'policy', '--json')).json<CommandLineData & { topic: string }>();
    expect(policy.topic).toBe('policy');
    expect(policy.commands.map(({ path }) => path)).toContain('policy audit verify');
    expect((await run('help', 'safety', '--json')).json()).toMatchObject({ topic: 'safety' });
  });
});

it('the pages in docs/command-line are up to date with the commands', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['build/command-pages.mjs', '--check'], {
    cwd: ROOT,
    input: JSON.stringify(data),
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['', '']);
});

describe('man/swapctl.1', () => {
  it('is in the package, with the pages that the README links to', () => {
    const { man, files } = JSON.parse(read('package.json')) as { man: string[]; files: string[] };
    expect([man, files]).toEqual([['man/swapctl.1'], expect.arrayContaining(['man', 'docs', 'bin', 'dist'])]);
  });

  it.runIf(hasTool('groff'))('causes no warning in groff', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tascii', MANUAL], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.runIf(hasTool('mandoc'))('causes no warning in mandoc and has the examples of the help', () => {
    const lint = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', MANUAL], { encoding: 'utf8' });
    expect([lint.status, lint.stdout]).toEqual([0, '']);
    const shown = spawnSync('mandoc', ['-T', 'ascii', '-O', 'width=200', MANUAL], { encoding: 'utf8' });
    const text = shown.stdout.replace(/.\u0008/g, '');
    for (const { usage, examples } of runnable)
      for (const line of [usage, ...examples.map((example) => example.replaceAll('…', '...'))])
        expect(text).toContain(line);
  });
});
