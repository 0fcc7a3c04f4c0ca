import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { CreateIntent } from '../../../src/core/ledger/entry.ts';
import { openLedger } from '../../../src/core/ledger/ledger.ts';
import { changeOf, type Signer } from '../../../src/core/ledger/policy/changes.ts';
import type { Guard } from '../../../src/core/ledger/policy/guard.ts';
import { simulate } from '../../../src/core/ledger/policy/simulate.ts';
import type { Policy } from '../../../src/core/swap/policy/policy.ts';
import { parsePolicy } from '../../../src/core/swap/policy/policy.ts';
import type { Suspended, Suspension } from '../../../src/core/swap/policy/rules/suspend.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { onLedger } from '../../../src/core/swaps/create-records.ts';
import { checkCreate, createSwap } from '../../../src/core/swaps/create-swap.ts';
import { priceImpact, quotePair } from '../../../src/core/swaps/price.ts';
import * as refunding from '../../../src/core/swaps/refund.ts';
import { refundsOnLedger } from '../../../src/core/swaps/refund-records.ts';
import { resolveUnknown } from '../../../src/core/swaps/resolve.ts';
import { checkApi, refuseUnderPolicy, submitApi } from '../../../src/core/swaps/submit.ts';
import type { Random } from '../random.ts';
import { APPROVER } from '../world/approver.ts';
import { PAYEES, rawCreate, refundAddressOf, wantedSwap } from '../world/coins.ts';
import { mistyped, SEED_PHRASE, TAGGED } from '../world/mistyped.ts';
import type { Plan } from '../world/plan.ts';
import type { Desk, Errand } from './desk.ts';

/** `create --check` of a swap that is mostly wrong. */
const check: Errand = async ({ program, random, entries, ends }) => {
  const [entry] = entries;
  const own = entry?.request == null ? wantedSwap(random) : askedBy(entry.request);
  const isOwn = random.chance(0.5);
  const usual = isOwn ? own : wantedSwap(random);
  const { typed, create } = isOwn ? { typed: {}, create: '$|amount_below_min ' } : mistyped(random);
  const labels = random.pick([
    {},
    { job: 'x' },
    { note: SEED_PHRASE },
    { note: program.process.account.credentials.secret },
  ]);
  const key = random.pick(['key-checked', null]);
  const refusal = 'note' in labels && typed.memo !== SEED_PHRASE ? 'usage Invalid label' : create;
  const options = { key, labels, approval: 'any', confirm: null } as const;
  await ends(refusal, () => checkCreate(onLedger(program.ports), { ...usual, ...typed }, options));
};

/** The request that someone typed. */
function askedBy({ deposit, receive, asked, memo, minReceive, ...request }: CreateIntent): SwapInput {
  const { lastSource, type, address, refundAddress } = request;
  const memoWaived = receive.coin === 'XRP' && memo === null;
  const parts = { lastSource, type, address, refundAddress, memo, memoWaived, minReceive, tolerance: null };
  return { ...parts, from: deposit, to: receive, amount: asked };
}

const REUSED: readonly string[] = ['created', 'created', 'unknown', 'dismissed'];

/** A key that was used before, for another swap, or with a profile that has another key pair now. */
const reuseKey: Errand = async ({ program, random, entries, owner, ends }) => {
  const used = entries.filter(
    ({ idempotencyKey, outcome }) => idempotencyKey !== null && REUSED.includes(outcome),
  );
  const entry = used.length === 0 ? undefined : random.pick(used);
  if (entry?.request == null) return;
  const { ports } = program;
  const renamed = {
    ...owner,
    profile: entry.profile,
    ...(random.chance(0.5) ? { host: 'other.example' } : {}),
  };
  const other = random.pick<Partial<SwapInput>>([
    {},
    {},
    { memo: null },
    { address: 'nowhere' },
    { type: 'fixed' as const },
    { type: 'float' as const },
    { refundAddress: null },
    { amount: '0.777' },
    { from: { coin: entry.request.deposit.coin, network: 'bitcoin' } },
    { from: { coin: 'DOGE', network: null } },
  ]);
  const { idempotencyKey: key, outcome } = entry;
  const isOwn = entries.some((each) => each.account === owner.account && each.idempotencyKey === key);
  const request = { ...askedBy(entry.request), ...other };
  const options = { key, labels: random.pick([{ team: 'z' }, {}]), approval: null, confirm: null };
  await ends(isOwn || outcome === 'dismissed' ? '' : 'usage .*used with another', () =>
    createSwap(onLedger({ ...ports, owner: async () => renamed }), request, options),
  );
};

