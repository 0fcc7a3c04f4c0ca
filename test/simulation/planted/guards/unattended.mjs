const SUBMIT = 'src/core/swaps/submit.ts';
const PAYOUT = 'src/core/swap/policy/rules/payout.ts';
const APPROVE = 'src/core/swap/policy/rules/approve.ts';
const GUARD = 'src/core/ledger/policy/guard.ts';

export const UNATTENDED = [
  {
    name: 'refund-seen-in-payout-coin',
    what: 'a refund address is known that was paid in the coin to receive',
    file: 'src/core/ledger/policy/counting.ts',
    find: "const asset = recipient.what === 'payout' ? receive : deposit;",
    replace: 'const asset = receive ?? deposit;',
  },
  {
    name: 'recipient-seen-in-any-coin',
    what: 'an address is known that was paid in another coin',
    file: 'src/core/ledger/policy/counting.ts',
    find: "    .where('receive_asset', '=', coinLabel(asset))\n",
    replace: '',
  },
  {
    name: 'suspension-shortened',
    what: 'a suspension is replaced by one that ends earlier',
    file: 'src/core/ledger/policy/changes.ts',
    find: ' || endOf(each) > endOf(suspension)',
    replace: '',
  },
  {
    name: 'unknown-deposit-is-nothing',
    what: 'a refund address for a deposit of unknown amount needs no approval',
    file: 'src/core/swaps/refund.ts',
    find: '  const { amount } = compared.swap.deposit;',
    replace: "  const amount = compared.swap.deposit.amount ?? '0';",
  },
  {
    name: 'raw-refund-of-agreed-deposit',
    what: 'a refund address in a raw request is judged by the deposit that was agreed',
    file: SUBMIT,
    find: 'amount: entry.swap?.deposit.amount ?? amount,',
    replace: 'amount,',
    test: 'test/core/swaps/door.test.ts',
  },
  {
    name: 'requests-of-others-forwarded',
    what: 'requests that other programs sign are forwarded, or checks create orders, under a limit',
    file: SUBMIT,
    find: '  if (isGuarded(guard)) throw uncheckableBodyError(what);',
    replace: '  if (process.pid < 0 && isGuarded(guard)) throw uncheckableBodyError(what);',
  },
  {
    name: 'conformance-past-policy',
    what: '`conformance --write` does not ask whether anything is limited',
    file: 'src/cli/commands/conformance/conformance.ts',
    find: '  if (write) await refuseUnderPolicy(',
    replace: '  if (!write) await refuseUnderPolicy(',
  },
  {
    name: 'record-past-policy',
    what: '`sandbox record --write` does not ask whether anything is limited',
    file: 'src/cli/commands/sandbox/recording/recorder.ts',
    find: '  if (write) await refuseUnderPolicy(',
    replace: '  if (!write) await refuseUnderPolicy(',
  },
  {
    name: 'raw-order-otherwise-created',
    what: 'a raw create is recorded as created though its order does not match',
    file: SUBMIT,
    find: '    if (problem !== null) return unknown(problem, swap.order);\n',
    replace: '',
  },
  {
    name: 'raw-refund-of-unknown-order',
    what: 'a raw request sets the refund address of an order of which the ledger knows no deposit',
    file: SUBMIT,
    find: '  if (entry?.request == null)\n',
    replace:
      "  if (entry?.request == null) return { ...refund, deposit: { coin: 'BTC', network: 'BTC' }, amount: '0', labels: {} };\n  if (entry?.request == null)\n",
  },
  {
    name: 'raw-request-of-other-method',
    what: 'a request with another method passes the policy as a refund address',
    file: SUBMIT,
    find: "request.endpoint !== 'update-refund-address' || method !== 'PATCH')",
    replace: "request.endpoint !== 'update-refund-address')",
  },
  {
    name: 'damaged-policy-is-none',
    what: 'a stored policy that cannot be read counts as none',
    file: GUARD,
    find: "  return { problem: `The stored policy cannot be read: ${verdict.problems[0]?.message ?? ''}`.trim() };",
    replace: '  return { value: null };',
  },
  {
    name: 'damaged-stop-is-none',
    what: 'a stored stop that cannot be read counts as none',
    file: GUARD,
    find: "    return { problem: 'The stored stop cannot be read.' };",
    replace: '    return { value: null };',
  },
  {
    name: 'damaged-suspensions-are-none',
    what: 'stored suspensions that cannot be read count as none',
    file: GUARD,
    find: "  if (!verdict.ok || !Array.isArray(rules)) return { problem: 'The stored suspensions cannot be read.' };",
    replace: '  if (!verdict.ok || !Array.isArray(rules)) return { value: [] };',
  },
  {
    name: 'other-rules-as-suspensions',
    what: 'stored suspensions that are other rules count as none',
    file: GUARD,
    find: "  if (found.length !== rules.length) return { problem: 'The stored suspensions cannot be read.' };\n",
    replace: '',
  },
  {
    name: 'problems-allow',
    what: 'a policy that cannot be read refuses nothing',
    file: 'src/core/ledger/policy/evaluate.ts',
    find: 'const unreadable = [policy, suspensions].flatMap(',
    replace: 'const unreadable = [suspensions].flatMap(',
  },
  ...[
    ['memo', PAYOUT, '    wide.memo === narrow.memo &&\n', ''],
    ['network', PAYOUT, '(wide.network === null || wide.network === narrow.network)', 'true'],
    ['time', APPROVE, 'strict.within <= rule.within,', 'true,'],
    ['approver', APPROVE, 'strict.by.every((key) => rule.by.includes(key)) &&', ''],
  ].map(([part, file, find, replace]) => ({
    name: `policy-of-other-${part}`,
    what: `a policy with another ${part} in its rule is stored without the signature of the owner`,
    file,
    find,
    replace,
  })),
];
