import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CountedSwap } from '../../src/core/swap/policy/counters.ts';
import { parsePolicy } from '../../src/core/swap/policy/policy.ts';
import type { PolicyRequest } from '../../src/core/swap/policy/rule.ts';
import { decided, NOW } from '../core/swap/policy/samples.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'policy.md'), 'utf8');

/** The saved addresses in the policies of the page. */
const SAVED = {
  alice: { network: 'TRX', address: 'TAlice11' },
  bob: { network: 'TRX', address: 'TBob1111' },
  'treasury-btc': { network: 'BTC', address: 'bc1qtreasury' },
  'treasury-usdt': { network: 'ETH', address: '0xABCDEF01' },
};

/** A policy of the page by its name. */
function policyNamed(name: string) {
  const text = new RegExp(`<!-- policy: ${name} -->\n\`\`\`json\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
  const saved = (key: string) => {
    const found = SAVED[key as keyof typeof SAVED];
    return found === undefined ? null : { name: key, memo: null, ...found };
  };
  const verdict = parsePolicy(text, { saved });
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
  return verdict.policy;
}

const USDT_TRX = { coin: 'USDT', network: 'TRX' };
const USDT_ETH = { coin: 'USDT', network: 'ETH' };
const BTC = { coin: 'BTC', network: 'BTC' };
const LTC = { coin: 'LTC', network: 'LTC' };
const to = (network: string, address: string): PolicyRequest['recipients'] => [
  { what: 'payout', network, address, memo: null },
];
const has = (...parts: string[]) => new Set(parts);
const spent = (deposit: CountedSwap['deposit'], amount: string, labels = {}): CountedSwap => ({
  at: NOW - 60_000,
  deposit,
  amount,
  labels,
});

const SHOP = { deposit: USDT_TRX, amount: '150', labels: { invoice: '7' }, has: has('idempotencyKey') };
const PAY = {
  deposit: USDT_ETH,
  receive: USDT_TRX,
  amount: '5000',
  labels: { person: 'alice' },
  recipients: to('TRX', 'TAlice11'),
  has: has('idempotencyKey'),
};
const TREASURY = {
  deposit: BTC,
  receive: USDT_ETH,
  amount: '2',
  type: 'fixed' as const,
  recipients: to('ETH', '0xabcdef01'),
  has: has('refundAddress', 'minReceive'),
};
const AGENT = { deposit: LTC, amount: '0.5', has: has('idempotencyKey') };

it.each<[string, string, Partial<PolicyRequest>, readonly CountedSwap[], object, string]>([
  ['shop', 'a refund with its invoice', SHOP, [], {}, 'allow'],
  ['shop', 'a second refund of the invoice', SHOP, [spent(USDT_TRX, '150', { invoice: '7' })], {}, 'refuse'],
  ['shop', 'a refund without an invoice', { ...SHOP, labels: {} }, [], {}, 'refuse'],
  ['shop', 'a refund of another coin', { ...SHOP, deposit: BTC }, [], {}, 'refuse'],
  ['shop', 'a refund that is too large', { ...SHOP, amount: '200.01' }, [], {}, 'refuse'],
  ['payroll', 'the pay of one person', PAY, [], {}, 'allow'],
  ['payroll', 'the same pay again', PAY, [spent(USDT_ETH, '5000', { person: 'alice' })], {}, 'refuse'],
  [
    'payroll',
    'a payment to an unknown address',
    { ...PAY, recipients: to('TRX', 'TMallory') },
    [],
    {},
    'refuse',
  ],
  ['payroll', 'a third payment', PAY, [spent(BTC, '1'), spent(BTC, '1')], {}, 'refuse'],
  ['treasury', 'a fixed swap to its own address', TREASURY, [], {}, 'allow'],
  ['treasury', 'a floating swap', { ...TREASURY, type: 'float' }, [], {}, 'refuse'],
  ['treasury', 'a swap without minReceive', { ...TREASURY, has: has('refundAddress') }, [], {}, 'refuse'],
  ['treasury', 'a swap to another network', { ...TREASURY, receive: USDT_TRX }, [], {}, 'refuse'],
  ['treasury', 'more than its cap', TREASURY, [spent(BTC, '0.01')], {}, 'refuse'],
  ['agent', 'a small swap to a known address', AGENT, [], { seen: 1 }, 'allow'],
  ['agent', 'an address that was never paid', AGENT, [], { seen: 0 }, 'refuse'],
  ['agent', 'a third open swap', AGENT, [], { seen: 1, open: 2 }, 'refuse'],
  [
    'agent',
    'a swap after its expiry',
    AGENT,
    [],
    { seen: 1, now: Date.parse('2030-01-01T00:00:00Z') },
    'refuse',
  ],
  ['sandbox-only', 'any swap', {}, [], {}, 'refuse'],
  ['four-eyes', 'a swap up to the threshold', { amount: '0.2' }, [], {}, 'allow'],
  ['four-eyes', 'a swap above the threshold', { amount: '0.20000001' }, [], {}, 'approve'],
  ['four-eyes', 'a swap above the cap', { amount: '1.1' }, [], {}, 'refuse'],
])('the documented policy %s, for %s, decides as listed', (name, _, request, swaps, known, decision) => {
  expect(decided(policyNamed(name), request, swaps, known).decision).toBe(decision);
});
