import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED } from './bugs.mjs';
import { MARK, rowsBefore, TABLE } from './run.mjs';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SAFETY = join(ROOT, 'docs', 'safety.md');
const PAGE = join(ROOT, 'docs', 'evidence', 'promises.md');

/** Bugs that break a promise of docs/safety.md, by the beginning of its rule or row. */
const BREAKS = {
  '1. Base URLs are': [
    'plain-http-accepted',
    'loopback-by-beginning',
    'empty-query-accepted',
    'user-name-accepted',
    'empty-segment-accepted',
    'loopback-names-differ',
    'final-dot-differs',
    'path-codes-differ',
    'redirects-followed',
  ],
  '2. Payout and refund addresses': [
    'checksum-by-one-byte',
    'payout-to-unspendable',
    'refund-on-payout-network',
    'unknown-is-verified',
    'memo-need-unread',
    'memo-without-use',
    'testnet-on-live',
  ],
  '3. Amounts are exact': ['amount-rounded', 'decimals-unchecked'],
  '4. On a terminal, `create` shows': [
    'enter-is-yes',
    'yes-not-needed',
    'not-priced-again',
    'change-not-shown',
    'worse-not-reviewed',
    'shortfall-not-shown',
  ],
  '5. With `--receive`': ['deposit-rounded-down'],
  '6. A create request': ['claim-removed', 'sent-before-claim', 'post-repeated', 'unrecorded-is-created'],
  '7. A create with the same': ['key-of-unknown-again', 'library-drops-key', 'settle-not-awaited'],
  '8. Deposit address, memo': [
    'memo-set-apart',
    'amount-set-apart',
    'code-loses-digits',
    'code-without-memo',
  ],
  '9. `refund` shows': ['refund-of-before', 'refund-unconfirmed', 'refund-unrecorded'],
  '10. Reads and refund updates': ['refund-repeated-often', 'post-repeated'],
  'address mistyped: checksum': [
    'checksum-by-one-byte',
    'bech32-checksum-ignored',
    'eip55-ignored',
    'program-of-any-length',
    'program-too-long',
    'either-bech32',
    'evm-of-any-length',
    'bech32-of-two-cases',
  ],
  'address of another network': [
    'segwit-of-any-chain',
    'tron-of-any-version',
    'near-name-of-any-text',
    'other-network-unnamed',
  ],
  'address that is valid on several': ['review-without-network'],
  'burn address, system address': [
    'evm-burn-accepted',
    'burn-hash-accepted',
    'payout-to-unspendable',
    'refund-to-unspendable',
  ],
  'address of a test network': ['testnet-on-live'],
  'address without a checksum': [
    'unchecked-unsaid',
    'unknown-is-verified',
    'address-warnings-lost',
    'review-without-warnings',
  ],
  'network that neither swapctl': ['any-network-without-list', 'coin-is-network'],
  'private key or seed phrase': [
    'key-as-address',
    'phrase-as-address',
    'phrase-in-memo',
    'key-in-memo',
    'memo-unsearched',
    'labels-unsearched',
    'label-names-unsearched',
    'own-secret-in-label',
    'labels-of-check-unsearched',
    'typed-memo-unsearched',
  ],
  'memo missing although': [
    'memo-of-list-not-needed',
    'memo-of-network-not-needed',
    'memo-need-unread',
    'coin-cache-shares-memo-need',
  ],
  'malformed memo': ['tag-beyond-32-bits', 'memo-with-hidden', 'memo-counted-in-letters', 'memo-without-use'],
  'memo given with an address': ['two-memos', 'memo-inside-waived', 'last-memo-wins'],
  'refund address that needs a memo': [
    'memo-of-refund-dropped',
    'refund-memo-unwarned',
    'refund-update-memo-unwarned',
  ],
  'refund address of another network': ['refund-on-payout-network', 'refund-on-guessed-network'],
  'a “yes” typed before': ['early-yes-counts'],
  'the live service instead': [
    'place-unnamed',
    'create-unannounced',
    'review-without-host',
    'sandbox-and-profile',
    'lone-url-ignored',
  ],
  '`1,5` `1e-3`': ['zero-is-an-amount', 'comma-is-a-point', 'exponent-is-an-amount', 'almost-a-number'],
  'amount rounded on the way': ['amount-rounded'],
  'more decimals than the coin': [
    ...['one-decimal-more', 'decimals-unchecked'],
    ...['quoted-decimals-unchecked', 'quoted-decimals-of-other-side'],
  ],
  '`--receive` answered with more': ['deposit-unrounded', 'deposit-rounded-down'],
  'quote for another pair': [
    'quote-unchecked',
    'quote-of-another-pair',
    'quote-of-another-amount',
    'quote-of-more-deposit',
    'quote-of-nothing',
    'quote-below-its-rate',
    'quote-above-its-rate',
  ],
  'quote with a maximum of 0': ['maximum-of-zero', 'maximum-demanded'],
  'price that got worse by more': [
    'worse-not-reviewed',
    'review-of-deposit-alone',
    'tolerance-of-fixed',
    'price-creeps-past-approval',
  ],
  'quote below `--min-receive`': ['least-unchecked', 'least-of-row-reviewed-alone'],
  'order that pays less than': ['shortfall-not-shown', 'shortfall-of-quote-alone'],
  'QR code with an amount': ['code-loses-digits', 'code-without-memo', 'token-as-ether'],
  'connection breaks before or after': ['broken-is-not-sent', 'lost-is-refused', 'post-repeated'],
  'response hangs or trickles': ['timeout-is-not-sent'],
  'slow but complete response': ['slow-answer-cut'],
  'response that is empty': ['unreadable-is-refused'],
  'response of 17 MB': [
    'answer-too-large',
    'too-large-is-not-sent',
    'switched-is-not-sent',
    'garbage-is-not-sent',
  ],
  '500, 502, 503': ['server-error-is-refusal'],
  'redirect (301': ['redirects-followed', 'redirect-is-refusal'],
  '400, 401, 409, 422': ['invalid-is-unknown', 'refusal-is-failure'],
  '400 with 200,000': ['all-messages-shown', 'more-messages-unsaid'],
  '403 bad signature': ['signature-not-blamed', 'not-found-is-rejected'],
  '403 from a web': ['firewall-blames-key'],
  '429, with or without': ['limited-is-unknown', 'pause-unsaid'],
  'connection refused for the POST': ['unreachable-is-unknown'],
  'connection refused, unknown': ['any-certificate', 'unknown-host-unsaid', 'read-forever'],
  '`--timeout` ends before': ['sent-after-timeout', 'create-cut-short', 'batch-waits-past-timeout'],
  'three processes, one idempotency key': [
    'claim-ignored',
    'sent-before-claim',
    'unknown-elsewhere-is-no-order',
  ],
  'same key after created': ['key-of-unknown-again', 'claim-of-unknown', 'dismissed-key-released'],
  'same key, the swap has ended': ['ended-unsaid', 'replayed-as-current'],
  'same key, another swap': [
    'key-compares-memo-in-any-case',
    'key-of-another-swap',
    'memo-not-compared',
    'compared-with-refused',
    'key-of-any-account',
    'hosts-are-one',
    'key-of-other-account-free',
  ],
  '`history resolve` of an unknown': [
    'settle-what-is-settled',
    'settled-resolved-again',
    'dismissed-key-kept',
    'linked-otherwise-accepted',
    'older-order-unsigned',
    'other-order-unsigned',
    'earlier-snapshot',
    'earlier-deposit',
  ],
  '`status`, `refund` or `history import`': [
    'stranger-without-terms',
    'order-without-time-not-compared',
    'imported-without-terms',
  ],
  'reads and refund updates: 5xx': [
    'refund-lost-is-unset',
    'refund-lost-is-set',
    'refund-of-last-try',
    'refund-of-last-answer',
  ],
  'payout address, amount, coin': [
    'mismatch-accepted',
    'payout-address-unchecked',
    'payout-coin-unchecked',
    'payout-memo-unchecked',
    'deposit-coin-unchecked',
    'deposit-amount-unchecked',
  ],
  'rate type missing, null': ['rate-type-unchecked'],
  'deposit address or amount missing': [
    'no-address-accepted',
    'hidden-characters-accepted',
    'any-length-accepted',
    'any-order-number-accepted',
    'nothing-to-deposit-accepted',
    'begun-is-new',
    'paid-is-untouched',
    'deposit-seen-is-untouched',
  ],
  'a price that falls after': ['review-of-payout-alone', 'priced-before-turn'],
  'the order number of an earlier order': ['taken-order-accepted'],
  'service that treats `depositAmount`': ['read-other-way-unnoticed'],
  'deposit address mistyped': [
    'deposit-address-any-text',
    'deposit-to-burn-address',
    'deposit-to-system-address',
    'deposit-to-own-payout',
    'deposit-to-own-refund',
    'deposit-to-test-network',
    'deposit-without-memo',
    'deposit-memo-of-coin-list',
    'deposit-with-two-memos',
    'deposit-memo-any-text',
  ],
  'amounts as text, with trailing': [
    ...['digits-lost', 'amount-as-text-unread', 'status-with-fraction-unread', 'codes-by-case'],
  ],
  'refund of a swap with doubts': ['refund-on-moved-network'],
  'refund update answered with another': [
    'refund-unconfirmed',
    'refund-of-another-order',
    'refund-recorded-first',
  ],
  'create response changed in transit': ['mismatch-accepted'],
  'any single field of a correct': ['doubts-fundable'],
  'valid deposit address put into': [
    ...['plain-http-accepted', 'redirects-followed', 'deposit-address-unchecked'],
  ],
  'a later poll with another deposit': ['deposit-amount-unchecked', 'doubts-fundable'],
  'a response about another order': ['other-order-accepted'],
  'a later response changed in transit': [
    ...['deposit-address-unchecked', 'deposit-memo-unchecked', 'library-forgets-doubts'],
  ],
  'a later response that is cut off': ['last-seen-of-key-fundable', 'redirects-followed'],
  'late deposit: the window': ['window-ignored'],
  'a success without a deposit': [
    'success-without-payout',
    'success-without-deposit',
    'late-deposit-unnoticed',
    'window-of-last-answer-alone',
    'paid-something-else',
    'paid-nothing',
    'fee-without-limit',
    'negative-fee-counts',
    'payout-for-any-deposit',
  ],
  'a status code that this version': ['unlisted-is-final', 'unlisted-is-new'],
  'pause or frozen: nothing happens': ['held-needs-no-one', 'frozen-needs-no-one'],
  'a poll that fails while watching': ['failed-poll-ends-watch'],
  'pause, frozen, a failed swap': [
    'failed-needs-no-one',
    'doubt-needs-no-one',
    'late-deposit-needs-no-one',
    'window-ends-unnoticed',
    'unknown-needs-no-one',
    'ended-is-not-listed',
    'old-window-is-current',
    'attention-exits-with-0',
    'unpolled-forgotten',
    'unpolled-needs-no-one',
    'failed-polls-unsaid',
  ],
  'a swap that `status` shows': ['begun-is-fundable', 'future-is-recent'],
  'a swap that was last seen earlier': [
    'old-status-fundable',
    'status-trusts-future',
    'old-row-fundable',
    'future-is-not-polled',
    'future-is-news',
  ],
  'an order that did not match': ['unmatched-fundable', 'unmatched-unsaid'],
  'the order of another profile': [
    ...['polled-with-key-in-use', 'profile-of-that-name', 'order-of-any-account'],
  ],
  'ledger at a relative path': [
    'ledger-by-working-folder',
    'empty-ledger-is-new',
    'cut-ledger-accepted',
    'foreign-ledger-used',
    'newer-ledger-used',
    'open-ledger-used',
    'open-log-used',
    'log-without-ledger',
    'sent-before-claim',
  ],
  'read-only home folder': ['ledger-in-memory'],
  'one damaged row in the ledger': ['damaged-row-ends-list', 'key-of-damaged-row-is-free'],
  'ledger that cannot be read while': ['uncompared-is-fundable'],
  'disk full or read-only': ['full-disk-ends-reads', 'read-without-log'],
  'ledger fails after the POST': ['unrecorded-is-created'],
  'standard output full': ['lost-output-unsaid', 'lost-output-is-repeatable', 'closed-pipe-is-failure'],
  'the same, and the ledger fails': ['unrecorded-on-stdout', 'unrecorded-deposit-unsaid'],
  'SIGINT, SIGTERM, SIGHUP before': ['sigterm-kills', 'sighup-kills'],
  'the same while sending': ['interrupted-is-not-sent'],
  'the same after the response': ['bug-hides-order'],
  'SIGKILL before / during': ['claim-removed', 'sent-before-claim'],
  'power failure after the POST': ['commits-unsynced', 'relaxed-stays', 'role-commits-unsynced'],
  'two processes create or change the ledger': ['claim-ignored', 'status-before-lock'],
  'ledger on PostgreSQL behind a pooler': [
    'pooled-without-limits',
    'pooled-limits-stay',
    'pooled-write-alone',
  ],
  'two processes change the configuration': [
    'lost-lock-unnoticed',
    'config-read-before-lock',
    'stalled-config-written',
  ],
  "swapctl's own files replaced": ['display-loaded-late'],
  'a bug in swapctl after the response': ['bug-hides-answer', 'bug-hides-order', 'bug-unrecorded'],
  'a ledger of another version': ['upgrade-skips-step', 'newer-ledger-used'],
  'plain HTTP base URL': [
    ...['plain-http-accepted', 'loopback-by-beginning', 'stored-url-unchecked', 'env-url-unchecked'],
  ],
  'untrusted certificate': ['any-certificate', 'any-certificate-behind-proxy'],
  'proxy refuses (403': [
    ...[
      'proxy-refusal-is-unknown',
      'proxy-password-shown',
      'clear-text-to-any-proxy',
      'proxy-failure-is-service',
    ],
  ],
  'redirect of a read': ['redirects-followed'],
  'secret on the command line': ['flag-value-printed'],
  'secret or signature in output': ['secrets-not-redacted'],
  'service that sends the secret': ['secrets-not-redacted'],
  '`NODE_DEBUG` with `http`': ['debug-by-wildcard', 'debug-in-capitals', 'debug-of-sockets'],
  "the profile's secret, or a signature": ['secret-within-label', 'labels-unchecked'],
  'labels, profile names, idempotency keys': ['ticket-of-all', 'output-overwritten', 'output-readable'],
  'SIGUSR1, which makes': ['debugger-by-signal'],
  'configuration that others can read': [
    'config-readable',
    'config-folder-open',
    'config-written-open',
    'foreign-is-private',
    'writable-is-private',
  ],
  'a keychain that is missing': [
    'keychain-and-file',
    'keychain-not-awaited',
    'new-secret-removed',
    'keyring-of-kernel',
  ],
  'secret in place of the path': ['secret-as-path-printed'],
  'the secret as an order number': ['secret-sent'],
  'secret or 120 kB of text': [
    'long-text-repeated',
    'phrase-repeated',
    'pem-repeated',
    'user-info-repeated',
    'named-value-repeated',
    'webhook-secret-repeated',
    'random-word-repeated',
  ],
  "another user's coin list": [
    'coin-list-of-others',
    'coin-list-in-open-folder',
    'coin-list-to-open-folder',
    'coin-list-behind-link',
  ],
  '`SWAPCTL_LEDGER` or `--database`': ['foreign-tables-are-ours', 'foreign-mode-first'],
  'processes that the secret command': ['descendants-left', 'sigterm-alone'],
  'values named `secret`': [
    'secret-name-lost-below',
    'cookies-recorded',
    'header-values-unknown',
    'named-query-recorded',
    'named-member-recorded',
    'named-answer-recorded',
  ],
  'password of a PostgreSQL server': ['database-password-shown'],
  'compiled code that another user': [
    'compiled-readable',
    'compiled-linked',
    'compiled-foreign',
    'compiled-swappable',
  ],
  'a wrong row, column or key': [
    'refused-rows-left-out',
    'unknown-columns-ignored',
    'last-column-counts',
    'row-of-wrong-length',
    'key-of-two-rows',
  ],
  'the file changes between': ['changed-file-before-question', 'same-size-is-unchanged'],
  'the same file again': ['key-by-position', 'key-by-zeros', 'key-without-memo'],
  'an equal row whose order': ['ended-order-of-row', 'expired-order-of-row', 'old-order-of-row'],
  'a row equal to one that has': ['order-of-other-invoice', 'one-order-for-two-rows'],
  'a `--repeat` that was interrupted': ['repeat-of-repeat', 'half-repeat-again', 'unknown-repeated'],
  'another profile name for the same': ['account-by-profile-name', 'key-by-spelling', 'key-by-network-code'],
  'the ledger is locked by another': ['locked-for-each-row', 'lock-found-late'],
  'SIGKILL at any moment': ['claim-removed', 'poll-lease-forever'],
  'Ctrl-C, SIGTERM': ['rows-in-progress-left', 'result-lost-by-signal'],
  'response for a row lost': ['lost-is-refused', 'endless-unknown-rows'],
  'the result would overwrite': ['rows-overwritten'],
  'several processes create at the same moment': [
    'counted-after-answer',
    'cap-of-one-order',
    'count-ignored',
    'open-not-counted',
    'counters-before-lock',
  ],
  'a response is lost, and the create': [
    'unknown-given-back',
    'unknown-leaves-caps',
    'ended-leaves-caps',
    'dismissed-with-order-given-back',
    'open-without-unknown',
    'overdue-given-back',
    'late-deposit-given-back',
  ],
  'another command, another profile name': [
    ...['refund-past-policy', 'payee-ignored', 'refund-payee-ignored', 'raw-past-stop'],
    ...['raw-refund-of-agreed-deposit', 'raw-refund-of-unknown-order', 'raw-request-of-other-method'],
    ...['requests-of-others-forwarded', 'conformance-past-policy', 'record-past-policy'],
    ...['raw-order-otherwise-created', 'raw-create-with-more-fields', 'raw-text-of-any-type'],
    ...['raw-text-with-spaces', 'raw-create-of-any-amount', 'raw-create-of-computed-deposit'],
    ...['raw-create-of-any-type', 'raw-refund-lost'],
  ],
  'the clock is set back': ['window-by-clock'],
  'coins, networks or amounts are written': ['cap-by-every-label', 'labels-not-read'],
  'an approval is used twice': [
    'approval-of-smaller-deposit',
    'approval-reusable',
    'approval-never-ends',
    'refund-without-approval',
    'unknown-deposit-is-nothing',
    'refund-of-agreed-deposit',
    'zeros-are-a-signature',
    'signed-for-one-rule',
    'approval-of-longest-time',
    'approval-of-other-statement',
    'altered-approval-unrecorded',
    'settled-approval-granted',
  ],
  'someone runs `policy stop`': ['stop-read-once', 'policy-read-once', 'stop-ends', 'refund-past-stop'],
  'the stored policy or stop is damaged': [
    'damaged-policy-is-none',
    'damaged-stop-is-none',
    'damaged-suspensions-are-none',
    'other-rules-as-suspensions',
    'problems-allow',
  ],
  'a host changes, makes up': [
    'confirmation-unsigned',
    'confirmation-forever',
    'confirmation-reused',
    'confirmation-of-any-request',
    'confirmed-price-ignored',
    'form-as-approval',
  ],
  'many answers to one form': ['claim-ignored', 'interrupted-is-not-sent'],
  'the person accepts the form': ['any-six-characters', 'empty-form-confirms'],
  'an agent retries a create': ['key-of-unknown-again', 'claim-of-unknown'],
  'text from the service that contains': [
    'agent-text-of-any-length',
    'agent-text-with-controls',
    'agent-text-unmarked',
  ],
  'the secret of the profile in a result': ['agent-sees-secret'],
  'a live key pair is stored': [
    'agent-on-current-profile',
    'agent-creates-unasked',
    'agent-refunds-unasked',
    'agent-without-policy',
    'agent-refunds-without-policy',
  ],
  'the agent shows a deposit address': ['agent-shows-address'],
  'a change is seen, but the program': ['events-outside', 'events-unqueued'],
  'a create whose process is killed': ['create-lost-at-once', 'create-lost-late', 'lost-of-others'],
  'receiver that refuses': [
    'failed-is-delivered',
    'resent-with-attempts',
    'only-last-target-counts',
    'only-first-target-counts',
    'delivery-lease-forever',
  ],
  'events of one swap in the wrong order': [
    ...['queue-backwards', 'queue-ignored', 'sequence-gap', 'resent-is-overtaken'],
  ],
  'two listeners, one event': ['event-leased-twice', 'delivers-others'],
  'a forged webhook': [
    'webhook-id-unsigned',
    'webhook-time-unsigned',
    'webhook-body-unsigned',
    'webhook-secret-of-all',
  ],
  'terminal control codes in the output': ['receiver-writes-to-terminal'],
  'secrets in the environment of a command': [
    'command-gets-password',
    'command-gets-secret-file',
    'command-gets-environment',
  ],
  'control, bidirectional or zero-width': [
    'ascii-controls-shown',
    'bidi-shown',
    'annotations-shown',
    'invisible-letters-shown',
    'json-escapes-controls',
    'json-keys-shown',
  ],
  'the same in findings of': ['ascii-controls-shown', 'bidi-shown'],
  'text that bypasses this': ['unchecked-text-in-view'],
  'text of the service that contains Markdown': ['code-span-closed', 'code-span-of-lines'],
  'cell that a spreadsheet would run': [
    'formula-kept',
    'formula-after-space',
    'formula-in-wide-letters',
    'formula-in-plain-line',
  ],
  'number with more digits': ['digits-of-double', 'digits-lost-in-json', 'last-of-two-values'],
};

