import { randomBytes } from 'node:crypto';
import { SwapctlError } from '../../../base/errors.ts';
import { parsed } from '../../../base/text.ts';
import { compareProducts, sameAmount } from '../../swap/amount.ts';
import type { ApproveRule } from '../../swap/policy/rules/approve.ts';
import { isObject, type Owner } from '../entry.ts';
import type { ApprovalRow, Transaction } from '../schema.ts';
import { type ApprovalSubject, approvalDigest } from './request.ts';
import { approvalStatement, isSignedBy, type SignedApproval } from './signature.ts';

/** State of an approval: `expired` once its time is over, `altered` if it is not what was requested. */
export type ApprovalState = 'pending' | 'granted' | 'refused' | 'used' | 'expired' | 'altered';

/** A signature under an approval. */
export interface Grant {
  readonly key: string;
  readonly signature: string;
  readonly actor: string;
  readonly at: number;
}

/** A request for an approval. Times are milliseconds since 1970. */
export interface Approval extends Omit<Owner, 'host'> {
  readonly id: string;
  readonly digest: string;
  /** Digest of the policy that demanded it. */
  readonly policy: string;
  readonly intentId: string | null;
  readonly subject: ApprovalSubject;
  /** One key of each list must sign. */
  readonly wanted: readonly (readonly string[])[];
  readonly requestedAt: number;
  readonly requestedBy: string;
  readonly until: number;
  readonly state: ApprovalState;
  readonly grants: readonly Grant[];
}

/** A row with the time of its use, null if it was not used. */
type StoredApproval = ApprovalRow & { readonly used_at: number | null };

/** A query of the stored approvals, each with the time of its use, which is null if it was not used. */
export function approvalRows(tx: Transaction) {
  return tx
    .selectFrom('approvals')
    .leftJoin('approval_uses', 'approval_uses.approval_id', 'approvals.id')
    .selectAll('approvals')
    .select('approval_uses.at as used_at');
}

/** Reads a row; null if it cannot be read, so that it approves nothing. */
export function approvalOf(row: StoredApproval, now: number): Approval | null {
  const [subject, wanted, grants] = [parsed(row.request), parsed(row.wanted), parsed(row.grants)];
  const isSubject = isObject(subject) && (subject['kind'] === 'create' || subject['kind'] === 'refund');
  const isWanted = Array.isArray(wanted) && wanted.length > 0 && wanted.every((keys) => isTexts(keys));
  const isGrants = Array.isArray(grants) && grants.every(isGrant);
  const isTimed = isTime(row.requested_at) && isTime(row.until);
  if (!isSubject || !isWanted || !isGrants || !isTimed) return null;
  const shown = subject as unknown as ApprovalSubject;
  return {
    id: row.id,
    account: row.account,
    profile: row.profile,
    environment: row.environment === 'live' ? 'live' : 'sandbox',
    digest: row.digest,
    policy: row.policy,
    intentId: row.intent_id,
    subject: shown,
    wanted,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    until: row.until,
    state: stateOf(row, { subject: shown, grants }, now),
    grants,
  };
}

function isTexts(texts: unknown): texts is string[] {
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string');
}

