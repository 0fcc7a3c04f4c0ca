import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_CODES } from '../../errors.ts';
import { packageFolder } from '../../files.ts';
import { listedStatuses } from '../../partner-api/statuses.ts';
import { type HelpPart, renderHelpText } from '../../terminal/help-text.ts';
import type { View } from '../../terminal/streams.ts';
import { joined, linesOf, shown, type Visible, visible } from '../../text.ts';
import { tableView } from '../columns.ts';
import { statusColour } from '../status.ts';

const PIPE_WIDTH = 80;

/** A help topic as a view: tables where it is a table, text elsewhere. */
export function topicView(
  topic: 'statuses' | 'environment' | 'exit-codes' | 'json' | 'safety' | 'policy' | 'agents',
): View {
  if (topic === 'statuses') return statusesView();
  if (topic === 'exit-codes') return exitCodesView();
  const text = topic === 'agents' ? skillText : (width: number) => renderHelpText(TEXTS[topic], width);
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
    {
      title: 'STATUS',
      paint: (text) => statusColour(style, text.trim())(text),
      cell: ({ status }) => status,
    },
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

export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done'],
  [1, 'internal error, the result could not be written, or a check of doctor failed'],
  [2, 'wrong usage, or refused locally; nothing was sent'],
  [3, 'not found'],
  [4, 'credentials missing or refused'],
  [5, 'the service refused the request'],
  [6, 'service unreachable, 429, or 5xx on a read; nothing changed, safe to repeat'],
  [
    7,
    'outcome unknown: a create was sent, but there was no usable response, or the order could not be recorded or shown',
  ],
  [8, 'not final yet, or status --attention found something'],
  [
    9,
    '--exit-status: ended overdue, in error or refunded; reconcile, audit verify, sandbox run: something differs',
  ],
  [10, 'declined at a prompt'],
  [11, 'the ledger or configuration could not be read or written'],
  [12, 'the policy refuses, an approval is needed, or the profile is stopped; nothing was sent'],
  [130, 'interrupted (143 by SIGTERM or SIGHUP)'],
];

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

/** The variables of the environment, and what each does. */
export const ENVIRONMENT_TERMS: readonly (readonly [name: string, meaning: string])[] = [
  [
    'SWAPCTL_PUBLIC_KEY, SWAPCTL_SECRET, SWAPCTL_BASE_URL',
    'a profile named env, which takes precedence over stored ones',
  ],
  ['SWAPCTL_SECRET_FILE', 'a file with the secret, instead of SWAPCTL_SECRET'],
  ['SWAPCTL_SECRET_COMMAND', 'a shell command that prints the secret, instead of both'],
  ['SWAPCTL_PROFILE', 'name of the stored profile to use'],
  ['SWAPCTL_LEDGER', 'absolute file path or postgres:// URL of the ledger'],
  ['PGPASSWORD, PGPASSFILE', 'password of a PostgreSQL database, or the password file instead of ~/.pgpass'],
  ['SWAPCTL_ACTOR', 'who acts, as the audit chain names it (default: the user)'],
  ['SWAPCTL_NO_INPUT=1', 'never ask questions'],
  ['SWAPCTL_DEBUG=1', 'log every request to stderr (never secrets)'],
  [
    'SWAPCTL_SANDBOX_ROUGH',
    'for tests: makes the built-in service less strict, as sandbox start --rough does',
  ],
  [
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    'proxy, and hosts to reach without it, as in curl; lower-case names take precedence',
  ],
  ['NODE_EXTRA_CA_CERTS', 'a file with additional certificate authorities'],
  ['NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, COLUMNS', 'as in other programs'],
  ['CI', 'if set: no prompts and no animation'],
  [
    'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
    'folders for config.json, for ledger.db and sandbox.db, and for coin lists',
  ],
];

