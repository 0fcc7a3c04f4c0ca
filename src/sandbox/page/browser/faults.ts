import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { ActiveFault } from '../../faults/rule.ts';
import { ask, askJson } from './api.ts';
import { button, type Child, endpointChoice, field, labelled, select, type View } from './dom.ts';

const NUMBERS = ['status', 'delay', 'truncate', 'nth', 'times', 'probability'];

export function faultsView(): View {
  return {
    title: 'Faults',
    load: async () => {
      const state = await ask('GET', '/faults');
      const faults = () => faultTable(JSON.parse(state) as readonly ActiveFault[]);
      return { state, render: () => html`<div>${faults()} ${faultForm()}</div>` };
    },
    actions: {
      'add-fault': async (_value, fields) => {
        const { id } = await askJson<ActiveFault>('POST', '/faults', ruleOf(fields));
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
    given.map(([name, value]) => [name, NUMBERS.includes(name) ? JSON.parse(value) : value]),
  );
}

function faultTable(faults: readonly ActiveFault[]): Child {
  if (faults.length === 0) return html`<p class="empty">No faults: requests are handled normally.</p>`;
  const titles = ['Id', 'Endpoint', 'Fault', 'Seen', 'Fired'].map(
    (title) => html`<th scope="col">${title}</th>`,
  );
  return html`<div>
    <table>
      <thead><tr>${titles}<td></td></tr></thead>
      <tbody>${repeat(faults, ({ id }) => id, faultRow)}</tbody>
    </table>
    ${button('Remove all', 'clear-faults')}
  </div>`;
}

function faultRow({ id, rule, seen, fired }: ActiveFault): TemplateResult {
  const { endpoint = 'all', ...rest } = rule;
  const words = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
  return html`<tr>
    <th scope="row">${String(id)}</th>
    <td>${endpoint}</td>
    <td class="text">${words.join(', ')}</td>
    <td>${String(seen)}</td>
    <td>${String(fired)}</td>
    <td>${button('Remove', 'clear-fault', String(id), { name: `Remove fault ${id}` })}</td>
  </tr>`;
}

/** A whole number. */
const WHOLE = { inputMode: 'numeric', pattern: '0|[1-9][0-9]*' } as const;

function faultForm(): TemplateResult {
  const cut = select('Cut the connection', 'drop', [
    ['', 'no'],
    ['before', 'before it is handled'],
    ['after', 'after it took effect'],
  ]);
  return html`<form class="card" data-do="add-fault">
    <h2>Add a fault</h2>
    <div class="fields">
      ${endpointChoice('all')} ${field('Respond with status', 'status', { ...WHOLE, placeholder: '500' })}
      ${field('Delay (ms)', 'delay', WHOLE)} ${cut} ${field('Times', 'times', WHOLE)}
      ${field('Probability, 0 to 1', 'probability', { inputMode: 'decimal', pattern: '[01]|0[.][0-9]+' })}
    </div>
    <details>
      <summary>More</summary>
      <div class="fields">
        ${field('Only for partner', 'partner')} ${field('Starting with the n-th request', 'nth', WHOLE)}
        ${field('Send this many bytes, then cut', 'truncate', WHOLE)}
        ${labelled('Respond with this body', html`<textarea name="body" rows="3"></textarea>`, 'long')}
      </div>
    </details>
    <button class="main">Add the fault</button>
  </form>`;
}
