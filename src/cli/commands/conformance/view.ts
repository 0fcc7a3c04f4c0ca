import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import type { CheckResult } from '../../../conformance/check.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { cellReader } from '../../views/columns.ts';

/** Longer words would make the table wider than the terminal. */
const MAX_WORD = 34;
const WORDS_OF_DOCUMENT = 'document';
const LEGEND = visible(` ${WORDS_OF_DOCUMENT}: required by the API document; others: decided by the sandbox`);

/** Findings of a conformance run: a table by endpoint, with the difference below each check that has one. */
export function conformanceView(results: readonly CheckResult[]): View {
  return {
    json: () => results,
    rows: () => results.map(ROW),
    screen: async (style, width) => {
      const table = await renderTable(columns(style), rowsOf(results), style, width);
      return shown`${table}\n${style.dim(LEGEND)}\n${skippedLines(results, style)}`;
    },
  };
}

const ROW = cellReader([
  ...['result', 'endpoint', 'check', 'basis', 'decision', 'expected', 'found', 'habit', 'affects'],
]);

function columns(style: Style): Column[] {
  const isHeading = (row: readonly string[]) => row[0] === '' && row[2] === '';
  return [
    { title: 'RESULT', paint: (text, row) => resultColour(style, row)(text) },
    {
      title: 'CHECK',
      wraps: true,
      paint: (text, row) => (isHeading(row) && !text.startsWith(' ') ? style.bold(text) : text),
    },
    { title: 'BASIS', wraps: true, paint: style.dim },
  ];
}

/** A difference from the document is a fault; from a decision it is information. */
function resultColour(style: Style, [result, , basis]: readonly string[]): (text: Visible) => Visible {
  if (result === 'held') return style.green;
  return basis === WORDS_OF_DOCUMENT ? style.red : style.yellow;
}

/** A heading for each endpoint, its checks, and three more lines for each that differs. */
function rowsOf(results: readonly CheckResult[]): string[][] {
  const asked = results.filter(({ result }) => result !== 'skipped');
  return [...new Set(asked.map(({ endpoint }) => endpoint))].flatMap((endpoint, index) => [
    ...(index === 0 ? [] : [['', '', '']]),
    ['', endpoint === 'all' ? 'every answer' : endpoint, ''],
    ...asked.filter((one) => one.endpoint === endpoint).flatMap(checkRows),
  ]);
}

function checkRows({ result, check, basis, decision, expected, found, affects }: CheckResult): string[][] {
  const row = [result, check, basis === 'document' ? WORDS_OF_DOCUMENT : (decision ?? basis)];
  if (result === 'held') return [row];
  const touched = affects.length === 0 ? 'no swapctl command' : affects.join(', ');
  const more = [`expected: ${shortWords(expected)}`, `found: ${shortWords(found)}`, `affects: ${touched}`];
  return [row, ...more.map((words) => ['', `  ${words}`, ''])];
}

function shortWords(text: string): string {
  const short = (word: string) => (word.length > MAX_WORD ? `${word.slice(0, MAX_WORD - 1)}…` : word);
  return text.split(' ').map(short).join(' ');
}

function skippedLines(results: readonly CheckResult[], style: Style): Visible {
  const reasons = new Map<string, number>();
  for (const { result, found } of results)
    if (result === 'skipped') reasons.set(found, (reasons.get(found) ?? 0) + 1);
  return joined(
    [...reasons].map(([reason, count]) => shown`${style.dim(visible(` ${count} skipped: ${reason}`))}\n`),
  );
}
