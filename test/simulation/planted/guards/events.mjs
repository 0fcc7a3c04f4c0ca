const OUTBOX = 'src/core/ledger/events/outbox.ts';
const TARGETS = 'src/core/swaps/listen/targets.ts';
const ENVIRONMENT = 'src/base/environment.ts';

const EXEC = 'test/cli/commands/listen/exec.test.ts';

export const EVENTS = [
  {
    name: 'only-last-target-counts',
    what: 'an event is delivered although another target than the last failed',
    file: 'src/core/ledger/events/deliveries.ts',
    find: 'const failed = attempts.find(',
    replace: 'const failed = attempts.slice(-1).find(',
  },
  {
    name: 'only-first-target-counts',
    what: 'an event is delivered although another target than the first failed',
    file: 'src/core/ledger/events/deliveries.ts',
    find: 'const failed = attempts.find(',
    replace: 'const failed = attempts.slice(0, 1).find(',
  },
  {
    name: 'resent-with-attempts',
    what: 'an event that is sent again goes on with its earlier attempts',
    file: 'src/core/ledger/events/deliveries.ts',
    find: 'attempts: 0, next_attempt_at: null, delivered_at: null,',
    replace: 'next_attempt_at: null, delivered_at: null,',
  },
  {
    name: 'named-orders-ignored',
    what: 'a listener to one order delivers the events of all',
    file: 'src/cli/commands/listen/delivery.ts',
    find: 'account: owner.account, orders };',
    replace: 'account: owner.account, orders: orders && null };',
  },
  {
    name: 'kept-events-ignored',
    what: 'delivered events are removed after 90 days, however long they are to be kept',
    file: 'src/cli/commands/listen/run.ts',
    find: "keptMs: storedSetting(context, 'events-kept'),",
    replace: 'keptMs: null,',
  },
  {
    name: 'event-of-unmatched-fundable',
    what: 'an event about an order that did not match its request shows it as fundable, with a payment URI',
    file: OUTBOX,
    find: "    isCurrent: entry.outcome === 'created',\n",
    replace: '    isCurrent: true,\n',
  },
  {
    name: 'create-lost-at-once',
    what: 'a create in progress is reported as one of unknown outcome',
    file: OUTBOX,
    find: "        .where('requested_at', '<', now - MAX_CREATE_MS)\n",
    replace: '',
  },
  {
    name: 'create-lost-late',
    what: 'a create whose process was killed is reported after an hour',
    file: OUTBOX,
    find: 'const MAX_CREATE_MS = 5 * 60_000;',
    replace: 'const MAX_CREATE_MS = 60 * 60_000;',
  },
  {
    name: 'lost-of-others',
    what: 'a listener reports the lost creates of all key pairs',
    file: OUTBOX,
    find: 'unknown.filter((row) => row.account === account)',
    replace: 'unknown',
  },
  ...[
    ['id', '${timestamp}.${body}'],
    ['time', '${id}.${body}'],
    ['body', '${id}.${timestamp}'],
  ].map(([part, signed]) => ({
    name: `webhook-${part}-unsigned`,
    what: `the signature of a webhook leaves out its ${part}`,
    file: TARGETS,
    find: 'update(`${id}.${timestamp}.${body}`)',
    replace: `update(\`${signed}\`)`,
  })),
  {
    name: 'webhook-secret-of-all',
    what: 'a webhook is signed with the secret of another account',
    file: 'src/core/ledger/events/events.ts',
    find: "      .select('secret')\n      .where('account', '=', account)",
    replace: "      .select('secret')",
  },
  {
    name: 'receiver-writes-to-terminal',
    what: 'the output of a command of --exec reaches the terminal with its control codes',
    file: 'src/cli/commands/listen/delivery.ts',
    find: '`: ${visible(line).slice(0, MAX_SHOWN)}`',
    replace: '`: ${line.slice(0, MAX_SHOWN)}`',
    test: EXEC,
  },
  {
    name: 'command-gets-password',
    what: 'a command of --exec gets a ledger URL with its password',
    file: ENVIRONMENT,
    find: '!SECRETS.has(name) && !isLedgerUrlWithPassword(name, value)',
    replace: '!SECRETS.has(name)',
  },
  {
    name: 'command-gets-secret-file',
    what: 'a command of --exec gets the path of the secret file',
    file: ENVIRONMENT,
    find: "  'SWAPCTL_SECRET_FILE',\n",
    replace: '',
  },
  {
    name: 'command-gets-environment',
    what: 'a command of --exec gets the whole environment',
    file: 'src/cli/settings/settings.ts',
    find: 'return childEnvironment(env);',
    replace: 'return env;',
  },
];
