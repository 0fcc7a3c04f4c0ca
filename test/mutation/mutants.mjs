// Finds the places of a source file where one small mistake could be, and writes a file with several of them behind a
// switch: `__mutant(7)` is true while mutant 7 is on.

import { parseSync } from 'rolldown/utils';

const NEIGHBOURS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '-': '+',
  '*': '/',
};

/** Parts of a query whose loss gives other rows, or the same ones in another order. */
const QUERY_PARTS = new Set(['where', 'orderBy', 'limit', 'set']);

/** Fields of nodes that hold types, or texts that are no expressions. */
const SKIPPED = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
]);

/**
 * The mutants of a source text: where each is, what it says there, and `kind` for people. `statement` ones are left out
 * as a whole.
 */
export function mutantsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const found = [];
  walk(program, null, true, (node, parent, atLoad) => {
    const { start, end } = node;
    for (const [kind, to] of changesOf(node, parent, text))
      found.push({ file, kind, start, end, to, line: lineOf(text, start), atLoad });
  });
  return found;
}

/** Visits each node with its parent, and with whether it is outside all functions: evaluated as the file is loaded. */
function walk(node, parent, atLoad, visit) {
  if (node.type.startsWith('TS') && !/^TS(AsExpression|NonNull|Satisfies)/.test(node.type)) return;
  if (/^(Import|Export(All|Named\b))/.test(node.type) && node.declaration == null) return;
  visit(node, parent, atLoad);
  const inside = atLoad && !/Function/.test(node.type);
  for (const [name, value] of Object.entries(node)) {
    if (SKIPPED.has(name)) continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && typeof child.type === 'string')
        walk(child, node, inside, visit);
  }
}

/** Pairs of a kind and the text that takes the place of a node; null leaves a statement out. */
function changesOf(node, parent, text) {
  const source = ({ start, end }) => text.slice(start, end);
  switch (node.type) {
    case 'BinaryExpression': {
      const other = NEIGHBOURS[node.operator];
      if (other === undefined) return [];
      return [[`${node.operator} → ${other}`, `${source(node.left)} ${other} ${source(node.right)}`]];
    }
    case 'LogicalExpression':
      return [
        [`left of ${node.operator}`, source(node.left)],
        ...(node.operator === '??' ? [] : [[`right of ${node.operator}`, source(node.right)]]),
      ];
    case 'UnaryExpression':
      return node.operator === '!' ? [['! dropped', source(node.argument)]] : [];
    case 'ConditionalExpression':
      return [
        ['always the first', source(node.consequent)],
        ['always the second', source(node.alternate)],
      ];
    case 'AwaitExpression':
      return [['await dropped', source(node.argument)]];
    case 'Literal':
      return literalChanges(node, parent);
    case 'CallExpression':
      return node.callee.type === 'MemberExpression' &&
        QUERY_PARTS.has(node.callee.property.name) &&
        !node.callee.optional
        ? [[`.${node.callee.property.name}() dropped`, source(node.callee.object)]]
        : [];
    case 'ExpressionStatement':
      return node.directive === undefined && /Call|Await|Assignment|Update/.test(node.expression.type)
        ? [['statement dropped', null]]
        : [];
    default:
      return [];
  }
}

function literalChanges(node, parent) {
  const isKey = parent !== null && parent.key === node && !parent.computed;
  if (isKey || parent?.type === 'ExpressionStatement') return [];
  if (typeof node.value === 'boolean') return [[`${node.value} → ${!node.value}`, String(!node.value)]];
  if (typeof node.value === 'number') return [[`${node.value} → ${node.value + 1}`, String(node.value + 1)]];
  return [];
}

function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** The text with the mutants behind their switches; `from` is where the switch is imported from. */
export function withSwitches(text, mutants, from) {
  return `import { mutant as __mutant } from '${from}';\n${rewritten(text, 0, text.length, mutants)}`;
}

/** A part of the text; of the mutants in it the outermost are written, and within them the others. */
function rewritten(text, start, end, mutants) {
  const inside = mutants.filter((one) => one.start >= start && one.end <= end);
  const [first] = inside.toSorted((a, b) => a.start - b.start || b.end - a.end);
  if (first === undefined) return text.slice(start, end);
  const here = inside.filter((one) => one.start === first.start && one.end === first.end);
  const others = inside.filter((one) => !here.includes(one));
  const within = rewritten(text, first.start, first.end, others);
  const before = text.slice(start, first.start);
  return `${before}${switched(within, here)}${rewritten(text, first.end, end, others)}`;
}

function switched(text, here) {
  const lost = here.find(({ to }) => to === null);
  if (lost !== undefined) return `if (!__mutant(${lost.id})) ${text}`;
  return here.reduce((otherwise, { id, to }) => `(__mutant(${id}) ? ${to} : ${otherwise})`, `(${text})`);
}

/** Prints a table by folder, and every mutant that no test detected; gives the percentage that tests did. */
export function report(ends, print) {
  const folderOf = ({ file }) => file.split('/').slice(0, 3).join('/');
  print('\n| where | mutants | killed | share |\n|---|---|---|---|');
  const line = (name, some) => {
    const killed = some.filter(({ result }) => result === 'killed').length;
    const share = Math.round((100 * killed) / some.length);
    print(`| ${name} | ${some.length} | ${killed} | ${share} % |`);
    return share;
  };
  const folders = [...new Set(ends.map(folderOf))].sort();
  for (const folder of folders)
    line(
      folder,
      ends.filter((one) => folderOf(one) === folder),
    );
  const share = line('all', ends);
  print('');
  for (const { result, file, line: at, kind, to } of ends)
    if (result !== 'killed')
      print(`- ${file}:${at} ${kind}: ${result}; ${to?.replaceAll(/\s+/g, ' ').slice(-90) ?? 'nothing'}`);
  return share;
}
