import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Partner } from '../../state/partners.ts';
import { ask } from './api.ts';
import { button, code, facts, field, type View } from './dom.ts';

/** The view of the partners. */
export function partnersView(): View {
  return {
    title: 'Partners',
    load: async () => {
      const state = await ask('GET', '/partners');
      const cards = () => repeat(JSON.parse(state) as readonly Partner[], ({ name }) => name, card);
      return { state, render: () => html`<div>${cards()} ${form()}</div>` };
    },
    actions: {
      'add-partner': async (_value, { name = '' }) => {
        await ask('POST', '/partners', { name });
        return `Partner ${name} was added.`;
      },
      'remove-partner': async (name) => {
        await ask('DELETE', `/partners/${encodeURIComponent(name)}`);
        return `Partner ${name} was removed; its key pair is refused from now on.`;
      },
    },
  };
}

function card({ name, publicKey, secret }: Partner): TemplateResult {
  return html`<section class="card" aria-label="Partner ${name}">
    <h2>${name}</h2>
    ${facts([
      ['Public key', code(publicKey)],
      ['Secret', code(secret)],
    ])}
    <div class="buttons">${name === 'default' ? nothing : button('Remove', 'remove-partner', name)}</div>
  </section>`;
}

function form(): TemplateResult {
  const name = field('Name', 'name', {
    isRequired: true,
    pattern: '[\\w.\\-]{1,64}',
    title: 'Letters, digits, dots, hyphens, underscores',
  });
  return html`<form class="card" data-do="add-partner">
    <h2>Add a partner</h2>
    ${name}<button class="main">Add the partner</button>
  </form>`;
}
