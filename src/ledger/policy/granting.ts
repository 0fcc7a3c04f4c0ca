import type { Database } from '../../database/database.ts';
import { SwapctlError, UsageError } from '../../errors.ts';
import { rfc3339 } from '../../time.ts';
import { entryFromRow } from '../entry.ts';
import { recordApproval } from '../events/outbox.ts';
import type { LedgerSchema } from '../schema.ts';
import { type Approval, approvalOf, type Grant, isSigned } from './approvals.ts';
import type { WriteFact } from './audit.ts';
import type { Signer } from './changes.ts';
import { approvalStatement } from './signature.ts';

/** Reading, granting and refusing the approvals of a ledger. */
export function granting(database: Database<LedgerSchema>, actor: string, record: WriteFact) {
  const decide = (id: string, at: number, work: (approval: Approval) => Pick<Approval, 'state' | 'grants'>) =>
    database.transaction(async (tx) => {
      const row = await tx
        .updateTable('approvals')
        .set((is) => ({ state: is.ref('state') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      const approval = row === undefined ? null : approvalOf(row, at);
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
      const { intentId } = approval;
      const entry =
        intentId === null || state !== 'granted'
          ? undefined
          : await tx.selectFrom('intents').selectAll().where('id', '=', intentId).executeTakeFirst();
      const name = { id, until: rfc3339(approval.until) };
      if (entry !== undefined) await recordApproval(tx, entryFromRow(entry), 'approval.granted', name, at);
      const type = state === 'pending' ? 'approval.signed' : `approval.${state}`;
      const keys = grants.map(({ key }) => key);
      await record(tx, approval, { type, data: { id, digest: approval.digest, keys }, at });
      return { ...approval, state, grants };
    });
  return {
    byId: async (id: string, at: number): Promise<Approval | null> => {
      const row = await database.kysely
        .selectFrom('approvals')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : approvalOf(row, at);
    },
    /** The newest approvals first, perhaps of one account. */
    list: async (account: string | null, at: number): Promise<readonly Approval[]> => {
      const query = database.kysely
        .selectFrom('approvals')
        .selectAll()
        .orderBy('requested_at', 'desc')
        .orderBy('id');
      const rows = await (account === null ? query : query.where('account', '=', account)).execute();
      return rows.map((row) => approvalOf(row, at)).filter((approval) => approval !== null);
    },
    /** Signs an approval; it is granted once every rule has a signature. Throws `policy_refused` for another key. */
    grant: (id: string, signer: Signer, at: number): Promise<Approval> =>
      decide(id, at, (approval) => {
        const { wanted, grants, digest, until } = approval;
        if (!wanted.some((keys) => keys.includes(signer.publicKey)))
          throw new SwapctlError('policy_refused', `The policy does not name your key ${signer.publicKey}.`, {
            hint: `It names ${[...new Set(wanted.flat())].join(', ')}.`,
          });
        const signature = signer.sign(approvalStatement(id, digest, until));
        const grant: Grant = { key: signer.publicKey, signature, actor, at };
        const signed = [...grants.filter(({ key }) => key !== signer.publicKey), grant];
        const isComplete = isSigned({ ...approval, grants: signed }, wanted);
        return { grants: signed, state: isComplete ? 'granted' : 'pending' };
      }),
    /** Refuses an approval; it can no longer be granted. */
    refuse: (id: string, at: number): Promise<Approval> =>
      decide(id, at, ({ grants }) => ({ grants, state: 'refused' })),
  };
}
