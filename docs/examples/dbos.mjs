// A swap as a workflow of DBOS (https://github.com/dbos-inc/dbos-transact-ts), which records each step in PostgreSQL and continues
// after a crash with the step that was not recorded. The id of the workflow is the idempotency key of its swap: a create that was
// sent, but not recorded as a step, finds its order when the step runs again.
//
//   DATABASE_URL=postgres://… node dbos.mjs start invoice-1 BTC ETH 0.1 0x5aAe…
//   DATABASE_URL=postgres://… node dbos.mjs resume invoice-1
//
// Needs a profile: `swapctl auth login`, or SWAPCTL_PROFILE=sandbox.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DBOS } from '@dbos-inc/dbos-sdk';

/** The program, as words of a command line. */
const SWAPCTL = JSON.parse(process.env.SWAPCTL ?? '["swapctl"]');
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 30_000);

/** Runs swapctl and returns what it printed as JSON; throws its error with its exit code. */
async function swapctl(...args) {
  const [program, ...words] = [...SWAPCTL, ...args, '--json', '--no-input'];
  const { stdout } = await promisify(execFile)(program, words);
  return JSON.parse(stdout);
}

async function createSwap(key, { from, to, amount, address }) {
  const words = ['--address', address, '--idempotency-key', key, '--yes'];
  const { order } = await swapctl('create', from, to, amount, ...words);
  // Before the step is recorded: the place where a crash would cost a second swap without the key.
  if (process.env.CRASH === 'after-create') process.exit(1);
  return order;
}

/** Creates a swap and waits for its end; returns its order and last status. */
async function swapWorkflow(request) {
  const key = DBOS.workflowID;
  const order = await DBOS.runStep(() => createSwap(key, request), { name: 'create' });
  for (;;) {
    // From the ledger, if a listener polled it within this time.
    const look = () => swapctl('status', order, '--max-age', '30s');
    const { status, final } = await DBOS.runStep(look, {
      name: 'status',
      retriesAllowed: true,
      maxAttempts: 5,
    });
    if (final) return { order, status };
    await DBOS.sleep(PAUSE_MS);
  }
}

const swap = DBOS.registerWorkflow(swapWorkflow, { name: 'swap' });
DBOS.setConfig({ name: 'swaps', systemDatabaseUrl: process.env.DATABASE_URL });
// Continues the workflows of a process that died.
await DBOS.launch();
const [verb, id, from, to, amount, address] = process.argv.slice(2);
const handle =
  verb === 'start'
    ? await DBOS.startWorkflow(swap, { workflowID: id })({ from, to, amount, address })
    : DBOS.retrieveWorkflow(id);
const { order, status } = await handle.getResult();
console.log(`${id} ${order} ${status}`);
await DBOS.shutdown();
