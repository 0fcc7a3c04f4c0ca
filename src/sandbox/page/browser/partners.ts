import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { ask, askJson, type PartnerJson } from './api.ts';
import { button, code, facts, field, type View } from './dom.ts';

/** The view of the partners. A secret is read when it is shown, and forgotten when it is hidden. */
export function partnersView(): View {
  const secrets = new Map<string, string>();
  return {
    title: 'Partners',
    load: async () => {
      const text = await ask('GET', '/partners');
      const cards = () =>
        repeat(
          JSON.parse(text) as readonly PartnerJson[],
          ({ name }) => name,
          (partner) => card(partner, secrets.get(partner.name) ?? null),
        );
      const state = `${text} ${[...secrets.keys()].join(' ')}`;
      return { state, render: () => html`<div>${cards()} ${form()}</div>` };
    },
    actions: {
      'add-partner': async (_value, { name = '' }) => {
        await ask('POST', '/partners', { name });
        return `Partner ${name} was added.`;
      },
      'remove-partner': async (name) => {
        await ask('DELETE', `/partners/${encodeURIComponent(name)}`);
        secrets.delete(name);
        return `Partner ${name} was removed; its key pair is refused from now on.`;
      },
      'show-secret': async (name) => {
        const { secret } = await askJson<{ secret: string }>(
          'GET',
          `/partners/${encodeURIComponent(name)}/secret`,
        );
        secrets.set(name, secret);
        return null;
      },
      'hide-secret': async (name) => {
        secrets.delete(name);
        return null;
      },
    },
  };
}

function card({ name, publicKey }: PartnerJson, secret: string | null): TemplateResult {
  const toggle =
    secret === null ? button('Show secret', 'show-secret', name) : button('Hide secret', 'hide-secret', name);
  return html`<section class="card" aria-label="Partner ${name}">
    <h2>${name}</h2>
    ${facts([
      ['Public key', code(publicKey)],
      ['Secret', secret === null ? 'not shown' : code(secret)],
    ])}
    <div class="buttons">${toggle} ${name === 'default' ? nothing : button('Remove', 'remove-partner', name)}</div>
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
