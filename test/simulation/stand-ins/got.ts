import type { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** Options of got that decide where a request goes, and when it is given up. */
export interface GotOptions {
  readonly agent?: { readonly http?: Agent; readonly https?: Agent };
  readonly method?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly followRedirect?: boolean;
  readonly https?: { readonly rejectUnauthorized?: boolean };
  readonly signal?: AbortSignal;
  readonly timeout: { readonly socket?: number };
}

/** What opens a request where a world has a wire. */
export const wire: { open: ((options: GotOptions, url: URL) => Duplex) | null } = { open: null };

/** No request leaves the simulation: mostly the transport is replaced at the client's own port, and elsewhere the wire. */
export const got = {
  stream(url: URL, options: GotOptions): Duplex {
    if (wire.open === null) throw new TypeError('The simulation has no sockets.');
    return wire.open(options, url);
  },
};
