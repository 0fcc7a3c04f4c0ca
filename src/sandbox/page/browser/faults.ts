import type { FaultJson } from './api.ts';
import { ask, askJson } from './api.ts';
import type { Child, View } from './dom.ts';
import { button, choice, ENDPOINTS, field, h } from './dom.ts';

const NUMBERS = ['status', 'delay', 'truncate', 'drip', 'hugeBody', 'nth', 'times', 'probability'];

/** The view of the faults. */
export function faultsView(): View {
  let last = '';
  return {
    title: 'Faults',
    load: async (isOpened) => {
      const text = await ask('GET', '/faults');
      if (text === last && !isOpened) return null;
      last = text;
      return h(
        'div',
        { 'data-key': 'faults' },
        faultTable(JSON.parse(text) as readonly FaultJson[]),
        faultForm(),
      );
    },
    actions: {
      'add-fault': async (_value, fields) => {
        const { id } = await askJson<FaultJson>('POST', '/faults', ruleOf(fields));
        return `Fault ${id} is now active.`;
      },
      'clear-fault': async (id) => {
        await ask('DELETE', `/faults/${id}`);
        return `Fault ${id} is gone.`;
      },
      'clear-faults': async () => {
        await ask('DELETE', '/faults');
        return 'All faults are gone.';
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
    return h(
      'p',
      { class: 'empty', 'data-key': 'none' },
      'No faults: every request is answered as it should be.',
    );
  const titles = ['Id', 'Endpoint', 'What', 'Seen', 'Fired', ''];
  return h(
    'div',
    { 'data-key': 'table' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          titles.map((title) => (title === '' ? h('td') : h('th', { scope: 'col' }, title))),
        ),
      ),
      h('tbody', {}, faults.map(faultRow)),
    ),
    button('Remove all', 'clear-faults'),
  );
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
    h(
      'div',
      { class: 'fields' },
      choice('Endpoint', 'endpoint', [['', 'all'], ...ENDPOINTS.map((name) => [name, name] as const)]),
      field('Answer with status', 'status', { ...whole, placeholder: '500' }),
      field('Wait first, milliseconds', 'delay', whole),
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
      h(
        'div',
        { class: 'fields' },
        field('Only of partner', 'partner'),
        field('From the n-th request on', 'nth', whole),
        field('Send this many bytes, then cut', 'truncate', whole),
        field('Pause after each byte, milliseconds', 'drip', whole),
        field('Content type', 'contentType'),
        field('Redirect to', 'redirect'),
        field('Bytes of white space', 'hugeBody', whole),
        h(
          'label',
          { class: 'field check' },
          h('input', { type: 'checkbox', name: 'reset', value: 'yes' }),
          h('span', {}, 'Cut with a TCP reset'),
        ),
        h(
          'label',
          { class: 'field long' },
          h('span', {}, 'Answer with this body'),
          h('textarea', { name: 'body', rows: 3 }),
        ),
      ),
    ),
    h('button', { class: 'main' }, 'Add the fault'),
  );
}