/** The rules and rows of docs/safety.md: the section and the promise. */
function promisesIn(text) {
  let section = '';
  return text.split('\n').flatMap((line) => {
    section = /^## (.*)$/.exec(line)?.[1] ?? section;
    const rule = /^([0-9]+\. .*)$/.exec(line)?.[1];
    if (rule !== undefined)
      return [{ section, promise: `${rule.split('. ')[0]}. ${rule.split(/\. |: /)[1]}` }];
    const cells = line.startsWith('| ') ? line.slice(2, -2).split(' | ') : [];
    const [promise = 'problem'] = cells;
    return promise === 'problem' ? [] : [{ section, promise }];
  });
}

/** The page about the promises: which bug breaks each, and what finds it. `measured` are the rows of the planted bugs. */
export function promisesPage() {
  const measured = rowsBefore(readFileSync(TABLE, 'utf8').split(MARK)[1] ?? '');
  const promises = promisesIn(readFileSync(SAFETY, 'utf8'));
  const unused = new Set(Object.keys(BREAKS));
  const lines = promises.flatMap(({ section, promise }) => {
    const start = Object.keys(BREAKS).find((each) => promise.startsWith(each));
    unused.delete(start);
    if (start === undefined) throw new Error(`No planted bug breaks: ${promise}.`);
    return BREAKS[start].map((name) => {
      const bug = PLANTED.find((each) => each.name === name);
      if (bug === undefined) throw new Error(`No planted bug ${name}.`);
      const row = measured.get(bug.what);
      if (row === undefined) throw new Error(`The planted bug ${name} was not measured.`);
      const [, , seeds = '', by = ''] = row.split(' | ');
      return `| ${section} | ${promise} | ${bug.what} (\`${bug.file}\`) | ${seeds} | ${by.replace(/ \|$/, '')} |`;
    });
  });
  if (unused.size > 0) throw new Error(`docs/safety.md has no promise ${[...unused].join(', ')}.`);
  return `# Promises

Each of the ${promises.length} promises of [safety of funds](../safety.md), the bugs in \`test/simulation/planted/\` that break it, and what finds
them: the [simulation](simulation.md) with the number of seeds that it took and the invariant that failed, or a test. A promise that no
bug breaks fails a test.

\`npm run simulate -- --promises\` writes this page.

| section | promise | broken by | seeds | invariant, or test |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

/** Writes the page. */
export function writePromises() {
  writeFileSync(PAGE, promisesPage());
}
