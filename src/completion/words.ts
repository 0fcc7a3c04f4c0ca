import type { CommandData, CommandLineData, OptionData } from '../views/program/command-line.ts';

/** What a line asks to be completed. */
export type Wanted =
  | { readonly kind: 'flag' }
  /** The value of a flag, with what stands before it in the same word. */
  | { readonly kind: 'value'; readonly option: OptionData; readonly before: string }
  /** An argument by its index, or a verb where the command has some. */
  | { readonly kind: 'argument'; readonly index: number };

/** A line as far as it is written: the command that it names, and what comes next. */
export interface PartialLine {
  /** The words of the command; empty where none is named yet. */
  readonly path: string;
  /** The word at the cursor, or the part of it that is the value of a flag. */
  readonly word: string;
  readonly wanted: Wanted;
  /** Arguments before the cursor. */
  readonly given: readonly string[];
  readonly profile: string | null;
  readonly sandbox: boolean;
}

/** Reads the words behind the program's name; the last one is at the cursor, and may be empty. */
export function readLine(data: CommandLineData, words: readonly string[]): PartialLine {
  const current = words.at(-1) ?? '';
  const given: string[] = [];
  let [path, profile, sandbox, pastFlags] = ['', null as string | null, false, false];
  const options = () => optionsOf(data, path);
  let open: OptionData | null = null;
  for (const word of words.slice(0, -1)) {
    if (open !== null) {
      if (open.long === '--profile') profile = word;
      open = null;
    } else if (pastFlags || !/^-./.test(word)) {
      const longer = `${path} ${word}`.trim();
      if (given.length === 0 && data.commands.some((command) => command.path === longer)) path = longer;
      else given.push(word);
    } else if (word === '--') pastFlags = true;
    else {
      const flag = readFlag(options(), word);
      if (flag.option?.long === '--sandbox') sandbox = true;
      if (flag.option?.long === '--profile' && flag.value !== null) profile = flag.value;
      open = flag.open ? flag.option : null;
    }
  }
  const at = { path, given, profile, sandbox };
  if (open !== null) return { ...at, word: current, wanted: { kind: 'value', option: open, before: '' } };
  if (pastFlags || !current.startsWith('-'))
    return { ...at, word: current, wanted: { kind: 'argument', index: given.length } };
  const { option, value } = readFlag(options(), current);
  if (option === null || value === null) return { ...at, word: current, wanted: { kind: 'flag' } };
  const before = current.slice(0, current.length - value.length);
  return { ...at, word: value, wanted: { kind: 'value', option, before } };
}

/** Flags that a command takes: its own, those of the command above it, and the global ones. */
export function optionsOf(data: CommandLineData, path: string): readonly OptionData[] {
  const own = data.commands.find((command) => command.path === path)?.options ?? [];
  return [...own, ...data.globalOptions];
}

/** The verbs of a command, or all commands for an empty path. */
export function verbsOf(data: CommandLineData, path: string): readonly CommandData[] {
  const before = path === '' ? '' : `${path} `;
  return data.commands.filter(
    (command) => command.path.startsWith(before) && !command.path.slice(before.length).includes(' '),
  );
}

interface ReadFlag {
  readonly option: OptionData | null;
  /** Value in the same word; null where there is none. */
  readonly value: string | null;
  /** The next word is its value. */
  readonly open: boolean;
}

function readFlag(options: readonly OptionData[], word: string): ReadFlag {
  if (word.startsWith('--')) {
    const [, name = word, value = null] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const option = options.find(({ long }) => long === name) ?? null;
    return { option, value, open: value === null && option?.valueRequired === true };
  }
  for (let index = 1; index < word.length; index += 1) {
    const option = options.find(({ short }) => short === `-${word[index]}`) ?? null;
    if (option?.valueRequired !== true) continue;
    const rest = word.slice(index + 1);
    return { option, value: rest === '' ? null : rest, open: rest === '' };
  }
  return { option: null, value: null, open: false };
}
