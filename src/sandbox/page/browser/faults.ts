import { ask, askJson, type FaultJson } from './api.ts';
import {
  box,
  button,
  type Child,
  choice,
  div,
  endpointChoice,
  field,
  h,
  labelled,
  table,
  type View,
} from './dom.ts';

const NUMBERS = ['status', 'delay', 'truncate', 'drip', 'hugeBody', 'nth', 'times', 'probability'];

export function faultsView(): View {
  return {
    title: 'Faults',
    load: async () => {
      const state = await ask('GET', '/faults');
      const faults = () => faultTable(JSON.parse(state) as readonly FaultJson[]);
      return { state, render: () => h('div', { 'data-key': 'faults' }, faults(), faultForm()) };
    },
    actions: {
      'add-fault': async (_value, fields) => {
        const { id } = await askJson<FaultJson>('POST', '/faults', ruleOf(fields));
        return `Fault ${id} is now active.`;
      },
      'clear-fault': async (id) => {
        await ask('DELETE', `/faults/${id}`);
        return `Fault ${id} was removed.`;
      },
      'clear-faults': async () => {
        await ask('DELETE', '/faults');
        return 'All faults were removed.';
      },
    },
  };
}

function ruleOf(fields: Readonly<Record<string, string>>): object {
  const given = Object.entries(fields).filter(([, value]) => value !== '');
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (name === 'reset') return [name, true];
      return [name, NUMBERS.includes(name) ? JSON.parse(value) : value];
    }),
  );
}

function faultTable(faults: readonly FaultJson[]): Child {
  if (faults.length === 0)
    return h('p', { class: 'empty', 'data-key': 'none' }, 'No faults: requests are handled normally.');
  const rows = table(['Id', 'Endpoint', 'Fault', 'Seen', 'Fired', ''], faults.map(faultRow));
  return h('div', { 'data-key': 'table' }, rows, button('Remove all', 'clear-faults'));
}

function faultRow({ id, rule, seen, fired }: FaultJson): HTMLElement {
  const { endpoint = 'all', ...rest } = rule;
  const words = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
  return h(
    'tr',
    { 'data-key': String(id) },
    h('th', { scope: 'row' }, String(id)),
    h('td', {}, endpoint),
    h('td', { class: 'text' }, words.join(', ')),
    h('td', {}, String(seen)),
    h('td', {}, String(fired)),
    h('td', {}, button('Remove', 'clear-fault', String(id), { 'aria-label': `Remove fault ${id}` })),
  );
}

function faultForm(): HTMLElement {
  const whole = { inputmode: 'numeric', pattern: '0|[1-9][0-9]*' };
  return h(
    'form',
    { class: 'card', 'data-do': 'add-fault', 'data-key': 'form' },
    h('h2', {}, 'Add a fault'),
    div(
      'fields',
      endpointChoice('all'),
      field('Respond with status', 'status', { ...whole, placeholder: '500' }),
      field('Delay (ms)', 'delay', whole),
      choice('Cut the connection', 'drop', [
        ['', 'no'],
        ['before', 'before it is handled'],
        ['after', 'after it took effect'],
      ]),
      field('Times', 'times', whole),
      field('Probability, 0 to 1', 'probability', { inputmode: 'decimal', pattern: '[01]|0[.][0-9]+' }),
    ),
    h(
      'details',
      {},
      h('summary', {}, 'More'),
      div(
        'fields',
        field('Only for partner', 'partner'),
        field('Starting with the n-th request', 'nth', whole),
        field('Send this many bytes, then cut', 'truncate', whole),
        field('Pause after each byte (ms)', 'drip', whole),
        field('Content type', 'contentType'),
        field('Redirect to', 'redirect'),
        field('Bytes of white space', 'hugeBody', whole),
        box('Cut with a TCP reset', 'reset', 'yes'),
        labelled('Respond with this body', h('textarea', { name: 'body', rows: 3 }), ' long'),
      ),
    ),
    h('button', { class: 'main' }, 'Add the fault'),
  );
}
