import type { Deviation } from '../../sandbox/recording/deviations.ts';
import type { View } from '../../terminal/streams.ts';
import { wrapWords } from '../../terminal/width.ts';
import { joined, shown, visible } from '../../text.ts';
import { clockTime } from '../../time.ts';
import { httpStatusColour } from './requests.ts';

/** One call of `sandbox record`, keys in the order of docs/command-line.md#the-sandbox. */
export interface RecordedCall {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly method: string;
  /** Null for a path that is no endpoint's. */
  readonly endpoint: string | null;
  /** Null where no answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Why nothing was sent; null where it was. */
  readonly refused: string | null;
  /** Why no whole answer came; null where one did. */
  readonly lost: string | null;
  /** What the OpenAPI document does not know of the answer. */
  readonly deviations: readonly Deviation[];
}

/** A call on one line; on a screen what is odd about it stands below, a line each. */
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
    ...(refused === null ? [] : [`not passed on: ${refused}`]),
    ...(lost === null ? [] : [`lost: ${lost}`]),
    ...deviations.map(({ words }) => words),
  ];
}
