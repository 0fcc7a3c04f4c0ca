const RUN = 'src/cli/commands/batch/run.ts';
const CHECK = 'src/cli/commands/batch/check.ts';
const KEYS = 'src/core/swaps/batch/keys.ts';
const EQUAL = 'src/core/swaps/batch/equal-orders.ts';
const BATCH = 'src/core/swaps/batch/create.ts';
const COLUMNS = 'src/cli/commands/batch/rows/columns.ts';
const IDEMPOTENCY = 'src/core/swaps/idempotency.ts';

const PRICES = 'src/core/swaps/batch/prices.ts';
const PRICE_KEY = 'return JSON.stringify([deposit, receive, asked, lastSource, type]);';

export const BATCHES = [
  {
    name: 'refused-rows-left-out',
    what: 'the rows of a file are sent although others were refused',
    file: CHECK,
    find: '  refusal.throwIfAny(file.count);\n  return totals;',
    replace: '  return totals;',
  },
  {
    name: 'unknown-columns-ignored',
    what: 'a column that is not known is ignored',
    file: COLUMNS,
    find: 'if (map.size > 0 && near.length === 0) unused.push(name);',
    replace: 'if (map.size >= 0) unused.push(name);',
  },
  {
    name: 'last-column-counts',
    what: 'of two columns with one name the last one counts',
    file: COLUMNS,
    find: 'else problems.push({ column: field, error: new UsageError(`Duplicate column ${field}.`) });\n        return',
    replace: 'else return column;\n        return',
  },
  {
    name: 'row-of-wrong-length',
    what: 'a row with more cells than headings is read',
    file: 'src/cli/commands/batch/rows/read-rows.ts',
    find: "return !isIncomplete && cells.slice(columns.length).every((cell) => cell.trim() === '');",
    replace: 'return !isIncomplete;',
  },
  {
    name: 'key-of-two-rows',
    what: 'two rows of a file may have one key',
    file: KEYS,
    find: '    if (earlier !== undefined) throw new UsageError(`Same key as row ${earlier}.`);\n',
    replace: '',
  },
  {
    name: 'changed-file-before-question',
    what: 'a file that changes while the question waits for its answer is not noticed',
    file: RUN,
    find: "    await agree(context, options, review);\n    if (await hasChanged(source, options.file))\n      throw new UsageError(\n        `${visible(options.file)} changed after it was checked; nothing was sent.`,\n        'Run it again.',\n      );\n",
    replace:
      "    if (await hasChanged(source, options.file))\n      throw new UsageError(\n        `${visible(options.file)} changed after it was checked; nothing was sent.`,\n        'Run it again.',\n      );\n    await agree(context, options, review);\n",
  },
  {
    name: 'same-size-is-unchanged',
    what: 'a file of the same size counts as unchanged',
    file: RUN,
    find: "['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs']",
    replace: "['size']",
  },
  {
    name: 'key-by-position',
    what: 'the key of a row depends on its position in the file',
    file: KEYS,
    find: 'const number = (this.#equal.get(content) ?? 0) + 1;',
    replace: 'const number = row;',
  },
  {
    name: 'key-by-spelling',
    what: 'the key of a row depends on how its coins and networks are written',
    file: KEYS,
    find: 'contentHash(sent ?? asWritten(asked))',
    replace: 'contentHash(asWritten(asked))',
  },
  {
    name: 'key-by-zeros',
    what: 'the key of a row depends on trailing zeros of its amount',
    file: IDEMPOTENCY,
    find: 'return JSON.stringify([...sides, amountKey(amount), lastSource, address, memo]);',
    replace: 'return JSON.stringify([...sides, amount, lastSource, address, memo]);',
  },
  {
    name: 'key-without-memo',
    what: 'two rows that differ only in their memo are one payment',
    file: IDEMPOTENCY,
    find: 'return JSON.stringify([...sides, amountKey(amount), lastSource, address, memo]);',
    replace: 'return JSON.stringify([...sides, amountKey(amount), lastSource, address]);',
  },
  {
    name: 'key-by-network-code',
    what: 'the key of a row depends on the code that the service has for a network now',
    file: IDEMPOTENCY,
    find: '[coin.toUpperCase(), networkKey(network)]',
    replace: '[coin.toUpperCase(), network]',
  },
  {
    name: 'ended-order-of-row',
    what: 'a row that is due again gets its order that has ended',
    file: KEYS,
    find: '  if (swap?.final === true) return `has ended as ${swap.status}`;\n',
    replace: '',
  },
  {
    name: 'expired-order-of-row',
    what: 'a row that is due again gets its order that has expired',
    file: KEYS,
    find: "  if (swap?.status === 'new' && end !== null && end <= serviceNow) return 'has expired';\n",
    replace: '',
  },
  {
    name: 'old-order-of-row',
    what: 'a row that is due again gets an order of any age',
    file: KEYS,
    find: "return now - requestedAt >= MAX_AGE_MS ? 'is older than a day' : null;",
    replace: 'return null;',
  },
  {
    name: 'order-of-other-invoice',
    what: 'a row gets the order of an equal row with other labels',
    file: EQUAL,
    find: '!this.#taken.has(order.key) && sameLabels(order.labels, labels)',
    replace: '!this.#taken.has(order.key)',
  },
  {
    name: 'one-order-for-two-rows',
    what: 'two rows of a file get one order',
    file: EQUAL,
    find: '!this.#taken.has(order.key) && sameLabels(order.labels, labels)',
    replace: 'sameLabels(order.labels, labels)',
  },
  {
    name: 'network-guessed',
    what: 'a name of several networks is taken for one of them',
    file: 'src/core/swap/networks/aliases.ts',
    find: '(rules === meant || shared.includes(rules.code))',
    replace: 'rules === meant',
  },
  {
    name: 'least-of-row-reviewed-alone',
    what: 'a row is created at a price below its least payout, if it was reviewed at a better one',
    file: BATCH,
    find: '          checkLeast(price.quote, question);\n',
    replace: '',
  },
  {
    name: 'repeat-of-repeat',
    what: 'a repeat that is run again repeats what it has created',
    file: KEYS,
    find: 'if (doubt === null || (repeat && isOfRepeat))',
    replace: 'if (doubt === null)',
  },
  {
    name: 'half-repeat-again',
    what: 'a repeat that reached only some rows is run again after a day',
    file: KEYS,
    find: 'if (this.#newestRepeat - this.#oldest <= MAX_AGE_MS) return null;',
    replace: 'if (this.#newestRepeat - this.#oldest <= Number.POSITIVE_INFINITY) return null;',
  },
  {
    name: 'unknown-repeated',
    what: 'a repeat creates a row again whose outcome is unknown',
    file: KEYS,
    find: "if (!repeat || entry.outcome === 'unknown')",
    replace: 'if (!repeat)',
  },
  {
    name: 'account-by-profile-name',
    what: 'another profile name for a key pair is another account',
    file: 'src/core/ledger/entry.ts',
    find: '    account: accountOf(profile),',
    replace: '    account: `${accountOf(profile)}-${name}`,',
  },
  {
    name: 'locked-for-each-row',
    what: 'a batch tries every row although its ledger is locked',
    file: BATCH,
    find: 'new Set([4, 11])',
    replace: 'new Set([4])',
  },
  {
    name: 'lock-found-late',
    what: 'a batch checks all its rows before it finds that its ledger cannot be written',
    file: RUN,
    find: '    if (!options.dryRun) await ledger.checkWritable();\n',
    replace: '',
  },
  {
    name: 'rows-in-progress-left',
    what: 'the creates in progress are not awaited when a batch is interrupted',
    file: BATCH,
    find: '    await Promise.allSettled(running);\n',
    replace: '',
  },
  {
    name: 'result-lost-by-signal',
    what: 'the result of an interrupted batch is not written',
    file: RUN,
    find: '    wipeEcho(context.streams);\n    await results.end();\n',
    replace: '    wipeEcho(context.streams);\n',
  },
  {
    name: 'endless-unknown-rows',
    what: 'a batch continues however many responses in a row are lost',
    file: BATCH,
    find: 'isOfAll || this.#inARow >= MAX_IN_A_ROW',
    replace: 'isOfAll',
  },
  {
    name: 'rows-overwritten',
    what: 'the result of a batch replaces its rows, if the path is written in another way',
    file: RUN,
    find: '{ output, dryRun }: BatchOptions): Promise<ResultFile | null> {\n  if (output === null || dryRun) return null;\n  const there = await statOf(output);\n  if (there !== null && there.dev === found?.dev && there.ino === found.ino)',
    replace:
      '{ output, dryRun, file }: BatchOptions): Promise<ResultFile | null> {\n  if (output === null || dryRun) return null;\n  if (found !== null && output === file)',
  },
  ...[
    ['side', '[deposit, receive, asked, type]'],
    ['type', '[deposit, receive, asked, lastSource]'],
    ['payout', '[deposit, asked, lastSource, type]'],
  ].map(([part, key]) => ({
    name: `price-of-other-${part}`,
    what: `rows that differ in ${part} share a price`,
    file: PRICES,
    find: PRICE_KEY,
    replace: `return JSON.stringify(${key});`,
  })),
  {
    name: 'prices-of-other-payout',
    what: 'rows with other payouts are priced between the quotes of one of them',
    file: PRICES,
    find: 'JSON.stringify([request.deposit, request.receive, tolerance])',
    replace: 'JSON.stringify([request.deposit, tolerance])',
  },
  {
    name: 'priced-before-turn',
    what: 'a row is priced before it waits for its turn',
    file: BATCH,
    find: "          await pace.take('create');\n          const price = await freshPrice(question);",
    replace: "          const price = await freshPrice(question);\n          await pace.take('create');",
  },
];
