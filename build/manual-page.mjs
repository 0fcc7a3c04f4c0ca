/** Manual page readers warn if there is no date. */
const FIRST_WRITTEN = '2026-11-22';

/** The manual page of the program as roff with the macros of man(7), in ASCII alone. */
export function manualPage(data, variables) {
  const lines = [
    // Without a version, so that the page changes only when the command line does.
    `.TH SWAPCTL 1 ${FIRST_WRITTEN} swapctl "User Commands"`,
    ...section('NAME', ['swapctl \\- instant cryptocurrency swaps from the command line']),
    ...section('SYNOPSIS', [`${bold('swapctl')} ${roff('<command> [arguments] [flags]')}`]),
    ...section('DESCRIPTION', [
      roff('Quotes, creates, watches and refunds swaps at an instant swap service. The whole service is'),
      roff('built in as a sandbox; without a key pair, every command works on that.'),
      '.PP',
      roff('Standard output carries only the result: tables on a terminal, tab-separated lines'),
      roff('in a pipe, JSON with --json.'),
    ]),
    ...section('GLOBAL OPTIONS', data.globalOptions.flatMap(optionLines)),
    ...section('COMMANDS', groupsOf(data.commands).flatMap(groupLines)),
    ...section(
      'EXIT STATUS',
      data.exitCodes.flatMap(({ code, meaning }) => term(String(code), meaning)),
    ),
    ...section(
      'ENVIRONMENT',
      Object.entries(variables).flatMap(([name, meaning]) => term(name, meaning)),
    ),
    ...section('FILES', [
      ...term('$XDG_CONFIG_HOME/swapctl/config.json', 'profiles and settings'),
      ...term('$XDG_STATE_HOME/swapctl/ledger.db', 'the ledger'),
      ...term('$XDG_STATE_HOME/swapctl/sandbox.db', 'the built-in service'),
      ...term('$XDG_CACHE_HOME/swapctl/', 'coin lists'),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function section(name, lines) {
  return [`.SH ${name.includes(' ') ? `"${name}"` : name}`, ...lines];
}

function groupsOf(commands) {
  const groups = new Map();
  for (const command of commands.filter(({ runnable }) => runnable))
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups.values()];
}

function groupLines(commands) {
  return [`.SS "${roff(commands[0]?.group ?? '')}"`, ...commands.flatMap(commandLines)];
}

function commandLines({ usage, description, options, examples }) {
  return [
    '.TP',
    bold(usage),
    ...description.split('\n').flatMap((line, index) => (index === 0 ? [roff(line)] : ['.br', roff(line)])),
    ...indented(options.flatMap(optionLines)),
    ...(examples.length === 0 ? [] : indented(['.PP', '.EX', ...examples.map(roff), '.EE'])),
  ];
}

function indented(lines) {
  return lines.length === 0 ? [] : ['.RS', ...lines, '.RE'];
}

function optionLines({ flags, description, choices, default: usual }) {
  const among = choices === null ? '' : `: ${choices.join(', ')}`;
  const otherwise = usual === null || /default/.test(description) ? '' : ` (default: ${String(usual)})`;
  return term(flags, `${description}${among}${otherwise}`);
}

function term(name, meaning) {
  return ['.TP', bold(name), roff(meaning)];
}

function bold(text) {
  return `\\fB${roff(text)}\\fR`;
}

/** Characters that roff interprets, or that a terminal may lack. */
const WRITTEN = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '…': '...',
  '→': '\\->',
  '·': '\\-',
};

/** A text for a line of roff: no control line, no escape. */
function roff(text) {
  const escaped = text.replace(
    /[\\\-'`^~]|[^\x20-\x7e]/gu,
    (character) => WRITTEN[character] ?? `\\[u${hex(character)}]`,
  );
  return escaped.startsWith('.') ? `\\&${escaped}` : escaped;
}

function hex(character) {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
