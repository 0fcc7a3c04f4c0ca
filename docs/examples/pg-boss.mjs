// Swaps as jobs of pg-boss (https://github.com/timgit/pg-boss), a queue in PostgreSQL. The id of a job is the idempotency key of its
// swap: a worker that dies after the create, or a job that runs twice, finds the order that exists instead of creating another.
//
//   DATABASE_URL=postgres://… node pg-boss.mjs add invoice-1 BTC ETH 0.1 0x5aAe…
//   DATABASE_URL=postgres://… node pg-boss.mjs work
//
// Needs pg-boss 10 (Node 20) or later, and a profile: `swapctl auth login`, or SWAPCTL_PROFILE=sandbox.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import PgBoss from 'pg-boss';

const QUEUE = 'swaps';
/** The program, as words of a command line. */
const SWAPCTL = JSON.parse(process.env.SWAPCTL ?? '["swapctl"]');

/** Runs swapctl and returns what it printed as JSON; throws its error with its exit code. */
async function swapctl(...args) {
  const [program, ...words] = [...SWAPCTL, ...args, '--json', '--no-input'];
  const { stdout } = await promisify(execFile)(program, words);
  return JSON.parse(stdout);
}

/** What the exit code of a failed create means for its job: docs/command-line/exit-codes.md. */
function isRepeatable({ code }) {
  // With 7 the outcome is unknown: with its key a create is never sent twice, and 7 stays until someone settles it.
  return code === 5 || code === 6 || code === 7 || code === 130 || code === 143;
}

async function createSwap({ id, data: { from, to, amount, address } }) {
  const key = ['--idempotency-key', id];
  const swap = await swapctl('create', from, to, amount, '--address', address, ...key, '--yes');
  // Between the create and the end of its job: the place where a crash would cost a second swap without the key.
  if (process.env.CRASH === 'after-create') process.exit(1);
  console.log(`${id} ${swap.order} ${swap.replayed ? 'found' : 'created'}`);
  return { order: swap.order, deposit: swap.deposit };
}

const boss = new PgBoss(process.env.DATABASE_URL ?? '');
boss.on('error', console.error);
await boss.start();
await boss.createQueue(QUEUE);
const [verb, id, from, to, amount, address] = process.argv.slice(2);
if (verb === 'add') {
  // A job of the same name is added once; the queue repeats it when its worker died or failed.
  const expireInSeconds = Number(process.env.EXPIRE_SECONDS ?? 300);
  const options = { singletonKey: id, retryLimit: 10, retryDelay: 1, retryBackoff: true, expireInSeconds };
  await boss.send(QUEUE, { key: id, from, to, amount, address }, options);
} else {
  // Jobs of a worker that died are due again when they have expired; pg-boss looks for them now and then, and here at the start.
  await boss.maintain();
  await boss.work(QUEUE, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    try {
      return await createSwap({ id: job.data.key, data: job.data });
    } catch (error) {
      if (isRepeatable(error)) throw error;
      // A refused address or amount is refused again: the job ends with the reason.
      console.error(`${job.data.key} ${error.stderr ?? error.message}`);
      return { refused: error.stderr ?? error.message };
    }
  });
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
}
await boss.stop({ graceful: true });
