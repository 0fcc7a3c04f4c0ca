/** A schema for the tests of the database layer. */
export interface NotesSchema {
  notes: { id: string; body: string | null; seen_at: number };
}

/** Its one migration. */
export const NOTES = [
  {
    version: 1,
    statements: ['create table notes (id text not null primary key, body text, seen_at bigint not null)'],
  },
];
