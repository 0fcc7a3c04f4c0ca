import { counted, joined, shown, type Visible, visible } from '../../../../base/text.ts';
import {
  isJsonNumber,
  isJsonObject,
  type JsonValue,
  withPlainNumbers,
  writeJson,
} from '../../../../core/partner-api/json.ts';
import type { Difference } from '../../../../sandbox/scenarios/expect.ts';
import type { ScenarioRun, StepResult } from '../../../../sandbox/scenarios/run.ts';
import type { View } from '../../../terminal/streams.ts';
import type { Style } from '../../../terminal/style.ts';

const MARKS = { passed: '✓', failed: '✗', skipped: '-' } as const;

/**
 * The result of a scenario, a line for each step. On a screen, the error that follows gives the reason for a failure.
 */
export function scenarioView(name: string, { passed, steps }: ScenarioRun): View {
  return {
    json: () => ({ name, passed, steps: steps.map(stepJson) }),
    rows: () =>
      steps.map((step) => [
        step.step,
        step.kind,
        step.as,
        step.state,
        step.at,
        summary(step.result),
        step.message,
      ]),
    screen: (style) => {
      const lines = joined(steps.map((step) => stepLine(step, style)));
      const count = counted(steps.length, 'step');
      return passed ? shown`${lines}${style.bold(visible(name))}: ${visible(count)} passed\n` : lines;
    },
  };
}

function stepJson({ result, differences, message, ...head }: StepResult) {
  return { ...head, result: withPlainNumbers(result), differences: differences.map(differenceJson), message };
}

/** What was not as expected, as `--json` and an error show it. */
export function differenceJson({ path, expected, seen }: Difference) {
  return { path, expected: withPlainNumbers(expected), seen: withPlainNumbers(seen) };
}

function stepLine({ step, kind, as, state, result }: StepResult, style: Style): Visible {
  const paint = { passed: style.green, failed: style.red, skipped: style.dim }[state];
  const title = [String(step).padStart(3), kind.padEnd(7), as ?? '', summary(result) ?? ''];
  const words = title
    .filter((word) => word !== '')
    .join('  ')
    .trimEnd();
  return shown`${paint(visible(MARKS[state]))}${state === 'skipped' ? style.dim(visible(words)) : visible(words)}\n`;
}

/** The result of a step in a few words: an order and its status, a rate, an HTTP status, an error. */
function summary(result: JsonValue): string | null {
  if (!isJsonObject(result)) return null;
  const parts = ['order', 'code', 'rate', 'status', 'outcome'].flatMap((key) => {
    const value = result[key];
    if (typeof value === 'string') return [value];
    return value !== undefined && isJsonNumber(value) ? [writeJson(value)] : [];
  });
  return parts.length === 0 ? null : parts.join(' ');
}
