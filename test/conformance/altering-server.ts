import { type EndpointName, PATH_PREFIX } from '../../src/core/partner-api/endpoints.ts';
import { type RawServer, rawServer, type SeenRequest } from '../helpers/raw-server.ts';
import { type PassedAnswer, passOn } from '../helpers/tampering-proxy.ts';

/** Changes a response of the sandbox, leaves it unchanged, or drops it. */
export type Alteration = (answer: PassedAnswer, seen: SeenRequest) => PassedAnswer | 'nothing';

/** Changes a request before it is forwarded. */
export type RequestChange = (seen: SeenRequest) => SeenRequest;

/** A server that forwards requests to a service and changes requests and responses. */
export function alteringServer(
  target: string,
  alter: Alteration,
  change: RequestChange = (seen) => seen,
): Promise<RawServer> {
  return rawServer(async (seen, response) => {
    const answer = alter(await passOn(target, change(seen)), seen);
    if (answer === 'nothing') response.destroy();
    else response.writeHead(answer.status, { ...answer.headers }).end(answer.text);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a test may change any field.
type Body = any;

/** Changes the body of successful responses of an endpoint. */
export function inBody(
  endpoint: EndpointName,
  change: (body: Body, seen: SeenRequest) => Body | undefined,
): Alteration {
  return (answer, seen) => {
    if (!isCallOf(endpoint, seen) || answer.status >= 300) return answer;
    const body = JSON.parse(answer.text);
    return { ...answer, text: JSON.stringify(change(body, seen) ?? body) };
  };
}

/** Replaces the error of an endpoint that has a status and contains a text by another error. */
export function refusal(
  endpoint: EndpointName,
  [status, text]: readonly [number, string],
  instead: PassedAnswer,
  isMeant: (seen: SeenRequest) => boolean = () => true,
): Alteration {
  return (answer, seen) => {
    const meant = isCallOf(endpoint, seen) && answer.status === status && answer.text.includes(text);
    return meant && isMeant(seen) ? instead : answer;
  };
}

/** An error response of the service. */
export function refused(status: number, message: string): PassedAnswer {
  const text = JSON.stringify({ statusCode: status, message });
  return { status, headers: { 'content-type': 'application/json' }, text };
}

/** Whether a request calls an endpoint. */
export function isCallOf(endpoint: EndpointName, seen: SeenRequest): boolean {
  return endpointOf(seen) === endpoint;
}

/** The endpoint that a request calls. */
function endpointOf({ url }: SeenRequest): string {
  return new URL(url, 'http://localhost').pathname.slice(PATH_PREFIX.length);
}

/** A parameter of the query. */
export function queryOf({ url }: SeenRequest, name: string): string | null {
  return new URL(url, 'http://localhost').searchParams.get(name);
}
