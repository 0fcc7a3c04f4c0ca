import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from './helpers/program.ts';

/** Of a program with a planted bug, its own copy. */
const SOURCE = join(dirname(PROGRAM), '..', 'src');

/** The rooms that each room may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli', 'base'],
  cli: ['library', 'conformance', 'sandbox', 'core', 'base'],
  library: ['core', 'base'],
  conformance: ['core', 'base'],
  sandbox: ['core', 'base'],
  core: ['base'],
  base: [],
};

/** The layers of its own room that each layer may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'cli/program.ts': [
    'cli/command-list.ts',
    'cli/commands',
    'cli/operations',
    'cli/wiring.ts',
    'cli/context.ts',
    'cli/views',
    'cli/terminal',
  ],
  'cli/command-list.ts': ['cli/commands', 'cli/operations', 'cli/context.ts'],
  'cli/wiring.ts': ['cli/context.ts', 'cli/terminal', 'cli/settings'],
  'cli/context.ts': ['cli/terminal', 'cli/settings'],
  'cli/commands': ['cli/context.ts', 'cli/operations', 'cli/views', 'cli/terminal', 'cli/settings'],
  'cli/operations': [],
  'cli/completion': ['cli/operations', 'cli/views', 'cli/settings'],
  'cli/views': ['cli/terminal'],
  'cli/terminal': [],
  'cli/settings': [],
  'core/swaps': ['core/client', 'core/ledger', 'core/partner-api', 'core/swap'],
  'core/client': ['core/partner-api', 'core/swap'],
  'core/ledger': ['core/partner-api', 'core/swap', 'core/database'],
  'core/partner-api': ['core/swap'],
  'core/database': [],
  'core/swap': [],
  'base/environment.ts': ['base/errors.ts', 'base/text.ts'],
  'base/files.ts': ['base/errors.ts', 'base/text.ts'],
  'base/errors.ts': ['base/text.ts'],
  'base/text.ts': [],
  'base/time.ts': [],
  'base/suggest.ts': [],
};

/** Imports from lower rooms that a layer may not have. */
const APART: readonly (readonly [layer: string, refused: RegExp])[] = [
  // Client and sandbox share only these three, so that each checks the other.
  ['sandbox', /^core.(?!swap.|partner-api.|database.)/],
  ['core/swap', /^base.(?!text\.ts|time\.ts)/],
  ['core/client', /^core.(?:database|ledger|swaps)./],
  // A screen knows the domain; the terminal does not.
  ['cli/terminal', /^(?!base.)/],
  ['cli/settings', /^(?:library|conformance|sandbox|core.(?!partner-api.|swap.))/],
  ['cli/views', /^library./],
];

/** The layers that may import each package. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  chalk: ['cli/terminal'],
  'cli-table3': ['cli/terminal'],
  ora: ['cli/terminal'],
  '@inquirer/prompts': ['cli/terminal'],
  '@inquirer/core': ['cli/terminal'],
  uqr: ['cli/terminal'],
  'get-east-asian-width': ['cli/terminal'],
  ajv: ['sandbox'],
  'lit-html': ['sandbox'],
  conf: ['cli/settings'],
  '@napi-rs/keyring': ['cli/settings'],
  got: ['core/client'],
  hpagent: ['core/client'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
  pg: ['core/database'],
  pgpass: ['core/database'],
  '@photostructure/sqlite': ['core/database'],
  kysely: ['core/database', 'core/ledger', 'sandbox'],
  'lossless-json': ['core/partner-api'],
  'csv-parse': ['cli/commands'],
  '@modelcontextprotocol/server': ['cli/commands'],
  commander: ['cli/program.ts', 'cli/command-list.ts', 'cli/commands'],
  '@scure/base': ['core/swap', 'sandbox'],
  '@scure/bip39': ['core/swap'],
  '@noble/hashes': ['core/swap', 'sandbox'],
  '@noble/curves': ['core/swap', 'sandbox'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Whether only types are imported. */
  readonly typeOnly: boolean;
  /** Whether it is a dynamic import. */
  readonly late: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, type, from, dynamic, bare]) => ({
    file,
    specifier: from ?? dynamic ?? bare ?? '',
    typeOnly: type !== undefined,
    late: dynamic !== undefined,
  }));
}

