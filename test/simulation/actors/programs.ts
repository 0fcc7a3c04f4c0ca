import { SwapctlError } from '../../../src/base/errors.ts';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import { EVERY_ENTRY } from '../../../src/core/ledger/filter.ts';
import { parsePolicy } from '../../../src/core/swap/policy/policy.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import type { CreatedSwap } from '../../../src/core/swaps/create.ts';
import { onLedger } from '../../../src/core/swaps/create-records.ts';
import {
  createSwap,
  type OpenRequest,
  type Review,
  type ReviewAnswer,
} from '../../../src/core/swaps/create-swap.ts';
import { followSwaps } from '../../../src/core/swaps/follow/follow.ts';
import { pollOrders } from '../../../src/core/swaps/poll.ts';
import { setRefundAddress, swapToRefund } from '../../../src/core/swaps/refund.ts';
import { refundsOnLedger } from '../../../src/core/swaps/refund-records.ts';
import { resolveUnknown } from '../../../src/core/swaps/resolve.ts';
import { submitApi } from '../../../src/core/swaps/submit.ts';
import { BUDGET } from '../model/budget.ts';
import type { PolicyModel } from '../model/policy.ts';
import { type Job, labelsOf } from '../model/shown.ts';
import type { Random } from '../random.ts';
import { APPROVED_FOR_MS, APPROVER, IMPOSTOR, policyText, SECOND } from '../world/approver.ts';
import { rawCreate } from '../world/coins.ts';
import { mistyped } from '../world/mistyped.ts';
import type { PolicyPlan } from '../world/plan.ts';
import type { Program } from '../world/world.ts';
import { batch } from './batch.ts';
import { runErrand } from './desk.ts';
import { themedErrand } from './errands.ts';
import { LIBRARY } from './library.ts';
import { listen } from './listen.ts';
import { mistakesIn } from './mistakes.ts';
import type { Programs } from './stage.ts';

/** `swapctl create`; with `asks` a person at a terminal completes, corrects and reviews it, and waits for an approval. */
async function create(
  program: Program,
  job: Job,
  key: string | null,
  approval: string | null,
  asks: Random | null = null,
): Promise<CreatedSwap | null> {
  const { ports } = program;
  const steps = { coins: async () => (await ports.coinList()).coins };
  const terms = { key, labels: labelsOf(job), approval: approval === null ? null : { id: approval } };
  if (asks === null) return createSwap(onLedger(ports), job.asked, { ...terms, confirm: null, steps });
  const request = asks.chance(0.5) ? job.asked : openRequest(program, job.asked, asks);
  const granted = (id: string, error: unknown) => approvalGranted(program, id, error);
  const options = { ...terms, confirm: reviewer(program, job, asks), steps: { ...steps, granted } };
  return createSwap(onLedger(ports), request, options);
}

/** A request that a person types, first perhaps with a mistake. */
function openRequest({ process, world }: Program, asked: SwapInput, random: Random): OpenRequest<SwapInput> {
  const ends = new Map<SwapInput, string>();
  const wrong = () => {
    const { typed, create: end } = mistyped(random);
    const given = { ...asked, ...typed };
    ends.set(given, end);
    return given;
  };
  return {
    known: { ...asked, refundAddress: null },
    isInteractive: true,
    complete: async () => (random.chance(0.5) ? asked : wrong()),
    corrected: async (refused, error) => {
      if (error instanceof SwapctlError) world.model.ended(process, ends.get(refused) ?? '', error);
      if (refused === asked || random.chance(0.2)) throw error;
      return asked;
    },
  };
}

const MAX_REVIEWS = 4;

/** A person who reads a review for a while, and answers it. */
function reviewer({ process, world }: Program, job: Job, random: Random) {
  let reviews = 0;
  return async ({ draft }: Review<SwapInput>): Promise<ReviewAnswer<SwapInput>> => {
    reviews += 1;
    await process.pause(random.between(1_000, 90_000));
    const { quote, request } = draft;
    const seen = { deposit: request.amount, receive: random.pick([quote.receive, '999999999']) };
    world.model.reviewed(process, job, request.amount);
    if (reviews > MAX_REVIEWS) return null;
    return random.pick<ReviewAnswer<SwapInput>>([
      ...([{ yes: 'shown' }, { yes: 'shown' }, { yes: 'now' }, { yes: seen }, null] as const),
      { changed: { ...job.asked, minReceive: random.pick(['0.000001', '999999999']) } },
    ]);
  };
}

const APPROVAL_PAUSE_MS = 5_000;
const MAX_CHECKS = 30;

/** `--wait`. */
async function approvalGranted({ ports, process }: Program, id: string, error: unknown): Promise<void> {
  const { approvals } = await ports.ledger();
  for (let checks = 1; (await approvals.byId(id, ports.now()))?.state !== 'granted'; checks += 1) {
    if (checks > MAX_CHECKS) throw error;
    await process.pause(APPROVAL_PAUSE_MS);
  }
}

