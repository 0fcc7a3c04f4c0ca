import { expect, it } from 'vitest';
import { openOperator } from '../../src/sandbox/operator/operator.ts';
import { temporaryFolder } from '../helpers/home.ts';
import { listeningUrl, startProgram } from '../helpers/program.ts';
import { call, freshFile, NEW_SWAP } from './sandbox.ts';

const START = ['sandbox', 'start', '--port', '0', '--rate-limit', '400/1d'];

it.runIf(process.platform !== 'win32')('a sandbox on a full disk fails creates, answers reads', async () => {
  const [database, home] = [freshFile(), await temporaryFolder()];
  const operator = await openOperator({ database });
  const [credentials] = await operator.partners.list();
  if (credentials === undefined) throw new Error('no partner');
  await operator.close();
  // No file may grow beyond 200 KB, so the log of the database fills up.
  const shell = 'ulimit -f 200; exec "$0" "$@"';
  const server = startProgram([...START, '--database', database], { home, shell });
  const place = { url: await listeningUrl(server), credentials };
  const made: string[] = [];
  for (let status = 201; status === 201; ) {
    const answer = await call(place, 'create-transaction', NEW_SWAP);
    status = answer.status;
    if (status === 201) made.push(answer.json.orderNumber);
    else expect(answer.json).toEqual({ statusCode: 500, message: 'Failed create transaction.' });
  }
  const statuses: number[] = [];
  for (let read = made.length + 1; read < 410; read += 1)
    statuses.push((await call(place, 'get-transaction', { id: made[read % made.length] })).status);
  const answered = statuses.indexOf(429);
  expect(made.length + 1 + answered).toBe(400);
  expect(new Set(statuses.slice(0, answered))).toEqual(new Set([200]));
  expect(new Set(statuses.slice(answered))).toEqual(new Set([429]));
  server.child.kill('SIGKILL');
  await server.ended;
  const after = await openOperator({ database });
  const recorded = new Set((await after.orders.list()).map(({ order }) => order));
  expect(made.filter((order) => !recorded.has(order))).toEqual([]);
  await after.close();
});
