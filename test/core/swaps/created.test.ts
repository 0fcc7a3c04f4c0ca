import { describe, expect, it } from 'vitest';
import { ClosedPipe, InterruptedError, SwapctlError } from '../../../src/base/errors.ts';
import type { Quote } from '../../../src/core/swap/swap.ts';
import { failedOutcome, lateError, readOtherWay, shortfall } from '../../../src/core/swaps/created.ts';
import { resolveUnknown } from '../../../src/core/swaps/resolve.ts';
import { claimed, swapOf } from '../ledger/entries.ts';
import { AT, signer } from '../ledger/policy/gates.ts';
import { policyOf } from '../swap/policy/samples.ts';
import { CREATE } from '../swap/requests.ts';
import { contextAt, REQUEST } from './follow/followers.ts';

describe('a failure after the response to a create', () => {
  it.each([
    ['KQWZPA', /^Order KQWZPA exists, but .*: TypeError: no such screen$/, '`swapctl status KQWZPA`'],
    [null, /^Order without a number exists, but .*: TypeError: no such screen$/, '`swapctl history`'],
  ])('caused by a bug names order %s and keeps its stack trace', (order, says, next) => {
    const error = new TypeError('no such screen');
    const late = lateError(error, { order });
    expect(late).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', details: { order } });
    expect(late).toMatchObject({ message: expect.stringMatching(says), stack: error.stack });
    expect(late).toMatchObject({ hint: expect.stringContaining(next) });
  });

  it('not caused by a bug is returned unchanged, except that an interruption adds that the order continues', () => {
    for (const error of [new ClosedPipe(), new SwapctlError('storage_failed', 'The disk is full.')])
      expect(lateError(error, { order: 'KQWZPA' })).toBe(error);
    expect(lateError(new InterruptedError('SIGTERM'), { order: 'KQWZPA' })).toMatchObject({
      message: 'Interrupted. Order KQWZPA was created and continues without swapctl.',
      // A program that repeats what is retryable would create a second order.
      outcome: 'done',
      signal: 'SIGTERM',
      retryable: false,
    });
    const busy = new SwapctlError('storage_failed', 'Locked.', { retryable: true });
    expect(lateError(busy, { order: 'KQWZPA' })).toMatchObject({ message: 'Locked.', retryable: false });
  });
});

it.each([
  [new SwapctlError('rejected', 'No.', { outcome: 'refused' }), 'refused'],
  [new SwapctlError('network_error', 'No.', { outcome: 'nothing-sent' }), 'not-sent'],
  [new SwapctlError('timeout', 'No.', { outcome: 'unknown' }), 'unknown'],
  [new SwapctlError('storage_failed', 'No.', { outcome: 'done' }), 'unknown'],
  [new TypeError('no such screen'), 'unknown'],
  ['a text', 'unknown'],
])('a create that failed with %s is recorded as %s', (error, outcome) => {
  expect(failedOutcome(error)).toBe(outcome);
});

it.each([
  ['2.6', '2.5', '2.47', 'instead of the 2.6 ETH in the review (−5.0 %)'],
  ['2.4', '2.5', '2.47', 'instead of the 2.5 ETH in the quote (−1.2 %)'],
  ['2.5', '2.5', '2.47', 'instead of the 2.5 ETH in the quote (−1.2 %)'],
  ['2.5', '2.5', '2.475', null],
  ['2.5', '2.5', null, null],
])('reviewed at %s, quoted at %s, a payout of %s is reported: %s', (reviewed, quoted, amount, words) => {
  const { deposit: from, receive: to, amount: asked, lastSource, type } = CREATE;
  const figures = { receive: quoted, rate: '25', min: '0.001', max: null, fee: null };
  const quote: Quote = { from, to, amount: asked, lastSource, type, pair: 'BTC_ETH', ...figures };
  const swap = swapOf('KQWZPA');
  const answer = { ...swap, receive: { ...swap.receive, amount } };
  expect(shortfall({ request: CREATE, quote, reviewed, tolerance: '1' }, answer)).toEqual(
    words === null ? [] : [`The order pays ${amount} ETH ${words}. Leaving it unfunded costs nothing.`],
  );
});

it.each([
  ['receive', '100', true],
  ['receive', '101', true],
  ['receive', '99', true],
  ['receive', '101.02', false],
  ['receive', '98.9', false],
  ['receive', null, false],
  ['deposit', '100', false],
] as const)('with lastSource %s, a deposit of 100 that pays %s was misread: %s', (lastSource, amount, is) => {
  const swap = swapOf('KQWZPA');
  const answer = { ...swap, receive: { ...swap.receive, amount } };
  expect(readOtherWay({ ...CREATE, amount: '100', lastSource }, answer) !== '').toBe(is);
});

it.each([
  [false, false, undefined, []],
  [false, false, 'KQWZPA', []],
  [true, true, undefined, []],
  [true, false, undefined, [expect.stringContaining('only a dismissal with --owner-key would have')]],
  [true, false, 'KQWZPA', [expect.stringContaining('until order KQWZPA is known to have ended')]],
])('with a policy: %s, a dismissal that its owner signs: %s, of order %s warns: %j', async (...given) => {
  const [hasPolicy, isSigned, order, warnings] = given;
  const [context, key] = [await contextAt(AT), signer()];
  const [ledger, owner] = [await context.ledger(), await context.owner()];
  const entry = await claimed(ledger, owner, REQUEST, null, AT);
  await ledger.settle(entry.id, { outcome: 'unknown', reason: 'no', order, at: AT });
  const policy = policyOf([{ count: { most: 2, per: '1h' } }]);
  if (hasPolicy) await ledger.guards.set(owner, { policy, before: null, signer: key }, AT);
  const noted: string[] = [];
  const ports = { ...context, notify: async ({ text }: { readonly text: string }) => void noted.push(text) };
  const settled = await resolveUnknown(ports, entry.id, null, isSigned ? key : null);
  expect([settled.outcome, noted]).toEqual(['dismissed', warnings]);
});
