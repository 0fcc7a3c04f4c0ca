import { StorageError, SwapctlError, UsageError } from '../../../base/errors.ts';
import type { Database } from '../../database/database.ts';
import { comparePolicies, type PolicyChange } from '../../swap/policy/compare.ts';
import { type Policy, policyJson, ruleJson } from '../../swap/policy/policy.ts';
import { type Suspended, type Suspension, suspendedText } from '../../swap/policy/rules/suspend.ts';
import type { Side } from '../../swap/swap.ts';
import type { Owner } from '../entry.ts';
import type { GuardRow, LedgerSchema, Transaction } from '../schema.ts';
import type { WriteFact } from './audit.ts';
import { countingTime, readCounters } from './counting.ts';
import { lockGuard, readGuard } from './evaluate.ts';
import { type Guard, guardOf, policyDigest, type Stop } from './guard.ts';
import { isSignedBy, policyStatement, resumeStatement, settleStatement } from './signature.ts';

/** Holder of an Ed25519 key pair. */
export interface Signer {
  /** `ed25519:<base64>`. */
  readonly publicKey: string;
  /** The signature of a statement, in Base64. */
  sign(statement: string): string;
}

export interface NewPolicy {
  readonly policy: Policy;
  /** Digest of the policy that was compared with it; null for none, or for one that cannot be read. */
  readonly before: string | null;
  /** The owner; pins the owner's key if none is pinned. */
  readonly signer: Signer | null;
}

/** How a policy differs from the stored one; replacing one that refuses everything loosens it. */
export function changeOf(guard: Guard, policy: Policy): PolicyChange {
  if ('problem' in guard.policy)
    return { loosens: ['replaces a policy that cannot be read, which refuses everything'], tightens: [] };
  return comparePolicies(guard.policy.value?.policy ?? null, policy);
}

/** Reading and changing the policy, stop and suspensions of accounts. */
export function guardChanges(database: Database<LedgerSchema>, actor: string, record: WriteFact) {
  const change = <T>(owner: Owner, work: Change<T>) =>
    database.transaction((tx) => changeGuard(tx, owner, work));
  return {
    read: ({ account }: Owner): Promise<Guard> => readGuard(database.kysely, account),
    counters: (owner: Owner, policy: Policy, at: number) =>
      database.transaction(async (tx) => {
        const now = await countingTime(tx, owner.account, at);
        return readCounters(tx, owner, policy, { request: null, now });
      }),
    /** Stores a policy. Throws `policy_refused` if it loosens one without the owner's signature. */
    set: (owner: Owner, { policy, before, signer }: NewPolicy, at: number): Promise<void> =>
      change(owner, async (tx, row, guard) => {
        const stored = 'value' in guard.policy ? (guard.policy.value?.digest ?? null) : null;
        if (stored !== before)
          throw new StorageError('The stored policy has changed in the meantime.', 'Run the command again.');
        const after = policyDigest(policy);
        const { loosens } = changeOf(guard, policy);
        refuseOtherKey(guard, signer);
        const statement = policyStatement(owner.account, before, after);
        const signature = loosens.length > 0 ? ownerSignature(guard, signer, statement) : null;
        const text = policyJson(policy);
        const ownerKey = row.owner_key ?? signer?.publicKey ?? null;
        await store(tx, row, { policy: text, owner_key: ownerKey });
        const data = { policy: after, before, text, ownerKey, signature };
        await record(tx, owner, { type: 'policy.set', data, at });
      }),
    /** The owner's signature for linking an unknown create to an order it may not have made; null without owner key. */
    signLink: async (
      owner: Owner,
      signer: Signer | null,
      { entry, order }: { readonly entry: string; readonly order: string },
    ): Promise<string | null> =>
      ownerSignature(
        await readGuard(database.kysely, owner.account),
        signer,
        settleStatement(owner.account, entry, order),
      ),
    /** Stops every create of an account. An existing stop keeps its reason unless there is a new one. */
    stop: (owner: Owner, reason: string | null, at: number): Promise<void> =>
      change(owner, async (tx, row, { stop: present }) => {
        if (reason === null && 'value' in present && present.value !== null) return;
        const stop: Stop = { at, actor, reason };
        await store(tx, row, { stop: JSON.stringify(stop) });
        await record(tx, owner, { type: 'policy.stop', data: { reason }, at });
      }),
    /** Lifts a stop; false if there is none. Throws `policy_refused` if the owner has to sign. */
    resume: (owner: Owner, signer: Signer | null, at: number): Promise<boolean> =>
      change(owner, async (tx, row, guard) => {
        if (row.stop === null) return false;
        const signature = ownerSignature(guard, signer, resumeStatement(owner.account, row.stop));
        await store(tx, row, { stop: null });
        await record(tx, owner, { type: 'policy.resume', data: { signature }, at });
        return true;
      }),
    /** Adds a suspension; replaces one of the same part and side unless that ends later. */
    suspend: (owner: Owner, suspension: Suspension, at: number): Promise<void> =>
      change(owner, async (tx, row, { suspensions }) => {
        const all = readable(suspensions);
        const { what, side } = suspension;
        const isSame = (each: Suspension) =>
          suspendedText(each.what) === suspendedText(what) && each.side === side;
        const others = all.filter((each) => !isSame(each) || endOf(each) > endOf(suspension));
        const rule = { kind: 'suspend' as const, ...suspension };
        await store(tx, row, { suspensions: JSON.stringify([...others, rule].map(suspensionRule)) });
        await record(tx, owner, { type: 'policy.suspend', data: suspensionRule(rule), at });
      }),
    /** Lifts the suspensions of a part, of one side or of all; returns how many there were. Like {@link resume}. */
    unsuspend: (
      owner: Owner,
      {
        what,
        side,
        signer,
      }: { readonly what: Suspended; readonly side: Side | null; readonly signer: Signer | null },
      at: number,
    ): Promise<number> =>
      change(owner, async (tx, row, guard) => {
        const all = readable(guard.suspensions);
        const kept = all.filter(
          (each) => suspendedText(each.what) !== suspendedText(what) || (side !== null && each.side !== side),
        );
        if (kept.length === all.length) return 0;
        const signature = ownerSignature(guard, signer, resumeStatement(owner.account, row.suspensions));
        await store(tx, row, { suspensions: JSON.stringify(kept.map(suspensionRule)) });
        const data = { what: suspendedText(what), side, signature };
        await record(tx, owner, { type: 'policy.unsuspend', data, at });
        return all.length - kept.length;
      }),
  };
}

