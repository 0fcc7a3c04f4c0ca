const BASE_URL = 'src/core/partner-api/base-url.ts';
const CREATE_SWAP = 'src/core/swaps/create-swap.ts';
const REVIEW = 'src/cli/commands/create/review.ts';
const PRICE = 'src/core/swaps/price.ts';
const SHOWN = 'src/cli/views/created.ts';

export const RULES = [
  {
    name: 'empty-query-accepted',
    what: 'a base URL with an empty query or fragment is accepted',
    file: BASE_URL,
    find: 'if (/[?#]/.test(text))',
    replace: `if (url.search !== '' || url.hash !== '')`,
  },
  {
    name: 'user-name-accepted',
    what: 'a base URL with an empty user name or a password alone is accepted',
    file: BASE_URL,
    find: `if (text.includes('@'))`,
    replace: `if (url.username !== '')`,
  },
  {
    name: 'empty-segment-accepted',
    what: 'a base URL with an empty path segment is accepted',
    file: BASE_URL,
    find: String.raw`if (/\/\//.test(path))`,
    replace: String.raw`if (/\/\/$/.test(path))`,
  },
  {
    name: 'loopback-names-differ',
    what: 'orders, policy and stops of one service on this machine belong to the name by which it is called',
    file: BASE_URL,
    find: String.raw`plainHost(url).replace(/^(?:127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')`,
    replace: 'plainHost(url)',
  },
  {
    name: 'final-dot-differs',
    what: 'a host with the dot that ends a complete name is another service',
    file: BASE_URL,
    find: String.raw`hostname.replace(/\.$/, '')`,
    replace: 'hostname',
  },
  {
    name: 'path-codes-differ',
    what: 'a path with unneeded percent codes is another service',
    file: BASE_URL,
    find: String.raw`return /[\w.~-]/.test(character) ? character : code.toUpperCase();`,
    replace: 'return code.toUpperCase();',
  },
  {
    name: 'enter-is-yes',
    what: 'Enter alone accepts a review',
    file: REVIEW,
    find: `if (/^y/i.test(answer)) return 'create';`,
    replace: `if (/^(y|$)/i.test(answer)) return 'create';`,
  },
  {
    name: 'yes-not-needed',
    what: 'without a terminal a swap is created without --yes',
    file: 'src/cli/commands/create/complete.ts',
    find: `  if (!flags.yes && !flags.dryRun)
    throw new UsageError(
      'Without a terminal, create needs --yes.',
      'Review it with --dry-run first, then add --yes.',
    );
  return {
    ...flags,`,
    replace: '  return {\n    ...flags,\n    yes: true,',
  },
  {
    name: 'not-priced-again',
    what: 'a confirmed swap is not priced again',
    file: CREATE_SWAP,
    find: `else if (answer.yes === 'now') return current;`,
    replace: `else if (answer.yes === 'now' || answer.yes === 'shown') return current;`,
  },
  {
    name: 'worse-not-reviewed',
    what: 'a price that got worse after the review is not reviewed again',
    file: CREATE_SWAP,
    find: 'return { asked, draft: { ...now, reviewed: quote.receive }, hasWorsened: true };',
    replace: 'return { asked, draft: { ...now, reviewed: quote.receive }, hasWorsened: false };',
  },
  {
    name: 'price-creeps-past-approval',
    what: 'after an approval the price is compared with the last one, not with the reviewed one',
    file: CREATE_SWAP,
    find: 'const isWorse = hasWorsened(seen, now);',
    replace: 'const isWorse = hasWorsened(draft, now);',
  },
  {
    name: 'review-forgotten-at-approval',
    what: 'what was reviewed is forgotten while an approval is waited for',
    file: CREATE_SWAP,
    find: 'return { asked, draft: now, seen, hasWorsened: false };',
    replace: 'return { asked, draft: now, hasWorsened: false };',
  },
  {
    name: 'change-not-shown',
    what: 'a change of the price within the tolerance is not shown',
    file: CREATE_SWAP,
    find: 'if (words !== null)\n',
    replace: 'if (words !== null && isWorse)\n',
  },
  {
    name: 'shortfall-not-shown',
    what: 'an order that pays less than was reviewed is shown without the difference',
    file: 'src/core/swaps/create.ts',
    find: 'notices: [...shortfall(draft, swap), ...oddWords(found)],',
    replace: 'notices: oddWords(found),',
  },
  {
    name: 'deposit-rounded-down',
    what: 'the deposit computed for --receive is rounded down',
    file: PRICE,
    find: `shortenBound(amount, excess.places, 'up')`,
    replace: `shortenBound(amount, excess.places, 'down')`,
  },
  {
    name: 'memo-set-apart',
    what: 'the memo of a deposit is shown with less weight than its address',
    file: SHOWN,
    find: `['Memo', deposit.memo, strong],`,
    replace: `['Memo', deposit.memo],`,
  },
  {
    name: 'amount-set-apart',
    what: 'the amount of a deposit is shown with less weight than its address',
    file: SHOWN,
    find: `['Amount', sideText({ ...deposit, network: null }), strong],`,
    replace: `['Amount', sideText({ ...deposit, network: null })],`,
  },
];