/** `quote`, also of what the service does not take. */
const quote: Errand = async ({ program, random, ends }) => {
  const { ports } = program;
  const usual = wantedSwap(random);
  const { typed, quote: end = '$' } = mistyped(random);
  const { from, to, amount, lastSource, type } = { ...usual, ...typed };
  const service = await ports.service();
  const found = await ends(end, () => quotePair(ports, service, { from, to, amount, lastSource, type }));
  await priceImpact(service, found);
};

/** Bodies that swapctl does not send under a policy. */
function wrongBody(random: Random, body: string): string {
  return random.pick([
    body.replace(/"typeSwap":./, '"typeSwap":3'),
    '{',
    '[]',
    '',
    body.replace('{', '{"more":1,'),
    body.replace('"lastSource"', '"typeSwap"'),
    body.replace(/"depositNetwork":"[A-Z]+"/, '"depositNetwork":""'),
    body.replace(/"depositAmount":[0-9.]+/, '"depositAmount":"x"'),
    body.replace('"depositCoin":"', '"depositCoin":" '),
    body.replace(/"depositCoin":"[A-Z]+"/, '"depositCoin":null'),
    body.replace('"lastSource":"deposit"', '"lastSource":"receive"'),
    body.replace(/"depositCoin":"[A-Z]+"/, '"depositCoin":1'),
    body,
  ]);
}

/** An account with a policy, a stop or a suspension. */
const LIMITED = `select 1 from guards where account = ? and
  (policy is not null or stop is not null or suspensions <> '[]')`;

/** `api` with a request that swapctl refuses or only checks. */
const sendWrong: Errand = async ({ program, random, orders, ledger, owner, ends }) => {
  const { ports } = program;
  const [order = 'QQQQQQ'] = orders;
  const refund = JSON.stringify({ id: order, refundAddress: PAYEES.BTC[0] });
  const right = rawCreate({ ...wantedSwap(random), lastSource: 'deposit' });
  const create = wrongBody(random, right);
  const request = random.pick<ApiRequest>([
    { endpoint: 'create-transaction', body: create },
    { endpoint: 'create-transaction', body: create },
    { endpoint: 'create-transaction', method: 'PUT', body: create },
    { endpoint: 'update-refund-address', body: refund },
    { endpoint: 'update-refund-address', body: wrongBody(random, refund) },
    { endpoint: 'get-transaction', query: { id: order } },
  ]);
  if (request.endpoint === 'get-transaction')
    await submitApi(ports, await ports.service(), { request, approval: null, onFailure: () => undefined });
  // Without a limit nothing is read of a request.
  const suspension = { what: { network: 'TRX' }, side: null, until: ports.now() + 10_000, reason: null };
  if (random.chance(0.7)) await ledger.guards.suspend(owner, suspension, ports.now());
  const approval = random.pick([null, 'any'] as const);
  const { body, method } = request;
  const isKnown = body === right || (body === refund && orders.length > 0);
  const isRead = body === undefined || (isKnown && method === undefined);
  const isLimited = () => program.world.disk.rows(LIMITED, owner.account).length > 0;
  const before = isLimited();
  // Someone may limit it, or lift that, meanwhile.
  const unread = () =>
    isLimited() !== before ? '' : before ? 'policy_refused The policy cannot judge' : '$';
  await ends(isRead ? '$' : unread, () => checkApi(ports, { request, approval }));
  await ends(unread, () => refuseUnderPolicy(ports, 'It records a service'));
};

