import type { Command } from 'commander';
import { InterruptedError, restated, SwapctlError, UsageError } from '../../../base/errors.ts';
import { joined, shown, type Visible, visible } from '../../../base/text.ts';
import type { CheckResult } from '../../../conformance/check.ts';
import { checkService } from '../../../conformance/run.ts';
import { HABIT_NAMES, HABITS, type HabitName } from '../../../core/partner-api/habits.ts';
import { refuseUnderPolicy } from '../../../core/swaps/submit.ts';
import { announce, type Context } from '../../context.ts';
import { withProgress } from '../../terminal/progress.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { cellReader } from '../../views/columns.ts';
import { confirmed } from '../shared/questions.ts';

const NAMED = 3;

export function conformanceCommand(command: Command, context: () => Context): void {
  command
    .description(
      'Check the service of the profile against the API document, and against the decisions made where the document is silent. Sends only GET requests, one at a time and at most 120 per minute.',
    )
    .option('--write', 'also send POST and PATCH: up to four unfunded orders and a refund address')
    .option('-y, --yes', 'skip the confirmation of --write on a live profile')
    .addHelpText(
      'after',
      `
Exits with 0 if the service matches the API document; any other difference is only for information.

Examples:
  $ swapctl conformance
  $ swapctl conformance -p partner --write
  $ swapctl conformance --json | jq '.[] | select(.result == "differs")'`,
    )
    .action((flags: { readonly write?: true; readonly yes?: true }) => runConformance(context(), flags));
}

/** Runs the checks and prints the results. Throws `rejected` if the service breaks the API document. */
export async function runConformance(
  context: Context,
  { write = false, yes = false }: { readonly write?: boolean; readonly yes?: boolean },
): Promise<void> {
  const { streams, signal, now, monotonic, sleep } = context;
  const { environment } = await context.profile();
  const asks = write && environment === 'live' && !yes;
  if (asks && !streams.interactive)
    throw new UsageError(
      'Without a terminal, conformance --write on a live profile needs --yes.',
      'swapctl conformance --write --yes',
    );
  if (write) await refuseUnderPolicy(context, 'conformance --write creates orders for its checks');
  const service = await context.service();
  if (write) announce(context, service);
  if (asks) {
    streams.note('Up to four orders for the minimum amount are created and never funded.');
    await confirmed(context, `Send POST and PATCH requests to ${service.host}?`, 'nothing was sent');
  }
  const { baseUrl, credentials, host, proxy } = service;
  const timeoutMs = context.flags.timeout ?? null;
  const report = await withProgress(streams, `Checking ${host}`, () =>
    withOrderWarning(write, () =>
      checkService({ baseUrl, credentials, proxy, signal, now, monotonic, sleep, timeoutMs, write }),
    ),
  );
  await streams.print(conformanceView(report.results));
  for (const order of report.orders)
    streams.note(`Order ${order} was created for the checks. Do not fund it; it expires automatically.`);
  const habits = HABIT_NAMES.filter((name) => report.results.some(({ habit }) => habit === name));
  if (habits.length > 0) streams.note(habitWords(habits));
  streams.note(summary(report.results));
  refuseBrokenPromises(report.results, host, write);
}

/** Runs checks that write; their errors say that orders may have been created. */
async function withOrderWarning<T>(write: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!write || !(error instanceof SwapctlError)) throw error;
    const left = 'Orders may have been created. Do not fund them; they expire automatically.';
    if (error instanceof InterruptedError)
      throw new InterruptedError(error.signal, `Interrupted. ${left}`, 'unknown');
    throw restated(error, error.message, { hint: left, outcome: 'unknown' });
  }
}

function habitWords(habits: readonly HabitName[]): string {
  const names = habits.map((name) => `${name} (${HABITS[name]})`).join('; ');
  return `Habits of this service: ${names}. To emulate them, run: swapctl sandbox start --rough ${habits.join(',')}`;
}

function summary(results: readonly CheckResult[]): string {
  const count = (condition: (one: CheckResult) => boolean) => results.filter(condition).length;
  const differs = (basis: CheckResult['basis']) =>
    count((one) => one.result === 'differs' && one.basis === basis);
  const parts = [
    [count(({ result }) => result === 'held'), 'held'],
    [differs('document'), 'not as documented'],
    [differs('assumed'), 'different where the document is silent'],
    [count(({ result }) => result === 'skipped'), 'skipped'],
  ] as const;
  const counts = parts.filter(([number], index) => index === 0 || number > 0);
  return `${results.length} checks: ${counts.map(([number, words]) => `${number} ${words}`).join(', ')}.`;
}

function refuseBrokenPromises(results: readonly CheckResult[], host: string, write: boolean): void {
  const broken = results.filter(({ basis, result }) => basis === 'document' && result === 'differs');
  if (broken.length === 0) return;
  const names = broken.slice(0, NAMED).map(({ check, endpoint }) => `${check} (${endpoint})`);
  const more = broken.length > NAMED ? ` and ${broken.length - NAMED} more` : '';
  throw new SwapctlError('rejected', `${host} does not match the API document: ${names.join(', ')}${more}.`, {
    outcome: write ? 'done' : 'nothing-sent',
    hint: 'Compare the expected and found values listed above.',
    details: { checks: broken.map(({ check, endpoint }) => ({ check, endpoint })) },
  });
}

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
  'result',
  'endpoint',
  'check',
  'basis',
  'decision',
  'expected',
  'found',
  'habit',
  'affects',
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
