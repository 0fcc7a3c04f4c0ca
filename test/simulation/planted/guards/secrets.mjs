const STORE = 'src/cli/settings/store.ts';
const FILES = 'src/base/files.ts';
const TEXT = 'src/base/text.ts';
const ENVIRONMENT = 'src/base/environment.ts';
const KEY_PAIRS = 'src/cli/settings/key-pairs.ts';
const ENV_PROFILE = 'src/cli/settings/env-profile.ts';
const SHELL = 'src/cli/settings/shell.ts';
const COINS = 'src/core/client/coin-list-cache.ts';
const DATABASE = 'src/core/database/sqlite/file.ts';
const CALL = 'src/core/partner-api/redact-call.ts';
const COMPILED = 'bin/compile-cache.js';

const KEPT_SECRETS = 'test/safety/kept-secrets.test.ts';
const COMMAND = 'test/cli/settings/secret-command.test.ts';
const RECORD = 'test/cli/commands/sandbox/record/record.test.ts';
const REQUESTS = 'test/sandbox/requests/secrets.test.ts';
const COMPILE_CACHE = 'test/cli/program/compile-cache.test.ts';

export const SECRETS = [
  {
    name: 'flag-value-printed',
    what: 'an unknown flag is repeated with its value',
    file: 'src/cli/commands/program/usage-error.ts',
    find: "/'(--[A-Za-z0-9-]{1,40}|-[A-Za-z0-9])/",
    replace: "/'(-[^']*)/",
  },
  {
    name: 'debug-by-wildcard',
    what: 'a wildcard in `NODE_DEBUG` is not recognized',
    file: ENVIRONMENT,
    find: ".replaceAll('*', '.*')",
    replace: '',
  },
  {
    name: 'debug-in-capitals',
    what: '`NODE_DEBUG` in capital letters is not recognized',
    file: ENVIRONMENT,
    find: '.toLowerCase().split(',
    replace: '.split(',
  },
  {
    name: 'debug-of-sockets',
    what: '`NODE_DEBUG=net` is accepted, with which Node prints what is sent',
    file: ENVIRONMENT,
    find: "'http2', 'net', 'tls',",
    replace: "'http2', 'tls',",
  },
  {
    name: 'secret-within-label',
    what: 'a label that only contains the secret of the profile is accepted',
    file: 'src/core/swaps/destination.ts',
    find: 'if (redacted(text) !== text)',
    replace: 'if (text === credentials.secret)',
  },
  {
    name: 'labels-unchecked',
    what: 'labels are not checked for secrets before a create',
    file: 'src/core/swaps/create-swap.ts',
    find: '  await refuseSecretLabels(ports, labels);\n',
    replace: '',
  },
  {
    name: 'ticket-of-all',
    what: 'a support ticket has all fields of its entry, with labels, profile and key',
    file: 'src/cli/views/ticket.ts',
    find: '    order,\n    id,\n    case: request.case,',
    replace: '    ...entry,\n    order,\n    id,\n    case: request.case,',
  },
  {
    name: 'output-overwritten',
    what: 'the file of -o replaces another one',
    file: FILES,
    find: "openSync(path, 'wx', 0o600)",
    replace: "openSync(path, 'w', 0o600)",
  },
  {
    name: 'output-readable',
    what: 'others can read the file of -o',
    file: FILES,
    find: "openSync(path, 'wx', 0o600)",
    replace: "openSync(path, 'wx')",
  },
  {
    name: 'debugger-by-signal',
    what: 'SIGUSR1 opens the debugger of Node',
    file: 'bin/swapctl.js',
    find: "process.on('SIGUSR1', () => undefined);",
    replace: '',
    test: KEPT_SECRETS,
    isBuilt: true,
  },
  {
    name: 'config-readable',
    what: 'a configuration file that others can read is used',
    file: STORE,
    find: "    files.requirePrivate(path, stats, secretWords(path, 'file'), system);\n",
    replace: '',
  },
  {
    name: 'config-folder-open',
    what: 'the configuration is read from a folder that others can change',
    file: STORE,
    find: '  requirePrivateFolder(paths.configFolder, paths.platform);\n  return config;',
    replace: '  return config;',
  },
  {
    name: 'config-written-open',
    what: 'the configuration is written to a file that others can read',
    file: STORE,
    find: 'configFileMode: 0o600',
    replace: 'configFileMode: 0o644',
  },
  {
    name: 'foreign-is-private',
    what: 'a private file of another user counts as own',
    file: FILES,
    find: '(isOwn(found) && (found.mode & OTHERS) === 0)',
    replace: '(found.mode & OTHERS) === 0',
  },
  {
    name: 'writable-is-private',
    what: 'a file that others can only write to counts as private',
    file: FILES,
    find: 'const OTHERS = 0o077;',
    replace: 'const OTHERS = 0o055;',
  },
  {
    name: 'keychain-and-file',
    what: 'a secret in the keychain is stored in the configuration file, too',
    file: KEY_PAIRS,
    find: '...(inKeychain ? { secret: null } : {})',
    replace: '...(inKeychain ? { keychain: true } : {})',
  },
  {
    name: 'keychain-not-awaited',
    what: 'a profile is stored before the keychain has accepted its secret',
    file: KEY_PAIRS,
    find: 'if (inKeychain) await keychain.write(',
    replace: 'if (inKeychain) void keychain.write(',
  },
  {
    name: 'keyring-of-kernel',
    what: 'the keyring of the kernel is used where there is no keychain',
    file: KEY_PAIRS,
    find: ", { linux: { store: 'secret-service' } });",
    replace: ", { linux: { store: 'keyutils' } });",
  },
  {
    name: 'secret-as-path-printed',
    what: 'the error about an unreadable secret file repeats its path',
    file: ENV_PROFILE,
    find: 'throw unreadable(`could not be read${codeInBrackets(error)}`, VARIABLES_HINT);',
    replace: 'throw unreadable(`could not be read${codeInBrackets(error)}`, `Check the path: ${file}`);',
  },
  ...[
    [
      'long-text',
      'a text of any length',
      'if (text.length <= MAX_SEARCHED && rest.length <= MAX_REPEATED)',
      'if (rest.length <= MAX_SEARCHED)',
    ],
    [
      'phrase',
      'a seed phrase',
      '  if (isTwelveWords(text)) return REDACTED;\n  return text',
      '  return text',
    ],
    ['pem', 'a key in PEM', '    .replace(PEM, REDACTED)\n', ''],
    [
      'user-info',
      'the password of a URL',
      ".replace(USER_INFO, (_, scheme: string | undefined) => `${scheme ?? ''}${REDACTED}@`)",
      '',
    ],
    [
      'named-value',
      'the value of a name such as `secret`',
      'isSecretName(name) ? `${name}${mark}${REDACTED}` : whole',
      'whole',
    ],
    ['webhook-secret', 'the secret of a webhook', '    .replace(WEBHOOK_SECRET, REDACTED)\n', ''],
    [
      'random-word',
      'a long random word',
      '    .replace(LONG_WORD, (word) => (isRandom(word) ? REDACTED : word))',
      '',
    ],
  ].map(([name, words, find, replace]) => ({
    name: `${name}-repeated`,
    what: `${words} that was typed is repeated in full`,
    file: TEXT,
    find,
    replace,
  })),
  {
    name: 'coin-list-of-others',
    what: 'a coin list that others can write to is read',
    file: COINS,
    find: "    if (!isPrivate(found)) throw new TypeError('The file is not private.');\n",
    replace: '',
  },
  {
    name: 'coin-list-in-open-folder',
    what: 'a coin list is read from a folder that others can write to',
    file: COINS,
    find: '  requireOwnFolder(dirname(file));\n  return readRegularFile(',
    replace: '  return readRegularFile(',
  },
  {
    name: 'coin-list-to-open-folder',
    what: 'a coin list is stored in a folder that others can write to',
    file: COINS,
    find: '    requireOwnFolder(dirname(file));\n    write(',
    replace: '    write(',
  },
  {
    name: 'coin-list-behind-link',
    what: 'a cache folder may be a link',
    file: COINS,
    find: 'import { lstatSync, writeFileSync }',
    replace: 'import { statSync as lstatSync, writeFileSync }',
  },
  {
    name: 'foreign-tables-are-ours',
    what: 'the database of another program counts as ours, and its chmod is advised',
    file: DATABASE,
    find: "tables.length === 0 || tables.includes('swapctl_schema') ? 'ours'",
    replace: "tables.length >= 0 ? 'ours'",
  },
  {
    name: 'foreign-mode-first',
    what: "the permissions of another program's file are checked first, and its chmod is advised",
    file: DATABASE,
    find: "  refuseUnusable(path);\n  requirePrivateFolder(dirname(path));\n  for (const each of [path, `${path}-wal`, `${path}-shm`]) requireOwn(each, 'file');",
    replace:
      "  requirePrivateFolder(dirname(path));\n  for (const each of [path, `${path}-wal`, `${path}-shm`]) requireOwn(each, 'file');\n  refuseUnusable(path);",
  },
  {
    name: 'descendants-left',
    what: 'an interruption stops only the shell of the secret command',
    file: SHELL,
    find: 'leadsGroup ? [-pid] : withDescendants(pid)',
    replace: '[pid]',
    test: COMMAND,
  },
  {
    name: 'sigterm-alone',
    what: 'a process of the secret command that ignores SIGTERM is left running',
    file: SHELL,
    find: "  for (const target of left) signalled(target, 'SIGKILL');\n",
    replace: '',
    test: COMMAND,
  },
  {
    name: 'cookies-recorded',
    what: 'a recording has cookies and authorization of the client',
    file: 'src/sandbox/recording/har.ts',
    find: '      .filter(([name]) => !isSecretName(name))\n',
    replace: '',
    test: RECORD,
  },
  {
    name: 'header-values-unknown',
    what: 'the value of a secret header is not redacted elsewhere in a recording',
    file: 'src/cli/commands/sandbox/recording/recorder.ts',
    find: 'isSecretName(name) && name.toLowerCase() !== AUTH_HEADERS.payload',
    replace: 'false',
    test: RECORD,
  },
  {
    name: 'named-query-recorded',
    what: 'a value of a query whose name is a secret one, but encoded, is recorded',
    file: CALL,
    find: 'value.length > 0 && isSecretName(decoded(name))',
    replace: 'false',
    test: RECORD,
  },
  {
    name: 'named-member-recorded',
    what: 'a value of a body that is named like a secret is recorded',
    file: CALL,
    find: '    else if (isName) isSecret = isSecretName(String(parsed(token) ?? token));\n',
    replace: '',
    test: REQUESTS,
  },
  {
    name: 'named-answer-recorded',
    what: 'a value of a response that is named like a secret is recorded',
    file: CALL,
    find: 'known.redact(withoutNamedValues(answer))',
    replace: 'known.redact(answer)',
    test: RECORD,
  },
  {
    name: 'database-password-shown',
    what: 'an error about a PostgreSQL server names its whole URL',
    file: 'src/core/database/postgres/postgres.ts',
    find: 'const displayName = displayNameOf(url);',
    replace: 'const displayName = url;',
    test: 'test/cli/program/postgres-password.test.ts',
    isBuilt: true,
  },
  ...[
    ['readable', 'a folder that others can access', ' && (found.mode & OTHERS) === 0', ''],
    [
      'linked',
      'a folder behind a link',
      'const found = lstatSync(folder);',
      'const found = statSync(folder);',
    ],
    ['foreign', 'a folder of another user', ' && found.uid === user', ''],
    [
      'swappable',
      'a folder that others can replace',
      '    if (!cannotBeSwapped(statSync(base), user)) return undefined;\n',
      '',
    ],
  ].map(([name, words, find, replace]) => ({
    name: `compiled-${name}`,
    what: `compiled code is loaded from ${words}`,
    file: COMPILED,
    find,
    replace,
    test: COMPILE_CACHE,
    isBuilt: true,
  })),
  {
    name: 'secret-sent',
    what: 'a secret that was typed as an order number is sent',
    file: 'src/core/client/client.ts',
    find: '.some((text) => containsSecret(text, credentials))',
    replace: '.some(() => false)',
  },
];