/** `refund`, without sending it: to an address that is none, or only checked. */
const refundWrongly: Errand = async ({ program, random, orders, ends }) => {
  const refunds = refundsOnLedger(program.ports);
  const found = await refunding.swapToRefund(refunds, random.pick([...orders, 'QQQQQQ']));
  const address = refundAddressOf(found.deposit.coin, random);
  await refunding.refundDecision(refunds, found, { address, approval: random.pick([null, 'any'] as const) });
  const wrong = ['nowhere', '0x0000000000000000000000000000000000000000', TAGGED];
  const given = { address: random.pick(wrong), approval: null };
  await ends('invalid_address ', () => refunding.setRefundAddress(refunds, found, given));
};

/** `history resolve` of what cannot be settled so. */
const resolveWrongly: Errand = async ({ program, random, entries, owner, ends }) => {
  const { model } = program.world;
  const [unknown, settled] = [
    entries.find(({ outcome }) => outcome === 'unknown'),
    entries.find(({ outcome }) => outcome === 'created'),
  ];
  const coin = unknown?.request?.deposit.coin;
  const other = [...model.orders.values()].find(
    ({ deposit, post }) =>
      deposit.coin !== coin &&
      post.account.owner.account === owner.account &&
      !model.liedAbout.has(post.intent),
  );
  if (unknown !== undefined && other !== undefined && Object.keys(program.world.plan.faults).length === 0)
    await resolveUnknown(program.ports, unknown.id, other.order);
  const id = random.pick([settled?.id ?? 'none', 'none']);
  const work = () => resolveUnknown(program.ports, id, settled?.order ?? null);
  await ends(id === 'none' ? 'not_found ' : 'usage .*is settled', work);
};

/** A key that no policy names, and one whose signatures are none. */
const STRANGERS: readonly Signer[] = [
  { publicKey: `ed25519:${Buffer.alloc(32, 7).toString('base64')}`, sign: () => 'AAAA' },
  { publicKey: APPROVER.publicKey, sign: () => 'AAAA' },
];

/** Policies that someone tries, from strict to loose. */
const POLICIES: readonly string[] = [
  '{"cap":{"coin":"BTC","amount":"50","per":"60m"}},{"payout":{"seen":1}}',
  `{"payout":{"addresses":${JSON.stringify([...PAYEES.BTC, ...PAYEES.ETH, ...PAYEES.XRP])},"seen":1}},{"open":{"most":30}}`,
  '{"cap":{"coin":"BTC","amount":"5000","per":"60m","by":"label:team"}},{"open":{"most":50}},{"count":{"most":90,"per":"1h"}}',
  '{"require":["minReceive","idempotencyKey"]},{"allow":{"from":["BTC"],"to":["ETH"]}}',
  `{"approve":{"coin":"XRP","above":"4000","by":["${APPROVER.publicKey}"],"within":"15m"}}`,
];

function policyOf(rules: string): Policy {
  const verdict = parsePolicy(`{"version":1,"rules":[${rules}]}`);
  if (!verdict.ok) throw new TypeError(`A policy of the world: ${JSON.stringify(verdict.problems)}`);
  return verdict.policy;
}

