import { joined, shown, type Visible, visible } from '../../../../base/text.ts';
import { clockTime, localTime, rfc3339 } from '../../../../base/time.ts';
import { PATH_PREFIX } from '../../../../core/partner-api/endpoints.ts';
import { requestJson } from '../../../../sandbox/operator/json.ts';
import type { Deviation } from '../../../../sandbox/recording/deviations.ts';
import type { LoggedRequest } from '../../../../sandbox/requests/request.ts';
import type { View } from '../../../terminal/streams.ts';
import type { Style } from '../../../terminal/style.ts';
import { displayWidth, spaces, wrapWords } from '../../../terminal/width.ts';
import { cellReader } from '../../../views/columns.ts';

/** Requests of clients, a row each; with `body`, the request and response bodies. */
export function requestsView(requests: readonly LoggedRequest[], body: boolean): View {
  const results = requests.map((request) => requestJson(request, body));
  const bodies = body ? ['body', 'answer'] : [];
  const cells = cellReader(['at', 'partner', 'method', 'path', 'query', 'status', 'ms', 'fault', ...bodies]);
  return {
    json: () => results,
    rows: () => results.map(cells),
    screen: (style, width) => joined(requests.map((request) => requestLines(request, body, style, width))),
  };
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
  const indent = spaces(time.length + 2);
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

/** The colour of an HTTP status: green for a success, red for a server error or none. */
function httpStatusColour(style: Style, status: number | null): (text: Visible) => Visible {
  if (status === null || status >= 500) return style.red;
  return status >= 400 ? style.yellow : style.green;
}

/** One call of `sandbox record`, keys in the order of docs/command-line/output.md#json-of-the-sandbox. */
export interface RecordedCall {
  readonly at: string;
  readonly method: string;
  /** Null for a path that is not an endpoint. */
  readonly endpoint: string | null;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Why nothing was sent; null if it was sent. */
  readonly refused: string | null;
  /** Why the response was incomplete; null if it was complete. */
  readonly lost: string | null;
  /** What in the response the OpenAPI document does not define. */
  readonly deviations: readonly Deviation[];
}

/** A call on one line; on a screen its deviations follow, a line each. */
export function recordedView(call: RecordedCall): View {
  const { at, method, endpoint, status, milliseconds } = call;
  const odd = oddities(call);
  return {
    json: () => call,
    rows: () => [[at, method, endpoint ?? '-', status ?? '-', `${milliseconds}ms`, odd.join('; ')]],
    screen: (style, width) => {
      const time = style.dim(visible(clockTime(at)));
      const outcome = httpStatusColour(style, status)(visible(String(status ?? 'cut')));
      const words = `${method.padEnd(METHOD_WIDTH)} ${endpoint ?? 'no endpoint'}`;
      const lines = odd.flatMap((each) => wrapWords(visible(each), width - INDENT.length));
      return shown`${time}  ${visible(words)}  ${outcome}  ${style.dim(visible(`${milliseconds} ms`))}\n${joined(
        lines.map((line) => shown`${INDENT}${style.yellow(line)}\n`),
      )}`;
    },
  };
}

const METHOD_WIDTH = 5;
/** Below the endpoint. */
const INDENT = shown`                `;

function oddities({ refused, lost, deviations }: RecordedCall): readonly string[] {
  return [
    ...(refused === null ? [] : [`not forwarded: ${refused}`]),
    ...(lost === null ? [] : [`lost: ${lost}`]),
    ...deviations.map(({ words }) => words),
  ];
}
