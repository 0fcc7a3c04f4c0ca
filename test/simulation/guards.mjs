// Switches off, one by one, every condition that throws and every call that checks something, wherever money is decided,
// and prints those without which no invariant fails.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { bundleSimulation } from './bundle.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
/** Files whose guards are tried. */
const GUARDED =
  /^src\/(core\/(swap|swaps|ledger|client)|cli\/commands\/(create|batch|refund|api|mcp|policy|history|shared)|library)\//;
/** Names of functions that throw unless something holds. */
const CHECKS = /^(check|refuse|require)/;
/** Seeds in which each guard is looked for, and with which each that refuses something there is tried. */
const [SEEDS, TRIED] = [300, 15];
/** Far more than the seeds of a trial take: a program without a guard may never end. */
const TRIAL_LIMIT_MS = 180_000;

function throws(statement) {
  if (statement.type === 'BlockStatement') return statement.body.length > 0 && throws(statement.body.at(-1));
  return statement.type === 'ThrowStatement';
}

/** Where a statement guards something, and what of it is replaced; null for another statement. */
function guardIn({ type, alternate, consequent, test, expression, start, end }) {
  if (type === 'IfStatement' && alternate === null && throws(consequent))
    return { isCall: false, start: test.start, end: test.end };
  const call = expression?.type === 'AwaitExpression' ? expression.argument : expression;
  const isCheck = type === 'ExpressionStatement' && CHECKS.test(call?.callee?.name ?? '');
  return isCheck ? { isCall: true, start, end } : null;
}

/** The guards of a source text. */
function guardsOf(file, text) {
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    const guard = Array.isArray(node) ? null : guardIn(node);
    if (guard !== null)
      found.push({ ...guard, key: `${file}:${text.slice(0, guard.start).split('\n').length}` });
    for (const value of Object.values(node)) visit(value);
  };
  visit(parseSync(file, text).program);
  return found;
}

/** What is written before and after a guard: it reports whenever it refuses something, or refuses nothing. */
function around({ isCall, key }, isOff) {
  const refused = `globalThis.__refused(${JSON.stringify(key)})`;
  if (isCall)
    return isOff ? ['if (false) {', '}'] : ['{ try {', `} catch (error) { ${refused}; throw error; } }`];
  return ['(', isOff ? ') && false' : `) && ${refused}`];
}

/** A plugin that has every guard report what it refuses, except one that is off. */
function switches(off) {
  const keys = [];
  const transform = (code, id) => {
    const file = relative(ROOT, id).replaceAll('\\', '/');
    if (!GUARDED.test(file)) return null;
    const added = guardsOf(file, code).flatMap((guard) => {
      keys.push(guard.key);
      const [before, after] = around(guard, guard.key === off);
      return [
        { at: guard.start, words: before },
        { at: guard.end, words: after },
      ];
    });
    // From the end, so that no place moves before its turn.
    const last = added.sort((a, b) => b.at - a.at);
    return {
      code: last.reduce((text, { at, words }) => text.slice(0, at) + words + text.slice(at), code),
      map: null,
    };
  };
  return { keys, plugin: { name: 'guards', transform } };
}

async function load(off) {
  const { keys, plugin } = switches(off);
  const file = await bundleSimulation({ name: 'guards', plugin });
  const simulation = await import(file);
  rmSync(file);
  return { keys, simulation };
}

/** Runs seeds without a guard until an invariant fails; returns which one, or null. */
export async function withoutGuard(key, seeds) {
  globalThis.__refused = () => true;
  const { simulation } = await load(key);
  for (const seed of seeds) {
    const { violation } = await simulation.simulate(simulation.planOf(seed));
    if (violation !== null) return violation.rule;
  }
  return null;
}

/** Whether it fails, in a process of its own, which may crash or never end: both would be noticed. */
function fails(key, seeds) {
  const some = seeds.filter((_, index) => index % Math.ceil(seeds.length / TRIED) === 0);
  const args = [join('test', 'simulation', 'run.mjs'), '--guard', key, some.join(',')];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TRIAL_LIMIT_MS,
  });
  return stdout.trim() !== 'null';
}

/** Prints the guards that refuse something, and without which no invariant fails, and how many there are. */
export async function runGuards(print) {
  const seedsOf = new Map();
  let seed = 1;
  globalThis.__refused = (key) => {
    if (seedsOf.get(key)?.at(-1) !== seed) seedsOf.set(key, [...(seedsOf.get(key) ?? []), seed]);
    return true;
  };
  const { keys, simulation } = await load(null);
  for (; seed <= SEEDS; seed += 1) await simulation.simulate(simulation.planOf(seed));
  let needed = 0;
  for (const [key, seeds] of seedsOf)
    if (fails(key, seeds)) needed += 1;
    else print(`nothing fails without ${key}, which refuses something in ${seeds.length} of the seeds`);
  print(
    `${keys.length} guards: ${seedsOf.size} refuse something in seeds 1 to ${SEEDS}; without ${needed} of them an invariant fails`,
  );
}
