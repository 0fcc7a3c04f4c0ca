declare module 'pgpass' {
  import type { Writable } from 'node:stream';

  /** Looks for the password of a connection in PGPASSFILE or ~/.pgpass. */
  function pgpass(
    connection: { host: string; port: number; database?: string | undefined; user?: string | undefined },
    found: (password: string | undefined) => void,
  ): void;

  namespace pgpass {
    /** Sets where warnings go, instead of standard error. */
    function warnTo(stream: Writable): unknown;
  }

  export = pgpass;
}
