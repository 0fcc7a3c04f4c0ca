import type { OpenOrder, OrderJson } from './api.ts';
import { ask, askJson } from './api.ts';
import type { Child, View } from './dom.ts';
import { badge, button, h, time } from './dom.ts';
import { orderPanel } from './order.ts';

/** Orders that are shown, the newest first. */
const MAX_SHOWN = 100;

/** The view of the orders. `tell` is given what happened to them. */
export function ordersView(tell: (news: string) => void): View {
  let open: string | null = null;
  let last = '';
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
    if (news.length > 0) tell(news.slice(0, 3).join('. '));
  };

  return {
    title: 'Orders',
    load: async (isOpened) => {
      const list = await ask('GET', `/orders?limit=${MAX_SHOWN}`);
      const detail = open === null ? '' : await ask('GET', `/orders/${open}`).catch(() => '');
      // Time passes in the choices of an order, which are not shown.
      const state = `${list} ${open} ${detail.replace(/"windowLeft":\d+/, '')}`;
      if (state === last && !isOpened) return null;
      last = state;
      const orders = JSON.parse(list) as readonly OrderJson[];
      changes(orders);
      const chosen = detail === '' ? null : (JSON.parse(detail) as OpenOrder);
      return h(
        'div',
        { class: chosen === null ? 'orders' : 'orders with-order', 'data-key': 'orders' },
        h('section', { 'data-key': 'list', 'aria-label': 'Orders' }, orderTable(orders, open)),
        chosen === null ? null : orderPanel(chosen),
      );
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
      'No orders yet. Make one with ',
      h('code', {}, 'swapctl create --sandbox'),
      ' or with your own client.',
    );
  const titles = ['Order', 'Status', 'Deposit', 'Receive'].map((title) => h('th', { scope: 'col' }, title));
  const wide = ['Partner', 'Created'].map((title) => h('th', { scope: 'col', class: 'wide' }, title));
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, titles, wide)),
    h(
      'tbody',
      {},
      orders.map((order) => orderRow(order, order.order === open)),
    ),
  );
}

function orderRow(
  { order, status, deposit, receive, partner, createdAt }: OrderJson,
  isOpen: boolean,
): HTMLElement {
  return h(
    'tr',
    { 'data-key': order, class: isOpen ? 'open' : null },
    h(
      'th',
      { scope: 'row' },
      button(order, 'open-order', order, { class: 'link', 'aria-expanded': String(isOpen) }),
    ),
    h('td', {}, badge(status)),
    h('td', {}, `${deposit.amount ?? '?'} ${deposit.coin}`),
    h('td', {}, `${receive.amount ?? '?'} ${receive.coin}`),
    h('td', { class: 'wide' }, partner ?? 'removed'),
    h('td', { class: 'wide' }, time(createdAt)),
  );
}
