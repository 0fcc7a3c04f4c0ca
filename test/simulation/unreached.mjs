import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countedFiles } from './bundle.mjs';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'evidence', 'coverage.md');

const TYPED = 'refuses what no actor types';
const DAMAGED = 'other damage of a row than that of worlds';
const WORDS = 'words of messages';
const POSTGRES = 'PostgreSQL, whose races have tests with two pools and a barrier';
const SECOND = 'the same under another path of the same code, such as a value that is missing';
const LARGE = 'pages of more rows than a world has';
const BUILT_IN = 'the built-in service, whose clock and windows are known';
const RACE = 'two processes that write between two statements of each other';

/** Why worlds do not reach branches of these files. */
const REASONS = {
  'ledger/books.ts': `${DAMAGED}; ${LARGE}`,
  'ledger/budget/bucket.ts': 'a limit that the service states: the sandbox of worlds states none',
  'ledger/budget/budget.ts': `what is left, for the metrics of listen; ${RACE}`,
  'ledger/budget/limit.ts': SECOND,
  'ledger/changes.ts': 'more than 200 changes of one swap',
  'ledger/entry.ts': DAMAGED,
  'ledger/events/deliveries.ts': `${SECOND}; ${POSTGRES}`,
  'ledger/events/event.ts': DAMAGED,
  'ledger/events/events.ts': 'events that are older than 90 days',
  'ledger/events/outbox.ts': SECOND,
  'ledger/facts.ts': SECOND,
  'ledger/filter.ts': SECOND,
  'ledger/health.ts': LARGE,
  'ledger/ledger.ts': DAMAGED,
  'ledger/listed.ts': DAMAGED,
  'ledger/new-entry.ts': 'orders that were made elsewhere',
  'ledger/notes.ts': 'deposits that someone says were sent to a swap that has ended',
  'ledger/policy/approvals.ts': 'approvals of an earlier policy, of a smaller deposit, or for a longer time',
  'ledger/policy/audit.ts': POSTGRES,
  'ledger/policy/chain.ts': 'other damage of the chain than that of worlds',
  'ledger/policy/changes.ts':
    'a ledger that fails while the policy is changed; a settlement that the owner signs',
  'ledger/policy/claim.ts': SECOND,
  'ledger/policy/counting.ts':
    'a rule for addresses that were paid before, for refund addresses; clocks of accounts without creates',
  'ledger/policy/evaluate.ts': 'a stop that cannot be read; words of messages',
  'ledger/policy/gate.ts': RACE,
  'ledger/policy/granting.ts': 'approvals that are altered or gone while they are granted',
  'ledger/policy/guard.ts': DAMAGED,
  'ledger/policy/request.ts': 'deposits whose amount is not known',
  'ledger/policy/signature.ts': 'keys that are none',
  'ledger/policy/simulate.ts': 'policies of refunds that were paid; rows without a request',
  'ledger/polls.ts': POSTGRES,
  'ledger/reads.ts': SECOND,
  'ledger/report/figures.ts': DAMAGED,
  'ledger/report/report.ts': 'entries without a coin',
  'ledger/report/swap-figures.ts': `${DAMAGED}; texts too long for an index; times that the service leaves out`,
  'ledger/report/tally.ts': SECOND,
  'ledger/search.ts': 'texts too long for an index',
  'ledger/settled.ts': DAMAGED,
  'ledger/sort-keys.ts': DAMAGED,
  'ledger/status-times.ts': SECOND,
  'ledger/swap-result.ts': 'orders without a request that were never seen',
  'ledger/writes.ts': `orders that vanish from a ledger, or were made elsewhere; ${RACE}`,
  'swaps/api-body.ts': TYPED,
  'swaps/batch/check.ts': 'rows that cannot be read: faults of a file',
  'swaps/batch/create.ts':
    'rows whose labels another process changed since the check; ledgers that fail for all rows',
  'swaps/batch/equal-orders.ts': 'the third repeat of a row',
  'swaps/batch/keys.ts': 'rows of a day before',
  'swaps/batch/pace.ts': 'ledgers that fail in a dry run',
  'swaps/batch/pair-prices.ts': 'pairs whose prices are on no line, or near their limits',
  'swaps/batch/prices.ts': 'more than 1,000 prices; amounts of the review outside the limits',
  'swaps/batch/totals.ts': 'more than 100 warnings; labels as columns of a result',
  'swaps/check.ts': TYPED,
  'swaps/coin-search.ts': SECOND,
  'swaps/create-records.ts': `${RACE}, with another request; services that cannot be reached when a key is used again`,
  'swaps/create-swap.ts': 'approvals that are waited for while the price falls',
  'swaps/create.ts': 'bugs of swapctl after the response; numbers that cannot be typed',
  'swaps/created.ts': `${WORDS}; bugs of swapctl after the response`,
  'swaps/destination.ts': `${TYPED}, such as an address of a test network for a live service`,
  'swaps/find.ts': 'swaps of several networks or profiles with one fact',
  'swaps/follow/due.ts': SECOND,
  'swaps/follow/engine.ts': SECOND,
  'swaps/follow/follow.ts': 'profiles that cannot be opened',
  'swaps/follow/profile.ts': 'ledgers that cannot be read',
  'swaps/health.ts': 'swaps without a coin; probes of pairs that the service does not know',
  'swaps/idempotency.ts': 'networks that the service has renamed, or cannot be asked about',
  'swaps/identical.ts': SECOND,
  'swaps/ledger-access.ts': SECOND,
  'swaps/limits.ts': 'services that state their limits in words only',
  'swaps/listen/deliver-to.ts': 'failures of a whole account, and stops during a delivery',
  'swaps/listen/deliver.ts': 'stops during a delivery; events that are older than 90 days',
  'swaps/listen/loops.ts': SECOND,
  'swaps/listen/targets.ts': SECOND,
  'swaps/lookup.ts': `ledgers that cannot be read; ${BUILT_IN}`,
  'swaps/pair.ts': 'services that require networks; networks as aliases on both sides',
  'swaps/poll.ts': 'profiles without a key pair',
  'swaps/price.ts': `${TYPED}; prices that the service does not give`,
  'swaps/profile-poll.ts': `profiles that cannot be opened; ${BUILT_IN}`,
  'swaps/reconcile.ts': SECOND,
  'swaps/refund-records.ts': SECOND,
  'swaps/refund.ts': 'a deposit whose network the service does not show',
  'swaps/request-budget.ts': SECOND,
  'swaps/resolve.ts': 'an entry of another key pair, and orders that another process links at the same time',
  'swaps/submit.ts': `${RACE}; raw refund addresses of orders that are not in the ledger`,
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
      `| \`${file}\` | ${ran} | ${ran + missed} | ${functions.join(', ')} | ${missed === 0 ? '' : (REASONS[file.slice('src/core/'.length)] ?? '')} |`,
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
