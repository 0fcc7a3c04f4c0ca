import { inject } from 'vitest';

/** URL of a fresh, empty database on the run's one PostgreSQL server. Throws in words where there is no server. */
export async function freshPostgres(): Promise<string> {
  const answer = await fetch(inject('freshDatabases'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