function isGrant(grant: unknown): grant is Grant {
  return (
    isObject(grant) && isTexts([grant['key'], grant['signature'], grant['actor']]) && isTime(grant['at'])
  );
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function stateOf(
  row: StoredApproval,
  { subject, grants }: Pick<Approval, 'subject' | 'grants'>,
  now: number,
): ApprovalState {
  if (!isAsRequested(row, subject) || !isAsSigned({ ...row, subject }, grants)) return 'altered';
  if (row.used_at !== null) return 'used';
  const isOpen = row.state === 'pending' || row.state === 'granted';
  return isOpen && now >= row.until ? 'expired' : (row.state as ApprovalState);
}

/** Whether the digest that is signed is the one of the request that is shown. */
function isAsRequested(row: StoredApproval, subject: ApprovalSubject): boolean {
  try {
    if (approvalDigest(subject, row) !== row.digest) return false;
    if (subject.kind === 'refund') return true;
    const { lastSource, amount, asked } = subject.request;
    return lastSource === 'receive' || sameAmount(amount, asked);
  } catch {
    // A part of the request is missing, or of another type.
    return false;
  }
}

function isAsSigned(approval: SignedApproval, grants: readonly Grant[]): boolean {
  const statement = approvalStatement(approval);
  return grants.every(({ key, signature }) => isSignedBy(key, statement, signature));
}

/** The error for an approval whose stored request is not the one that was requested. */
export function alteredApproval(id: string): SwapctlError {
  return new SwapctlError('policy_refused', `Approval ${id} was altered in the ledger. ${ALTERED}`, {
    hint: 'Do not approve it. Find out who can write the ledger: `swapctl policy audit list` shows this event.',
  });
}

const ALTERED = 'The stored request differs from the one that was to be approved.';

/** Whether one key of each list has signed; a signature that is not one makes an approval `altered`. */
export function isSigned(grants: readonly Grant[], wanted: readonly (readonly string[])[]): boolean {
  return wanted.every((keys) => grants.some(({ key }) => keys.includes(key)));
}

/** The request that needs an approval now. */
export interface WantedApproval {
  readonly owner: Owner;
  /** Digest of the request, to which the approval is bound. */
  readonly digest: string;
  /** Digest of the policy that demands it. */
  readonly policy: string;
  readonly intentId: string | null;
  readonly subject: ApprovalSubject;
  readonly rules: readonly ApproveRule[];
  readonly now: number;
  readonly actor: string;
}

/** Hundredths by which a computed deposit may exceed the approved one: the price moves between request and grant. */
const MAX_GROWTH = '101';

/** Which approval may be used: a named one, any matching one, or none. */
export type ApprovalSelection = { readonly id: string } | 'any' | null;

/** What a given approval does: the one that allows a request, an altered one, or why a named one cannot be used. */
export async function givenApproval(tx: Transaction, wanted: WantedApproval, given: ApprovalSelection) {
  if (given === null) return { used: null, altered: null, why: null };
  const rows = approvalRows(tx).where('approvals.account', '=', wanted.owner.account);
  const isAny = given === 'any';
  const named = isAny
    ? rows.where('approvals.digest', '=', wanted.digest).orderBy('approvals.requested_at', 'desc')
    : rows.where('approvals.id', '=', given.id);
  const found = readable(await named.execute(), wanted.now);
  const altered = found.find(({ state }) => state === 'altered')?.id ?? null;
  const used = found.find((approval) => whyNotUsable(approval, wanted) === null) ?? null;
  if (altered !== null || used !== null || isAny) return { used, altered, why: null };
  const [approval] = found;
  const why = approval === undefined ? `There is no approval ${given.id}.` : whyNotUsable(approval, wanted);
  return { used, altered, why };
}

/** How far apart the clocks of an agent and an approver may be. */
const CLOCKS_APART_MS = 5 * 60_000;

/** The end of the shortest time that rules give. */
function endOf(rules: readonly ApproveRule[], now: number): number {
  return now + Math.min(...rules.map(({ within }) => within));
}

/** Why an approval does not allow a request; null if it does. */
function whyNotUsable(approval: Approval, { digest, subject, rules, now }: WantedApproval): string | null {
  const { id, state, until, grants } = approval;
  if (approval.digest !== digest) return `Approval ${id} is for another request, or for an earlier policy.`;
  if (state !== 'granted') return `Approval ${id} ${STATES[state]}.`;
  // A later end was not written by swapctl.
  if (until > endOf(rules, now) + CLOCKS_APART_MS)
    return `Approval ${id} is valid for longer than the policy allows.`;
  if (!coversDeposit(approval.subject, subject)) return `Approval ${id} is for a smaller deposit.`;
  const keys = rules.map(({ by }) => by);
  return isSigned(grants, keys) ? null : `Approval ${id} is not signed by a key that the policy names.`;
}

const STATES: Readonly<Record<Exclude<ApprovalState, 'granted'>, string>> = {
  pending: 'is not granted yet',
  refused: 'was refused',
  used: 'was used before',
  expired: 'has expired',
  altered: 'was altered in the ledger',
};

function coversDeposit(approved: ApprovalSubject, wanted: ApprovalSubject): boolean {
  if (approved.kind !== 'create' || wanted.kind !== 'create') return approved.kind === wanted.kind;
  return compareProducts([wanted.request.amount, '100'], [approved.request.amount, MAX_GROWTH]) <= 0;
}

/** The approval that is already requested for the same request, or a new one. */
export async function requestedApproval(tx: Transaction, wanted: WantedApproval) {
  const { owner, digest, policy, intentId, subject, rules, now, actor } = wanted;
  const open = await openApproval(tx, wanted);
  if (open !== null) return { approval: open, isNew: false };
  const id = `apr_${randomBytes(10).toString('hex')}`;
  const until = endOf(rules, now);
  await tx
    .insertInto('approvals')
    .values({
      id,
      account: owner.account,
      profile: owner.profile,
      environment: owner.environment,
      digest,
      policy,
      intent_id: intentId,
      request: JSON.stringify(subject),
      wanted: JSON.stringify(rules.map(({ by }) => by)),
      requested_at: now,
      requested_by: actor,
      until,
      state: 'pending',
      grants: '[]',
    })
    .execute();
  return { approval: { id, until }, isNew: true };
}

export async function openApproval(tx: Transaction, { owner, digest, subject, now }: WantedApproval) {
  const rows = await approvalRows(tx)
    .where('approvals.account', '=', owner.account)
    .where('approvals.digest', '=', digest)
    .orderBy('approvals.requested_at', 'desc')
    .execute();
  const isOpen = ({ state }: Approval) => state === 'pending' || state === 'granted';
  const open = readable(rows, now).find((each) => isOpen(each) && coversDeposit(each.subject, subject));
  return open === undefined ? null : { id: open.id, until: open.until };
}

/** Records that an approval is used; false if another process has used it. */
export async function useApproval(tx: Transaction, id: string, at: number): Promise<boolean> {
  const result = await tx
    .insertInto('approval_uses')
    .values({ approval_id: id, at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The approvals of rows that can be read. */
export function readable(rows: readonly StoredApproval[], now: number): readonly Approval[] {
  return rows.map((row) => approvalOf(row, now)).filter((approval) => approval !== null);
}
