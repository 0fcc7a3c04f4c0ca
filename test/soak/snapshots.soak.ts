import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonPieces } from '../../src/sandbox/operator/json.ts';
import type { Operator } from '../../src/sandbox/operator/operator.ts';
import { BOTH_DATABASES } from '../core/database/databases.ts';
import { addOrders, createsDuring } from '../sandbox/orders/many.ts';
import { testSandbox } from '../sandbox/sandbox.ts';

const ORDERS = 100_000;
/** What a client may wait for a create, in milliseconds, whatever an operator does. */
const MAX_WAIT_MS = 1000;

const TABLE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'soak-snapshots.md');
const HEAD = `# Soak test: snapshots of 100,000 orders

Every order has a deposit and is paused. \`npm run soak\` saves, loads and compares snapshots while a client creates one order after the
other. Times are in milliseconds, memory in MB.

| database | operation | took | creates | refused | slowest create | memory |
|---|---|---|---|---|---|---|
`;

beforeAll(() => {
  mkdirSync(join(TABLE, '..'), { recursive: true });
  writeFileSync(TABLE, HEAD);
});

describe.each(BOTH_DATABASES)('snapshots of 100,000 orders on $kind', ({ kind, fresh }) => {
  it('refuse no create and delay none for long', async () => {
    const sandbox = await testSandbox({ database: await fresh() });
    const { operator } = sandbox;
    await addOrders(sandbox, ORDERS, true);
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['save', () => operator.snapshots.save('a')],
      ['clock advance', () => operator.clock.advance(86_400_000)],
      ['save again', () => operator.snapshots.save('b')],
      ['diff of all', () => diffed(operator, 'a', 'b')],
      ['clock reset', () => operator.clock.reset()],
      ['load', () => operator.snapshots.load('a')],
      ['diff of few', () => diffed(operator, 'a', null)],
      ['reset', () => operator.reset()],
    ];
    const found: (readonly [string, number, boolean])[] = [];
    for (const [name, work] of steps) {
      const { statuses, slowest, took } = await createsDuring(sandbox, work);
      const refused = [...statuses].reduce((sum, [status, count]) => sum + (status === 201 ? 0 : count), 0);
      const memory = process.memoryUsage().rss / 1024 / 1024;
      const figures = [took, statuses.get(201) ?? 0, refused, slowest, memory].map(Math.round);
      appendFileSync(TABLE, `| ${[kind, name, ...figures].join(' | ')} |\n`);
      found.push([name, refused, slowest < MAX_WAIT_MS]);
    }
    expect(found).toEqual(steps.map(([name]) => [name, 0, true]));
    await sandbox.stop();
  });
});

/** Consumes a difference piece by piece, as the admin port sends it. */
async function diffed(operator: Operator, from: string, to: string | null): Promise<void> {
  for await (const _ of jsonPieces(await operator.snapshots.diff(from, to)));
}