/** `policy simulate`, `show`, `suspend` and `set`; the last where the world has none whose limits are checked. */
const changePolicy: Errand = async (desk) => {
  const { program, random, ledger, owner, ends } = desk;
  const { ports, world } = program;
  const { guards } = ledger;
  const [now, policy] = [ports.now(), policyOf(random.pick(POLICIES))];
  await simulate(policy, ledger.replay(owner, policy, now - random.pick([60_000, 1e9])), ports.signal);
  const guard = await guards.read(owner);
  await guards.counters(owner, policy, now);
  changeOf(guard, policy);
  if ((world.plan.policy ?? null) === null && random.chance(0.6)) {
    const before = 'value' in guard.policy ? (guard.policy.value?.digest ?? null) : null;
    const signer = random.pick([APPROVER, APPROVER, null, ...STRANGERS]);
    const isOther = random.chance(0.1);
    const refusal = isOther ? 'storage_failed .*has changed' : otherKey(guard, signer);
    const set = { policy, before: isOther ? 'other' : before, signer };
    return ends(refusal, () => guards.set(owner, set, now));
  }
  await suspendFor(desk, guard, now);
};

function otherKey({ ownerKey }: Guard, signer: Signer | null): string {
  const isOther = ownerKey !== null && signer !== null && signer.publicKey !== ownerKey;
  return isOther ? 'policy_refused Another owner key' : '';
}

async function suspendFor({ random, ledger, owner, program, ends }: Desk, guard: Guard, now: number) {
  const { guards } = ledger;
  const suspension: Suspension = {
    what: random.pick<Suspended>([{ coin: { coin: 'XRP', network: null } }, { network: 'ETH' }]),
    side: random.pick(['deposit', 'receive', null] as const),
    until: random.pick([now + 30_000, now + 120_000, null]),
    reason: random.pick(['moved', null]),
  };
  const { what, side } = suspension;
  await guards.suspend(owner, suspension, now);
  if (random.chance(0.5)) await guards.suspend(owner, { ...suspension, until: now + 60_000 }, now);
  await program.process.pause(5_000);
  const signer = random.pick([APPROVER, null]);
  const lifted = { what, side: random.pick([side, null]), signer };
  await ends(otherKey(guard, signer), () => guards.unsuspend(owner, lifted, now));
  await guards.unsuspend(owner, { what, side: null, signer }, now);
}

const ALTERED = 'policy_refused .*altered';

/** Approvals that are granted by others, twice, or are not there. */
const approveWrongly: Errand = async ({ program, random, ledger: { approvals }, owner, ends }) => {
  const now = program.ports.now();
  const [approval] = await approvals.list(random.pick([owner.account, null]), now);
  if (approval === undefined) return void (await approvals.refuse('apr_none', now));
  const { id } = approval;
  await approvals.byId(id, now);
  const [stranger = APPROVER] = STRANGERS;
  const later = { ...approval, until: approval.until + 1 };
  const settled = `${approval.state === 'pending' ? '$|' : ALTERED}|usage .*only a pending`;
  const [end, work] = random.pick<readonly [string, () => Promise<unknown>]>([
    [`${settled}|policy_refused .*does not name`, () => approvals.grant(approval, stranger, now)],
    [ALTERED, () => approvals.grant(later, APPROVER, now)],
    ['not_found ', () => approvals.grant({ ...approval, id: 'apr_none' }, APPROVER, now)],
    [settled, () => approvals.refuse(id, now)],
  ]);
  await ends(end, work);
};

/** A path of the ledger that is none. */
const openWrongLedger: Errand = async ({ random, ends }) => {
  const path = random.pick(['ledger.db', ':memory:', 'https://ledger.example']);
  await ends('storage_failed The (path .* absolute|ledger must be a file)', () => openLedger(path));
};

const MISTAKES: readonly Errand[] = [
  check,
  check,
  reuseKey,
  reuseKey,
  reuseKey,
  quote,
  quote,
  sendWrong,
  sendWrong,
  refundWrongly,
  resolveWrongly,
  changePolicy,
  changePolicy,
  changePolicy,
  approveWrongly,
  openWrongLedger,
];

/** What people do wrongly, and what those do who look after a policy. */
export function mistakesIn({ policy }: Plan): readonly Errand[] {
  return policy?.approve == null ? MISTAKES : [...MISTAKES, approveWrongly, approveWrongly, approveWrongly];
}
