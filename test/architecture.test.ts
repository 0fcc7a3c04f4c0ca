import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '..', 'src');

/** What is open to every layer. */
const GROUND = ['errors.ts', 'files.ts', 'text.ts', 'time.ts', 'suggest.ts', 'environment.ts'];

/** A layer is a folder below src, or a file at its top. What it may import, itself aside. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['program.ts', 'context.ts', 'terminal', ...GROUND],
  'program.ts': [
    'command-list.ts',
    'commands',
    'operations',
    'wiring.ts',
    'context.ts',
    'views',
    'terminal',
    ...GROUND,
  ],
  'command-list.ts': ['commands', 'context.ts'],
  'wiring.ts': [
    'context.ts',
    'library',
    'swaps',
    'terminal',
    'settings',
    'client',
    'ledger',
    'sandbox',
    'swap',
    ...GROUND,
  ],
  library: ['swaps', 'client', 'ledger', 'partner-api', 'swap', 'sandbox', ...GROUND],
  'context.ts': [
    'swaps',
    'terminal',
    'settings',
    'client',
    'ledger',
    'partner-api',
    'swap',
    'sandbox',
    ...GROUND,
  ],
  commands: [
    'context.ts',
    'operations',
    'swaps',
    'views',
    'terminal',
    'conformance',
    'settings',
    'client',
    'ledger',
    'partner-api',
    'swap',
    'sandbox',
    ...GROUND,
  ],
  operations: [
    'views',
    'swaps',
    'conformance',
    'settings',
    'ledger',
    'partner-api',
    'swap',
    'sandbox',
    ...GROUND,
  ],
  completion: ['operations', 'views', 'settings', 'client', 'database', 'partner-api', 'swap', ...GROUND],
  views: ['swaps', 'terminal', 'conformance', 'ledger', 'partner-api', 'swap', 'sandbox', ...GROUND],
  terminal: GROUND,
  swaps: ['client', 'ledger', 'partner-api', 'swap', ...GROUND],
  conformance: ['client', 'partner-api', 'swap', ...GROUND],
  settings: ['partner-api', 'swap', ...GROUND],
  client: ['partner-api', 'swap', ...GROUND],
  ledger: ['partner-api', 'swap', 'database', ...GROUND],
  'partner-api': ['swap', ...GROUND],
  swap: ['text.ts', 'time.ts'],
  database: GROUND,
  sandbox: ['partner-api', 'swap', 'database', ...GROUND],
  'errors.ts': ['text.ts'],
  'files.ts': ['errors.ts', 'text.ts'],
  'text.ts': [],
  'time.ts': [],
  'suggest.ts': [],
  'environment.ts': ['errors.ts', 'text.ts'],
};

/** Packages that have one home each. */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  chalk: ['terminal'],
  'cli-table3': ['terminal'],
  ora: ['terminal'],
  '@inquirer/prompts': ['terminal'],
  '@inquirer/core': ['terminal'],
  uqr: ['terminal'],
  'get-east-asian-width': ['terminal'],
  ajv: ['sandbox'],
  'lit-html': ['sandbox'],
  conf: ['settings'],
  '@napi-rs/keyring': ['settings'],
  got: ['client'],
  hpagent: ['client'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
  pg: ['database'],
  pgpass: ['database'],
  '@photostructure/sqlite': ['database'],
  kysely: ['database', 'ledger', 'sandbox'],
  'lossless-json': ['partner-api'],
  'csv-parse': ['commands'],
  '@modelcontextprotocol/server': ['commands'],
  commander: ['program.ts', 'command-list.ts', 'commands'],
  '@scure/base': ['swap', 'sandbox'],
  '@scure/bip39': ['swap'],
  '@noble/hashes': ['swap', 'sandbox'],
  '@noble/curves': ['swap', 'sandbox'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Gone when the program runs. */
  readonly typeOnly: boolean;
  /** Loaded only when it is needed. */
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
const layerOf = (file: string) => file.split(sep)[0] ?? file;
const isOurs = ({ specifier }: Import) => specifier.startsWith('.');
const target = ({ file, specifier }: Import) => relative(SOURCE, resolve(SOURCE, dirname(file), specifier));
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Groups of files that reach each other by imports of any kind: strongly connected components, after Tarjan. */
function circles(): string[][] {
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

describe('the layers', () => {
  it('are all named in the table, and the table names no other', () => {
    expect([...new Set(sourceFiles().map(layerOf))].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('import only what lies below them', () => {
    const wrong = ALL.filter(isOurs).filter((item) => {
      const [from, to] = [layerOf(item.file), layerOf(target(item))];
      return from !== to && MAY_IMPORT[from]?.includes(to) !== true;
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('let the views know use cases, sandbox and conformance by their types alone', () => {
    const wrong = ALL.filter(
      (item) =>
        isOurs(item) &&
        layerOf(item.file) === 'views' &&
        ['swaps', 'sandbox', 'conformance'].includes(layerOf(target(item))) &&
        // The JSON shapes that the admin port and the commands share.
        !target(item).endsWith('operator/json.ts'),
    );
    expect(wrong.filter(({ typeOnly }) => !typeOnly)).toEqual([]);
  });

  it('let no command import another one', () => {
    const commandOf = (file: string) =>
      layerOf(file) === 'commands' ? (file.split(sep)[1] ?? '').replace(/\.ts$/, '') : null;
    const wrong = ALL.filter(isOurs).filter((item) => {
      const [from, to] = [commandOf(item.file), commandOf(target(item))];
      return from !== null && to !== null && to !== 'shared' && from !== to;
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('load nothing late in a use case: an upgrade may replace the program while an answer is awaited', () => {
    const texts = sourceFiles().filter((file) => layerOf(file) === 'swaps');
    const late = texts.filter((file) => /\bimport\(/.test(readFileSync(join(SOURCE, file), 'utf8')));
    expect(late).toEqual([]);
  });

  it('load neither the rules of addresses nor a database for a quote', () => {
    const loaded = new Set([
      'main.ts',
      'wiring.ts',
      join('client', 'client.ts'),
      join('commands', 'quote', 'quote.ts'),
    ]);
    for (const file of loaded)
      for (const item of ALL)
        if (item.file === file && isOurs(item) && !item.typeOnly && !item.late) loaded.add(target(item));
    const needless = [join('swap', 'addresses'), join('swap', 'memo.ts'), 'database'];
    expect([...loaded].filter((file) => needless.some((part) => file.startsWith(part)))).toEqual([]);
  });

  it('have no circles, types and late imports counted', () => {
    expect(circles()).toEqual([]);
  });

  it('have few files under 40 lines with a single importer: such a file belongs in its importer', () => {
    const importers = new Map<string, Set<string>>();
    for (const item of ALL.filter(isOurs))
      importers.set(target(item), (importers.get(target(item)) ?? new Set()).add(item.file));
    const small = sourceFiles().filter(
      (file) =>
        importers.get(file)?.size === 1 && readFileSync(join(SOURCE, file), 'utf8').split('\n').length <= 40,
    );
    expect(small.length, small.join('\n')).toBeLessThanOrEqual(20);
  });

  it('let what changes the service leave by one door alone, which passes the policy', () => {
    // The library has no ledger; the checks and the laboratory drive services by their own key pairs, and the first are refused under a policy.
    const apart = /^(?:client|library|conformance|sandbox|commands.sandbox)(?:.|$)/;
    const changes =
      /\bclient\.(?:create|updateRefundAddress|raw)\(|\b(?:sendCreate|sendOnce|sendRefund\w*|sendRaw|createTransport)\(/;
    const callers = sourceFiles().filter(
      (file) => !apart.test(file) && changes.test(readFileSync(join(SOURCE, file), 'utf8')),
    );
    expect(callers.map((file) => file.replaceAll(sep, '/')).sort()).toEqual([
      // Reads alone.
      'commands/doctor/endpoints.ts',
      // Wraps the request of a row, which the door sends.
      'swaps/batch/pace.ts',
      'swaps/door.ts',
    ]);
    expect(readFileSync(join(SOURCE, 'commands', 'doctor', 'endpoints.ts'), 'utf8')).not.toMatch(
      /POST|PATCH/,
    );
    const door = readFileSync(join(SOURCE, 'swaps', 'door.ts'), 'utf8');
    expect(door.match(/\bclient\.(?:create|updateRefundAddress|raw)\(/g)).toHaveLength(3);
    const pace = readFileSync(join(SOURCE, 'swaps', 'batch', 'pace.ts'), 'utf8');
    expect(pace.match(/\bclient\.(?:create|updateRefundAddress|raw)\(/g)).toHaveLength(1);
    for (const file of ['commands/conformance.ts', 'commands/sandbox/recording/recorder.ts'])
      expect(readFileSync(join(SOURCE, file), 'utf8')).toContain('await refuseUnderPolicy(');
  });

  it('let no door repeat a step of a create or of a refund address', () => {
    const steps =
      /\b(?:createOnce|passCreate|passRefund|draftSwap|decisionOn|refuseAnotherSwap|identicalSwap|hasWorsened|fellTooFar|orderMismatch|unconfirmedRefund)\(/;
    const doors = sourceFiles().filter((file) => /^(?:commands|library)$/.test(layerOf(file)));
    expect(doors.filter((file) => steps.test(readFileSync(join(SOURCE, file), 'utf8')))).toEqual([]);
    const users = ALL.filter((item) => isOurs(item) && target(item) === join('swaps', 'create.ts'));
    expect(users.filter(({ typeOnly }) => !typeOnly).map(({ file }) => file)).toEqual([
      join('swaps', 'create-swap.ts'),
    ]);
  });

  it('keep each package in its home', () => {
    const wrong = ALL.filter((item) => !isOurs(item) && !item.specifier.startsWith('node:')).filter(
      ({ file, specifier }) => HOMES[packageOf(specifier)]?.includes(layerOf(file)) !== true,
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

describe('the source', () => {
  const texts = sourceFiles().map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));
  const offenders = (pattern: RegExp, allowed: (file: string) => boolean = () => false) =>
    texts.filter(({ file, text }) => !allowed(file) && pattern.test(text)).map(({ file }) => file);

  it('never parses a number as a float, and turns none into one where amounts are', () => {
    const withoutAmounts = (file: string) =>
      /^(?:swap.(?:addresses|decimals)|sandbox.(?:orders.deposit-address|prices.price-walk|faults|http.fault|habits.doubles)|views.sparkline|client.retry)/.test(
        file,
      );
    expect(offenders(/\bparseFloat\(/)).toEqual([]);
    expect(offenders(/\bNumber\(/, withoutAmounts)).toEqual([]);
  });

  it('touches the process in its entry and in settings alone', () => {
    const allowed = (file: string) => file === 'main.ts' || layerOf(file) === 'settings';
    expect(offenders(/\bprocess\.(?:exit|stdout|stderr|stdin|argv|env|on)\b/, allowed)).toEqual([]);
  });

  it('lets text past the gate in a few places only', () => {
    const only = (...files: readonly string[]) => {
      const places = new Set(['text.ts', ...files].map((file) => file.replaceAll('/', sep)));
      return (file: string) => places.has(file);
    };
    const drawers = ['encode.ts', 'style.ts', 'table.ts', 'width.ts', 'qr.ts', 'live.ts'].map(
      (file) => `terminal/${file}`,
    );
    const ownLines = ['encode.ts', 'help-text.ts', 'prompt-theme.ts', 'preview-input.ts'].map(
      (file) => `terminal/${file}`,
    );
    expect(offenders(/\bas (?:Visible|never)\b|\W<Visible>/, only())).toEqual([]);
    expect(offenders(/\bdrawn\(/, only(...drawers))).toEqual([]);
    // What goes to a pipe byte for byte, the program's help, its OpenAPI document, the body of a dry run as it is indented, and what libraries hand back of visible texts.
    expect(
      offenders(
        /\bvisibleLines\(/,
        only('program.ts', 'commands/shared/dry-run.ts', 'commands/sandbox/sandbox.ts', ...ownLines),
      ),
    ).toEqual([]);
    expect(offenders(/as NodeJS\.WriteStream/, only('terminal/progress.ts', 'terminal/prompter.ts'))).toEqual(
      [],
    );
    const writers = [
      'main.ts',
      ...['streams.ts', 'write.ts', 'progress.ts'].map((file) => `terminal/${file}`),
    ];
    expect(offenders(/(?:stdout|stderr|stream|terminalOf\(\w+\))\.write\(/, only(...writers))).toEqual([]);
  });

  it('reads what a person names in one place, which a signal can end', () => {
    const streams = ['terminal.input', 'commands.batch.spool'];
    const allowed = (file: string) => streams.some((each) => new RegExp(`^${each}\\.ts$`).test(file));
    expect(offenders(/\bcreateReadStream\(/, allowed)).toEqual([]);
    const isNoCommand = (file: string) => !/^commands.(?!program.version)/.test(file);
    expect(offenders(/\breadFileSync\(/, isNoCommand)).toEqual([]);
  });

  it('has no default exports, barrel files or silenced checks', () => {
    expect(offenders(/export default|@ts-(?:ignore|expect-error)|biome-ignore|\bas any\b|:\s*any\b/)).toEqual(
      [],
    );
    expect(sourceFiles().filter((file) => file.endsWith('index.ts'))).toEqual([]);
  });
});
