import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../src/core/ledger/ledger.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { INTENT, OWNER, observed } from './entries.ts';
import { ledgerAt } from './events/ledgers.ts';

const TRACES = readFileSync(join(import.meta.dirname, 'create.traces.txt'), 'utf8')
  .trim()
  .split('\n\n');

/** PostgreSQL takes longer for each, and its locks are tested elsewhere. */
const COUNTS = { sqlite: TRACES.length, postgres: 25 };

/** Takes the steps of a trace with two handles on one ledger; after each the entries have to be those of the model. */
async function replay(handles: Readonly<Record<string, Ledger>>, trace: string, name: string): Promise<void> {
  const ids: string[] = [];
  for (const [at, line] of trace.split('\n').entries()) {
    const [step = '', expected = ''] = line.split(' => ');
    const [by = '', action, result = '', entry = '', order = ''] = step.split(' ');
    const ledger = handles[by] ?? handles['A'];
    if (ledger === undefined) throw new Error('no ledger');
    const reported = `${name}, step ${at + 1}: ${line}`;
    if (action === 'claim') {
      const found = await ledger.claim({ ...OWNER, account: name }, INTENT, 'key', at);
      expect(found !== null, reported).toBe(result !== 'no');
      if (found !== null) expect(ids.includes(found.id), reported).toBe(result === 'again');
      if (found !== null && result === 'new') ids.push(found.id);
    } else if (action === 'dismiss') {
      expect(await ledger.dismiss(ids[Number.parseInt(result, 10)] ?? '', at), reported).not.toBeNull();
    } else {
      const id = ids[Number.parseInt(entry, 10)] ?? '';
      if (result === 'created')
        expect(await ledger.created(id, observed(order, 9, at), null), reported).toBe(true);
      else await ledger.settle(id, { outcome: result as 'unknown', reason: 'as in the model', at });
    }
    const shown = (await Promise.all(ids.map((id) => ledger.byId(id)))).map((row) => {
      const number = row?.order === null ? '' : `#${row?.order}`;
      return `${row?.outcome}${number}${row?.idempotencyKey === null ? '' : '*'}`;
    });
    expect(shown.join(' '), reported).toBe(expected);
  }
}

describe.each(BOTH_DATABASES)('the ledger on $kind', ({ kind, fresh }) => {
  it('matches the model in docs/evidence/spec/create.qnt at each step of a create', {
    timeout: 60_000,
  }, async () => {
    const location = await fresh();
    const handles = { A: await ledgerAt(location), B: await ledgerAt(location) };
    expect(TRACES.length).toBe(80);
    for (const [index, trace] of TRACES.slice(0, COUNTS[kind]).entries())
      await replay(handles, trace, `trace ${index + 1}`);
  });
});
