import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = join(ROOT, 'docs', 'evidence', 'coverage.md');

const UNASKED = 'an order that no create of the ledger may have made, taken up at a desk: in other seeds';

/** Why worlds do not reach branches of these functions of src/core, by files; of `` what is in none. */
export const REASONS = {
  'ledger/answers.ts': {
    add: 'a program that runs for a minute on a real machine, whose counts are written meanwhile',
    kindOf: 'a response that is a failure, counted on a real machine',
  },
  'ledger/books.ts': {
    recentAssets: UNASKED,
    labelKeys: 'labels that cannot be read, when a table gets its columns',
    listedOf: 'the types allow an unread row where all were read',
    pastRequests: 'a past request that is damaged, read by the wizard',
  },
  'ledger/budget/bucket.ts': {
    ownWait: 'a budget so small that no token that ends frees one',
    serviceWait: 'the service of worlds states no limit in its headers',
    serviceWindow: 'the service of worlds states no limit in its headers',
    slowed: 'the service of worlds states no limit in its headers',
    spread: 'the service of worlds states no limit in its headers',
    tokensLeft: 'read by the metrics of listen alone',
  },
  'ledger/budget/budget.ts': {
    bucketsInMemory: 'a client of the library without a ledger: worlds are about ledgers',
    isRecord: 'a stored budget that is JSON and no object',
    left: 'read by the metrics of listen alone',
    storedBuckets: 'a budget that others write a hundred times, each time before this process',
  },
  'ledger/changes.ts': {
    compareObservation: 'a swap without the time of its last change',
    mergeIntoLast: 'more than 200 changes of one swap',
    merged: 'more than 200 changes of one swap',
    recordChange: 'more than 200 changes of one swap',
  },
  'ledger/entry.ts': {
    readIntent: UNASKED,
    differing: 'a later answer with other keys than the first one: the client always writes the same',
    entryFromRow: 'live profiles: worlds have the sandbox',
    ownerOf: 'the built-in service, which has no network',
    readFirst: 'a first answer with other keys than the last one',
    readableWith: 'a bug of swapctl while a row is read',
    storedFirst: 'a first answer about another order than the last one',
  },
  'ledger/events/deliveries.ts': {
    lockQueues: 'PostgreSQL: test/core/ledger/races.test.ts',
    nextDue: 'the types allow null where the query does not',
    outcomeOf: 'an event that is refused for two days: eight times',
    take: 'PostgreSQL: test/core/ledger/races.test.ts',
  },
  'ledger/events/event.ts': { storedEvent: 'an event whose body is damaged' },
  'ledger/events/events.ts': { pruneDelivered: 'an event that is sent again while it is to be removed' },
  'ledger/events/outbox.ts': {
    recordApproval: 'the types allow no row where an entry is never removed',
    recordUnknownCreate: 'a create of unknown outcome that is reported a second time',
  },
  'ledger/ledger.ts': {
    inspectLedger: 'doctor: real files',
    onDamaged: 'a caller that does not want to hear of damage',
  },
  'ledger/budget/limit.ts': {
    mostFor: 'a budget of one request',
    parseBudget: 'a budget that is mistyped',
  },
  'ledger/facts.ts': { factsOf: UNASKED },
  'ledger/new-entry.ts': { assetColumns: UNASKED },
  'ledger/listed.ts': {
    listedFromRow: 'live profiles: worlds have the sandbox',
    settledFromRow: 'live profiles: worlds have the sandbox',
  },
  'ledger/notes.ts': { withUnseen: 'a deposit that someone says was sent, of a swap that ended without it' },
  'ledger/policy/approvals.ts': {
    approvalOf: 'live profiles: worlds have the sandbox',
    givenApproval: 'an approval that is named and does not exist',
    isAsRequested: 'a stored request whose digest is another one, and which can be read',
    whyNotUsable:
      'an approval that is granted for longer, for a smaller deposit, or by a key that the policy no longer names: its digest is then another one',
  },
  'ledger/policy/audit.ts': {
    appendInPostgres: 'PostgreSQL: test/core/ledger/races.test.ts',
    appendInSqlite: 'a claim whose entry another process takes: its transaction has the ledger for itself',
    auditWriter: 'PostgreSQL: test/core/ledger/races.test.ts',
    preparedQuery: 'PostgreSQL: test/core/ledger/races.test.ts',
  },
  'ledger/policy/chain.ts': {
    add: 'a link that cannot be read, or a chain that was written anew up to the head',
    end: 'a chain whose end was cut off, compared with an earlier head',
    exportLine: 'an audit chain that is written to a file',
    readHead: 'an audit chain that is read from a file',
    readLine: 'an audit chain that is read from a file',
  },
  'ledger/policy/changes.ts': {
    resume: 'a stop that is lifted where there is none',
    set: 'a policy that replaces one that cannot be read',
    signLink: 'an owner key, and an unknown create that is linked to another order',
    stop: 'creates that are stopped again, for no other reason',
    store: 'a suspension or a policy that could not be read again',
  },
  'ledger/policy/claim.ts': {
    claim: 'PostgreSQL: test/core/ledger/races.test.ts',
  },
  'ledger/policy/counting.ts': {
    countedSwaps: 'the types allow rows without a time, a coin or an amount, which a claim writes',
    isSame: 'a rule for paid addresses, and refunds that were paid to one',
    spanOf: 'a rule for open swaps, replayed over dismissed creates',
    openSwaps: 'the types allow rows without a time, which a claim writes',
    paidKey: 'a rule for paid addresses, and refunds that were paid to one',
    seen: 'the types allow a recipient that was not counted',
    seenKeys: 'a rule for paid addresses, for refund addresses that are set later',
    timesPaid: 'a rule for paid addresses, for refund addresses that are set later',
  },
  'ledger/policy/evaluate.ts': {
    barriers: 'a reason of a stop, which worlds do not give; suspensions that cannot be read',
    approvalHint: 'an approval that is wanted by a check, which requests none',
  },
  'ledger/policy/gate.ts': {
    check: 'a check of a request with an approval that is open or can be used',
    pass: 'an approval that another transaction uses under the lock of the account',
  },
  'ledger/policy/granting.ts': {
    grant: 'an approval that is altered between two statements, or that two keys must sign',
  },
  'ledger/policy/guard.ts': {
    readPolicy: 'a policy without a problem that could be named',
    readStop: 'a reason of a stop, which worlds do not give',
  },
  'ledger/policy/request.ts': {
    exactOf: 'two labels in another order than that of the alphabet',
    guardedRefund: 'a deposit whose amount is not known',
  },
  'ledger/policy/signature.ts': { isSignedBy: 'keys of another kind or length: a policy refuses them' },
  'ledger/policy/simulate.ts': {
    nextRows: 'a replay of more than 1,000 creates',
    replay: 'rows without a request or time, and refunds that were paid, replayed',
  },
  'ledger/polls.ts': { claimDue: 'PostgreSQL: test/core/ledger/races.test.ts' },
  'ledger/report/figures.ts': { computed: 'a swap whose amounts are none' },
  'ledger/report/report.ts': {
    byKey: 'a report with two groups of which one has no name',
    keyBy: 'swaps without a coin, or without the label by which a report groups',
  },
  'ledger/report/swap-figures.ts': {
    durationOf: 'a service that leaves out the time of the start or the end',
    storedFigures: 'labels that are too long for an index, and amounts that are none',
    swapFigures: 'amounts that are none: the client refuses them',
  },
  'ledger/report/tally.ts': { at: 'the types allow a rank outside the list' },
  'ledger/search.ts': { searchText: 'texts that are too long for an index' },
  'ledger/sort-keys.ts': { storedValue: 'a list that is sorted after its rows were damaged' },
  'ledger/status-times.ts': {
    rememberedTimes: UNASKED,
    readTimes: 'the types allow a status that no swap has left',
  },
  'ledger/swap-result.ts': {
    agreedAmounts: UNASKED,
    intendedSwap: 'an entry without a request that was never seen',
    paymentUri: 'a swap that is fundable without a coin',
    recordedSwap: 'a swap that is described by an entry that says it was never seen',
  },
  'ledger/timeline.ts': {
    refundAddressSetAt: 'a ticket of a swap whose refund address was set later',
    requestEvents: 'one swap with its history, as history shows it',
    statusSpans: 'a ticket of a swap that was never seen',
    timelineEvents: 'one swap with its history, as history shows it',
  },
  'ledger/writes.ts': {
    created: 'an owner key, and an unknown create that is linked to another order',
    dismissEntry: 'an owner who signs a dismissal; an entry that another process settles in between',
    lockRows: 'PostgreSQL: test/core/ledger/races.test.ts',
    madeElsewhere: 'a service that leaves out when an order was made',
    refundAddressSet: 'an order in another spelling than the ledger has it',
  },
  'swaps/api-body.ts': {
    amountOf: 'amounts that are written as text, which no actor types',
    createInBody: 'a raw create that names what is received',
    jsonOf: 'a body that is no JSON, under a policy that reads it as such',
    refundInBody: 'a raw refund address without its order',
  },
  'swaps/batch/check.ts': {
    warnings: 'an order of another command that is identical with a row',
    faultsOf: 'rows that cannot be read: faults of a file',
    row: 'a row that would pay less than it must: in other seeds',
  },
  'swaps/batch/create.ts': {
    createdElsewhere: 'another process that creates an equal row with other labels after the check',
    createRow: 'an interruption of a row, or a bug of swapctl in it',
    earlier: 'a row whose outcome is unknown at its turn, or that is dismissed after the check',
    inOrder: 'a row that throws: the errors of rows are results',
    one: 'a bug of swapctl in a row',
    refusal: 'five unknown outcomes, one after the other',
    replay: 'another process that creates an equal row with other labels after the check',
    replayed: 'a row whose earlier order does not match it, or has other labels',
    untilAborted: 'Ctrl-C between two rows',
  },
  'swaps/batch/equal-orders.ts': {
    find: 'several equal orders with other labels',
    takeRepeat: 'a third repeat of a row',
  },
  'swaps/batch/keys.ts': {
    '#upToDate': 'an entry that is deleted while it is polled',
    isKeyOf: 'an identical order without a key',
    keyOf: 'a file with one key twice',
    mayBeAnother: 'an unknown outcome of a row with other labels',
    of: 'an interrupted repeat, and a key whose entry is deleted',
    unfinishedRepeat: 'a repeat a day after an interrupted one',
    whyNot: 'rows of a day before',
  },
  'swaps/batch/pace.ts': {
    budgetedService: 'a dry run on a ledger that cannot be written',
    create: 'a service without creates, in a dry run',
  },
  'swaps/batch/prices.ts': {
    '#interpolate': 'a coin with an unknown number of decimals',
    '#payable': 'a coin with an unknown number of decimals',
    '#rangeOf': 'amounts at the limits of a pair',
    pricePoints: 'a pair that has no price at an end of its line',
    noteBounds: 'a service without a minimum',
    receiveFor: 'prices that are not on a line',
    notedPrice: 'an error without the limits of the pair',
    receiveOf: 'a price that the service refuses for one amount alone',
    keep: 'more than 1,000 prices',
  },
  'swaps/batch/totals.ts': {
    add: 'more than 100 warnings',
    'get labelKeys': 'labels as columns of a result file',
  },
  'swaps/check.ts': {
    checkedPayout: 'a memo, and a flag that says that there is none',
    draftSwap: 'a check without a problem that could be named',
    passed: 'a bug of swapctl in a check',
    withNetwork: 'a coin of a single network, given without it',
  },
  'swaps/create-records.ts': {
    asItIsNow: 'an order that cannot be polled and was never seen',
    differentParts: 'two processes with one key and other content, between the check and the claim',
    entryOfOtherProcess: 'two processes with one key, of which one is refused, dismissed or never answered',
    orderOfOtherProcess: 'a create without a key that another process has claimed',
    settledElsewhere: 'a create of another process that takes longer than 35 s',
  },
  'swaps/create-swap.ts': {
    afterApproval: 'a price that falls while an approval is waited for, without a person',
    approvalOf: 'an approval that is wanted without one being requested',
    refuseMemoOf: 'a memo without a coin that it is for',
    send: 'an approval that is waited for, and a review that is then declined',
  },
  'swaps/create.ts': {
    createOnce: 'a ledger that fails while a mismatch is recorded',
    notRecorded: 'an order without an entry or a number',
    oddWords: 'an order with an inconsistency that does not contradict the request',
    plainOrder: 'an order number that cannot be typed',
    settleCreate: 'a bug of swapctl after the response',
  },
  'swaps/created.ts': {
    failedCreate: 'a bug of swapctl while a create is sent',
    failedOutcome: 'a bug of swapctl while a create is sent',
    lateError: 'output that fails after the response: the programs of worlds have no screen',
    readOtherWay: 'a service that takes the deposit for the payout',
    shortfall: 'an order that pays less than its review, or than its quote',
    unlessStorageFails: 'a bug of swapctl after the response',
  },
  'swaps/destination.ts': {
    accepted: 'an address with a warning, or of a test network for a live profile',
    checkedAddress: 'an address to which nothing can be paid',
    refuseSecretMemo: 'a memo for a coin without a network',
  },
  'swaps/find.ts': {
    factMatcher: 'an address on a network that is not known, or that a network writes in two ways',
  },
  'swaps/follow/due.ts': {
    '#claimed': 'a swap that another process leases in between, or whose end could not be written before',
    '#endedElsewhere': 'the types allow an open swap without an entry',
    isNews: 'the types allow an order without a number or time, which is not followed',
    seenElsewhere: 'the types allow an order without a number or doubts, which is not followed',
  },
  'swaps/follow/engine.ts': {
    onAnswer: 'the metrics of listen alone hear of each answer',
    throwIfFailed: 'a bug of swapctl in a poll',
  },
  'swaps/follow/follow.ts': {
    add: 'a profile whose key pair or ledger cannot be opened',
    failed: 'a key pair that the service refuses',
  },
  'swaps/follow/profile.ts': {
    isIt: 'named orders that are shown before they are followed',
    knownFirst: 'a watch of what the ledger has, of orders without a number',
    refuseUnrecorded: 'a listener that must record an end while the ledger fails',
    trackEntry: 'the types allow an order without a number, which is not followed',
    trackFirst: 'a ledger that fails when a watch begins',
    trackNamed: 'a ledger that fails when a watch begins',
  },
  'swaps/health.ts': {
    groupOf: 'a paid swap without a duration',
    keysOf: 'a swap whose coins are not known',
    probePairs: 'a pair that cannot be priced, or whose coins are not known',
  },
  'swaps/idempotency.ts': {
    isSentNetwork:
      'a key that is used again with a network that is an alias, or that the service cannot name',
    otherAddresses: 'a key that is used again without an address',
    requireSameRequest: 'a key of an order that was made elsewhere',
    stillUnknown: 'a create of unknown outcome, with a key or without one: in other seeds',
    whatMayChange: 'a key that is used again with another refund address: in other seeds',
  },
  'swaps/identical.ts': {
    identicalWords: 'an identical order with other labels, or of unknown outcome',
    recentSwaps: 'a ledger that fails while identical orders are looked for',
  },
  'swaps/ledger-access.ts': { read: 'a bug of swapctl while the ledger is read' },
  'swaps/limits.ts': {
    boundIn: 'a service that writes its limits into words alone',
    probeLimits: 'limits that changed between a refusal and the next price',
    limitsWords: 'a pair without a minimum or a maximum',
    withBounds: 'a service that writes its limits into words alone',
  },
  'swaps/listen/deliver-to.ts': {
    onDraining: 'a stop while a delivery is under way',
    pollAll: 'a key pair that the service refuses',
  },
  'swaps/listen/deliver.ts': {
    deliverDue: 'a bug of swapctl in a delivery; a stop while one is under way',
    unknownTypeMessage: 'a filter of a program of the library that matches no event type',
  },
  'swaps/listen/loops.ts': {
    allEnded: 'a loop that ends with an error: worlds run the loops by themselves',
    pauseFor: 'a stop while a loop begins to wait, or an interruption',
    repeatUntilStopped: 'a bug of swapctl in a loop',
  },
  'swaps/listen/targets.ts': {
    functionTarget: 'a handler that takes longer than 15 s, or throws what is no error',
    openTargets: 'webhooks and commands: real sockets and processes',
    timed: 'webhooks and commands: real sockets and processes',
  },
  'swaps/lookup.ts': {
    compareUnrecorded: 'an unknown create that may have made an order of another minute',
    lookUpSwap: 'an order that is new while the ledger cannot be read',
    onUnread: 'an order that is new while the ledger cannot be read',
    withExpiry: 'a service that leaves out the start or the rate type of an order',
    withLedger: 'a bug of swapctl while the ledger is read',
  },
  'swaps/named-swap.ts': {
    candidateOf: 'several entries with one fact, of which one has no coins or was not seen',
    isInLedger: 'a fact that is typed as a command',
    isMeant: 'an order of another profile, where one was named',
    isOwnSecret: 'a profile that cannot be used',
    isPublicFact: 'a text that may be a transaction, and that no entry has',
    isSecretText: 'a key or a seed phrase that is searched for',
    namedOrder: 'a fact without an order, or a ledger that cannot be read while one is named',
    noOrderError: 'an entry without an order, named by its id',
    notFound: 'a fact of another profile, or of none',
    ownerInUse: 'a profile that cannot be used',
    profilesOf: 'a fact of another profile',
    sayWhich: 'a fact other than an order number, on a command line',
    sayWhose: 'an order of another profile that is asked of the one in use',
    searchTextForError: 'a text that is cut in an error, and that no entry has',
    severalFound: 'one order in two profiles',
    singleMatch: 'a fact of several swaps, named on a command line',
    wayOut: 'a text that may be an order, and that no entry has',
  },
  'swaps/pair.ts': {
    choicesOf: 'a quote at a terminal without networks, of a coin that has several',
    correctedPair: 'a service that requires networks',
    refuseSameSides: 'one coin on one network on both sides',
    requireNetworks: 'a service that requires networks',
    spelledCoin: 'a coin whose network the service does not list',
    spelledPair: 'networks as aliases on both sides',
    withOnlyNetwork: 'a service that requires networks',
  },
  'swaps/poll.ts': {
    ofProfile: 'a profile without a key pair',
    pollOrders: 'a profile that fails in the middle of a list',
  },
  'swaps/price.ts': {
    askWithBounds: 'a bug of swapctl while a price is asked',
    checkDecimals: 'an amount with more decimals than the coin has, on another network than its own',
    payable: 'a computed deposit with more decimals than the coin has',
    priceImpact: 'a price of zero',
    quotePair: 'a pair that is refused again after its codes were corrected',
  },
  'swaps/profile-poll.ts': {
    moreTime: 'a named poll that fails once its time is up',
    '#seenElsewhere': 'a ledger that fails while the polls of others are awaited',
    failed: 'a poll that is given up at the deadline after others were answered',
    isReportable: 'an interruption before a profile is opened',
    run: 'a profile that cannot be opened, or is that of the built-in service',
    seen: 'an order that the ledger does not have, polled without being named',
  },
  'swaps/reconcile.ts': { isSame: 'a statement with an address, for a swap without a network' },
  'swaps/refund-records.ts': { recordedRefund: 'a bug of swapctl while a refund address is recorded' },
  'swaps/refund.ts': {
    swapToRefund: 'an order that was made elsewhere, and whose deposit the service does not show',
  },
  'swaps/request-budget.ts': {
    change: 'a bug of swapctl while the budget is written',
    sharedBudget: 'a program without a budget of its own',
  },
  'swaps/resolve.ts': {
    dismiss: 'an entry that another process settles in between, or that counts on under a policy',
    isAnother: 'an entry without a request, and an order of another coin to receive',
    resolveUnknown: 'an entry that is deleted while it is settled',
    settleWith: 'an entry of another key pair, or an order that was made ten minutes before the request',
  },
  'swaps/submit.ts': {
    apiCreate: 'another process that claims an entry whose id no one knows',
    apiRefund: 'a raw refund address without a body',
    checkApi: 'a raw create without a body',
    settleApi: 'an order number that cannot be typed, or an entry that a person links in between',
    submitApi: 'a raw refund address under a policy that lets it pass',
  },
};

