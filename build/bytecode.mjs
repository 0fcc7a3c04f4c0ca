import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const QUOTE =
  '{"pair":"BTC_ETH","amount":0.1,"exchangeRate":28.85,"receive":2.88,"minAmount":0.00011,"maxAmount":2.6}';
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"build","version":"1"}}}\n';
const CREATE =
  'create BTC ETH 0.1 -a 0x52908400098527886E0F7030069857D2E4169EE7 --refund-address 1BoatSLRHtKNngkdXEeobR76b53LETtpyT --yes';

/**
 * Commands whose code is kept, the most frequent first: bytecode has the functions that were called, and a file keeps
 * those of the first command that loads it.
 */
const COMMANDS = [
  'quote BTC ETH 0.1 --json',
  ['__complete', 'bash', 'swapctl --sandbox quote BT'],
  'quote BTC ETH 0.1 --sandbox',
  `${CREATE} --sandbox`,
  'status --sandbox --json',
  'coins --sandbox',
  'networks BTC --sandbox',
  'history --sandbox',
  'listen --once --sandbox',
  'mcp --sandbox',
];

/** Keeps the bytecode of frequent commands for the Node that builds. */
export async function keepBytecode() {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(QUOTE),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const home = mkdtempSync(join(tmpdir(), 'swapctl-build-'));
  const env = {
    ...{ HOME: home, PATH: process.env.PATH, SWAPCTL_BASE_URL: `http://127.0.0.1:${server.address().port}` },
    ...{ SWAPCTL_PUBLIC_KEY: 'build', SWAPCTL_SECRET: 'build' },
  };
  try {
    for (const command of COMMANDS) await run(command, env);
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function run(command, env) {
  const words = typeof command === 'string' ? command.split(' ') : command;
  const args = ['--require', './build/keep-bytecode.cjs', 'bin/swapctl.js', ...words];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  // Only `mcp` reads it.
  child.stdin.on('error', () => undefined).end(INITIALIZE);
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new Error(`swapctl ${words.join(' ')} failed while its bytecode was being kept: ${errors}`);
}
