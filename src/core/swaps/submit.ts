import { SwapctlError } from '../../base/errors.ts';
import { decodeSwap } from '../client/decode.ts';
import { type Decoded, parseAnswer } from '../client/send.ts';
import type { ApiAnswer, ApiRequest } from '../client/transport.ts';
import type { Entry, LabelledIntent, Owner } from '../ledger/entry.ts';
import type { ApprovalSelection } from '../ledger/policy/approvals.ts';
import type { Claim } from '../ledger/policy/claim.ts';
import type { Decision } from '../ledger/policy/evaluate.ts';
import type { Guard } from '../ledger/policy/guard.ts';
import { type GuardedCreate, guardedCreate, guardedRefund } from '../ledger/policy/request.ts';
import { ENDPOINTS } from '../partner-api/endpoints.ts';
import { loadWordLists } from '../swap/addresses/phrases.ts';
import { createProblem, isPlainOrder } from '../swap/agreement/fundable.ts';
import { addressVerdict } from '../swap/agreement/spelling.ts';
import type { Labels } from '../swap/labels.ts';
import type { Asset, Swap, SwapRequest } from '../swap/swap.ts';
import { createInBody, refundInBody } from './api-body.ts';
import { failedCreate, LINKED_OTHERWISE, unlessStorageFails } from './created.ts';
import { compareAnswer } from './lookup.ts';
import type { Ports, Service } from './ports.ts';

// The one place from which a request that changes something leaves swapctl: create, batch, refund and api all pass the
// policy here. test/architecture.test.ts holds that nothing else calls these methods of the client.

/** A create as the ledger records it, and as it is sent. */
interface CreateToSubmit {
  readonly service: Service;
  readonly content: LabelledIntent;
  readonly key: string | null;
  readonly request: SwapRequest;
  readonly claim: Claim;
}

/**
 * Claims a create under the policy of its account, and sends it once; null if another process has claimed its key. The
 * entry is that from before. Throws `policy_refused`, `approval_required` or `stopped` before `send` is called.
 */
export async function submitCreate(
  ports: Ports,
  { service, content, key, request, claim }: CreateToSubmit,
  send: (create: () => Promise<Decoded<Swap>>, entry: Entry) => Promise<Decoded<Swap>>,
) {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  const entry = await ledger.claim(owner, content, key, ports.now(), claim);
  if (entry === null) return null;
  await ports.notify({
    level: 'debug',
    text: `intent ${entry.id} is recorded; sending create-transaction once`,
  });
  return { entry, answer: await send(() => service.client.create(request), entry) };
}

/** The policy's current decision about a create, without counting it. */
export async function decisionOn(
  ports: Ports,
  about: Omit<GuardedCreate, 'host'>,
  approval: ApprovalSelection,
) {
  const owner = await ports.owner();
  const guarded = guardedCreate({ ...about, host: owner.host });
  return (await ports.ledger()).gate.check(owner, guarded, approval, ports.now());
}

export interface RefundToSubmit {
  readonly order: string;
  readonly address: string;
  readonly deposit: Asset;
  /** Amount of the deposit; null if it is not known. */
  readonly amount: string | null;
  readonly labels: Labels;
  readonly approval: ApprovalSelection;
}

/** Sets a refund address, which the policy of the account treats as a payout address. Throws like {@link submitCreate}. */
export async function submitRefund(ports: Ports, service: Service, refund: RefundToSubmit) {
  const owner = await ports.owner();
  await (await ports.ledger()).gate.refund(owner, guarded(refund, owner), refund.approval, ports.now());
  return service.client.updateRefundAddress(refund.order, refund.address);
}

/** The policy's current decision about a refund address; nothing is sent or counted. */
export async function checkRefund(ports: Ports, refund: RefundToSubmit): Promise<Decision> {
  const owner = await ports.owner();
  return (await ports.ledger()).gate.check(owner, guarded(refund, owner), refund.approval, ports.now());
}

function guarded({ order, address, ...about }: Omit<RefundToSubmit, 'approval'>, { host }: Owner) {
  return guardedRefund({ order, refundAddress: address, ...about, host });
}

export interface ApiToSubmit {
  readonly request: ApiRequest;
  readonly approval: ApprovalSelection;
  readonly onFailure: (answer: ApiAnswer) => void;
}

/**
 * Sends a raw request. One that changes something passes the policy if anything is set for the account: its body must be one
 * that a policy can read, and a create is recorded in the ledger, where it counts.
 */
export async function submitApi(ports: Ports, service: Service, api: ApiToSubmit): Promise<ApiAnswer> {
  const { request, onFailure } = api;
  const send = () => service.client.raw(request, onFailure);
  if (methodOf(request) === 'GET') return send();
  const owner = await ports.owner();
  const ledger = await ports.ledger();
  if (!isGuarded(await ledger.guards.read(owner))) return send();
  if (isCreate(request)) return apiCreate(ports, service, api, send);
  const refund = await apiRefund(ports, owner, request);
  await ledger.gate.refund(owner, guarded(refund, owner), api.approval, ports.now());
  return send();
}

