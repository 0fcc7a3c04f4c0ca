import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerTo, CREATE, load, median, PROGRAM, QUOTE, requestText, startSandbox } from './server.mjs';

const CONNECTIONS = 32;
const STEPS = 10;
const ROUNDS = 3;
const SAMPLES = 50;
const FEW_ORDERS = 1000;

/** Resident size of a process in megabytes. */
function megabytes(pid) {
  return (
    Number.parseInt(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }), 10) / 1024
  );
}

/** Prints a sandbox's memory over many quotes, and what many orders do to the speed of reading and listing them. */
export async function endurance(quotes, orders) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const sandbox = await startSandbox({ PATH: process.env.PATH, HOME: home });
  const sizes = await memoryOver(sandbox, quotes);
  console.log(
    `\nMemory over ${quotes.toLocaleString('en')} quotes, a reading each tenth: ${sizes.map((size) => size.toFixed(0)).join(', ')} MB.`,
  );
  console.log('\n| orders | get-transaction, a second | listed a second |\n|---|---|---|');
  await fill(sandbox, FEW_ORDERS);
  console.log(await speedRow(sandbox, home));
  await fill(sandbox, orders - FEW_ORDERS);
  console.log(await speedRow(sandbox, home));
  sandbox.stop();
  rmSync(home, { recursive: true, force: true });
}

async function memoryOver({ url, pid, partner }, quotes) {
  const request = [requestText(partner, 'GET', 'exchange-coin', QUOTE)];
  const sizes = [];
  for (let step = 0; step < STEPS; step += 1) {
    const { failed } = await load(url, request, CONNECTIONS, { count: quotes / STEPS });
    if (failed > 0) throw new Error(`${failed} quotes failed`);
    sizes.push(megabytes(pid));
  }
  return sizes;
}

async function fill({ url, partner }, orders) {
  const { failed } = await load(
    url,
    [requestText(partner, 'POST', 'create-transaction', '', CREATE)],
    CONNECTIONS,
    {
      count: orders,
    },
  );
  if (failed > 0) throw new Error(`${failed} creates failed`);
}

/** A row of the table: how fast some orders are read, and how fast all of them are listed by a process of its own. */
async function speedRow({ url, partner }, home) {
  const requests = [];
  for (let made = 0; made < SAMPLES; made += 1) {
    const { orderNumber } = JSON.parse(
      await answerTo(url, partner, 'POST', 'create-transaction', '', CREATE),
    );
    requests.push(requestText(partner, 'GET', 'get-transaction', `?id=${orderNumber}`));
  }
  const rates = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push((await load(url, requests, CONNECTIONS, { milliseconds: 1000 })).perSecond);
  }
  const { orders, perSecond } = listing(home);
  return `| ${orders.toLocaleString('en')} | ${median(rates).toFixed(0)} | ${perSecond.toFixed(0)} |`;
}

function listing(home) {
  const env = { PATH: process.env.PATH, HOME: home };
  const begin = performance.now();
  const text = execFileSync(process.execPath, [PROGRAM, 'sandbox', 'orders'], {
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const orders = text.trimEnd().split('\n').length;
  return { orders, perSecond: (orders * 1000) / (performance.now() - begin) };
}