const TEXTS: Readonly<Record<'environment' | 'json' | 'safety' | 'policy', readonly HelpPart[]>> = {
  environment: [
    { terms: ENVIRONMENT_TERMS },
    'An http: base URL is always on this machine, so only a proxy on this machine is used for it.',
    'Flags take precedence over environment variables, then stored settings, then defaults. No .env file is read.',
  ],
  json: [
    'With --json, a list is an array and a single item an object; --watch writes one object per line. Amounts, rates and fees are strings with every digit the service sent. Missing values are null. Keys are camelCase; new ones may be added.',
    '--fields prints only some keys: --fields order,deposit.address. Keys of a list are those of its items. `swapctl commands <path> --json` has the JSON Schema of every result.',
    'On failure standard output stays empty, and the last line of standard error is an object {"error":{…}} with these keys:',
    {
      terms: [
        ['code', 'a fixed word; see `swapctl help exit-codes`'],
        ['message, hint', 'text for people; the hint may be null'],
        ['httpStatus', 'HTTP status of the response, or null'],
        ['retryable', 'whether the same command may succeed later'],
        ['outcome', 'nothing-sent, refused, unknown or done'],
        ['exitCode', 'the exit code of the program'],
        ['details', 'more facts, depending on the code, or null'],
        ['actions', 'commands to run next, as a list of {command,why}'],
      ],
    },
    '--watch writes these objects; `status` and `create` write the first three, `quote` the last and retry:',
    {
      terms: [
        ['{"type":"status","at","swap"}', 'one per change'],
        ['{"type":"retry","at","order","error"}', 'one per failed poll'],
        ['{"type":"end","at","order","status","statusCode"}', 'the last one of each order'],
        ['{"type":"quote","at","quote"}', 'one per price change'],
      ],
    },
    'batch writes one object per row, in the order of the file, with the keys row, idempotencyKey, outcome (created, existing, unknown, refused or not-sent), swap and error; the last two may be null.',
    'listen writes one event per line, as it delivers it, with the keys id, type, at, sequence, order, profile, environment, data and previous. The first lines show the state of the open swaps, with the type swap.snapshot and a null id; they are never delivered.',
  ],
  safety: [
    'Addresses and memos are checked on this machine, against the rules of their network, before anything is sent.',
    'Amounts are decimal text from end to end: never rounded, never a float.',
    'A create is written to the ledger before it is sent, and is sent once. If its response is lost, exit code 7 means that an order may exist. An unfunded order costs nothing and expires: fund only an address that swapctl showed you. --idempotency-key makes a create in a script safe to repeat. Reads are retried at most twice, a create never.',
    'A swap is never created at a price that the review did not show. When you confirm, the pair is quoted again and a change is shown; if the price got worse by more than --tolerance (1%, or 0 with a fixed rate), you get a new review.',
    'Base URLs must start with https: (http: only for this machine). Redirects are never followed.',
    'The signature in each request never changes, so it is as secret as a password; swapctl never shows or logs it. Type secrets at a masked prompt, pipe them in with --with-secret, or set them in the environment. They are stored in plain text in config.json, readable only by you, or with --keychain in the system keychain.',
  ],
  policy: [
    'A policy limits what create, batch, refund and api may do for a profile. It is stored in the ledger, so every process and machine on that ledger obeys it. `swapctl policy set <file>` stores one; `swapctl policy show` shows what is left; `swapctl policy check` takes the arguments of create and shows the decision.',
    'A policy is JSON: {"version":1,"expires":"2027-01-31T00:00:00Z","rules":[…]}. The order of rules does not matter: a rule that refuses wins over one that requires an approval, which wins over one that allows. The rules:',
    {
      terms: [
        [
          '{"allow":{"from":["BTC"],"to":["USDT:TRX"],"type":"fixed"}}',
          'only pairs that an allow rule covers',
        ],
        [
          '{"payout":{"addresses":["@treasury"],"seen":2}}',
          'payout and refund addresses: listed, or paid before',
        ],
        [
          '{"cap":{"coin":"BTC","amount":"2","per":"24h","by":"label:team"}}',
          'deposits of a coin, per order or in a rolling period',
        ],
        ['{"count":{"most":20,"per":"1h"}}', 'creates in a rolling period'],
        ['{"open":{"most":10}}', 'swaps that are not final'],
        ['{"require":["refundAddress","label:invoice"]}', 'also idempotencyKey and minReceive'],
        [
          '{"approve":{"coin":"BTC","above":"0.2","by":["ed25519:…"],"within":"15m"}}',
          'a signature of a named key',
        ],
        ['{"suspend":{"network":"TRX","side":"receive"}}', 'a coin, network or pair; also until and reason'],
      ],
    },
    'What counts: swaps that were created, and creates whose outcome is unknown. A create that resulted in no order does not count; an order that expired without a deposit stops counting after 24 hours.',
    'What it cannot protect against: anyone who can write the ledger and read the secret as the same user can bypass it. Run unattended programs as another user, or use a PostgreSQL ledger and give them a separate role. It does not protect the deposit address on its way to the payer: before you pay, compare it with the output of `swapctl status <order>`. The library has no ledger and no policy. Orders made elsewhere with the same key pair are not counted.',
  ],
};
