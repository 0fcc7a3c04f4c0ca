import { PATH_PREFIX } from '../../partner-api/endpoints.ts';
import type { LoggedRequest } from '../../sandbox/requests/request.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { blanks, displayWidth, wrapWords } from '../../terminal/width.ts';
import type { Visible } from '../../text.ts';
import { joined, shown, visible } from '../../text.ts';
import { clockTime, localTime, rfc3339 } from '../../time.ts';

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
    screen: (style, width) => joined(requests.map((request) => requestLines(request, body, style, width))),
  };
}

/** A request as `--json` prints it; times are RFC 3339. */
export function requestResult({ at, body, answer, ...rest }: LoggedRequest, withBody: boolean) {
  const { id, ...others } = rest;
  return { id, at: rfc3339(at), ...others, ...(withBody ? { body, answer } : {}) };
}

function requestLines(request: LoggedRequest, body: boolean, style: Style, width: number): Visible {
  const { at, partner, method, path, query, status, ms, fault } = request;
  const time = width < MIN_WIDTH_OF_DAYS ? clockTime(rfc3339(at)) : localTime(rfc3339(at));
  const endpoint = path.startsWith(PATH_PREFIX) ? path.slice(PATH_PREFIX.length) : path;
  const who = visible(partner ?? '-');
  const what = visible(`${method} ${endpoint}`);
  const outcome = visible(status === null ? 'cut' : String(status));
  const facts = visible([`${ms} ms`, ...(fault === null ? [] : [`fault ${fault}`])].join(', '));
  const asked = visible(query.replaceAll('&', ' '));
  const size = displayWidth([time, who, what, outcome, facts, asked].join('  '));
  const line = shown`${style.dim(visible(time))}  ${style.bold(who)}  ${what}  ${httpStatusColour(style, status)(outcome)}  ${style.dim(facts)}`;
  const indent = blanks(time.length + 2);
  const head =
    asked === '' || size <= width
      ? shown`${line}${asked === '' ? '' : shown`  ${asked}`}\n`
      : shown`${line}\n${joined(wrapWords(asked, width - indent.length).map((each) => shown`${indent}${each}\n`))}`;
  if (!body) return head;
  const text = (mark: Visible, value: string | null) =>
    value === null ? shown`` : shown`  ${style.dim(mark)} ${visible(value)}\n`;
  return shown`${head}${text(shown`>`, request.body)}${text(shown`<`, request.answer)}`;
}

/** Terminals narrower than this have no room for the day of each request. */
const MIN_WIDTH_OF_DAYS = 80;

/** The colour of a status of HTTP: green for a success, red for a fault of the service or none. */
export function httpStatusColour(style: Style, status: number | null): (text: Visible) => Visible {
  if (status === null || status >= 500) return style.red;
  return status >= 400 ? style.yellow : style.green;
}