const ALL = sourceFiles().flatMap(importsOf);
const roomOf = (file: string) => file.split(sep)[0] ?? file;
/** The room and the folder or file in it, for the rooms that have layers. */
const layerOf = (file: string) =>
  ['base', 'core', 'cli'].includes(roomOf(file)) ? file.split(sep, 2).join('/') : roomOf(file);
const isOurs = ({ specifier }: Import) => specifier.startsWith('.');
const target = ({ file, specifier }: Import) => relative(SOURCE, resolve(SOURCE, dirname(file), specifier));
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Groups of files that import each other, by Tarjan's algorithm for strongly connected components. */
function cycles(): string[][] {
  const index = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    open.push(file);
    const reached = ALL.filter((item) => isOurs(item) && item.file === file)
      .map(target)
      .map((next) => {
        if (!index.has(next)) return visit(next);
        return open.includes(next) ? (index.get(next) ?? own) : own;
      });
    const lowest = Math.min(own, ...reached);
    if (lowest === own) {
      const group = open.splice(open.indexOf(file)).sort();
      if (group.length > 1) found.push(group);
    }
    return lowest;
  };
  for (const file of sourceFiles()) if (!index.has(file)) visit(file);
  return found;
}

describe('the rooms of src', () => {
  it('are main.ts and six folders', () => {
    expect(readdirSync(SOURCE).sort()).toEqual(Object.keys(ROOMS).sort());
  });

  it('import only what is below them', () => {
    const wrong = ALL.filter(isOurs).filter((item) => {
      const [from, to] = [roomOf(item.file), roomOf(target(item))];
      const isTesting = item.file === join('library', 'testing.ts') && to === 'sandbox';
      return from !== to && ROOMS[from]?.includes(to) !== true && !isTesting;
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

describe('the layers of src', () => {
  it('are exactly those in the table', () => {
    const layers = new Set(
      sourceFiles()
        .map(layerOf)
        .filter((layer) => layer.includes('/')),
    );
    expect([...layers].sort()).toEqual(Object.keys(LAYERS).sort());
  });

  it('import only what is below them', () => {
    const wrong = ALL.filter(isOurs).filter((item) => {
      const [from, to] = [layerOf(item.file), layerOf(target(item))];
      const isClimb =
        from !== to && roomOf(item.file) === roomOf(target(item)) && LAYERS[from]?.includes(to) !== true;
      return (
        isClimb ||
        APART.some(([layer, refused]) => layer === from && from !== to && refused.test(target(item)))
      );
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('in views import only types of use cases, sandbox and conformance', () => {
    const wrong = ALL.filter(
      (item) =>
        isOurs(item) &&
        (layerOf(item.file) === 'cli/views' ||
          /^cli.commands.\w+.(?:[\w-]*-)?view\.ts$|^cli.commands.sandbox.views./.test(item.file)) &&
        ['core/swaps', 'sandbox', 'conformance'].includes(layerOf(target(item))) &&
        // The JSON shapes shared by the admin port and the commands.
        !target(item).endsWith('operator/json.ts'),
    );
    expect(wrong.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
  });

  it('have no command that imports another command', () => {
    const commandOf = (file: string) =>
      layerOf(file) === 'cli/commands' ? (file.split(sep)[2] ?? '').replace(/\.ts$/, '') : null;
    const wrong = ALL.filter(isOurs).filter((item) => {
      const [from, to] = [commandOf(item.file), commandOf(target(item))];
      return from !== null && to !== null && to !== 'shared' && from !== to;
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('have no dynamic imports in use cases, so that an upgrade cannot break a create', () => {
    const texts = sourceFiles().filter((file) => layerOf(file) === 'core/swaps');
    const late = texts.filter((file) => /\bimport\(/.test(readFileSync(join(SOURCE, file), 'utf8')));
    expect(late).toEqual([]);
  });

  it('load neither address rules nor a database for a quote', () => {
    const loaded = new Set([
      'main.ts',
      join('cli', 'wiring.ts'),
      join('core', 'client', 'client.ts'),
      join('cli', 'commands', 'quote', 'quote.ts'),
    ]);
    for (const file of loaded)
      for (const item of ALL)
        if (item.file === file && isOurs(item) && !item.typeOnly && !item.late) loaded.add(target(item));
    const needless = [
      join('core', 'swap', 'addresses'),
      join('core', 'swap', 'memo.ts'),
      join('core', 'database'),
    ];
    expect([...loaded].filter((file) => needless.some((part) => file.startsWith(part)))).toEqual([]);
  });

  it('have no import cycles, even of types or dynamic imports', () => {
    expect(cycles()).toEqual([]);
  });

  it('have at most 20 files under 40 lines with a single importer', () => {
    const importers = new Map<string, Set<string>>();
    for (const item of ALL.filter(isOurs))
      importers.set(target(item), (importers.get(target(item)) ?? new Set()).add(item.file));
    const small = sourceFiles().filter(
      (file) =>
        importers.get(file)?.size === 1 && readFileSync(join(SOURCE, file), 'utf8').split('\n').length <= 40,
    );
    expect(small.length, small.join('\n')).toBeLessThanOrEqual(20);
  });

  it('wait for the request budget only in turns.ts and the polling engine', () => {
    const having = (text: RegExp) =>
      sourceFiles()
        .filter((file) => text.test(readFileSync(join(SOURCE, file), 'utf8')))
        .map((file) => file.replaceAll(sep, '/'));
    expect(having(/\.tryTake\(/).sort()).toEqual(['core/client/turns.ts', 'core/swaps/follow/engine.ts']);
    expect(having(/\bretryDelay\(/)).toEqual(['core/client/send.ts']);
  });

  it('send every changing request through submit.ts, which applies the policy', () => {
    // The library works without a ledger too; conformance and the sandbox commands use their own key pairs, and conformance --write is rejected under a policy.
    const apart = /^(?:core.client|library|conformance|sandbox|cli.commands.sandbox)(?:.|$)/;
    const changes =
      /\bclient\.(?:create|updateRefundAddress|raw)\(|\b(?:sendCreate|sendOnce|sendRefund\w*|sendRaw|createTransport)\(/;
    const callers = sourceFiles().filter(
      (file) => !apart.test(file) && changes.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(callers.map((file) => file.replaceAll(sep, '/')).sort()).toEqual([
      // Sends only reads.
      'cli/commands/doctor/endpoints.ts',
      // Wraps the request of a row, which submit.ts sends.
      'core/swaps/batch/pace.ts',
      'core/swaps/submit.ts',
    ]);
    expect(readFileSync(join(SOURCE, 'cli', 'commands', 'doctor', 'endpoints.ts'), 'utf8')).not.toMatch(
      /POST|PATCH/,
    );
    const submit = readFileSync(join(SOURCE, 'core', 'swaps', 'submit.ts'), 'utf8');
    expect(submit.match(/\bclient\.(?:create|updateRefundAddress|raw)\(/g)).toHaveLength(3);
    const pace = readFileSync(join(SOURCE, 'core', 'swaps', 'batch', 'pace.ts'), 'utf8');
    expect(pace.match(/\bclient\.(?:create|updateRefundAddress|raw)\(/g)).toHaveLength(1);
    for (const file of [
      'cli/commands/conformance/conformance.ts',
      'cli/commands/sandbox/recording/recorder.ts',
    ])
      expect(readFileSync(join(SOURCE, file), 'utf8')).toContain('await refuseUnderPolicy(');
  });

  it('have the steps of a create or a refund address in core/swaps only', () => {
    const steps =
      /\b(?:createOnce|submitCreate|submitRefund|draftSwap|decisionOn|requireSameRequest|identicalSwap|hasWorsened|fellTooFar|doubtedOrder|unconfirmedRefund)\(/;
    const doors = sourceFiles().filter((file) => /^(?:cli.commands|library)$/.test(layerOf(file)));
    expect(doors.filter((file) => steps.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
    const users = ALL.filter((item) => isOurs(item) && target(item) === join('core', 'swaps', 'create.ts'));
    expect(users.filter(({ typeOnly }) => !typeOnly).map(({ file }) => file)).toEqual([
      join('core', 'swaps', 'create-swap.ts'),
    ]);
  });

  it('import each package only in its listed layers', () => {
    const wrong = ALL.filter((item) => !isOurs(item) && !item.specifier.startsWith('node:')).filter(
      ({ file, specifier }) => HOMES[packageOf(specifier)]?.includes(layerOf(file)) !== true,
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

describe('the source code', () => {
  const texts = sourceFiles().map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));
  const offenders = (pattern: RegExp, allowed: (file: string) => boolean = () => false) =>
    texts.filter(({ file, text }) => !allowed(file) && pattern.test(text)).map(({ file }) => file);

  it('never converts an amount to a floating-point number', () => {
    const withoutAmounts = (file: string) =>
      /^(?:core.swap.(?:addresses|decimals)|sandbox.(?:orders.deposit-address|prices.price-walk|faults|http.fault|habits.doubles)|cli.commands.quote.sparkline|core.client.retry)/.test(
        file,
      );
    expect(offenders(/\bparseFloat\(/)).toEqual([]);
    expect(offenders(/\bNumber\(/, withoutAmounts)).toEqual([]);
  });

  it('uses process only in main.ts, base/environment.ts and settings', () => {
    const allowed = (file: string) =>
      file === 'main.ts' || file === join('base', 'environment.ts') || layerOf(file) === 'cli/settings';
    expect(offenders(/\bprocess\.(?:exit|stdout|stderr|stdin|argv|env|on)\b/, allowed)).toEqual([]);
  });

  it('writes unescaped text in a few listed files only', () => {
    const only = (...files: readonly string[]) => {
      const places = new Set(['base/text.ts', ...files].map((file) => file.replaceAll('/', sep)));
      return (file: string) => places.has(file);
    };
    const drawers = ['encode.ts', 'style.ts', 'table.ts', 'width.ts', 'qr.ts', 'live.ts'].map(
      (file) => `cli/terminal/${file}`,
    );
    const ownLines = ['encode.ts', 'help-text.ts', 'prompt-theme.ts', 'preview-input.ts'].map(
      (file) => `cli/terminal/${file}`,
    );
    expect(offenders(/\bas (?:Visible|never)\b|\W<Visible>/, only())).toEqual([]);
    expect(offenders(/\bdrawn\(/, only(...drawers))).toEqual([]);
    // Bytes for a pipe, the help, the OpenAPI document, the indented body of a dry run, and texts returned by libraries.
    expect(
      offenders(
        /\bvisibleLines\(/,
        only(
          'cli/program.ts',
          'cli/commands/shared/dry-run.ts',
          'cli/commands/sandbox/sandbox.ts',
          ...ownLines,
        ),
      ),
    ).toEqual([]);
    expect(
      offenders(/as NodeJS\.WriteStream/, only('cli/terminal/progress.ts', 'cli/terminal/prompter.ts')),
    ).toEqual([]);
    const writers = [
      'main.ts',
      ...['streams.ts', 'write.ts', 'progress.ts'].map((file) => `cli/terminal/${file}`),
    ];
    expect(offenders(/(?:stdout|stderr|stream|terminalOf\(\w+\))\.write\(/, only(...writers))).toEqual([]);
  });

  it('reads files named by the user only in functions that a signal can interrupt', () => {
    const streams = ['cli.terminal.input', 'cli.commands.batch.spool'];
    const allowed = (file: string) => streams.some((each) => new RegExp(`^${each}\\.ts$`).test(file));
    expect(offenders(/\bcreateReadStream\(/, allowed)).toEqual([]);
    const isNoCommand = (file: string) => !/^cli.commands.(?!program.version)/.test(file);
    expect(offenders(/\breadFileSync\(/, isNoCommand)).toEqual([]);
  });

  it('has no default exports, barrel files or silenced checks', () => {
    expect(offenders(/export default|@ts-(?:ignore|expect-error)|biome-ignore|\bas any\b|:\s*any\b/)).toEqual(
      [],
    );
    expect(sourceFiles().filter((file) => file.endsWith('index.ts'))).toEqual([]);
  });
});
