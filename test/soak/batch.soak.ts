import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/home.ts';
import { killedBatch } from './killed-batch.ts';

const ROWS = 10_000;
const KILLS = 20;
/** Time limit: the sandbox and the batch each write ten thousand durable transactions. */
const MAX_SECONDS = 1_800;
/** Number of rows of the small batch with which memory is compared. */
const FEW_ROWS = 1000;
/** Allowed difference in memory, in megabytes, because a longer run leaves more garbage. */
const MAX_MORE_MEGABYTES = 60;

const TABLE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'soak-batch.md');
const HEAD = `# Soak test: a batch of 10,000 rows

\`npm run soak\` runs a batch against the sandbox, kills it (SIGKILL) at random and restarts it with the same file. "Unknown" counts rows
that the last run reported as unknown; the next column, those of them that do have an order. These are then settled with
\`history resolve\`, and the file is run once more. "Orders" is what the sandbox has at the end: one per row.

| rows | seconds | kills | created | unknown | unknown with an order | orders | rows with no order or two | memory, MB |
|---|---|---|---|---|---|---|---|---|
`;

it(
  'a batch of 10,000 rows that is killed twenty times makes one order per row in bounded memory',
  async () => {
    const killAt = Array.from({ length: KILLS }, () => 1 + Math.floor(Math.random() * (ROWS - 1))).sort(
      (a, b) => a - b,
    );
    const few = await killedBatch(await temporaryFolder(), FEW_ROWS, [FEW_ROWS - 50]);
    const many = await killedBatch(await temporaryFolder(), ROWS, [...killAt, ROWS - 50]);
    const line = (batch: typeof few, rows: number) =>
      `| ${[rows, batch.seconds, batch.kills, batch.created, batch.unknown, batch.unknownWithOrder, batch.orders, batch.problems.length, batch.megabytes].join(' | ')} |\n`;
    writeFileSync(TABLE, `${HEAD}${line(few, FEW_ROWS)}${line(many, ROWS)}`);
    expect([...few.problems, ...many.problems]).toEqual([]);
    expect([few.orders, many.orders]).toEqual([FEW_ROWS, ROWS]);
    expect(many.created + many.unknown).toBe(ROWS);
    expect(many.unknown).toBeLessThanOrEqual(5 * (KILLS + 1));
    expect(many.megabytes).toBeLessThanOrEqual((few.megabytes ?? 0) + MAX_MORE_MEGABYTES);
  },
  MAX_SECONDS * 1000,
);
