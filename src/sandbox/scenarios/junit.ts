import type { ScenarioRun, StepResult } from './run.ts';

/**
 * A run as JUnit XML, in the form that CI servers read: a suite per file, a case per step. Times are those of the
 * service, so the same run gives the same bytes.
 */
export function junitXml(name: string, { steps }: ScenarioRun): string {
  const count = (state: StepResult['state']) => steps.filter((step) => step.state === state).length;
  const facts =
    `tests="${steps.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" ` +
    `time="${seconds(steps.reduce((sum, { duration }) => sum + duration, 0))}"`;
  const began = steps[0]?.at;
  const timestamp = began === undefined || began === null ? '' : ` timestamp="${began.slice(0, 19)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="swapctl sandbox run" ${facts}>`,
    `  <testsuite name="${escaped(name)}" ${facts}${timestamp}>`,
    ...steps.map((step) => testCase(name, step)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: string, { step, kind, as, state, duration, message }: StepResult): string {
  const title = escaped(`${step} ${kind}${as === null ? '' : ` ${as}`}`);
  const head = `    <testcase classname="${escaped(suite)}" name="${title}" time="${seconds(duration)}"`;
  if (state === 'passed') return `${head}/>`;
  if (state === 'skipped') return `${head}><skipped/></testcase>`;
  const words = escaped(message ?? '');
  return `${head}><failure type="differs" message="${words}">${words}</failure></testcase>`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Characters that XML 1.0 cannot hold at all, not even escaped. */
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

function escaped(text: string): string {
  return text.replaceAll(NO_XML, '\uFFFD').replaceAll(/[&<>"\n\r\t]/g, (found) => ENTITIES[found] ?? found);
}
