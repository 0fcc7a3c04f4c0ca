import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillLedger } from './ledger.mjs';
import { PROGRAM } from './server.mjs';
import { peakMegabytes } from './startup.mjs';

const ROUNDS = 5;

const COMMANDS = [
  'status',
  'status --attention',
  'listen --once --sandbox',
  'history --limit 20',
  '__complete bash swapctl status ',
  'report',
  'report --by day --since 2026-01-01 --share 0.4% --json',
  'history --csv',
  'history --format beancount',
  'history 0.12345678',
  'policy simulate policy.json --sandbox',
];

/** Prints how long commands on a ledger of so many swaps, three of them open, take as whole processes, and their memory. */
export async function ledgerCommands(swaps) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const env = { PATH: process.env.PATH, HOME: home, SWAPCTL_LEDGER: join(home, 'ledger.db') };
  fillLedger(env, swaps);
  writeFileSync(join(home, 'policy.json'), JSON.stringify({ version: 1, rules: RULES }));
  const bare = shortest(() => spawnSync(process.execPath, ['-e', '0'], { env }));
  console.log(
    `\n| of ${swaps.toLocaleString('en')} swaps | ms | times \`node -e 0\` | MB |\n|---|---|---|---|`,
  );
  for (const args of COMMANDS) console.log(await row(args, env, bare));
  rmSync(home, { recursive: true, force: true });
}

const RULES = [
  { cap: { coin: 'BTC', amount: '500', per: '24h' } },
  { count: { most: 50, per: '1h' } },
  { payout: { seen: 2 } },
];

const completing = ['__complete', 'bash', 'swapctl status '];

async function row(args, env, bare) {
  const words = args.startsWith('__complete') ? completing : args.split(' ');
  const took = shortest(() =>
    spawnSync(process.execPath, [PROGRAM, ...words], { env, cwd: env.HOME, stdio: 'ignore' }),
  );
  const peak = await peakMegabytes([PROGRAM, ...words], env, env.HOME);
  return `| \`${args}\` | ${took.toFixed(0)} | ${(took / bare).toFixed(1)} | ${peak.toFixed(0)} |`;
}

/** Milliseconds of the shortest of some runs. */
function shortest(run) {
  return Math.min(...Array.from({ length: ROUNDS }, () => timed(run)));
}

/** Milliseconds of a run. */
function timed(run) {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}
