import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CODES } from '../../base/errors.ts';
import { packageFolder } from '../../base/files.ts';
import { joined, linesOf, shown, type Visible, visible } from '../../base/text.ts';
import { listedStatuses } from '../../core/partner-api/statuses.ts';
import { renderHelpText } from '../terminal/help-text.ts';
import type { View } from '../terminal/streams.ts';
import { tableView } from './columns.ts';
import topics from './help-topics.json';
import { statusPaint } from './status.ts';

const PIPE_WIDTH = 80;

/** A help topic as a view: tables where it is a table, text elsewhere. */
export function topicView(
  topic: 'statuses' | 'environment' | 'exit-codes' | 'json' | 'safety' | 'policy' | 'agents',
): View {
  if (topic === 'statuses') return statusesView();
  if (topic === 'exit-codes') return exitCodesView();
  const variables = topic === 'environment' ? [{ terms: topics.variables }] : [];
  const text =
    topic === 'agents'
      ? skillText
      : (width: number) => renderHelpText([...variables, ...topics[topic]], width);
  const pipeLines = () => linesOf(text(PIPE_WIDTH)).slice(0, -1);
  return {
    json: () => ({ topic, lines: pipeLines() }),
    rows: () => pipeLines().map((line) => [line]),
    screen: (_, width) => text(width),
  };
}

function skillText(): Visible {
  const skill = readFileSync(join(packageFolder(), 'docs', 'skills', 'swapctl', 'SKILL.md'), 'utf8');
  return joined(skill.split('\n').map(visible), shown`\n`);
}

function statusesView(): View {
  const cells = ['status', 'code', 'final', 'needsPerson', 'meaning'];
  const view = tableView(listedStatuses(), cells, (style) => [
    { title: 'STATUS', paint: statusPaint(style), cell: ({ status }) => status },
    { title: 'CODE', align: 'right', cell: ({ code }) => String(code) },
    { title: 'FINAL', cell: ({ final }) => (final ? 'yes' : 'no') },
    { title: 'MEANING', wraps: true, cell: ({ meaning }) => meaning },
  ]);
  return {
    ...view,
    screen: async (style, width) =>
      shown`${await view.screen(style, width)}${style.dim(shown` Any other code is shown as unknown, and is not final.`)}\n`,
  };
}

export const EXIT_MEANINGS = Object.entries(topics.exitCodes).map(
  ([code, meaning]) => [Number.parseInt(code, 10), meaning] as const,
);

function exitCodesView(): View {
  const codes = EXIT_MEANINGS.map(([code, meaning]) => ({
    code,
    meaning,
    errors: Object.entries(EXIT_CODES).flatMap(([name, exit]) => (exit === code ? [name] : [])),
  }));
  return tableView(codes, ['code', 'meaning', 'errors'], () => [
    { title: 'CODE', align: 'right', cell: ({ code }) => String(code) },
    { title: 'MEANING', wraps: true, cell: ({ meaning }) => meaning },
    { title: 'ERROR CODES', wraps: true, cell: ({ errors }) => errors.join(' ') },
  ]);
}

/** The error codes, as rows or a table. */
export function errorCodesView(
  codes: readonly Readonly<Record<'code' | 'meaning' | 'fix', string> & { exitCode: number }>[],
): View {
  return tableView(codes, ['code', 'exitCode', 'meaning', 'fix'], () => [
    { title: 'ERROR', cell: ({ code }) => code },
    { title: 'EXIT', cell: ({ exitCode }) => String(exitCode) },
    { title: 'MEANING', wraps: true, cell: ({ meaning }) => meaning },
    { title: 'FIX', wraps: true, cell: ({ fix }) => fix },
  ]);
}
