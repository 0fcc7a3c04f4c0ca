// What the audit chain costs of the ledger time of a create: the same creates with it and without it, in turn.
// Usage: node test/bench/audit.mjs [creates]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { loaded } from './bundle.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const WRITER = 'src/core/ledger/policy/audit.ts';
const HEAD = 'return (tx, { account, profile }, { type, data, at }, change) => {';
/** Runs the change alone, prepared once as with a link. */
const WITHOUT = `if (change === undefined) return Promise.resolve(true);
  const alone = change.compile();
  const query = kind === 'postgres' ? preparedQuery(alone.sql, alone.parameters) : alone;
  return tx.executeQuery(query).then(({ numAffectedRows }) => numAffectedRows === 1n);`;

/** Loads the ledger, perhaps with a writer of the chain that does nothing. */
function load(isWithout) {
  const without = {
    name: 'without-chain',
    transform(code, id) {
      if (relative(ROOT, id).replaceAll('\\', '/') !== WRITER) return null;
      if (code.split(HEAD).length !== 2)
        this.error(`${WRITER} has changed; change test/bench/audit.mjs with it.`);
      return { code: code.replace(HEAD, `${HEAD} ${WITHOUT}`), map: null };
    },
  };
  return loaded('audit-ledger.ts', isWithout ? [without] : []);
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** Milliseconds of one create: the claim and the outcome. */
async function create({ INTENT, OWNER, observed }, ledger, order) {
  const begun = performance.now();
  const entry = await ledger.claim(OWNER, INTENT, order, Date.now());
  await ledger.created(entry.id, observed(order, 9, Date.now()), null);
  return performance.now() - begun;
}

/** Prints the medians, and the share of the chain. */
export async function auditCost(creates) {
  const [kept, without] = [await load(false), await load(true)];
  const postgres = await kept.startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'swapctl-audit-'));
  try {
    for (const [name, location] of [
      ['SQLite', (which) => join(folder, `${which}.db`)],
      ['PostgreSQL', () => postgres.database()],
    ]) {
      const sides = [];
      for (const [which, module] of [kept, without].entries())
        sides.push({ module, ledger: await module.openLedger(await location(which)), times: [] });
      for (let index = -50; index < creates; index += 1)
        for (const { module, ledger, times } of index % 2 === 0 ? sides : sides.toReversed()) {
          const time = await create(module, ledger, `ORDER${index + 50}`);
          if (index >= 0) times.push(time);
        }
      const [{ n }, { n: none }] = [await sides[0].ledger.audit.head(), await sides[1].ledger.audit.head()];
      if (n !== 2 * (creates + 50) || none !== 0) throw new Error(`The chains have ${n} and ${none} links.`);
      for (const { ledger } of sides) await ledger.close();
      const [all, bare] = sides.map(({ times }) => median(times));
      process.stdout.write(
        `a create on ${name}: ${all.toFixed(2)} ms, ${bare.toFixed(2)} ms without the audit chain, which is ${Math.round((100 * (all - bare)) / bare)} %\n`,
      );
    }
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await auditCost(Number.parseInt(process.argv[2] ?? '1000', 10));
