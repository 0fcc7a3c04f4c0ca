import type { EndpointName } from '../../src/core/partner-api/endpoints.ts';
import { PATH_PREFIX } from '../../src/core/partner-api/endpoints.ts';
import type { RawServer, SeenRequest } from '../helpers/raw-server.ts';
import { rawServer } from '../helpers/raw-server.ts';
import type { PassedAnswer } from '../helpers/tampering-proxy.ts';
import { passOn } from '../helpers/tampering-proxy.ts';

/** Makes another answer of the one that the sandbox gave, leaves it as it is, or gives none. */
export type Lie = (answer: PassedAnswer, seen: SeenRequest) => PassedAnswer | 'nothing';

/** Changes a request before it is passed on. */
export type Hearing = (seen: SeenRequest) => SeenRequest;

/** A server that passes everything on to a service and changes single answers. */
export function lyingServer(truth: string, lie: Lie, hear: Hearing = (seen) => seen): Promise<RawServer> {
  return rawServer(async (seen, response) => {
    const answer = lie(await passOn(truth, hear(seen)), seen);
    if (answer === 'nothing') response.destroy();
    else response.writeHead(answer.status, { ...answer.headers }).end(answer.text);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a lie changes whatever it likes.
type Body = any;

/** Changes the body of an endpoint's successes. */
export function printed(
  endpoint: EndpointName,
  change: (body: Body, seen: SeenRequest) => Body | undefined,
): Lie {
  return (answer, seen) => {
    if (!isCallOf(endpoint, seen) || answer.status >= 300) return answer;
    const body = JSON.parse(answer.text);
    return { ...answer, text: JSON.stringify(change(body, seen) ?? body) };
  };
}

/** Answers calls of an endpoint that were refused with one status, and a text in the message, with another error. */
export function refusal(
  endpoint: EndpointName,
  [status, text]: readonly [number, string],
  instead: PassedAnswer,
  isMeant: (seen: SeenRequest) => boolean = () => true,
): Lie {
  return (answer, seen) => {
    const meant = isCallOf(endpoint, seen) && answer.status === status && answer.text.includes(text);
    return meant && isMeant(seen) ? instead : answer;
  };
}

/** An error as the service would answer it. */
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
