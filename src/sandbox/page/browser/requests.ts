import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { ask, type RequestJson } from './api.ts';
import { type Child, endpointChoice, select, time, type View } from './dom.ts';

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
      return { state, render: () => html`<div>${filterForm()} ${list()}</div>` };
    },
    actions: {
      filter: async (_value, { status = '', endpoint = '' }) => {
        const parts = Object.entries({ status, endpoint }).filter(([, value]) => value !== '');
        filter = parts.map(([name, value]) => `&${name}=${value}`).join('');
        return null;
      },
    },
  };
}

function filterForm(): TemplateResult {
  const statuses = select('Status', 'status', [
    ['', 'any'],
    ['2xx', '2xx'],
    ['4xx', '4xx'],
    ['5xx', '5xx'],
  ]);
  return html`<form class="filter" data-do="filter" data-on-change>
    ${statuses} ${endpointChoice('any')}
  </form>`;
}

function requestList(requests: readonly RequestJson[]): Child {
  if (requests.length === 0) return html`<p class="empty">No requests yet, or none of that kind.</p>`;
  return html`<ol class="requests">${repeat(requests, ({ id }) => id, requestItem)}</ol>`;
}

function requestItem(request: RequestJson): TemplateResult {
  const { at, method, path, query, status, ms, partner, fault, body, answer } = request;
  const outcome = status === null ? 'cut' : String(status);
  const kind = status === null ? 'none' : `of${outcome.slice(0, 1)}`;
  const about = ` ${partner ?? 'no partner'}, ${ms} ms${fault === null ? '' : `, fault ${fault}`}`;
  return html`<li>
    <details>
      <summary><span class="code ${kind}">${outcome}</span><span class="target"><b>${method}</b> ${path}</span><span class="small">${time(at)}${about}</span></summary>
      ${text('Query', query === '' ? null : query.split('&').join('\n&'))} ${text('Body', body)}
      ${text('Answer', answer)}
    </details>
  </li>`;
}

function text(title: string, value: string | null = null): Child {
  return value === null
    ? nothing
    : html`<h3>${title}</h3><pre tabindex="0" aria-label=${title}>${value}</pre>`;
}
