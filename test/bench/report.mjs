import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { PROGRAM } from './server.mjs';

const ROUNDS = 5;

/** Prints how long a report over a ledger of so many paid swaps takes as a whole process, and its memory. */
export function reports(swaps) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const ledger = join(home, 'ledger.db');
  const env = { PATH: process.env.PATH, HOME: home, SWAPCTL_LEDGER: ledger };
  execFileSync(process.execPath, [PROGRAM, 'history'], { env, stdio: 'ignore' });
  fill(ledger, swaps);
  const bare = shortest(() => spawnSync(process.execPath, ['-e', '0']));
  console.log(
    `\n| of ${swaps.toLocaleString('en')} swaps | ms | times \`node -e 0\` | MB |\n|---|---|---|---|`,
  );
  const others = ['report --by day --share 0.4% --json', 'history --limit 1', 'history --format beancount'];
  for (const args of ['report', ...others]) console.log(row(args, env, bare));
  rmSync(home, { recursive: true, force: true });
}

function row(args, env, bare) {
  const words = args.split(' ');
  const took = shortest(() => spawnSync(process.execPath, [PROGRAM, ...words], { env, stdio: 'ignore' }));
  const script = `process.on('exit', () => console.error(process.resourceUsage().maxRSS))`;
  const told = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(script)}`, PROGRAM, ...words],
    {
      ...{ env, encoding: 'utf8', maxBuffer: 1e9 },
    },
  );
  const kilobytes = Number.parseInt(told.stderr.trim().split('\n').at(-1), 10);
  return `| \`${args}\` | ${took.toFixed(0)} | ${(took / bare).toFixed(1)} | ${(kilobytes / 1024).toFixed(0)} |`;
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

function fill(file, swaps) {
  const database = new DatabaseSync(file);
  const columns = [
    ...['id', 'account', 'profile', 'environment', 'host', 'request', 'outcome', 'order_number'],
    ...[
      'requested_at',
      'seen_at',
      'snapshot',
      'status_code',
      'final',
      'first_snapshot',
      'furthest',
      'doubts',
    ],
    ...['figures', 'changes', 'events', 'next_poll_at', 'poll_lease_until'],
  ];
  const insert = database.prepare(
    `insert into intents (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  );
  const start = Date.parse('2026-01-01T00:00:00Z');
  database.exec('begin');
  for (let index = 0; index < swaps; index += 1) {
    const at = start + index * 60_000;
    const amount = `0.${String((index * 7919) % 100_000_000).padStart(8, '0')}`;
    const snapshot = JSON.stringify(swapOf(`ORDER${index}`, amount, at));
    const request = JSON.stringify({
      ...{ deposit: { coin: 'BTC', network: 'BTC' }, receive: { coin: 'ETH', network: 'ETH' }, amount },
      ...{
        lastSource: 'deposit',
        type: 'float',
        address: '0x0',
        memo: null,
        refundAddress: null,
        asked: amount,
      },
    });
    const owner = ['0123456789abcdef', 'shop', 'live', 'swap.example'];
    const values = [`id-${index}`, ...owner, request, 'created', `ORDER${index}`, at];
    const figures = JSON.stringify([
      ...['success', 'BTC', 'ETH', amount, amount, amount, '0.0001', '0.0001'],
      ...[(400 + (at % 7)) * 1000, true, false, {}],
    ]);
    insert.run(...values, at, snapshot, 4, 1, snapshot, 'success', '[]', figures, 0, 0, 0, 0);
  }
  database.exec('commit');
  database.close();
}

function swapOf(order, amount, at) {
  const time = (seconds) => new Date(at + seconds * 1000).toISOString();
  const side = (coin, seconds) => ({
    ...{ coin, name: coin, network: coin, amount, address: '0x52908400098527886E0F7030069857D2E4169EE7' },
    ...{ memo: null, txId: 'ab'.repeat(32), confirmations: 12, fee: '0.0001' },
    ...{ receivedAt: time(seconds), confirmedAt: time(seconds + 10) },
  });
  return {
    ...{ order, status: 'success', statusCode: 4, final: true, type: 'float', deposit: side('BTC', 60) },
    receive: {
      ...side('ETH', 300),
      paidAmount: amount,
      paidTo: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    ...{
      riskScore: '1',
      createdAt: time(0),
      startedAt: time(0),
      endedAt: time(400 + (at % 7)),
      duration: '00:06:40',
    },
    expiresAt: null,
  };
}
