import { ask, type RequestJson } from './api.ts';
import { box, type Child, choice, endpointChoice, h, small, time, type View } from './dom.ts';

const MAX_SHOWN = 100;

export function requestsView(): View {
  let filter = '';
  return {
    title: 'Requests',
    load: async (isOpened) => {
      // Its form is created again too.
      if (isOpened) filter = '';
      const text = await ask('GET', `/requests?limit=${MAX_SHOWN}${filter}`);
      const list = () => requestList((JSON.parse(text) as RequestJson[]).toReversed());
      const state = `${filter} ${text}`;
      return { state, render: () => h('div', { 'data-key': 'requests' }, filterForm(), list()) };
    },
    actions: {
      filter: async (_value, { status = '', endpoint = '', addresses = '' }) => {
        const parts = Object.entries({ status, endpoint, addresses }).filter(([, value]) => value !== '');
        filter = parts.map(([name, value]) => `&${name}=${value}`).join('');
        return null;
      },
    },
  };
}

function filterForm(): HTMLElement {
  return h(
    'form',
    { class: 'filter', 'data-do': 'filter', 'data-on-change': true, 'data-key': 'filter' },
    choice('Status', 'status', [
      ['', 'any'],
      ['2xx', '2xx'],
      ['4xx', '4xx'],
      ['5xx', '5xx'],
    ]),
    endpointChoice('any'),
    box('Hide addresses', 'addresses', 'hidden'),
  );
}

function requestList(requests: readonly RequestJson[]): Child {
  if (requests.length === 0)
    return h('p', { class: 'empty', 'data-key': 'none' }, 'No requests yet, or none of that kind.');
  return h('ol', { class: 'requests', 'data-key': 'list' }, requests.map(requestItem));
}

function requestItem(request: RequestJson): HTMLElement {
  const { id, at, method, path, query, status, ms, partner, fault, body, answer } = request;
  const outcome = status === null ? 'cut' : String(status);
  const kind = status === null ? 'none' : `of${outcome.slice(0, 1)}`;
  return h(
    'li',
    { 'data-key': String(id) },
    h(
      'details',
      {},
      h(
        'summary',
        {},
        h('span', { class: `code ${kind}` }, outcome),
        h('span', { class: 'target' }, h('b', {}, method), ` ${path}`),
        small(time(at), ` ${partner ?? 'no partner'}, ${ms} ms`, fault === null ? '' : `, fault ${fault}`),
      ),
      text('Query', query === '' ? null : query.split('&').join('\n&')),
      text('Body', body),
      text('Answer', answer),
    ),
  );
}

function text(title: string, value: string | null = null): Child {
  return value === null
    ? null
    : [h('h3', {}, title), h('pre', { tabindex: '0', 'aria-label': title }, value)];
}