type Change<T> = (tx: Transaction, row: GuardRow, guard: Guard) => Promise<T>;

/** Runs a change of an account's guard, which is made if there is none, under its lock. */
async function changeGuard<T>(tx: Transaction, { account }: Owner, work: Change<T>): Promise<T> {
  await tx
    .insertInto('guards')
    .values({ account, policy: null, owner_key: null, stop: null, suspensions: '[]', version: 0 })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute();
  await lockGuard(tx, account);
  const stored = tx.selectFrom('guards').selectAll().where('account', '=', account);
  const row = await stored.executeTakeFirstOrThrow();
  return work(tx, row, guardOf(row));
}

async function store(tx: Transaction, row: GuardRow, values: Partial<GuardRow>): Promise<void> {
  // What cannot be read again would refuse everything.
  const read = guardOf({ ...row, policy: null, stop: null, suspensions: '[]', ...values });
  for (const part of [read.policy, read.stop, read.suspensions])
    if ('problem' in part) throw new UsageError(`Nothing was stored. ${part.problem}`);
  await tx.updateTable('guards').set(values).where('account', '=', row.account).execute();
}

function suspensionRule(suspension: Suspension): Readonly<Record<string, unknown>> {
  return ruleJson({ kind: 'suspend', ...suspension });
}

function endOf({ until }: Suspension): number {
  return until ?? Number.POSITIVE_INFINITY;
}

function readable(suspensions: Guard['suspensions']): readonly Suspension[] {
  if ('value' in suspensions) return suspensions.value;
  throw new StorageError(
    suspensions.problem,
    'Restore a copy of the ledger; everything is refused until then.',
  );
}

function refuseOtherKey({ ownerKey }: Pick<Guard, 'ownerKey'>, signer: Signer | null): void {
  if (ownerKey === null || signer === null || signer.publicKey === ownerKey) return;
  throw new SwapctlError('policy_refused', `Another owner key is pinned: ${ownerKey}.`, {
    hint: 'Pass the matching private key with --owner-key.',
  });
}

/** The owner's signature of a statement; null if no owner key is pinned. Throws `policy_refused`. */
export function ownerSignature(guard: Pick<Guard, 'ownerKey'>, signer: Signer | null, statement: string) {
  if (guard.ownerKey === null) return null;
  if (signer === null)
    throw new SwapctlError(
      'policy_refused',
      `This loosens the policy, which requires a signature with the owner key ${guard.ownerKey}.`,
      {
        hint: 'Add --owner-key <file> with the matching private key. Tightening, stopping and suspending need no signature.',
      },
    );
  refuseOtherKey(guard, signer);
  const signature = signer.sign(statement);
  if (isSignedBy(guard.ownerKey, statement, signature)) return signature;
  throw new SwapctlError('policy_refused', 'The signature is not that of the pinned owner key.');
}
