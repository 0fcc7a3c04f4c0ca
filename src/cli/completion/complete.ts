import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasHiddenCharacters, visible } from '../../base/text.ts';
import type { CommandLineData, OptionData } from '../operations/command-line.ts';
import { SETTING_CHOICES, type SettingKey } from '../settings/stored-settings.ts';
import type { Candidate, ChosenProfile, CompletionParts, Sources } from './sources.ts';

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
  const data = JSON.parse(readFileSync(join(parts.folder, 'commands.json'), 'utf8')) as CommandLineData;
  const found = await candidatesFor(data, words.slice(1), async () => {
    const { createSources } = await import('./sources.ts');
    return createSources(parts);
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
  if (description === '') return word;
  const end = description.lastIndexOf(' ', MAX_DESCRIPTION - 1);
  const short = description.length <= MAX_DESCRIPTION ? description : `${description.slice(0, end)}…`;
  return `${word}\t${visible(short)}`;
}

/** Words of a line of bash up to the cursor, the last as typed, nothing expanded; null if it is unclear. */
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

/** Loads the sources, which most lines do without. */
type OpenSources = () => Promise<Sources>;

/** How a line may continue: with file names, which the shell completes itself, or with these words. */
type Candidates = 'files' | readonly Candidate[];

/** Names of arguments and of values of flags that are files. */
const FILES: ReadonlySet<string> = new Set(['file', 'statement.csv', 'location']);
/** Flags whose value is a list with commas between. */
const LISTS: ReadonlySet<string> = new Set(['--events', '--rough', '--fields', '--allow']);

async function candidatesFor(data: CommandLineData, words: readonly string[], open: OpenSources) {
  const line = readLine(data, words);
  const { wanted, word, path } = line;
  if (wanted.kind === 'flag')
    return beginning(
      word,
      optionsOf(data, path).map(({ long, description }) => ({ word: long, description })),
    );
  if (wanted.kind === 'value') return ofFlag(data, line, wanted, open);
  if (path === 'help') return beginning(word, helpWords(data, line));
  const described = wanted.index > 0 ? [] : verbsOf(data, path);
  const command = data.commands.find((each) => each.path === path);
  const last = command?.arguments.at(-1);
  const argument = command?.arguments[wanted.index] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return beginning(word, described);
  const values =
    path === 'config set' && argument.name === 'value'
      ? await valuesOfSetting(line, open)
      : await valuesOf(argument.name, argument.choices, line, open);
  if (values === 'files') return values;
  const left = values.filter((value) => !argument.variadic || !line.given.includes(value.word));
  return beginning(word, [...described, ...left]);
}

async function ofFlag(
  data: CommandLineData,
  line: PartialLine,
  { option, before }: { readonly option: OptionData; readonly before: string },
  open: OpenSources,
): Promise<Candidates> {
  // All of it is one word: in `swap.success,swap.re`, completion continues after the comma.
  const done = LISTS.has(option.long) ? (/^.*,/s.exec(line.word)?.[0] ?? '') : '';
  const rest = { ...line, word: line.word.slice(done.length) };
  const name = option.long === '--profile' ? 'profile' : (option.value ?? '');
  const { fields = [] } = data.commands.find(({ path }) => path === line.path) ?? {};
  const choices = option.long === '--fields' ? fields : option.choices;
  const values = await valuesOf(name, choices, rest, open);
  if (values === 'files') return values;
  return beginning(rest.word, values).map((value) => ({ ...value, word: `${before}${done}${value.word}` }));
}

/** What `config set` accepts after a key: the values of a setting, or the network of a saved address. */
async function valuesOfSetting(line: PartialLine, open: OpenSources): Promise<Candidates> {
  const [key = '', ...values] = line.given;
  if (values.length > 0) return [];
  if (key.startsWith('address.')) return valuesOf('network', null, line, open);
  if (key === 'ledger') return 'files';
  const choices = Object.hasOwn(SETTING_CHOICES, key) ? SETTING_CHOICES[key as SettingKey] : undefined;
  return (choices ?? []).map((word) => ({ word, description: '' }));
}

async function valuesOf(
  name: string,
  choices: readonly string[] | null,
  line: PartialLine,
  open: OpenSources,
): Promise<Candidates> {
  if (choices !== null) return choices.map((choice) => ({ word: choice, description: '' }));
  if (FILES.has(name)) return 'files';
  const sources = await open();
  if (name === 'order') return sources.orders(line);
  if (name === 'profile') return sources.profiles();
  if (name === 'address') return sources.addresses();
  if (name === 'network') return sources.networks(line);
  if (name === 'from' || name === 'to' || name === 'target') return sources.assets(line, line.word);
  return name === 'coin' ? sources.coins(line, line.word) : [];
}

/** Commands and topics, then the verbs of the command that is named. */
function helpWords(data: CommandLineData, { given }: PartialLine): readonly Candidate[] {
  const verbs = verbsOf(data, given.join(' '));
  const topics = data.commands.find(({ path }) => path === 'help')?.arguments[0]?.choices ?? [];
  if (given.length > 0) return verbs;
  return [...verbs, ...topics.map((word) => ({ word, description: 'topic' }))];
}

/** Those that start with the word, in any case. */
function beginning(word: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const start = word.toLowerCase();
  return candidates.filter((candidate) => candidate.word.toLowerCase().startsWith(start));
}

/** What to complete in a line. */
type Wanted =
  | { readonly kind: 'flag' }
  /** The value of a flag, with what precedes it in the same word. */
  | { readonly kind: 'value'; readonly option: OptionData; readonly before: string }
  /** An argument by its index, or a verb if the command has some. */
  | { readonly kind: 'argument'; readonly index: number };

/** The line typed so far: the command that it names, and what comes next. */
interface PartialLine extends ChosenProfile {
  /** The words of the command; empty if none is named yet. */
  readonly path: string;
  /** The word at the cursor, or the part of it that is the value of a flag. */
  readonly word: string;
  readonly wanted: Wanted;
  /** Arguments before the cursor. */
  readonly given: readonly string[];
}

/** Reads the words after the program's name; the last one is at the cursor, and may be empty. */
function readLine(data: CommandLineData, words: readonly string[]): PartialLine {
  const current = words.at(-1) ?? '';
  const given: string[] = [];
  let [path, profile, sandbox, pastFlags] = ['', null as string | null, false, false];
  const options = () => optionsOf(data, path);
  let open: OptionData | null = null;
  for (const word of words.slice(0, -1)) {
    if (open !== null && mayBeValue(open, word)) {
      if (open.long === '--profile') profile = word;
      open = null;
    } else if (pastFlags || !/^-./.test(word)) {
      const longer = `${path} ${word}`.trim();
      if (given.length === 0 && data.commands.some((command) => command.path === longer)) path = longer;
      else given.push(word);
    } else if (word === '--') {
      pastFlags = true;
      open = null;
    } else {
      const flag = readFlag(options(), word);
      if (flag.option?.long === '--sandbox') sandbox = true;
      if (flag.option?.long === '--profile' && flag.value !== null) profile = flag.value;
      open = flag.open ? flag.option : null;
    }
  }
  const at = { path, given, profile, sandbox };
  if (open !== null && mayBeValue(open, current))
    return { ...at, word: current, wanted: { kind: 'value', option: open, before: '' } };
  if (pastFlags || !current.startsWith('-'))
    return { ...at, word: current, wanted: { kind: 'argument', index: given.length } };
  const { option, value } = readFlag(options(), current);
  if (option === null || value === null) return { ...at, word: current, wanted: { kind: 'flag' } };
  const before = current.slice(0, current.length - value.length);
  return { ...at, word: value, wanted: { kind: 'value', option, before } };
}

/** Whether a word behind a flag is its value: one that starts with a dash is only if the flag needs a value. */
function mayBeValue({ valueRequired }: OptionData, word: string): boolean {
  return valueRequired || !word.startsWith('-');
}

/** Flags that a command takes: its own, those of the command above it, and the global ones. */
function optionsOf(data: CommandLineData, path: string): readonly OptionData[] {
  const own = data.commands.find((command) => command.path === path)?.options ?? [];
  return [...own, ...data.globalOptions];
}

/** The verbs of a command, or all commands for an empty path. */
function verbsOf(data: CommandLineData, path: string): readonly Candidate[] {
  const before = path === '' ? '' : `${path} `;
  return data.commands
    .filter((command) => command.path.startsWith(before))
    .map((command) => ({ word: command.path.slice(before.length), description: command.summary }))
    .filter(({ word }) => !word.includes(' '));
}

function readFlag(options: readonly OptionData[], word: string) {
  if (word.startsWith('--')) {
    const [, name = word, value = null] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
    const option = options.find(({ long }) => long === name) ?? null;
    return { option, value, open: value === null && (option?.value ?? null) !== null };
  }
  for (let index = 1; index < word.length; index += 1) {
    const option = options.find(({ short }) => short === `-${word[index]}`) ?? null;
    if (option?.valueRequired !== true) continue;
    const rest = word.slice(index + 1);
    return { option, value: rest === '' ? null : rest, open: rest === '' };
  }
  return { option: null, value: null, open: false };
}
