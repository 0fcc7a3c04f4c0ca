// Processor time of what reads the whole ledger, by this checkout and by another one (built), in turn in one run. It judges
// nothing. Usage: node test/bench/reads.mjs [swaps [folder of the other checkout]]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 3;
const ROOT = join(import.meta.dirname, '..', '..');

/** Commands whose time is stated for each swap, and those whose time is stated as a whole. */
const EACH = [
  'history --csv',
  'history --format beancount',
  'report',
  'report --since 365d',
  'policy simulate policy.json --sandbox',
];
const WHOLE = ['history --limit 20', 'history order12345', 'report health', 'doctor'];

/** None about payouts: the swaps are live and the replayed profile is not, so each would be refused and counted nowhere. */
const RULES = [{ cap: { coin: 'BTC', amount: '500', per: '24h' } }, { count: { most: 50, per: '1h' } }];

const swaps = Number.parseInt(process.argv[2] ?? '100000', 10);
const homes = [];
for (const tree of [ROOT, ...process.argv.slice(3, 4)]) homes.push(await filled(tree));

console.log(`Processor time with ${swaps.toLocaleString('en')} swaps, the shortest of ${ROUNDS} runs.\n`);
console.log(
  `| command | unit |${homes.map(({ tree }) => ` ${tree === ROOT ? 'this' : 'other'} |`).join('')}`,
);
console.log(`|---|---|${homes.map(() => '---|').join('')}`);
for (const args of EACH)
  print(args, 'µs a swap', (milliseconds) => ((milliseconds * 1000) / swaps).toFixed(1));
for (const args of WHOLE) print(args, 'ms', (milliseconds) => milliseconds.toFixed(0));
for (const { home } of homes) rmSync(home, { recursive: true, force: true });

/** A ledger as a checkout itself fills it, with its folder. */
async function filled(tree) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const env = { PATH: process.env.PATH, HOME: home, SWAPCTL_LEDGER: join(home, 'ledger.db') };
  const { fillLedger } = await import(pathToFileURL(join(tree, 'test', 'bench', 'ledger.mjs')));
  fillLedger(env, swaps);
  writeFileSync(join(home, 'policy.json'), JSON.stringify({ version: 1, rules: RULES }));
  return { tree, home, env };
}

function print(args, unit, text) {
  const least = homes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, place] of homes.entries()) least[at] = Math.min(least[at], processorTime(place, args));
  console.log(`| \`${args}\` | ${unit} |${least.map((each) => ` ${text(each)} |`).join('')}`);
}

/** Milliseconds of processor time of a command; NaN if it fails, as one that a checkout does not have. */
function processorTime({ tree, home, env }, args) {
  const script = `process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())))`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(script)}`,
      join(tree, 'bin', 'swapctl.js'),
      ...args.split(' '),
    ],
    { env, cwd: home, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (status !== 0) return Number.NaN;
  const { user, system } = JSON.parse(stderr.trim().split('\n').at(-1));
  return (user + system) / 1000;
}
