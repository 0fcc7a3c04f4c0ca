// Writes the generated parts of docs/command-line/ from the command line as data:
//   node build/command-pages.mjs [--check] < dist/commands.json
// Notes between `<!-- notes -->` and `<!-- /notes -->` are written by hand and kept. --check only lists outdated files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'docs', 'command-line');
const data = JSON.parse(readFileSync(0, 'utf8'));

const oneLine = (text) => text.replaceAll('\n', ' ');
/** Text for a Markdown paragraph or table cell; `code` stays as it is. */
const prose = (text) =>
  oneLine(text)
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('|', '\\|');
const table = (head, rows) =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`,
      ];
const fence = (language, lines) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
const choicesOf = (choices) =>
  choices === null ? '' : `: ${choices.map((value) => `\`${value}\``).join(', ')}`;
const described = ({ description, choices, default: value }) => {
  const listed = choices?.every((choice) => description.includes(choice)) ? null : choices;
  const standard = value === null || value === undefined ? '' : ` (default: ${value})`;
  return `${prose(description)}${choicesOf(listed)}${standard}`;
};

/** --database is the same for all verbs of the sandbox, so that page's notes explain it. */
const optionsOf = ({ path, options }) =>
  options.filter(({ long }) => path === 'sandbox start' || long !== '--database');

const verbsOf = (path) => data.commands.filter((each) => each.path.startsWith(`${path} `));
const anchorOf = (path) => `#swapctl-${path.replaceAll(' ', '-')}`;

function commandSection(command, level) {
  const { path, usage, description, runnable, examples, exitCodes, json } = command;
  const own = optionsOf(command);
  const flags = own.length > 0 ? ' [flags]' : '';
  const links = [
    `Exit codes: [${exitCodes.join(', ')}](exit-codes.md).`,
    ...(json === null ? [] : [`JSON: [\`${json}\`](output.md#json).`]),
  ].join(' ');
  const verbs = level === 1 ? verbsOf(path).filter((verb) => verb.runnable) : [];
  return [
    `${'#'.repeat(level)} swapctl ${path}`,
    prose(description),
    ...(runnable ? [fence('', [`${usage}${flags}`])] : []),
    ...table(
      ['subcommand', 'what it does'],
      verbs.map((verb) => [`[${verb.path}](${anchorOf(verb.path)})`, prose(verb.summary)]),
    ),
    ...table(
      ['argument', 'value'],
      command.arguments.map((each) => [`\`${each.name}\``, described(each)]),
    ),
    ...table(
      ['flag', 'meaning'],
      own.map((each) => [`\`${each.flags}\``, described(each)]),
    ),
    ...(examples.length > 0 && runnable ? [fence('sh', examples)] : []),
    ...(runnable ? [links] : []),
  ].join('\n\n');
}

/** The page of a command and its verbs, with the notes of the page as it is now. */
function commandPage(command, current) {
  const notes = /^<!-- notes -->$[\s\S]*^<!-- \/notes -->$/m.exec(current)?.[0];
  const verbs = verbsOf(command.path).filter(({ runnable }) => runnable);
  return [
    commandSection(command, 1),
    ...verbs.map((verb) => commandSection(verb, 2)),
    'Flags of every command: [the command line](README.md#flags-of-every-command).',
    notes ?? '<!-- notes -->\n<!-- /notes -->',
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const topLevel = data.commands.filter(({ path }) => !path.includes(' '));

function commandIndex() {
  const groups = [...new Set(topLevel.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = topLevel
        .filter((command) => command.group === group)
        .map(({ path, summary }) => [`[${path}](${path}.md)`, prose(summary)]);
      return `**${group}**\n\n${table(['command', 'what it does'], rows).join('')}`;
    })
    .join('\n\n');
}

const globalFlags = () =>
  table(
    ['flag', 'meaning'],
    data.globalOptions.map((each) => [`\`${each.flags}\``, described(each)]),
  ).join('');

/** Replaces what is between `<!-- name -->` and `<!-- /name -->`. */
function withPart(page, name, part) {
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marked.test(page)) throw new Error(`A page has lost its marker <!-- ${name} -->.`);
  return page.replace(marked, (_, start, end) => `${start}\n${part}\n\n${end}`);
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const index = join(FOLDER, 'README.md');
const files = [
  ...topLevel.map((command) => {
    const path = join(FOLDER, `${command.path}.md`);
    return [path, commandPage(command, read(path))];
  }),
  [index, withPart(withPart(read(index), 'commands', commandIndex()), 'flags', globalFlags())],
];
for (const [path, text] of files) {
  if (text === read(path)) continue;
  process.stdout.write(`${path.slice(ROOT.length + 1)}\n`);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
}
