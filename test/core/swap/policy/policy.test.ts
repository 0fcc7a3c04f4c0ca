import { describe, expect, it } from 'vitest';
import { kindOf, parsePolicy } from '../../../../src/core/swap/policy/policy.ts';
import { counted, decided, KEY, NOW, policyOf } from './samples.ts';

/** The lines that are refused, with the words. */
function problemsOf(text: string, words = {}) {
  const verdict = parsePolicy(text, words);
  return verdict.ok ? [] : verdict.problems.map(({ line, message }) => `${line}: ${message}`);
}

const decisionOf = (...asked: Parameters<typeof decided>) => decided(...asked).decision;
const messageOf = (...asked: Parameters<typeof decided>) => decided(...asked).rules[0]?.message;
const inRule = (rule: string) => problemsOf(`{"version":1,\n"rules":[\n${rule}]}`)[0];

describe('a policy text', () => {
  it('is rejected with the line of each unknown rule, key, version, unit, coin and network', () => {
    const coinProblem = ({ coin }: { coin: string }) =>
      coin === 'BTX' ? 'The service lists no coin BTX.' : null;
    expect(
      problemsOf(
        `{"version":2,
"extra":1,
"rules":[
{"limit":{}},
{"cap":{"coin":"BTX","amount":"1","per":"1w",
"most":3}},
{"suspend":{"network":"N O"}},
{"count":{"most":1.5,"per":"1h"}}]}`,
        { coinProblem },
      ).map((words) => words.slice(0, 40)),
    ).toEqual([
      '1: Unsupported policy version; swapctl s',
      '2: Unknown key "extra" in a policy. The ',
      '4: Unknown rule "limit". The rules are a',
      '5: The service lists no coin BTX.',
      '5: per must be order or a duration such ',
      '6: Unknown key "most" in cap. The keys a',
      '7: "N O" is not a network such as TRX.',
      '8: most must be a whole number from 0 to',
    ]);
  });

  it.each([
    ['{"cap":{"coin":"BTC","amount":0.5,"per":"order"}}', '3: amount must be an amount in double quotes'],
    ['{"cap":{"coin":"BTC","amount":"1e3","per":"order"}}', '3: amount is refused'],
    ['{"cap":{"coin":"BTC","amount":"1","amount":"2","per":"1h"}}', '3: The key "amount" occurs twice.'],
    ['{"allow":{}}', '3: allow needs at least one of'],
    ['{"allow":{"from":[]}}', '3: from is empty.'],
    ['{"require":["payment"]}', '3: Unknown value "payment" in require'],
    ['{"approve":{"by":["ed25519:abc"],"within":"1m"}}', '3: A key must be ed25519:'],
    ['{"payout":{"addresses":["@nobody"]}}', '3: No address is saved as "@nobody".'],
    ['{"suspend":{"coin":"BTC","network":"TRX"}}', '3: suspend needs one of'],
    ['{"open":{"most":1}},\n{"open":{"most":1}', '4: A } is missing here.'],
    ['{"open":{"most":1}}\n,', '4: A value is missing before ].'],
  ])('is rejected with the rule %s: $1', (rule, words) => expect(inRule(rule)).toContain(words));

  it.each([
    ['{"version":1,\n"rules":[\n\n', '4: The text ends too early.'],
    ['{"version":1,\n"rules":\n\n?', '4: This is not JSON.'],
  ])('is rejected with the right line after blank lines: %j', (text, words) => {
    expect(problemsOf(text)).toEqual([words]);
  });

  it('is rejected without repeating a key that could be a secret', () => {
    const words = (key: string) => inRule(`{"${key}":{}}`)?.replace(/ The rules .*/, '');
    expect(words('k1'.repeat(25))).toBe('3: Unknown rule of 50 characters.');
    expect(words('1'.repeat(60))).toBe(`3: Unknown rule "${'1'.repeat(60)}".`);
    expect(words('1'.repeat(61))).toBe('3: Unknown rule of 61 characters.');
  });
});

