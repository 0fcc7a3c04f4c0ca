import type { RefundUpdate } from '../client/decode.ts';
import { decodeSwap } from '../client/decode.ts';
import { parseAnswer, type Received } from '../client/send.ts';
import type { ApiAnswer, ApiRequest } from '../client/transport.ts';
import { SwapctlError } from '../errors.ts';
import type { Entry, LabelledIntent, Owner } from '../ledger/entry.ts';
import type { GivenApproval } from '../ledger/policy/approvals.ts';
import type { Claim } from '../ledger/policy/claim.ts';
import type { Guard } from '../ledger/policy/guard.ts';
import { guardedRefund } from '../ledger/policy/request.ts';
import { ENDPOINTS } from '../partner-api/endpoints.ts';
import { isPlainOrder } from '../swap/agreement/fundable.ts';
import type { Labels } from '../swap/labels.ts';
import type { Asset, Swap, SwapRequest } from '../swap/swap.ts';
import { judgedCreate, judgedRefund } from './api-body.ts';
import type { Ports, Service } from './ports.ts';

// The one place from which a request that changes something leaves swapctl: create, batch, refund and api all pass the
// policy here. test/architecture.test.ts holds that nothing else calls these methods of the client.

/** An intent that is in the ledger, and what is to be sent for it. */
interface CreateAtDoor {
  readonly service: Service;
  readonly owner: Owner;
  readonly id: string;
  readonly content: LabelledIntent;
  readonly request: SwapRequest;
  readonly claim: Claim;
}

/**
 * Claims an intent under the policy of its account, and sends it once; null if another process has claimed it. Throws
 * `policy_refused`, `approval_required` or `stopped` before `send` is called.
 */
export async function passCreate(
  ports: Ports,
  { service, owner, id, content, request, claim }: CreateAtDoor,
  send: (create: () => Promise<Received<Swap>>) => Promise<Received<Swap>>,
): Promise<Received<Swap> | null> {
  const ledger = await ports.ledger();
  if (!(await ledger.claim(id, owner, content, ports.now(), claim))) return null;
  await ports.notify({ level: 'debug', text: `intent ${id} is recorded; sending create-transaction once` });
  return send(() => service.client.create(request));
}

/** A refund address to set. */
export interface RefundAtDoor {
  readonly order: string;
  readonly address: string;
  readonly deposit: Asset;
  /** Amount of the deposit; null where it is not known. */
  readonly amount: string | null;
  readonly labels: Labels;
  readonly approval: GivenApproval;
}

/** Sets a refund address, which the policy of the account judges as a payout address. Throws like {@link passCreate}. */
export async function passRefund(
  ports: Ports,
  service: Service,
  { order, address, deposit, amount, labels, approval }: RefundAtDoor,
): Promise<Received<RefundUpdate>> {
  const owner = await ports.owner();
  const refund = { order, refundAddress: address, deposit, amount, labels, host: owner.host };
  await (await ports.ledger()).gate.refund(owner, guardedRefund(refund), approval, ports.now());
  return service.client.updateRefundAddress(order, address);
}

/** A raw request at the door. */
export interface ApiAtDoor {
  readonly request: ApiRequest;
  readonly approval: GivenApproval;
  readonly onFailure: (answer: ApiAnswer) => void;
}

/**
 * Sends a raw request. One that changes something is judged where anything is set for the account: its body must be one
 * that can be judged, and a create is recorded in the ledger, where it counts.
 */
export async function passApi(ports: Ports, service: Service, api: ApiAtDoor): Promise<ApiAnswer> {
  const { request, onFailure } = api;
  const { endpoint, method = ENDPOINTS[endpoint].method, body = '' } = request;
  const send = () => service.client.raw(request, onFailure);
  if (method === 'GET') return send();
  const owner = await ports.owner();
  const ledger = await ports.ledger();
  if (!isGuarded(await ledger.guards.read(owner))) return send();
  if (endpoint === 'create-transaction' && method === 'POST') return apiCreate(ports, owner, api, send);
  if (endpoint !== 'update-refund-address' || method !== 'PATCH')
    throw notJudged(`${method} ${endpoint} is neither a create nor a refund address`);
  const refund = judgedRefund(body);
  const entry = await ledger.byOrder(owner, refund.order);
  if (entry?.request == null)
    throw notJudged('The ledger does not know what was deposited for this order; use `swapctl refund`');
  const { deposit, amount } = entry.request;
  const { labels } = entry;
  const about = {
    order: refund.order,
    refundAddress: refund.address,
    deposit,
    amount,
    labels,
    host: owner.host,
  };
  await ledger.gate.refund(owner, guardedRefund(about), api.approval, ports.now());
  return send();
}

/** Whether anything is set for an account that could refuse. */
function isGuarded({ policy, stop, suspensions }: Guard): boolean {
  const isSet = (part: { readonly value: unknown } | { readonly problem: string }) =>
    'problem' in part || (Array.isArray(part.value) ? part.value.length > 0 : part.value !== null);
  return [policy, stop, suspensions].some(isSet);
}

/** Throws `policy_refused` for something that changes the service and that a policy cannot judge. */
export async function refuseUnderPolicy(ports: Pick<Ports, 'ledger' | 'owner'>, what: string): Promise<void> {
  const guard = await (await ports.ledger()).guards.read(await ports.owner());
  if (isGuarded(guard)) throw notJudged(what);
}

function notJudged(what: string): SwapctlError {
  return new SwapctlError('policy_refused', `The policy cannot judge this request. ${what}.`, {
    hint: 'Nothing was sent.',
  });
}

async function apiCreate(
  ports: Ports,
  owner: Owner,
  { request, approval }: ApiAtDoor,
  send: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const ledger = await ports.ledger();
  const intent = judgedCreate(request.body ?? '');
  ports.signal.throwIfAborted();
  const { entry } = await ledger.begin(owner, intent, null, ports.now());
  if (!(await ledger.claim(entry.id, owner, intent, ports.now(), { approval })))
    throw notJudged('Another process has claimed it');
  const answer = await send().catch(async (error: unknown) => {
    const { outcome, message } =
      error instanceof SwapctlError ? error : { outcome: 'unknown', message: 'internal error' };
    const ended = outcome === 'refused' ? 'refused' : outcome === 'nothing-sent' ? 'not-sent' : 'unknown';
    await unlessStorageFails(ports, () =>
      ledger.settle(entry.id, { outcome: ended, reason: message, at: ports.now() }),
    );
    throw error;
  });
  await settleApi(ports, entry, answer, intent.refundAddress);
  return answer;
}

/** Records the order of an answer; where that fails, the create stays unknown, and counted. */
async function settleApi(
  ports: Ports,
  { id }: Entry,
  answer: ApiAnswer,
  refund: string | null,
): Promise<void> {
  const ledger = await ports.ledger();
  const swap = decodeSwap(parseAnswer(answer));
  const observation = { swap, doubts: [], at: ports.now() };
  const reason = 'the order of the answer could not be recorded';
  await unlessStorageFails(ports, async () => {
    const isRecorded = isPlainOrder(swap.order) && (await ledger.created(id, observation, refund));
    if (!isRecorded) await ledger.settle(id, { outcome: 'unknown', reason, at: ports.now() });
  });
}

/** Does what must not cost the answer: a ledger that cannot be written goes on saying that the outcome is unknown. */
async function unlessStorageFails(ports: Ports, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SwapctlError) || error.code !== 'storage_failed') throw error;
    await ports.notify({
      level: 'note',
      text: `${error.message} The ledger still records the outcome as unknown.`,
    });
  }
}
