// How many swaps listeners follow: 100,000 open swaps in one ledger, on SQLite with one listener and on PostgreSQL with one
// and three. The service answers at once, and the budget has no end. Usage: node test/bench/listeners.mjs [swaps [seconds]]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loaded } from './bundle.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const [swaps, seconds] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 20)];

const { startPostgres, profileAt, answerText, fillOpen } = await loaded('listeners-ledger.ts');

let polls = 0;
const server = createServer((request, response) => {
  polls += 1;
  const order = new URL(request.url ?? '', 'http://x').searchParams.get('id') ?? '';
  response.writeHead(200, { 'content-type': 'application/json' }).end(answerText(order));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

/** Seconds of processor time of some processes, of which Linux counts hundredths. */
function processorTime(children) {
  const ticks = children.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
    return Number(fields[13]) + Number(fields[14]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / 100;
}

/** Waits until a listener has printed every open swap, and reads on. */
function printed(stdout) {
  let lines = 0;
  return new Promise((resolve) => {
    stdout.on('data', (chunk) => {
      for (const byte of chunk) if (byte === 10) lines += 1;
      if (lines >= swaps) resolve(undefined);
    });
  });
}

/** Runs so many listeners on a ledger, and prints what they polled. */
async function measure(name, location, listeners, folder) {
  await fillOpen(location, swaps, url);
  const env = { PATH: process.env.PATH, HOME: folder, SWAPCTL_LEDGER: location, ...profileAt(url) };
  const args = [join(ROOT, 'bin', 'swapctl.js'), 'listen', '--json', '--budget', '1000000/1s', '--quiet'];
  const children = Array.from({ length: listeners }, () =>
    spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  // Each begins by printing everything that is open, and then reads it again.
  await Promise.all(children.map(({ stdout }) => printed(stdout)));
  while (polls < 50 * listeners) await pause(100);
  await pause(10_000);
  const [before, start, used] = [polls, performance.now(), processorTime(children)];
  await pause(seconds * 1000);
  const rate = ((polls - before) * 1000) / (performance.now() - start);
  const cost = ((processorTime(children) - used) * 1000) / (polls - before);
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => once(child, 'exit')));
  polls = 0;
  const round = (swaps / rate / 60).toFixed(1);
  console.log(
    `${name}: ${rate.toFixed(0)} polls/s, each with its row written and ${cost.toFixed(1)} ms of the listeners' processor time; all ${swaps} in ${round} min`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'swapctl-listeners-'));
const postgres = await startPostgres();
try {
  await measure('SQLite, 1 listener', join(folder, 'ledger.db'), 1, folder);
  await measure('PostgreSQL, 1 listener', await postgres.database(), 1, folder);
  await measure('PostgreSQL, 3 listeners', await postgres.database(), 3, folder);
} finally {
  await postgres.remove();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
