import { ask, askJson, type OpenOrder, type OrderJson } from './api.ts';
import { badge, button, type Child, code, h, table, time, type View } from './dom.ts';
import { orderPanel } from './order.ts';

/** Orders that are shown, the newest first. */
const MAX_SHOWN = 100;

/** The view of the orders. `announce` is called with changes. */
export function ordersView(announce: (news: string) => void): View {
  let open: string | null = null;
  let known = new Map<string, string>();

  const changes = (orders: readonly OrderJson[]): void => {
    const now = new Map(orders.map(({ order, status }) => [order, status]));
    const news = orders.flatMap(({ order, status }) => {
      const before = known.get(order);
      return before === status || known.size === 0
        ? []
        : [before === undefined ? `New order ${order}` : `${order}: ${status}`];
    });
    known = now;
    if (news.length > 0) announce(news.slice(0, 3).join('. '));
  };

  return {
    title: 'Orders',
    load: async () => {
      const list = await ask('GET', `/orders?limit=${MAX_SHOWN}`);
      const detail = open === null ? '' : await ask('GET', `/orders/${open}`).catch(() => '');
      // The time left is part of an order's choices, but not shown.
      const state = `${list} ${open} ${detail.replace(/"windowLeft":\d+/, '')}`;
      const render = () => {
        const orders = JSON.parse(list) as readonly OrderJson[];
        changes(orders);
        const chosen = detail === '' ? null : (JSON.parse(detail) as OpenOrder);
        return h(
          'div',
          { class: chosen === null ? 'orders' : 'orders with-order', 'data-key': 'orders' },
          h('section', { 'data-key': 'list', 'aria-label': 'Orders' }, orderTable(orders, open)),
          chosen === null ? null : orderPanel(chosen),
        );
      };
      return { state, render };
    },
    actions: {
      'open-order': async (order) => {
        open = open === order ? null : order;
        return null;
      },
      'close-order': async () => {
        open = null;
        return null;
      },
      deposit: async (order, { amount = '' }) => {
        await askJson('POST', `/orders/${order}/deposit`, amount === '' ? {} : { amount });
        return `The deposit of ${order} arrived.`;
      },
      'deposit-of': async (value) => {
        const [order = '', amount = ''] = value.split(' ');
        await askJson('POST', `/orders/${order}/deposit`, { amount });
        return `A deposit of ${amount} for ${order} arrived.`;
      },
      'deposit-late': async (order) => {
        await askJson('POST', `/orders/${order}/late-deposit`);
        return `The time for ${order} passed, then its deposit arrived.`;
      },
      move: async (value) => {
        const [order = '', verb = ''] = value.split(' ');
        await askJson('POST', `/orders/${order}/move`, { verb });
        return `${order}: ${verb} done.`;
      },
    },
  };
}

function orderTable(orders: readonly OrderJson[], open: string | null): Child {
  if (orders.length === 0)
    return h(
      'p',
      { class: 'empty' },
      'No orders yet. Create one with ',
      code('swapctl create --sandbox'),
      ' or with your own client.',
    );
  const wide = ['Partner', 'Created'].map((title) => h('th', { scope: 'col', class: 'wide' }, title));
  return table(
    ['Order', 'Status', 'Deposit', 'Receive', ...wide],
    orders.map((order) => orderRow(order, order.order === open)),
  );
}

function orderRow(
  { order, status, deposit, receive, partner, createdAt }: OrderJson,
  isOpen: boolean,
): HTMLElement {
  const opener = button(order, 'open-order', order, { class: 'link', 'aria-expanded': String(isOpen) });
  return h(
    'tr',
    { 'data-key': order, class: isOpen ? 'open' : null },
    h('th', { scope: 'row' }, opener),
    h('td', {}, badge(status)),
    h('td', {}, `${deposit.amount ?? '?'} ${deposit.coin}`),
    h('td', {}, `${receive.amount ?? '?'} ${receive.coin}`),
    h('td', { class: 'wide' }, partner ?? 'removed'),
    h('td', { class: 'wide' }, time(createdAt)),
  );
}