describe('a policy decision', () => {
  const at = NOW - 3_600_000;
  const made = [{ at, deposit: { coin: 'BTC', network: 'BTC' }, amount: '1.5', labels: { team: 'a' } }];

  it('states limit, spent and left of a cap by label in a rolling window', () => {
    const policy = policyOf([{ cap: { coin: 'btc', amount: '2.0', per: '24h', by: 'label:team' } }]);
    const over = decided(policy, { amount: '0.6', labels: { team: 'a' } }, made);
    expect(over).toMatchObject({
      decision: 'refuse',
      rules: [{ index: 0, kind: 'cap', limit: '2', spent: '1.5', left: '0.5' }],
    });
    expect(over.rules[0]?.message).toBe(
      'A deposit of 0.6 BTC is over the cap of 2 BTC per 24h for team=a. 1.5 BTC used, 0.5 BTC left.',
    );
    expect(decisionOf(policy, { amount: '0.5', labels: { team: 'a' } }, made)).toBe('allow');
    expect(decisionOf(policy, { amount: '2', labels: { team: 'b' } }, made)).toBe('allow');
    const [nfc, nfd] = ['caf\u00e9', ' cafe\u0301 '];
    const cafe = made.map((swap) => ({ ...swap, labels: { team: nfc } }));
    expect(decisionOf(policy, { amount: '0.6', labels: { team: nfd } }, cafe)).toBe('refuse');
    const none = made.map((swap) => ({ ...swap, labels: {} }));
    expect(decisionOf(policy, { amount: '0.6', labels: { team: ' ' } }, none)).toBe('refuse');
    const other = made.map((swap) => ({ ...swap, deposit: { coin: 'LTC', network: 'LTC' } }));
    expect(decisionOf(policy, { amount: '2', labels: { team: 'a' } }, other)).toBe('allow');
    expect(messageOf(policy, { amount: '3' }, made)).toContain(
      ' for swaps without the label team. 0 BTC used, 2 BTC left.',
    );
    const [cap] = policy.rules;
    if (cap === undefined) throw new Error('There is no cap.');
    const others = [
      ...made,
      { at, amount: '1', deposit: { coin: 'LTC', network: 'LTC' }, labels: { team: 'b' } },
    ];
    expect(kindOf(cap).left?.(cap, counted(policy, others, {}))).toEqual([
      { group: 'team=a', limit: '2', spent: '1.5', left: '0.5', backAt: at + 86_400_000 },
      { group: 'team=b', limit: '2', spent: '0', left: '2', backAt: null },
    ]);
    const later = { now: at + 86_400_000 };
    expect(decisionOf(policy, { amount: '2', labels: { team: 'a' } }, made, later)).toBe('allow');
  });

  it('ignores earlier swaps for a cap per order', () => {
    const policy = policyOf([{ cap: { coin: 'BTC', amount: '0.5', per: 'order' } }]);
    expect(messageOf(policy, { amount: '0.6' }, made)).toBe(
      'A deposit of 0.6 BTC is over the cap of 0.5 BTC per order.',
    );
    expect(messageOf(policy, { amount: '0.5' }, made)).toBe('The cap is 0.5 BTC per order.');
    const later = made.map((swap) => ({ ...swap, at: NOW + 1 }));
    expect(decisionOf(policy, { amount: '0.5' }, later)).toBe('allow');
  });

  it('states 0 left if more than the limit was already spent', () => {
    const policy = policyOf([{ cap: { coin: 'BTC', amount: '1', per: '24h' } }]);
    expect(messageOf(policy, {}, made)).toBe(
      'A deposit of 0.1 BTC is over the cap of 1 BTC per 24h. 1.5 BTC used, 0 BTC left.',
    );
    const counted = policyOf([{ count: { most: 1, per: '2h' } }]);
    expect(decided(counted, {}, [...made, ...made]).rules).toMatchObject([{ spent: 2, left: 0 }]);
  });

  it('omits rules that do not concern the swap', () => {
    const approve = { approve: { coin: 'LTC', above: '0.01', by: [KEY], within: '15m' } };
    const others = policyOf([{ cap: { coin: 'LTC', amount: '1', per: '24h' } }, approve]);
    expect(decided(others)).toEqual({ decision: 'allow', rules: [], approvals: [] });
  });

  it.each<[decision: string, rules: readonly object[]]>([
    ['allow', [{ from: ['BTC'] }]],
    ['allow', [{ to: ['USDT'] }]],
    ['allow', [{ type: 'float' }]],
    ['allow', [{ from: ['LTC'] }, { from: ['LTC', 'BTC'], to: ['XMR', 'USDT:TRX'], type: 'float' }]],
    ['refuse', [{ from: ['LTC'], to: ['USDT'], type: 'float' }]],
    ['refuse', [{ from: ['BTC'], to: ['USDT:ETH'], type: 'float' }]],
    ['refuse', [{ from: ['BTC'], to: ['USDT'], type: 'fixed' }]],
  ])('is %s for a floating swap of BTC to USDT on TRX under %j', (decision, allows) => {
    expect(decisionOf(policyOf(allows.map((allow) => ({ allow }))))).toBe(decision);
  });

  it('names the allow rule that does not cover the swap only if it is the sole one', () => {
    const [other, more] = [{ allow: { from: ['LTC'] } }, { allow: { from: ['XMR'] } }];
    const result = {
      kind: 'allow',
      message: 'No allow rule covers BTC:BTC to USDT:TRX at a float rate.',
      limit: null,
      spent: null,
      left: null,
    };
    expect(decided(policyOf([{ open: { most: 1 } }, other])).rules).toEqual([{ index: 1, ...result }]);
    expect(decided(policyOf([other, more])).rules).toEqual([{ index: null, ...result }]);
  });

  it('allows payout addresses that are listed with their memo, or were paid before', () => {
    const payout = (address: string, memo: string | null = null) => ({
      recipients: [{ what: 'payout' as const, network: 'XRP', address, memo }],
    });
    // An account of NEAR has two characters at least.
    const policy = policyOf([{ payout: { addresses: ['rListed111', 'me'], seen: 2 } }]);
    for (const listed of ['rListed111', 'me']) expect(decisionOf(policy, payout(listed))).toBe('allow');
    expect(messageOf(policy, payout('rListed111', '7'))).toBe(
      'The payout address with its memo is not listed in the policy, and was paid 0 times (2 required).',
    );
    expect(messageOf(policy, payout('rStranger1'), [], { seen: 1 })).toBe(
      'The payout address is not listed in the policy, and was paid 1 time (2 required).',
    );
    expect(decisionOf(policy, payout('rStranger1'), [], { seen: 2 })).toBe('allow');
    const hex = policyOf([{ payout: { addresses: ['0xABCDEF0123'] } }]);
    expect(decisionOf(hex, payout('0xabcdef0123'))).toBe('allow');
    expect(messageOf(hex, payout('rStranger1'))).toBe('The payout address is not listed in the policy.');
  });

  it('ignores letter case in a listed bech32 address, but not in a base58 one', () => {
    const paying = (address: string, network = 'TRX') => ({
      recipients: [{ what: 'payout' as const, network, address, memo: null }],
    });
    const listed = { network: 'trc20', address: 'TPayout11' };
    const policy = policyOf([{ payout: { addresses: ['BC1QLISTED', listed, 'T1Payouts', 'ACCOUNTS'] } }]);
    expect(decisionOf(policy, paying('bc1qlisted'))).toBe('allow');
    expect(decisionOf(policy, paying('TPayout11'))).toBe('allow');
    for (const other of ['tpayout11', 't1payouts', 'accounts'])
      expect(decisionOf(policy, paying(other))).toBe('refuse');
    expect(decisionOf(policy, paying('TPayout11', 'BTC'))).toBe('refuse');
  });

  it('states what needs an approval', () => {
    const refund = { kind: 'refund' as const, receive: null, amount: null, recipients: [] };
    const printed = (rule: object, request = {}) =>
      messageOf(policyOf([{ approve: { by: [KEY], within: '15m', ...rule } }]), request);
    const large = { coin: 'BTC', above: '0.05' };
    expect([printed({}), printed({}, refund), printed(large), printed(large, refund)]).toEqual([
      'Every new swap needs an approval.',
      'Every refund address needs an approval.',
      'A deposit of more than 0.05 BTC needs an approval.',
      'The refund address of a deposit of more than 0.05 BTC needs an approval.',
    ]);
  });

  it('applies the payout rule to a refund address, even if it is set later', () => {
    const policy = policyOf([
      { payout: { addresses: ['TPayout11'] } },
      { count: { most: 0, per: '1h' } },
      { allow: { from: ['XMR'] } },
    ]);
    const refund = { what: 'refund' as const, network: 'BTC', address: 'bc1qstranger', memo: null };
    const set = { kind: 'refund' as const, receive: null, recipients: [refund] };
    expect(decided(policy, set)).toMatchObject({ decision: 'refuse', rules: [{ kind: 'payout' }] });
    expect(decisionOf(policy, { ...set, recipients: [{ ...refund, address: 'TPayout11' }] })).toBe('allow');
  });

  it('prefers refuse to approve, and approve to allow', () => {
    const approve = { approve: { coin: 'BTC', above: '0.05', by: [KEY], within: '15m' } };
    const allow = { allow: { from: ['BTC'], to: ['USDT:TRX'] } };
    expect(decided(policyOf([allow, approve]))).toMatchObject({ decision: 'approve', rules: [{ index: 1 }] });
    expect(decided(policyOf([approve, { allow: { from: ['LTC'] } }]))).toMatchObject({
      decision: 'refuse',
      rules: [{ kind: 'allow', index: 1 }],
    });
    expect(decisionOf(policyOf([approve]), { amount: '0.0500' })).toBe('allow');
  });

  it('refuses a suspended coin, network or pair, and every swap once the policy expires', () => {
    const trx = { network: 'trc20', side: 'receive', until: '2026-11-22T12:00:00Z' };
    expect(decisionOf(policyOf([{ suspend: trx }]), {}, [], { now: NOW - 1 })).toBe('refuse');
    expect(decisionOf(policyOf([{ suspend: trx }]))).toBe('allow');
    expect(decisionOf(policyOf([{ suspend: { coin: 'USDT', side: 'deposit' } }]))).toBe('allow');
    expect(messageOf(policyOf([{ suspend: { pair: 'BTC/USDT' } }]))).toBe('BTC/USDT is suspended.');
    for (const pair of ['BTC/XMR', 'LTC/USDT'])
      expect(decisionOf(policyOf([{ suspend: { pair } }]))).toBe('allow');
    expect(decisionOf(policyOf([{ suspend: { coin: 'BTC' } }]))).toBe('refuse');
    const onNew = { receive: { coin: 'USDT', network: 'NEWCHAIN' } };
    expect(decisionOf(policyOf([{ suspend: { network: 'newchain' } }]), onNew)).toBe('refuse');
    expect(messageOf(policyOf([{ suspend: { coin: 'BTC', side: 'deposit' } }]))).toBe(
      'BTC is suspended on the deposit side.',
    );
    const soon = { ...trx, until: '2027-01-01T00:00:00Z', reason: 'maintenance' };
    expect(messageOf(policyOf([{ suspend: soon }]))).toBe(
      'TRX is suspended on the payout side until 2027-01-01T00:00:00.000Z. Reason: maintenance',
    );
    const expired = policyOf([], { expires: '2026-11-22T12:00:00Z' });
    expect(decided(expired)).toMatchObject({ decision: 'refuse', rules: [{ index: null, kind: 'expires' }] });
    expect(decisionOf(expired, {}, [], { now: NOW - 1 })).toBe('allow');
  });

  it('refuses a swap without a required field or label', () => {
    const policy = policyOf([{ require: ['refundAddress', 'label:invoice'] }]);
    expect(messageOf(policy)).toBe(
      'The policy requires a refund address (--refund-address), the label invoice.',
    );
    const whole = { has: new Set(['refundAddress']), labels: { invoice: '7' } };
    expect(decisionOf(policy, whole)).toBe('allow');
    for (const invoice of ['', ' \t'])
      expect(decisionOf(policy, { ...whole, labels: { invoice } }), invoice).toBe('refuse');
    expect(decisionOf(policyOf([{ require: ['label:constructor'] }]))).toBe('refuse');
  });
});
