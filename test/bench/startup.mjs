import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'swapctl.js');
const QUOTE =
  '{"pair":"BTC_ETH","amount":0.1,"exchangeRate":28.85,"receive":2.88,"minAmount":0.00011,"maxAmount":2.6}';

/** A bare server on loopback with one fixed quote, so that only the client is measured. */
export async function quoteServer() {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(QUOTE),
  );
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A stored list of `count` coins, as the client leaves it behind. */
async function storeCoins(env, count) {
  const networks = ['ETH', 'BSC', 'TRX', 'MATIC', 'SOL'].map((subName) => ({ subName, memoNeeded: false }));
  const page = (key, list, number) => ({
    pagination: { pageCount: count / 100, totalCount: count },
    [list]: Array.from({ length: 100 }, (_, index) => {
      const name = `${number * 100 + index}`;
      return {
        subName: `COIN${name}`,
        name: `Coin number ${name}`,
        image: `/coins/${name}.svg`,
        networks: { [key]: networks },
      };
    }),
  });
  const server = createServer((request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const number = Number.parseInt(query.get('page'), 10);
    const [key, list] =
      query.get('method') === '1' ? ['deposits', 'depositCoins'] : ['withdraws', 'withdrawCoins'];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(page(key, list, number)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  await timed([PROGRAM, 'coins'], { ...env, SWAPCTL_BASE_URL: baseUrl });
  server.close();
  return baseUrl;
}

/** Wall time of one process in milliseconds. */
export async function timed(args, env) {
  const begin = performance.now();
  const code = await new Promise((resolve, reject) => {
    spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'ignore'] })
      .on('error', reject)
      .on('close', resolve);
  });
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`);
  return performance.now() - begin;
}

const INITIALIZE = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\n`;

/** Milliseconds until `swapctl mcp` answers a host's `initialize`. */
export async function answered(args, env) {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(INITIALIZE);
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`mcp exited with ${code}`)));
  });
  const time = performance.now() - begin;
  child.removeAllListeners('exit').stdin.end();
  await new Promise((resolve) => child.on('close', resolve));
  return time;
}

/** Largest resident size of one process in megabytes. `maxRSS` would be that of this process, if it is larger. */
export async function peakMegabytes(args, env, folder) {
  const probe = join(folder, 'peak.cjs');
  const line =
    "'\\npeak ' + /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1] + '\\n'";
  writeFileSync(probe, `const fs = require('node:fs'); process.on('exit', () => fs.writeSync(2, ${line}));`);
  const text = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', probe, ...args], {
      env,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject).on('close', () => resolve(errors));
  });
  return Number.parseInt(/peak (\d+)/.exec(text)?.[1] ?? '0', 10) / 1024;
}

/** What bash runs when Tab is pressed behind a line. */
const completing = (line) => [PROGRAM, '__complete', 'bash', line];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Prints the table of start-up ratios. */
export async function startup(rounds) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const server = await quoteServer();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SWAPCTL_BASE_URL: server.url,
    SWAPCTL_PUBLIC_KEY: 'bench',
    SWAPCTL_SECRET: 'bench',
  };
  const listed = { ...env, SWAPCTL_BASE_URL: await storeCoins(env, 10_000) };
  const cases = [
    ['node -e 0', ['-e', '0'], ''],
    ['swapctl --version', [PROGRAM, '--version'], '1.12'],
    ['swapctl --help', [PROGRAM, '--help'], '1.15'],
    ['one signed quote', [PROGRAM, 'quote', 'BTC', 'ETH', '0.1', '--json'], '2.8'],
    ['10,000 coins, a pipe', [PROGRAM, 'coins'], '3.5'],
    ['10,000 coins, JSON', [PROGRAM, 'coins', '--json'], ''],
    ['completion of a built-in coin', completing('swapctl --sandbox quote BT'), '1.4'],
    ['completion of one of 10,000 coins', completing('swapctl quote COIN999'), '1.4'],
    ['mcp, until it is initialized', [PROGRAM, 'mcp'], ''],
  ];
  const times = cases.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, [name, args]] of cases.entries()) {
      const run = name.startsWith('mcp') ? answered : timed;
      const time = await run(args, name.includes('10,000') ? listed : env);
      // The first round warms the disk's cache.
      if (round >= 0) times[index].push(time);
    }
  }
  const floor = median(times[0]);
  console.log('| start-up | median, ms | ratio | goal |\n|---|---|---|---|');
  for (const [index, [name, , goal]] of cases.entries()) {
    console.log(
      `| ${name} | ${median(times[index]).toFixed(0)} | ${(median(times[index]) / floor).toFixed(2)} | ${goal} |`,
    );
  }
  const peak = await peakMegabytes([PROGRAM, 'coins'], listed, home);
  console.log(
    `\n10,000 coins take ${peak.toFixed(0)} MB at their peak (goal 80). Node ${process.version}, ${rounds} rounds.`,
  );
  server.close();
  rmSync(home, { recursive: true, force: true });
}
