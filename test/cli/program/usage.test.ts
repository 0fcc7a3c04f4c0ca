import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { folderOfFile } from '../../helpers/home.ts';
import { runProgram } from '../../helpers/program.ts';
import { runMain } from '../../helpers/run-main.ts';
import { words } from '../../helpers/words.ts';

const PACKAGE = join(import.meta.dirname, '../../../package.json');
const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

const home = await folderOfFile();

/** Runs a line in this process. */
const swapctl = (line: string) => runMain(words(line), { home });
/** Runs the built program. */
const program = (line: string) => runProgram(words(line), { home });

describe.concurrent('the version', () => {
  // The first is answered before the program is loaded.
  it.for([
    ['-V', program] as const,
    ...['--json --version', 'coins -V', 'auth login -V'].map((line) => [line, swapctl] as const),
  ])('is all that `swapctl %s` prints', async ([line, start]) => {
    const run = await start(line);
    expect([run.code, run.stdout, run.stderr]).toEqual([0, `${VERSION}\n`, '']);
  });
});

describe('swapctl help', () => {
  it('lists the commands in three groups, then flags, examples, topics and documentation', async () => {
    const { stdout } = await swapctl('help');
    const groups = [...stdout.matchAll(/^([A-Z][a-z ]+):$/gm)].map(([, name]) => name);
    expect(groups.join(', ')).toBe(
      'Every day, The business, Set up and develop, Flags, Examples, Documentation',
    );
    expect(stdout).toContain('statuses, environment, exit-codes, json, safety, policy, agents');
    const place = stdout.trimEnd().split('\n').at(-1)?.trim() ?? '';
    expect(readFileSync(join(place, 'command-line', 'README.md'), 'utf8')).toMatch(/^# The command line/);
  });

  it.for([60, 80, 200])('has a command in its first five lines at %i columns', async (columns) => {
    const { stdout } = await runMain(['--help'], { home, env: { COLUMNS: `${columns}` } });
    const lines = stdout.split('\n');
    expect(lines[4]).toMatch(/^ {2}quote <from> <to> <amount>/);
    const wide = lines.filter((line) => line.length > columns && !/^ {2}(?:\$|\/)/.test(line));
    expect(wide).toEqual([]);
  });

  it.for([
    ['-h', program],
    ['help --quiet', swapctl],
  ] as const)('is printed by `swapctl %s`', async ([line, start]) => {
    const run = await start(line);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^Usage: swapctl <command> \[arguments\] \[flags\]\n/);
    const flags = ['--json', '-p, --profile <name>', '--sandbox', '--no-input', '-q, --quiet', '--debug'];
    for (const flag of [...flags, '--color <when>', '--timeout <duration>', '-V, --version', '-h, --help'])
      expect(run.stdout).toContain(`  ${flag} `);
  });

  it('of a subcommand refers to the global flags and has no flags of its parent', async () => {
    const { stdout } = await swapctl('history resolve --help');
    expect(stdout.split('\n').filter((line) => line.includes('Global'))).toEqual([
      'Global flags: see swapctl --help',
    ]);
    expect(stdout).not.toMatch(/--json|--csv|--help {2}/);
  });

  it.for(['history', 'report', 'sandbox clock'])('of %s lists subcommands before flags', async (command) => {
    const { stdout } = await swapctl(`help ${command}`);
    const titles = [...stdout.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, name]) => name);
    expect(titles.filter((title) => /^(Commands|Flags)$/.test(title ?? ''))).toEqual(['Commands', 'Flags']);
  });

  it.for(['quote', 'auth login'])('of %s is the same in all three spellings', async (command) => {
    const [first, ...others] = await Promise.all(
      [`help ${command}`, `${command} --help`, `--json ${command} -h`].map((line) => swapctl(line)),
    );
    expect(first?.stdout).toContain(`Usage: swapctl ${command} `);
    expect(others.map(({ stdout }) => stdout)).toEqual([first?.stdout, first?.stdout]);
  });

  it.for([
    'config',
    'auth',
    'events',
    'sandbox',
    'sandbox fault',
    'policy',
    'policy approvals',
    'config --json',
  ])('of %s is printed if the subcommand is missing', async (line) => {
    const run = await swapctl(line);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toBe((await swapctl(`${line} --help`)).stdout);
  });

  it('names every status with its code', async () => {
    const rows = (await swapctl('help statuses')).stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split('\t').slice(0, 3).join(' ')).join(', ')).toBe(
      'new 9 false, confirmation 1 false, exchanging 3 false, success 12 true, success 4 true, overdue 5 true, error 6 true, pause 10 false, frozen 11 false, refund 13 true',
    );
  });

  it('has no flag for a secret', async () => {
    expect((await swapctl('auth login --help')).stdout).not.toMatch(/--(api-)?secret\b|--signature/);
  });
});

