import type { LoggedRequest } from '../../sandbox/requests/request.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { rfc3339 } from '../../terminal/time.ts';
import type { Visible } from '../../text.ts';
import { joined, shown, visible } from '../../text.ts';

/** Requests that clients sent, a row each; with `body`, what they and the answers held. */
export function requestsView(requests: readonly LoggedRequest[], body: boolean): View {
  const results = requests.map((request) => requestResult(request, body));
  return {
    json: () => results,
    rows: () =>
      requests.map(({ at, partner, method, path, query, status, ms, fault, ...rest }) => [
        ...[rfc3339(at), partner, method, path, query, status, ms, fault],
        ...(body ? [rest.body, rest.answer] : []),
      ]),
    screen: (style) => joined(requests.map((request) => requestLines(request, body, style))),
  };
}

/** A request as `--json` prints it; times are RFC 3339. */
export function requestResult({ at, body, answer, ...rest }: LoggedRequest, withBody: boolean) {
  const { id, ...others } = rest;
  return { id, at: rfc3339(at), ...others, ...(withBody ? { body, answer } : {}) };
}

function requestLines(request: LoggedRequest, body: boolean, style: Style): Visible {
  const { at, partner, method, path, query, status, ms, fault } = request;
  const target = query === '' ? path : `${path}?${query}`;
  const facts = [`${ms} ms`, ...(fault === null ? [] : [`fault ${fault}`])].join(', ');
  const outcome = httpStatusColour(style, status)(visible(status === null ? 'cut' : String(status)));
  const line = shown`${style.dim(visible(rfc3339(at)))} ${style.bold(visible(partner ?? '-'))} ${visible(method)} ${visible(target)} ${outcome} ${style.dim(visible(facts))}\n`;
  if (!body) return line;
  const text = (mark: Visible, value: string | null) =>
    value === null ? shown`` : shown`  ${style.dim(mark)} ${visible(value)}\n`;
  return shown`${line}${text(shown`>`, request.body)}${text(shown`<`, request.answer)}`;
}

/** The colour of a status of HTTP: green for a success, red for a fault of the service or none. */
export function httpStatusColour(style: Style, status: number | null): (text: Visible) => Visible {
  if (status === null || status >= 500) return style.red;
  return status >= 400 ? style.yellow : style.green;
}
