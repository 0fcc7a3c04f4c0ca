import { ask, askJson, type PartnerJson } from './api.ts';
import { button, code, div, facts, field, h, type View } from './dom.ts';

/** The view of the partners. A secret is read when it is shown, and forgotten when it is hidden. */
export function partnersView(): View {
  const secrets = new Map<string, string>();
  return {
    title: 'Partners',
    load: async () => {
      const text = await ask('GET', '/partners');
      const cards = () =>
        (JSON.parse(text) as readonly PartnerJson[]).map((partner) =>
          card(partner, secrets.get(partner.name) ?? null),
        );
      const state = `${text} ${[...secrets.keys()].join(' ')}`;
      return { state, render: () => h('div', { 'data-key': 'partners' }, cards(), form()) };
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

function card({ name, publicKey }: PartnerJson, secret: string | null): HTMLElement {
  return h(
    'section',
    { class: 'card', 'data-key': `partner-${name}`, 'aria-label': `Partner ${name}` },
    h('h2', {}, name),
    facts([
      ['Public key', code(publicKey)],
      ['Secret', code(secret) ?? 'not shown'],
    ]),
    div(
      'buttons',
      secret === null
        ? button('Show secret', 'show-secret', name, { 'data-key': 'secret' })
        : button('Hide secret', 'hide-secret', name, { 'data-key': 'secret' }),
      name === 'default' ? null : button('Remove', 'remove-partner', name, { 'data-key': 'remove' }),
    ),
  );
}

function form(): HTMLElement {
  return h(
    'form',
    { class: 'card', 'data-do': 'add-partner', 'data-key': 'form' },
    h('h2', {}, 'Add a partner'),
    field('Name', 'name', {
      required: true,
      pattern: '[\\w.\\-]{1,64}',
      title: 'Letters, digits, dots, hyphens, underscores',
    }),
    h('button', { class: 'main' }, 'Add the partner'),
  );
}