describe('wrong usage', () => {
  it.for([
    ['nope', 'Unknown command nope.', 'See `swapctl --help`.'],
    ['histroy', 'Unknown command histroy.', 'Did you mean history?'],
    ['price BTC ETH 1', 'Unknown command price.', 'Did you mean quote?'],
    ['login -p prod', 'Unknown command login.', 'Did you mean auth login?'],
    ['List', 'Unknown command List.', 'Did you mean history?'],
    ['balance', 'Unknown command balance.', 'Did you mean report?'],
    ['sandbox fault ad', 'Unknown command ad.', 'Did you mean add?'],
    ['config set rate-typ fixed', 'Unknown setting rate-typ.', 'Did you mean rate-type?'],
    ['help statusses', 'Unknown command or topic statusses.', 'Did you mean statuses?'],
    ['help nope', 'Unknown command or topic nope.', /Topics: statuses/],
    ['coins --nope', 'Unknown flag --nope.', 'See `swapctl coins --help`.'],
    ['quote BTC ETH 1 --fixd', 'Unknown flag --fixd.', 'Did you mean --fixed?'],
    ['report helth', 'Unknown command helth.', 'Did you mean health?'],
    ['report 7d', 'Unknown command 7d.', 'See `swapctl report --help`.'],
    ['policy grant x', 'Unknown command grant.', 'Did you mean approvals grant?'],
    ['policy audit verfy', 'Unknown command verfy.', 'Did you mean verify?'],
    ['sandbox save a', 'Unknown command save.', 'Did you mean snapshot save?'],
    [
      'sandbox start -p 5000',
      '--profile (-p) cannot be used with `sandbox start`, which is the service itself.',
      'Did you mean --port 5000?',
    ],
    ['auth nope', 'Unknown command nope.', 'See `swapctl auth --help`.'],
    ['coins --limit', '-L, --limit <n> needs a value.', 'See `swapctl coins --help`.'],
    ...['BTC/ETH 1', 'BTC-ETH 1', 'BTC_ETH 1', 'BTC:ETH 1', 'BTC->ETH 1'].map(
      (pair): [string, string, string] => [
        `quote ${pair}`,
        'Pass the two coins as separate words.',
        'Did you mean `swapctl quote BTC ETH 1`?',
      ],
    ),
    [
      'quote BTC/USDT:TRX',
      'Pass the two coins as separate words.',
      'Did you mean `swapctl quote BTC USDT:TRX <amount>`?',
    ],
    [
      'create BTC/ETH 0.1 --yes',
      'Pass the two coins as separate words.',
      'Did you mean `swapctl create BTC ETH 0.1`?',
    ],
    ...['BTC to ETH 0.1', '0.1 BTC to ETH', 'BTC in ETH 0.1', 'BTC TO ETH'].map(
      (pair): [string, string | RegExp, string] => [
        `quote ${pair}`,
        /^Leave out '(to|in|TO)'\.$/,
        `Did you mean \`swapctl quote BTC ETH${pair.includes('0.1') ? ' 0.1' : ''}\`?`,
      ],
    ),
    ['create BTC => ETH 0.1 --yes', "Leave out '=>'.", 'Did you mean `swapctl create BTC ETH 0.1`?'],
    ['create BTC to ETH', "Leave out 'to'.", 'Did you mean `swapctl create BTC ETH`?'],
    ...['BTC ETH 0.1', '0.1 BTC ETH'].map((pair): [string, string, string] => [
      `create ${pair} 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed --yes`,
      'Pass the address with --address.',
      'Did you mean `swapctl create BTC ETH 0.1 --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`?',
    ]),
    ['quote BTC ETH 0.1 0x5a', 'Too many arguments: expected 3, got 4.', /--help/],
    ['config set rate-type', 'Missing argument <value>.', 'See `swapctl config set --help`.'],
    ['quote BTC 1', 'Missing argument <amount>.', 'See `swapctl quote --help`.'],
    ['quote BTC', 'Missing argument <to>.', 'See `swapctl quote --help`.'],
    ['coins --color red', 'Invalid value red for --color. Choose one of auto, always, never.', /--help/],
    ['coins --timeout 5', /Use a whole number from 1 to 999999 and a unit/, /--help/],
    ['coins --limit 0', /Use a whole number from 1 to 9999999\.$/, 'See `swapctl coins --help`.'],
    ['coins --limit -1', /^Invalid value -1 for --limit\. Use a whole number from 1/, /--help/],
    ['status -w -i 1.25', /such as 2 or 0\.5\.$/, 'See `swapctl status --help`.'],
    ['auth login --secret s', 'Unknown flag --secret.', /./],
    [
      'sandbox move AAAAAA dance',
      'Invalid value dance for <verb>. Choose one of pause, resume, freeze, fail, refund, succeed.',
      /--help/,
    ],
  ] as const)('`swapctl %s` exits with 2 and names the mistake', async ([line, message, hint]) => {
    const run = await swapctl(`${line} --json`);
    expect([run.code, run.stdout]).toEqual([2, '']);
    const error = run.error();
    const said = (words: string | RegExp) =>
      typeof words === 'string' ? words : expect.stringMatching(words);
    expect(error).toMatchObject({ message: said(message), hint: said(hint) });
    expect(error).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent', retryable: false });
  });

  it.for(['--sandbox -p prod coins', 'history --sandbox --profile=prod', 'auth login -p prod --sandbox'])(
    '`swapctl %s` is rejected because it selects two profiles',
    async (line) => {
      const run = await swapctl(`${line} --json`);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.error()).toMatchObject({ code: 'usage', outcome: 'nothing-sent' });
      expect(run.error().message).toBe('--sandbox and --profile prod cannot be combined.');
      expect(run.error().hint).toMatch(/^Pass only one:/);
    },
  );

  it.for([
    ['approvals list -p prod', 'policy approvals'],
    ['-q audit verify --head', 'policy audit'],
    ['audit --help', 'policy audit'],
    ['health --probe', 'report health'],
    ['help health', 'report health'],
    ['commands create', 'help --json'],
    ['version -V', '-V'],
  ] as const)('`swapctl %s` is rejected with its new name `%s`', async ([line, successor]) => {
    const run = await swapctl(line);
    const [name = ''] = words(line).filter((word) => !/^(-.*|help)$/.test(word));
    const message = `\`swapctl ${name}\` is now \`swapctl ${successor}\`.`;
    expect([run.code, run.stdout, run.stderr]).toEqual([2, '', `error: ${message}\n`]);
    expect((await swapctl(`${line} --json`)).error()).toMatchObject({ code: 'usage', message, hint: null });
  });

  it.for([
    ['report --since 3d health', 'Put --since after health.'],
    ['history --until 2h note ABCDEF x', 'Put --until after note.'],
    ['sandbox clock --database x reset', 'Put --database after reset.'],
  ] as const)('`swapctl %s` is rejected because its flag would have no effect', async ([line, message]) => {
    expect((await swapctl(`${line} --json`)).error()).toMatchObject({ code: 'usage', message });
  });
});