/** Open orders of the ledger as `swapctl status` reads them. */
async function status({ ports, show }: Program): Promise<void> {
  const ledger = await ports.ledger();
  const owner = await ports.owner();
  const entries = await ledger.open(owner);
  const orders = entries.flatMap((entry: Entry) =>
    entry.order === null ? [] : [{ order: entry.order, ports, entry }],
  );
  const { swaps } = await pollOrders(orders, {
    named: false,
    isFew: false,
    maxAgeMs: null,
    usualMaxAgeMs: 30_000,
    budget: BUDGET,
    startedAt: ports.now(),
    deadline: ports.monotonic() + 60_000,
    onPoll: () => undefined,
    onWait: () => undefined,
  });
  for (const { swap } of swaps) show(swap, 30_000);
}

/** `swapctl status --watch` of one order. */
async function watch({ ports, process, world, show }: Program, order: string, forMs: number): Promise<void> {
  const until = ports.monotonic() + forMs;
  const limited = { ...ports, deadline: () => until };
  const profiles = [{ ports: limited, orders: [order] }];
  for await (const news of followSwaps(limited, profiles, { intervalMs: null, budget: BUDGET }))
    if (news.kind === 'seen') {
      world.model.watched(process, news.swap);
      show(news.swap, 30_000);
    }
}

/** `swapctl history resolve`: with an order, or null to dismiss the entry. */
async function resolve({ ports }: Program, id: string, order: string | null): Promise<void> {
  await resolveUnknown(ports, id, order);
}

/** `swapctl refund`. */
async function refund(
  { ports }: Program,
  order: string,
  address: string,
  approval: string | null,
): Promise<void> {
  const refunds = refundsOnLedger(ports);
  const found = await swapToRefund(refunds, order);
  const { ledgerError } = await setRefundAddress(refunds, found, {
    address,
    approval: approval === null ? null : { id: approval },
  });
  if (ledgerError !== null) throw ledgerError;
}

/** The entries of the ledger. */
async function history({ ports }: Program): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of (await ports.ledger()).books.entries(EVERY_ENTRY)) entries.push(entry);
  return entries;
}

/** `swapctl policy stop`, or `resume`. */
async function stopOrResume({ ports }: Program, isStop: boolean): Promise<void> {
  const [{ guards }, owner] = [await ports.ledger(), await ports.owner()];
  if (isStop) await guards.stop(owner, null, ports.now());
  else await guards.resume(owner, null, ports.now());
}

/** `swapctl policy set`. */
async function setPolicy({ ports, world }: Program, plan: PolicyPlan): Promise<void> {
  const [{ guards }, owner] = [await ports.ledger(), await ports.owner()];
  const verdict = parsePolicy(policyText(plan));
  if (!verdict.ok) throw new TypeError(`A policy of the world: ${JSON.stringify(verdict.problems)}`);
  const { policy: before } = await guards.read(owner);
  const digest = 'value' in before ? (before.value?.digest ?? null) : null;
  world.model.policy.sets(plan);
  await guards.set(owner, { policy: verdict.policy, before: digest, signer: null }, ports.now());
}

/** `swapctl policy approvals list`, and `grant` or `refuse` of each. */
async function approve({ ports, world }: Program, model: PolicyModel, isGood: () => boolean): Promise<void> {
  const [{ approvals }, owner] = [await ports.ledger(), await ports.owner()];
  for (const approval of await approvals.list(owner.account, ports.now())) {
    const { id, state, subject, requestedAt, grants } = approval;
    if (state !== 'pending') continue;
    if (!isGood()) {
      // Mostly no one refuses it, but someone signs who has not the key.
      await (isGood() ? approvals.grant(approval, IMPOSTOR, ports.now()) : approvals.refuse(id, ports.now()));
      continue;
    }
    const isSecond = grants.length > 0 && world.plan.policy?.approve?.isDouble === true;
    // Signed before it is granted: a process may use it in the next step.
    model.signed({ id, what: subject, until: requestedAt + APPROVED_FOR_MS });
    await approvals.grant(approval, isSecond ? SECOND : APPROVER, ports.now());
  }
}

/** `swapctl api create-transaction`. */
async function api({ ports }: Program, asked: SwapInput): Promise<string> {
  const request = { endpoint: 'create-transaction' as const, body: rawCreate(asked) };
  const answer = await submitApi(ports, await ports.service(), {
    request,
    approval: 'any',
    onFailure: () => undefined,
  });
  return answer.text;
}

/** The use cases in this process. */
export const USE_CASES = {
  create,
  batch,
  status,
  listen,
  watch,
  resolve,
  refund,
  history,
  stopOrResume,
  approve,
  api,
  setPolicy,
  library: LIBRARY,
  runErrand: (program: Program, random: Random) =>
    runErrand(program, random, mistakesIn(program.world.plan), themedErrand(program.world.plan)),
} satisfies Programs;
