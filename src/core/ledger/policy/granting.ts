import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { rfc3339 } from '../../../base/time.ts';
import type { Database } from '../../database/database.ts';
import { recordApproval } from '../events/outbox.ts';
import type { LedgerSchema, Transaction } from '../schema.ts';
import {
  type Approval,
  alteredApproval,
  approvalOf,
  approvalRows,
  type Grant,
  isSigned,
  readable,
} from './approvals.ts';
import type { WriteFact } from './audit.ts';
import type { Signer } from './changes.ts';
import { approvalStatement, type SignedApproval } from './signature.ts';

export function granting(database: Database<LedgerSchema>, actor: string, record: WriteFact) {
  const decide = (id: string, at: number, work: (approval: Approval) => Pick<Approval, 'state' | 'grants'>) =>
    database.transaction(async (tx) => {
      // Locks the row until the transaction ends.
      await tx
        .updateTable('approvals')
        .set((is) => ({ state: is.ref('state') }))
        .where('id', '=', id)
        .execute();
      const approval = await byId(tx, id, at);
      if (approval === null) throw new SwapctlError('not_found', `There is no approval ${id}.`);
      if (approval.state !== 'pending')
        throw new UsageError(
          `Approval ${id} is ${approval.state}; only a pending approval can be granted or refused.`,
        );
      const { state, grants } = work(approval);
      await tx
        .updateTable('approvals')
        .set({ state, grants: JSON.stringify(grants) })
        .where('id', '=', id)
        .execute();
      const name = { id, until: rfc3339(approval.until) };
      if (state === 'granted')
        await recordApproval(tx, approval.intentId, 'approval.granted', { approval: name, at });
      const type = state === 'pending' ? 'approval.signed' : `approval.${state}`;
      const keys = grants.map(({ key }) => key);
      await record(tx, approval, { type, data: { id, digest: approval.digest, keys }, at });
      return { ...approval, state, grants };
    });
  /** Throws `policy_refused` for an approval whose stored request was altered, and records it. */
  const refuseAltered = async (approval: Approval, at: number): Promise<void> => {
    if (approval.state !== 'altered') return;
    const { id } = approval;
    await database.transaction((tx) => record(tx, approval, { type: 'approval.altered', data: { id }, at }));
    throw alteredApproval(id);
  };
  return {
    byId: (id: string, at: number): Promise<Approval | null> => byId(database.kysely, id, at),
    refuseAltered,
    /** The newest approvals first, perhaps of one account. */
    list: async (account: string | null, at: number): Promise<readonly Approval[]> => {
      const query = approvalRows(database.kysely)
        .orderBy('approvals.requested_at', 'desc')
        .orderBy('approvals.id');
      const rows = await (account === null
        ? query
        : query.where('approvals.account', '=', account)
      ).execute();
      return readable(rows, at);
    },
    /** Signs an approval as shown; granted once each rule is signed. Throws `policy_refused`, also for an altered one. */
    grant: async (shown: SignedApproval, signer: Signer, at: number): Promise<Approval> => {
      const { id } = shown;
      const statement = approvalStatement(shown);
      const stored = await byId(database.kysely, id, at);
      const isAnother = stored !== null && approvalStatement(stored) !== statement;
      if (stored !== null) await refuseAltered(isAnother ? { ...stored, state: 'altered' } : stored, at);
      return decide(id, at, (approval) => {
        const { wanted, grants } = approval;
        if (approvalStatement(approval) !== statement) throw alteredApproval(id);
        if (!wanted.some((keys) => keys.includes(signer.publicKey)))
          throw new SwapctlError('policy_refused', `The policy does not name your key ${signer.publicKey}.`, {
            hint: `It names ${[...new Set(wanted.flat())].join(', ')}.`,
          });
        const grant: Grant = { key: signer.publicKey, signature: signer.sign(statement), actor, at };
        const signed = [...grants.filter(({ key }) => key !== signer.publicKey), grant];
        const isComplete = isSigned(signed, wanted);
        return { grants: signed, state: isComplete ? 'granted' : 'pending' };
      });
    },
    /** Refuses an approval; it can no longer be granted. */
    refuse: (id: string, at: number): Promise<Approval> =>
      decide(id, at, ({ grants }) => ({ grants, state: 'refused' })),
  };
}

async function byId(tx: Transaction, id: string, at: number): Promise<Approval | null> {
  const row = await approvalRows(tx).where('approvals.id', '=', id).executeTakeFirst();
  return row === undefined ? null : approvalOf(row, at);
}
