import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countedFiles } from './bundle.mjs';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'coverage.md');

const TYPED = 'refuses what no actor types';
const PERSON = 'a person at a terminal, which worlds do not have, reviews or answers';
const LISTED = 'lists, searches and pages for people';
const DAMAGED = 'a damaged row, which no disk of a world makes';
const WORDS = 'words of messages';
const POSTGRES = 'PostgreSQL, whose races have tests with two pools and a barrier';
const OWNER = 'an owner key, a new policy or a suspension: policies of worlds are stored before they begin';
const SECOND = 'the same under another path of the same code, such as a value that is missing';
const GROUPS = 'other groupings and columns of reports';
const COMMANDS = 'a command that no actor runs';
const LIMITS_UNKNOWN = 'pairs whose limits the coin list does not show; the sandbox quotes each';

/** Why worlds do not reach branches of these files. */
const REASONS = {
  'books.ts': LISTED,
  'budget/bucket.ts': 'the waits of a limit that another process has spent, beyond those of worlds',
  'budget/budget.ts': DAMAGED,
  'budget/limit.ts': SECOND,
  'changes.ts': 'more than 200 changes of one swap; timelines for people',
  'entry.ts': DAMAGED,
  'events/deliveries.ts': `${COMMANDS}: resending; ${POSTGRES}`,
  'events/event.ts': DAMAGED,
  'events/events.ts': LISTED,
  'events/outbox.ts': SECOND,
  'facts.ts': 'facts of a deposit that a person says was sent; searching by a fact',
  'filter.ts': LISTED,
  'health.ts': 'the report of health',
  'ledger.ts': `${COMMANDS}; ${DAMAGED}`,
  'listed.ts': LISTED,
  'new-entry.ts': 'orders that were made elsewhere, or whose request is not known',
  'notes.ts': 'notes of swaps that have ended',
  'policy/approvals.ts': 'an approval that was altered in the ledger, or is named for another request',
  'policy/audit.ts': `${POSTGRES}; pages of the chain for people`,
  'policy/chain.ts': 'a chain that was altered',
  'policy/changes.ts': OWNER,
  'policy/claim.ts': SECOND,
  'policy/counting.ts': 'a rule for addresses that were paid before; clocks of accounts without creates',
  'policy/evaluate.ts': OWNER,
  'policy/gate.ts': 'the decision that is shown before a review',
  'policy/granting.ts': 'approvals that are signed twice, altered, or by another key',
  'policy/guard.ts': DAMAGED,
  'policy/request.ts': 'a least payout in a request',
  'policy/signature.ts': OWNER,
  'policy/simulate.ts': COMMANDS,
  'polls.ts': POSTGRES,
  'reads.ts': LISTED,
  'report/figures.ts': GROUPS,
  'report/report.ts': GROUPS,
  'report/swap-figures.ts': `${DAMAGED}; texts too long for an index`,
  'report/tally.ts': GROUPS,
  'search.ts': LISTED,
  'settled.ts': LISTED,
  'sort-keys.ts': LISTED,
  'status-times.ts': SECOND,
  'swap-result.ts': LISTED,
  'writes.ts': 'an import; orders that vanish from a ledger',
  'api-body.ts': TYPED,
  'batch/check.ts': TYPED,
  'batch/create.ts': 'rows whose labels changed between two files; ledgers that fail for all rows',
  'batch/equal-orders.ts': 'batches with --repeat',
  'batch/keys.ts': 'batches with --resume and --repeat, and rows of a day before',
  'batch/pace.ts': WORDS,
  'batch/pair-prices.ts': LIMITS_UNKNOWN,
  'batch/prices.ts': LIMITS_UNKNOWN,
  'batch/totals.ts': 'totals of labels for people',
  'check.ts': TYPED,
  'create-records.ts': `${PERSON}; ${WORDS}`,
  'create-swap.ts': PERSON,
  'create.ts': 'bugs of swapctl after the response; numbers that cannot be typed',
  'created.ts': `${WORDS}; bugs of swapctl after the response`,
  'destination.ts': TYPED,
  'find.ts': 'searching by a fact',
  'follow/due.ts': SECOND,
  'follow/engine.ts': SECOND,
  'follow/follow.ts': 'orders added to a watch',
  'follow/profile.ts': 'orders that are named, and ledgers that cannot be read',
  'idempotency.ts': `${WORDS}; networks that the service has renamed`,
  'identical.ts': `${PERSON}: an identical swap is named`,
  'ledger-access.ts': SECOND,
  'limits.ts': LIMITS_UNKNOWN,
  'listen/deliver-to.ts': SECOND,
  'listen/deliver.ts': 'listeners that want some types of events',
  'listen/loops.ts': SECOND,
  'listen/targets.ts': SECOND,
  'lookup.ts': 'ledgers that cannot be read; swaps of the built-in service',
  'pair.ts': TYPED,
  'poll.ts': 'several profiles in one list',
  'price.ts': `${TYPED}; prices that the service does not give`,
  'profile-poll.ts': 'orders that are named, and lists without enough time',
  'reconcile.ts': 'periods, times and words of other services in a statement',
  'refund-records.ts': PERSON,
  'refund.ts': 'a deposit whose network the service does not show',
  'request-budget.ts': SECOND,
  'resolve.ts': `${TYPED}; ${OWNER}`,
  'submit.ts': `${TYPED}; raw refund addresses`,
};

/** Writes the page about the branches that no world reaches, by files and functions. */
export function writeCoverage(files, seeds) {
  const rows = countedFiles().map((file) => {
    const { ran, missed } = files.get(file) ?? { ran: 0, missed: [] };
    const functions = [...new Set(missed.map(({ within }) => within || 'unnamed'))].sort();
    return { file, ran, missed: missed.length, functions };
  });
  const sum = (folder, of) =>
    rows.filter(({ file }) => file.startsWith(folder)).reduce((total, row) => total + of(row), 0);
  const share = (folder) => {
    const ran = sum(folder, (row) => row.ran);
    const all = ran + sum(folder, (row) => row.missed);
    return `${ran} of ${all} branches of \`${folder}\` (${Math.round((100 * ran) / all)} %)`;
  };
  const lines = rows.map(
    ({ file, ran, missed, functions }) =>
      `| \`${file}\` | ${ran} | ${ran + missed} | ${functions.join(', ')} | ${missed === 0 ? '' : (REASONS[file.replace(/^src\/core\/(?:swaps|ledger)\//, '')] ?? '')} |`,
  );
  writeFileSync(
    PAGE,
    `# What the simulation reaches

${seeds} seeds reach ${share('src/core/swaps/')} and ${share('src/core/ledger/')}: of all files, also those that no actor uses. A
branch is a function, or a part of one that V8 counts apart, such as the arm of an \`if\`. What is not reached is proved by the tests beside
the code; the last column says why a world does not get there. \`npm run simulate -- --seeds 300 --coverage\` writes this page.

| file | reached | of | functions with branches that are not | why |
|---|---|---|---|---|
${lines.join('\n')}
`,
  );
}
