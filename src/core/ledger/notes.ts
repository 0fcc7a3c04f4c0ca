import type { Kysely } from 'kysely';
import { visible } from '../../base/text.ts';
import { rfc3339 } from '../../base/time.ts';
import type { Database } from '../database/database.ts';
import type { DoubtCode } from '../swap/agreement/agreed.ts';
import { isDepositSeen, needOf } from '../swap/attention.ts';
import type { Changes } from '../swap/changes.ts';
import { type EnteredType, writeChange } from './changes.ts';
import { type Entry, entryFromRow, type SentDeposit } from './entry.ts';
import { addFacts } from './facts.ts';
import { storedFigures } from './report/swap-figures.ts';
import type { LedgerSchema } from './schema.ts';
import { searchText } from './search.ts';

/** What a person wrote about a swap. */
export interface Note {
  readonly text: string;
  /** Reference of a case, in the desk's own system. */
  readonly ticket: string | null;
  /** Until then the swap needs no attention, in milliseconds since 1970. */
  readonly until: number | null;
}

/** Facts about swaps that people add: notes, and deposits reported as sent. All throw `storage_failed`. */
export function notes(database: Database<LedgerSchema>) {
  const write = async (
    tx: Kysely<LedgerSchema>,
    id: string,
    values: { readonly sent?: string; readonly quiet_until?: number | null; readonly ticket?: string },
    { at, type, changes }: { readonly at: number; readonly type: EnteredType; readonly changes: Changes },
  ) => {
    const row = await tx
      .updateTable('intents')
      .set((is) => ({ ...values, changes: is('changes', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const noted = entryFromRow(row);
    const entry = { ...noted, doubts: withUnseen(noted) };
    const isTroubled = entry.swap?.final === true && needOf({ ...entry.swap, ...entry }) !== null;
    await tx
      .updateTable('intents')
      .set({
        search: searchText(entry),
        doubts: JSON.stringify(entry.doubts),
        figures: storedFigures(entry),
        troubled: isTroubled ? 1 : 0,
      })
      .where('id', '=', id)
      .execute();
    if (values.sent !== undefined) await addFacts(tx, entry, { ...entry, sent: null });
    const change = { at, unchangedUntil: null, type, status: null, statusCode: null, changes };
    await writeChange(tx, id, row.changes, change);
  };
  return {
    /** Writes a note into the timeline of an entry. A note without a time ends the time of an earlier one. */
    addNote: (id: string, { text, ticket, until }: Note, at: number): Promise<void> => {
      const values = { quiet_until: until, ...(ticket === null ? {} : { ticket: visible(ticket) }) };
      const changes = {
        note: [null, visible(text)] as const,
        ...(ticket === null ? {} : { ticket: [null, visible(ticket)] as const }),
        ...(until === null ? {} : { quietUntil: [null, rfc3339(until)] as const }),
      };
      return database.transaction((tx) => write(tx, id, values, { at, type: 'note.added', changes }));
    },
    /** Records the transaction of a deposit reported as sent; a later one replaces it, and the timeline has both. */
    addSent: (id: string, sent: SentDeposit): Promise<void> => {
      const { txId, from, at } = sent;
      const sender = from === null ? {} : { from: [null, from] as const };
      const changes = { txId: [null, txId] as const, ...sender };
      return database.transaction((tx) =>
        write(tx, id, { sent: JSON.stringify(sent) }, { at, type: 'deposit.sent', changes }),
      );
    },
  };
}

/** The doubts of an entry; a swap that ended without a deposit that was sent is not polled again, so its doubt is added here. */
function withUnseen({ swap, sent, doubts }: Entry): readonly string[] {
  const code: DoubtCode = 'deposit_sent_not_seen';
  const isUnseen = sent !== null && swap?.final === true && !isDepositSeen(swap);
  return isUnseen && !doubts.includes(code) ? [...doubts, code] : doubts;
}
