import pg from 'pg';

/** Makes processes meet in one table of a PostgreSQL database: each has read what it will, and none has written yet. */
export interface Meeting {
  /** Runs them one after the other, each once the one before waits for a lock or has ended; then lets them write. */
  of<T>(works: readonly (() => Promise<T>)[]): Promise<readonly PromiseSettledResult<T>[]>;
  close(): Promise<void>;
}

const WAITING = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** A meeting before each insert or update of a row of the table, wherever that is in a transaction. */
export async function meetingIn(url: string, table: string): Promise<Meeting> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create function meet() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger meet before insert or update on ${table} for each row execute function meet()`);
  const waiting = async () => (await client.query<{ count: number }>(WAITING)).rows[0]?.count ?? 0;
  return {
    of: async <T>(works: readonly (() => Promise<T>)[]) => {
      await client.query('select pg_advisory_lock(1)');
      const ends: Promise<PromiseSettledResult<T>>[] = [];
      let ended = 0;
      for (const work of works) {
        ends.push(
          Promise.allSettled([work()]).then(([end]) => {
            ended += 1;
            return end;
          }),
        );
        while ((await waiting()) + ended < ends.length);
      }
      await client.query('select pg_advisory_unlock(1)');
      return Promise.all(ends);
    },
    close: () => client.end(),
  };
}
