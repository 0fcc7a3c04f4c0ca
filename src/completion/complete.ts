import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasHiddenCharacters, visible } from '../text.ts';
import type { CommandLineData } from '../views/program/command-line.ts';
import { candidatesFor } from './candidates.ts';
import type { Candidate } from './sources.ts';

/** Dependencies of a completion. */
interface CompletionParts {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Folder with what the build wrote: `commands.json` and `coins.json`. */
  readonly folder: string;
}

/**
 * Answer to a shell's question: a line `words` and a line per word, with its description behind a tab for zsh and fish;
 * or the line `files`. The arguments are the name of the shell and, from bash, the line up to the cursor; from the
 * others its words.
 */
export async function complete(args: readonly string[], parts: CompletionParts): Promise<string> {
  const [shell, ...given] = args;
  const words = shell === 'bash' ? splitLine(given[0] ?? '') : given;
  // Words inside quotes would need different quoting.
  if (words === null || words.length < 2 || /['"\\`$]/.test(words.at(-1) ?? '')) return 'words\n';
  const { env, platform, folder } = parts;
  const data = JSON.parse(readFileSync(join(folder, 'commands.json'), 'utf8')) as CommandLineData;
  const found = await candidatesFor(data, words.slice(1), async () => {
    const { createSources } = await import('./sources.ts');
    return createSources({ env, platform, builtInCoins: join(folder, 'coins.json') });
  });
  if (found === 'files') return 'files\n';
  const typedDash = (words.at(-1) ?? '').startsWith('-');
  const safe = found.filter(({ word }) => word !== '' && isInsertable(word, typedDash));
  return ['words', ...safe.map((candidate) => lineOf(candidate, shell))].map((line) => `${line}\n`).join('');
}

/** Whether a word may be put into a line: a coin that is called `--yes` may not. */
function isInsertable(word: string, typedDash: boolean): boolean {
  return !hasHiddenCharacters(word) && (typedDash || !word.startsWith('-'));
}

const MAX_DESCRIPTION = 80;

function lineOf({ word, description }: Candidate, shell: string | undefined): string {
  // Bash puts a word into the line as it is; zsh and fish quote it.
  if (shell === 'bash') return word.replace(/[^\w@%+=:,./\-\u0080-\u{10ffff}]/gu, '\\$&');
  return description === '' ? word : `${word}\t${visible(description.slice(0, MAX_DESCRIPTION))}`;
}

/**
 * Words of a line of bash up to the cursor, the last one as typed; null where it cannot be determined. Nothing is
 * expanded.
 */
function splitLine(line: string): readonly string[] | null {
  const words: string[] = [];
  const pattern = /\s+|(?:[^\s'"\\]+|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gsy;
  let [end, last] = [0, ''];
  for (const match of line.matchAll(pattern)) {
    last = match[0];
    end = match.index + last.length;
    if (!/^\s/.test(last)) words.push(last);
  }
  // A quote that is still open.
  if (end < line.length) return null;
  const current = /^\s/.test(last) ? '' : (words.pop() ?? '');
  // Variables set only for the program.
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  return [...words.slice(Math.max(0, start)).map(unquoted), current];
}

function unquoted(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(.)/gs, '$1'),
  );
}
