import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { killedBatch } from '../commands/batch/killed.ts';
import { temporaryFolder } from '../helpers/home.ts';

const ROWS = 10_000;
const KILLS = 20;
/** The longest that it may take: the sandbox and the batch write some ten thousand transactions each, durably. */
const MAX_SECONDS = 1_800;
/** Rows of the batch whose memory is compared. */
const FEW_ROWS = 1000;
/** What the memory may differ by, in megabytes: the garbage of a process that has run for longer. */
const MAX_MORE_MEGABYTES = 60;

const TABLE = join(import.meta.dirname, '..', '..', 'docs', 'soak-batch.md');
const HEAD = `# Ten thousand rows

A batch of the built program on the sandbox, as \`npm run soak\` runs it, ended by SIGKILL at random and started again with the
same file. "Unknown" are rows that the last run told as such, and behind them how many had made an order. At the end these are
settled with \`history resolve\`, and the file is run once more: "orders" is what the sandbox has then, one for each row.

| rows | seconds | kills | created | unknown | of them with an order | orders | rows with two orders, or none | megabytes |
|---|---|---|---|---|---|---|---|---|
`;

it(
  '10,000 rows that are killed twenty times make 10,000 orders, no row twice, none forgotten, in flat memory',
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
