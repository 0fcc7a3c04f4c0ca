import type { clockJson, orderJson, requestJson } from '../../operator/json.ts';
import type { OrderChoices } from '../../operator/orders.ts';

/** An order, as the commands print it. */
export type OrderJson = ReturnType<typeof orderJson>;
/** The clock, as the commands print it. */
export type ClockJson = ReturnType<typeof clockJson>;
/** A logged request, as the commands print it. */
export type RequestJson = ReturnType<typeof requestJson>;

/** One order with what can be done to it. */
export interface OpenOrder extends OrderJson {
  readonly choices: OrderChoices;
}

/** An error of the page's server, with a message for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The token is in the fragment, which the browser does not send. */
const token = location.hash.slice(1);

/** Sends a request to the page's server; returns the text of the response. Throws {@link Refused}. */
export async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<string> {
  if (token === '')
    throw new Refused(
      'Open the whole address that `swapctl sandbox start --ui` printed, including the part after the #.',
    );
  const response = await fetch(`/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => Promise.reject(new Refused('The sandbox does not respond. Is it still running?')));
  const text = await response.text();
  if (response.ok) return text;
  throw new Refused(
    response.status === 401
      ? 'This address is no longer valid. Open the one that `swapctl sandbox start` printed last.'
      : reasonIn(text),
  );
}

/** {@link ask} with the response parsed as JSON; its shape is not checked. */
export async function askJson<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<T> {
  return JSON.parse(await ask(method, path, body)) as T;
}

function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error: { message: string } };
    return error.message;
  } catch {
    return 'The response of the sandbox is unreadable.';
  }
}
