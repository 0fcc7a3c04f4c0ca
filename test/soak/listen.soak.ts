import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startFlow, until } from '../cli/program/listen/flow.ts';
import { postgresForFile } from '../core/database/postgres/for-file.ts';
import { temporaryFolder } from '../helpers/home.ts';
import type { SeenRequest } from '../helpers/raw-server.ts';
import { rawServer } from '../helpers/raw-server.ts';

const TABLE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'soak-events.md');
const HEAD = `# Soak test: 10,000 events

\`npm run soak\` runs listeners on one ledger, kills them (SIGKILL) and restarts them, while the status of 100 swaps keeps changing. At
random, the receiver answers 500, drops the connection or never answers. "Missing" counts events in the ledger that the receiver never
accepted; "out of order" counts events that arrived before an earlier event of their swap, or with a different body. PostgreSQL is
stopped for six seconds whenever the service is about to say that the 1st, the 34th and the 67th swap has ended, so that this cannot be
written.

| database | listeners | seconds | kills | restarts | events | failed attempts | received again | missing | out of order |
|---|---|---|---|---|---|---|---|---|---|
`;
const SWAPS = 100;
/** Numbers of ended swaps at which PostgreSQL is stopped, and for how long, in milliseconds. */
const STOPS: readonly number[] = [0, 33, 66];
const STOPPED_MS = 6_000;
/** Time limit for each wait. */
const MAX_SECONDS = 1_200;

/** A receiver that fails at random and records what it accepts. */
async function randomReceiver() {
  const accepted: SeenRequest[] = [];
  const refused = { count: 0 };
  const { url } = await rawServer((seen, response, request) => {
    const chance = Math.random();
    refused.count += chance < 0.03 ? 1 : 0;
    if (chance < 0.015) return response.writeHead(500).end('no');
    if (chance < 0.027) return request.socket.destroy();
    if (chance < 0.03) return undefined;
    accepted.push(seen);
    return response.writeHead(204).end();
  });
  return { url, accepted, refused };
}

const server = postgresForFile();

beforeAll(() => writeFileSync(TABLE, HEAD));

describe.each([
  { kind: 'sqlite', listeners: 1, changes: 100, kills: 20 },
  { kind: 'postgres', listeners: 3, changes: 40, kills: 8 },
])(
  '$changes changes of 100 swaps on $kind, listeners killed $kills times',
  ({ kind, listeners, changes, kills }) => {
    it('are each delivered at least once, unchanged and in order per swap', {
      timeout: 1_500_000,
    }, async () => {
      const home = await temporaryFolder();
      const postgres = kind === 'postgres' ? await server() : null;
      const ledger = (await postgres?.database()) ?? join(home, 'ledger.db');
      let restarts = 0;
      const flow = await startFlow({ home, ledger }, SWAPS, changes, async (ended) => {
        if (postgres === null || !STOPS.includes(ended)) return;
        await postgres.stop();
        setTimeout(() => void postgres.start(), STOPPED_MS);
        restarts += 1;
      });
      const began = performance.now();
      try {
        const { url, accepted, refused } = await randomReceiver();
        const runs = Array.from({ length: listeners }, () => flow.listen(url));
        for (let kill = 0; kill < kills; kill += 1) {
          const goal = ((kill + 1) * SWAPS * changes) / (kills + 2);
          await until(() => accepted.length >= goal, `${goal} deliveries`, MAX_SECONDS);
          const victim = kill % listeners;
          runs[victim]?.child.kill('SIGKILL');
          await runs[victim]?.ended;
          runs[victim] = flow.listen(url);
        }
        await until(flow.isDone, 'the end', MAX_SECONDS);
        for (const run of runs) run.child.kill('SIGTERM');
        expect(await Promise.all(runs.map(async (run) => (await run.ended).code))).toEqual(
          runs.map(() => 143),
        );
        expect(await flow.problems(accepted)).toEqual([]);
        const seconds = Math.round((performance.now() - began) / 1000);
        const events = new Set(accepted.map(({ headers }) => headers['webhook-id'])).size;
        const twice = accepted.length - events;
        const cells = [kind, listeners, seconds, kills, restarts, events, refused.count, twice, 0, 0];
        appendFileSync(TABLE, `| ${cells.join(' | ')} |\n`);
      } finally {
        await flow.close();
      }
    });
  },
);