/**
 * The policy's current decision about a raw request; null for a read, and if nothing is set for the account. Nothing is
 * sent or counted. Throws `policy_refused` for one that it cannot decide on.
 */
export async function checkApi(ports: Ports, { request, approval }: Omit<ApiToSubmit, 'onFailure'>) {
  const owner = await ports.owner();
  const ledger = await ports.ledger();
  if (methodOf(request) === 'GET' || !isGuarded(await ledger.guards.read(owner))) return null;
  const about = isCreate(request)
    ? guardedCreate({
        intent: createInBody(request.body ?? ''),
        labels: {},
        quote: null,
        hasKey: false,
        host: owner.host,
      })
    : guarded(await apiRefund(ports, owner, request), owner);
  return ledger.gate.check(owner, about, approval, ports.now());
}

function methodOf({ endpoint, method = ENDPOINTS[endpoint].method }: ApiRequest): string {
  return method;
}

function isCreate(request: ApiRequest): boolean {
  return request.endpoint === 'create-transaction' && methodOf(request) === 'POST';
}

/** The refund address that a raw request sets; throws `policy_refused` if it cannot be read. */
async function apiRefund(ports: Ports, owner: Owner, request: ApiRequest) {
  const method = methodOf(request);
  if (request.endpoint !== 'update-refund-address' || method !== 'PATCH')
    throw uncheckableBodyError(`${method} ${request.endpoint} is neither a new swap nor a refund address`);
  const refund = refundInBody(request.body ?? '');
  const entry = await (await ports.ledger()).byOrder(owner, refund.order);
  if (entry?.request == null)
    throw uncheckableBodyError(
      'The ledger does not know what was deposited for this order; use `swapctl refund`',
    );
  const { deposit, amount } = entry.request;
  // What was deposited replaces what was agreed, as for `swapctl refund`.
  return { ...refund, deposit, amount: entry.swap?.deposit.amount ?? amount, labels: entry.labels };
}

/** Whether anything is set for an account that could refuse. */
function isGuarded({ policy, stop, suspensions }: Guard): boolean {
  const isSet = (part: { readonly value: unknown } | { readonly problem: string }) =>
    'problem' in part || (Array.isArray(part.value) ? part.value.length > 0 : part.value !== null);
  return [policy, stop, suspensions].some(isSet);
}

/** Throws `policy_refused` for something that changes the service and that a policy cannot decide on. */
export async function refuseUnderPolicy(ports: Pick<Ports, 'ledger' | 'owner'>, what: string): Promise<void> {
  const guard = await (await ports.ledger()).guards.read(await ports.owner());
  if (isGuarded(guard)) throw uncheckableBodyError(what);
}

function uncheckableBodyError(what: string): SwapctlError {
  return new SwapctlError('policy_refused', `The policy cannot judge this request. ${what}.`, {
    hint: 'Nothing was sent.',
  });
}

async function apiCreate(
  ports: Ports,
  service: Service,
  { request, approval }: ApiToSubmit,
  send: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const [owner, ledger] = [await ports.owner(), await ports.ledger()];
  const intent = createInBody(request.body ?? '');
  // Loads the code that compares the response, because an upgrade may replace the program's files while it is awaited.
  await Promise.all([loadWordLists(), addressVerdict(intent.receive.network, intent.address)]);
  ports.signal.throwIfAborted();
  const entry = await ledger.claim(owner, intent, null, ports.now(), { approval });
  if (entry === null) throw uncheckableBodyError('Another process has claimed it');
  const answer = await send().catch(async (error: unknown) => {
    await unlessStorageFails(ports, () =>
      ledger.settle(entry.id, { ...failedCreate(error), at: ports.now() }),
    );
    throw error;
  });
  await settleApi(ports, service, { ...entry, request: intent }, answer);
  return answer;
}

/** Records the order of a response; if it does not match the request, the create stays unknown, and counted. */
async function settleApi(ports: Ports, service: Service, entry: Entry, answer: ApiAnswer): Promise<void> {
  const ledger = await ports.ledger();
  const unknown = async (reason: string, order?: string) => {
    await ledger.settle(entry.id, { outcome: 'unknown', reason, order, at: ports.now() });
    await ports.notify({
      level: 'warning',
      text: `The response does not match the request: ${reason}. Do not fund its order; the ledger records the outcome as unknown.`,
    });
  };
  await unlessStorageFails(ports, async () => {
    // The client refuses what it cannot decode.
    const seen = decodeSwap(parseAnswer(answer));
    if (!isPlainOrder(seen.order)) return unknown('its order number cannot be used');
    const { swap, found, doubts } = await compareAnswer(ports, service, entry, seen);
    const problem = createProblem(found, swap);
    if (problem !== null) return unknown(problem, swap.order);
    const refund = entry.request?.refundAddress ?? null;
    if (!(await ledger.created(entry.id, { swap, doubts, at: ports.now() }, refund)))
      await unknown(LINKED_OTHERWISE);
  });
}
