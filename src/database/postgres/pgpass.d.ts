declare module 'pgpass' {
  /** Looks for the password of a connection in PGPASSFILE or ~/.pgpass. */
  function pgpass(
    connection: { host: string; port: number; database?: string | undefined; user?: string | undefined },
    found: (password: string | undefined) => void,
  ): void;
  export = pgpass;
}