const paths = [[], ...pathsBelow(await buildProgram(() => expect.unreachable()))];

const helpOf = async (...args: string[]) => (await runProgram(args, { home })).stdout;

function pathsBelow(command: Command): readonly (readonly string[])[] {
  return command.commands.flatMap((child) => [
    [child.name()],
    ...pathsBelow(child).map((path) => [child.name(), ...path]),
  ]);
}

async function helpLines(path: readonly string[], columns: number): Promise<readonly string[]> {
  const { stdout } = await runMain([...path, '--help'], { home, env: { COLUMNS: String(columns) } });
  return stdout.split('\n');
}

const isExample = (line: string) => /^ +\$ /.test(line);

it('prebuilt help equals the help generated by the program', async () => {
  const made = await helpOf('help', '--quiet');
  expect(made).toMatch(/^Usage: swapctl /);
  expect(await Promise.all([helpOf('-h'), helpOf('--help')])).toEqual([made, made]);
});

it.each([60, 80, 110])('help of every command fits %d columns', async (columns) => {
  for (const path of paths) {
    for (const line of await helpLines(path, columns)) {
      if (isExample(line) || !line.trim().includes(' ')) continue;
      expect(line.length, `${path}: ${line}`).toBeLessThanOrEqual(columns);
    }
  }
});

it('help keeps each example on one line and contains no manual line breaks', async () => {
  for (const path of paths) {
    const [narrow, wide] = await Promise.all([helpLines(path, 40), helpLines(path, 2000)]);
    expect(narrow.filter(isExample)).toEqual(wide.filter(isExample));
    for (const line of wide) expect(line).not.toMatch(/^[a-z]/);
  }
});
