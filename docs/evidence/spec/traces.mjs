// Writes the steps of a model's traces that touch the ledger, with the entries after each, as lines for the replay.
// Usage: node docs/evidence/spec/traces.mjs <folder of *.itf.json> > test/core/ledger/create.traces.txt

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const MAX_TRACES = 80;
const TOUCHING = ['claim', 'record', 'dismiss'];

const [folder = '.'] = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.itf.json'))
  .sort();

const traces = new Set(files.map((name) => traceOf(JSON.parse(readFileSync(join(folder, name), 'utf8')))));
traces.delete('');
process.stdout.write(`${covering([...traces], MAX_TRACES).join('\n\n')}\n`);

/** `max` of the traces that together have the most different steps, and pairs of steps, each from the same entries. */
function covering(texts, max) {
  const left = texts.map((text) => ({ text, runs: runsOf(text) }));
  const taken = new Set();
  const gain = ({ runs }) => [...runs].filter((run) => !taken.has(run)).length;
  const best = () => left.reduce((one, other) => (gain(other) > gain(one) ? other : one));
  return Array.from({ length: Math.min(max, texts.length) }, () => {
    const [{ text, runs }] = left.splice(left.indexOf(best()), 1);
    for (const run of runs) taken.add(run);
    return text;
  });
}

/** Each step, and each two in a row, with the entries before. */
function runsOf(text) {
  const steps = text
    .split('\n')
    .map((line, at, lines) => `${lines[at - 1]?.split(' => ')[1] ?? ''} | ${line}`);
  return new Set(steps.flatMap((step, at) => (at === 0 ? [step] : [step, `${steps[at - 1]}\n${step}`])));
}

function traceOf({ states }) {
  const steps = states.flatMap((state, index) => {
    const { name, by, result } = state.step_;
    return TOUCHING.includes(name) ? [{ name, by, result, state, before: states[index - 1] }] : [];
  });
  return steps
    .map((step) => `${words(step).join(' ')} => ${step.state.entries.map(entryText).join(' ')}`)
    .join('\n');
}

function words({ name, by, result, state, before }) {
  if (name === 'dismiss') {
    const changed = state.entries.findIndex((entry, at) => entry.outcome !== before.entries[at].outcome);
    return ['-', name, changed];
  }
  if (name !== 'record') return [by, name, result];
  const { entry, order } = new Map(before.processes['#map']).get(by);
  return [by, name, result, number(entry), number(order)];
}

/** `created#2*` is an entry with order 2 that has the key. */
function entryText({ outcome, hasKey, order }) {
  const orderText = number(order) === '0' ? '' : `#${number(order)}`;
  return `${outcome}${orderText}${hasKey ? '*' : ''}`;
}

function number(value) {
  return value['#bigint'];
}
