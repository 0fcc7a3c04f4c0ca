import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Agents } from './proxy.ts';

/** What a request consists of. */
export interface RequestParts {
  readonly url: URL;
  readonly method: string;
  /** Undefined to omit one. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  /** Node's own if absent. */
  readonly agent: Partial<Agents['agents']>;
}

/** Sends a request once over Node's own client, which follows no redirect. Throws for what no header may contain. */
export function startRequest({ url, method, headers, body, agent }: RequestParts): ClientRequest {
  const [send, chosen] =
    url.protocol === 'https:' ? ([httpsRequest, agent.https] as const) : ([httpRequest, agent.http] as const);
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const request = send(url, {
    method,
    headers: Object.fromEntries(given),
    ...(chosen === undefined ? {} : { agent: chosen }),
  });
  return request.end(body);
}
