import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import type { CreateIntent } from '../../../../src/core/ledger/entry.ts';
import type { Ledger } from '../../../../src/core/ledger/ledger.ts';
import { guardedCreate } from '../../../../src/core/ledger/policy/request.ts';
import type { Policy } from '../../../../src/core/swap/policy/policy.ts';
import { BOTH_DATABASES } from '../../database/databases.ts';
import { policyOf } from '../../swap/policy/samples.ts';
import { OWNER, observed } from '../entries.ts';
import { AT, BTC, closeLedgers, create, HOUR, open, set } from './gates.ts';

afterEach(closeLedgers);

const rule = fc.oneof(
  fc
    .record(
      {
        coin: fc.constantFrom('BTC', 'LTC', 'BTC:BTC'),
        amount: fc.constantFrom('0.3', '0.7', '1.5'),
        per: fc.constantFrom('order', '6h', '24h', '3d'),
        by: fc.constantFrom('label:team'),
      },
      { requiredKeys: ['coin', 'amount', 'per'] },
    )
    .map(({ by, ...cap }) => ({ cap: by === undefined || cap.per === 'order' ? cap : { ...cap, by } })),
  fc
    .record({ most: fc.integer({ min: 1, max: 4 }), per: fc.constantFrom('6h', '3d') })
    .map((count) => ({ count })),
  fc.record({ most: fc.integer({ min: 1, max: 4 }) }).map((open) => ({ open })),
  fc.constantFrom({ require: ['idempotencyKey'] }, { allow: { from: ['BTC'] } }),
);

const ADDRESSES = [BTC.address, 'bc1qrefund'];
const coin = fc.constantFrom('BTC', 'LTC').map((code) => ({ coin: code, network: code }));

/** A create, or a poll of an earlier one, some time after the step before. */
const step = fc.record({
  wait: fc.integer({ min: 0, max: 40 }).map((quarters) => (quarters * HOUR) / 4),
  isPoll: fc.boolean(),
  /** Which create is polled, and what is found; an unknown create stays unknown. */
  which: fc.nat({ max: 30 }),
  code: fc.constantFrom(1, 4, 5, 12, 13),
  txId: fc.constantFrom(null, 'tx'),
  isUnknown: fc.boolean(),
  /** A person dismisses the create before its order arrives. */
  isDismissed: fc.boolean(),
  intent: fc.record({
    amount: fc.constantFrom('0.1', '0.25', '0.4'),
    deposit: coin,
    receive: coin,
    address: fc.constantFrom(...ADDRESSES),
    memo: fc.constant(null),
    refundAddress: fc.constantFrom(null, ...ADDRESSES),
    labels: fc.constantFrom<Readonly<Record<string, string>>>({}, { team: 'a' }, { team: 'b' }),
  }),
  hasKey: fc.boolean(),
});
type Step = Omit<typeof step extends fc.Arbitrary<infer S> ? S : never, 'wait'> & { readonly at: number };

const steps = fc.array(step, { minLength: 20, maxLength: 30 }).map((all): readonly Step[] => {
  let at = AT;
  return all.map(({ wait, ...each }) => {
    at += wait + 1;
    return { ...each, at };
  });
});

/** Runs the steps in a ledger; `attempt` creates, or returns null. What has ended is not polled again. */
async function run(
  ledger: Ledger,
  all: readonly Step[],
  attempt: (each: Step, intent: CreateIntent, order: string) => Promise<string | null>,
) {
  const made: { order: string; isOpen: boolean; isRefused: boolean }[] = [];
  for (const each of all) {
    const { at, isPoll, which, code, txId, isUnknown, isDismissed } = each;
    const polled = made[which % Math.max(1, made.length)];
    if (isPoll && polled?.isOpen === true) {
      polled.isOpen = code === 1;
      const { swap, ...observation } = observed(polled.order, code, at);
      const seen = { ...observation, swap: { ...swap, deposit: { ...swap.deposit, txId } } };
      if (!polled.isRefused) await ledger.seen(OWNER, seen);
    } else if (!isPoll) {
      const order = `O${made.length}`;
      const intent = { ...BTC, ...each.intent, asked: each.intent.amount };
      const id = await attempt(each, intent, order);
      made.push({ order, isOpen: true, isRefused: id === null });
      if (id !== null && isUnknown) await ledger.settle(id, { outcome: 'unknown', reason: 'no', order, at });
      else if (id !== null) {
        if (isDismissed) await ledger.dismiss(id, at);
        await ledger.created(id, observed(order, 9, at), intent.refundAddress);
      }
    }
  }
}

const made = (
  ledger: Ledger,
  { at, intent: { labels }, hasKey }: Step,
  intent: CreateIntent,
  order: string,
) => create(ledger, { at, intent, labels, key: hasKey ? order : null });

async function replayed(ledger: Ledger, policy: Policy) {
  const decisions: object[] = [];
  for await (const { verdict } of ledger.replay(OWNER, policy, 0))
    decisions.push([verdict.decision, verdict.rules]);
  return decisions;
}

it.each(BOTH_DATABASES)('a policy replay on $kind decides as claims do', async ({ kind, fresh }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 3 }), steps, async (rules, all) => {
      const policy = policyOf(rules);
      const [plain, guarded] = [await open(await fresh()), await open(await fresh())];
      await set(guarded, policy);
      await run(plain, all, (each, intent, order) => made(plain, each, intent, order));
      const decided: object[] = [];
      await run(guarded, all, async (each, intent, order) => {
        const { rules: found, decision } = await judged(guarded, each, intent);
        decided.push([decision, found]);
        const error = await made(guarded, each, intent, order).catch((thrown: unknown) => thrown);
        if (decision === 'allow') expect(error).toBeTypeOf('string');
        else expect(error).toMatchObject({ code: 'policy_refused', details: { rules: found } });
        return typeof error === 'string' ? error : null;
      });
      expect(await replayed(plain, policy)).toEqual(decided);
      await closeLedgers();
    }),
    { numRuns: kind === 'sqlite' ? 10 : 2 },
  );
});

it('a policy replay counts earlier payouts to a recipient as a claim does', async () => {
  const [{ fresh }] = BOTH_DATABASES;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 }), steps, async (seen, all) => {
      const policy = policyOf([{ payout: { seen } }]);
      const ledger = await open(await fresh());
      const decided: object[] = [];
      await run(ledger, all, async (each, intent, order) => {
        await set(ledger, policy);
        const { decision, rules } = await judged(ledger, each, intent);
        decided.push([decision, rules]);
        await set(ledger, policyOf([]));
        return made(ledger, each, intent, order);
      });
      expect(await replayed(ledger, policy)).toEqual(decided);
      await closeLedgers();
    }),
    { numRuns: 8 },
  );
});

function judged(ledger: Ledger, { at, intent: { labels }, hasKey }: Step, intent: CreateIntent) {
  const guarded = guardedCreate({ intent, labels, hasKey, quote: null, host: OWNER.host });
  return ledger.gate.check(OWNER, guarded, null, at);
}
