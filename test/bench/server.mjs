import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HERE = import.meta.dirname;
/** The program as it was built. */
export const PROGRAM = join(HERE, '..', '..', 'bin', 'swapctl.js');
const run = promisify(execFile);

/** Starts a process that prints `listening on URL` first. */
async function listening(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} exited with ${code}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /listening on (\S+)/.exec(text);
      if (found !== null) resolve(found[1]);
    });
  });
  return { url, pid: child.pid, stop: () => child.kill('SIGTERM') };
}

/** Starts a sandbox of its own in a fresh home, and tells its default partner. */
export async function startSandbox(env, flags = []) {
  const limits = ['--rate-limit', '9999999/1s', '--quiet'];
  const args = [PROGRAM, 'sandbox', 'start', '--port', '0', ...limits, ...flags];
  const sandbox = await listening(args, env);
  const { stdout } = await run(process.execPath, [PROGRAM, 'sandbox', 'partner', 'list', '--json'], { env });
  return { ...sandbox, partner: JSON.parse(stdout)[0] };
}

/** A signed request as it goes over the wire. */
export function requestText({ publicKey, secret }, method, endpoint, query = '', body = '') {
  const signature = createHmac('sha512', secret).update(endpoint).digest('hex');
  return [
    `${method} /api/private/${endpoint}${query} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    `x-api-public-key: ${publicKey}`,
    `x-api-payload: ${endpoint}`,
    `x-api-signature: ${signature}`,
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
}

/** Requests per second, and how many failed, of a load that goes on for so many milliseconds or requests. */
export async function load(url, requests, connections, until) {
  const { hostname, port } = new URL(url);
  const settings = { host: hostname, port: Number.parseInt(port, 10), requests, connections, ...until };
  const { stdout } = await run(process.execPath, [join(HERE, 'load.mjs'), JSON.stringify(settings)], {
    maxBuffer: 1e6,
  });
  return JSON.parse(stdout);
}

export async function answerTo(url, { publicKey, secret }, method, endpoint, query, body) {
  const headers = {
    'content-type': 'application/json',
    'x-api-public-key': publicKey,
    'x-api-payload': endpoint,
    'x-api-signature': createHmac('sha512', secret).update(endpoint).digest('hex'),
  };
  const response = await fetch(`${url}/api/private/${endpoint}${query}`, {
    method,
    headers,
    ...(body === '' ? {} : { body }),
  });
  return response.text();
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const CREATE = JSON.stringify({
  depositCoin: 'BTC',
  depositAmount: 0.1,
  depositNetwork: 'BTC',
  receiveAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  receiveCoin: 'ETH',
  receiveNetwork: 'ETH',
  typeSwap: 2,
  lastSource: 'deposit',
});

/** The query of a quote. */
export const QUOTE = '?amount=0.1&coinFrom=BTC&coinTo=ETH&lastSource=deposit&typeSwap=2';

/** Prints the sandbox's requests per second against a bare server with the same bytes. */
export async function serverSpeed(rounds, milliseconds) {
  const home = mkdtempSync(join(tmpdir(), 'swapctl-bench-'));
  const env = { PATH: process.env.PATH, HOME: home };
  const sandbox = await startSandbox(env);
  const { partner } = sandbox;
  const order = JSON.parse(
    await answerTo(sandbox.url, partner, 'POST', 'create-transaction', '', CREATE),
  ).orderNumber;
  const cases = [
    ['quote', 'GET', 'exchange-coin', QUOTE, '', 32, '0.25'],
    ['get-transaction', 'GET', 'get-transaction', `?id=${order}`, '', 32, '0.18'],
    ['durable create', 'POST', 'create-transaction', '', CREATE, 64, '0.12'],
  ];
  console.log(
    '\n| sandbox on SQLite | requests per second | bare node:http | ratio | floor |\n|---|---|---|---|---|',
  );
  for (const [name, method, endpoint, query, body, connections, goal] of cases) {
    const bare = await listening(
      [join(HERE, 'bare.mjs'), await answerTo(sandbox.url, partner, method, endpoint, query, body)],
      env,
    );
    const requests = [requestText(partner, method, endpoint, query, body)];
    const rates = { ours: [], bare: [] };
    // The first round warms both servers up.
    for (let round = -1; round < rounds; round += 1) {
      const ours = await load(sandbox.url, requests, connections, { milliseconds });
      if (ours.failed > 0) throw new Error(`${ours.failed} requests for a ${name} failed`);
      const most = await load(bare.url, requests, connections, { milliseconds });
      if (round < 0) continue;
      rates.ours.push(ours.perSecond);
      rates.bare.push(most.perSecond);
    }
    bare.stop();
    const [ours, most] = [median(rates.ours), median(rates.bare)];
    console.log(
      `| ${name} | ${ours.toFixed(0)} | ${most.toFixed(0)} | ${(ours / most).toFixed(2)} | ${goal} |`,
    );
  }
  sandbox.stop();
  rmSync(home, { recursive: true, force: true });
}
