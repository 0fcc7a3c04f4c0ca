import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countedFiles } from './bundle.mjs';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'coverage.md');

/** Why worlds do not reach branches of these files. */
export const REASONS = {};

/** Writes the page about the branches that no world reaches, by files and functions. */
export function writeCoverage(files, seeds) {
  const rows = countedFiles().map((file) => {
    const { ran, missed } = files.get(file) ?? { ran: 0, missed: [] };
    const functions = [...new Set(missed.map(({ within }) => within || 'unnamed'))].sort();
    return { file, ran, missed: missed.length, functions };
  });
  const sum = (folder, of) =>
    rows.filter(({ file }) => file.startsWith(folder)).reduce((total, row) => total + of(row), 0);
  const share = (folder) => {
    const ran = sum(folder, (row) => row.ran);
    const all = ran + sum(folder, (row) => row.missed);
    return `${ran} of ${all} branches of \`${folder}\` (${Math.round((100 * ran) / all)} %)`;
  };
  const lines = rows
    .filter(({ ran, missed }) => ran + missed > 0)
    .map(
      ({ file, ran, missed, functions }) =>
        `| \`${file}\` | ${ran} | ${ran + missed} | ${functions.join(', ')} | ${missed === 0 ? '' : (REASONS[file] ?? '')} |`,
    );
  writeFileSync(
    PAGE,
    `# What the simulation reaches

${seeds} seeds reach ${share('src/core/swaps/')} and ${share('src/core/ledger/')}: of all files, also those that no actor uses. A
branch is a function, or a part of one that V8 counts apart, such as the arm of an \`if\`. What is not reached is proved by the tests beside
the code; the last column says why a world does not get there. \`npm run simulate -- --seeds 300 --coverage\` writes this page.

| file | reached | of | functions with branches that are not | why |
|---|---|---|---|---|
${lines.join('\n')}
`,
  );
}