/** Longest part of a line that is shown. */
const SHOWN = 76;

/** A line of a file as code in a cell of a table. */
function shownLine(file, line) {
  const text = readFileSync(join(ROOT, file), 'utf8').split('\n')[line - 1].trim();
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `\`\` ${cut.replaceAll('|', '\\|')} \`\``;
}

/** The rows of the functions with branches that no world reaches. */
function rowsOf([file, { missed }]) {
  const short = file.slice('src/core/'.length);
  const functions = new Map();
  for (const { line, within } of missed) functions.set(within, [...(functions.get(within) ?? []), line]);
  return [...functions]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, lines]) => {
      const why = REASONS[short]?.[name] ?? '';
      const first = Math.min(...lines);
      return `| \`${short}\` | \`${name}\` | ${lines.length} | ${shownLine(file, first)} | ${why} |`;
    });
}

/** Writes the page about the branches that no world reaches, with a row for each function. */
export function writeCoverage(files, seeds) {
  const share = (folder) => {
    const found = [...files].filter(([file]) => file.startsWith(folder)).map(([, counts]) => counts);
    const sum = (of) => found.reduce((total, counts) => total + of(counts), 0);
    const ran = sum((counts) => counts.ran);
    const all = ran + sum(({ missed }) => missed.length);
    return `${ran} of ${all} branches of \`${folder}\` (${Math.round((100 * ran) / all)} %)`;
  };
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(rowsOf);
  writeFileSync(
    PAGE,
    `# What the simulation reaches

${seeds} seeds reach ${share('src/core/swaps/')} and ${share('src/core/ledger/')}: of all files, also those
that no actor uses. A branch is a function, or a part of one that V8 counts apart, such as the arm of an \`if\`. The table has each function
of \`src/core\` with branches that no world reaches: how many, the line of the first, and why. Tests beside the code prove them.
\`npm run simulate -- --seeds 300 --coverage\` writes this page from the reasons in \`test/simulation/unreached.mjs\`.

| file | function | branches | first line | why |
|---|---|---|---|---|
${lines.join('\n')}
`,
  );
}
