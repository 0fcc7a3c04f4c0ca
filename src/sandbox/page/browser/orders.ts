import { MOVES } from '../../orders/order.ts';
import { ask, askJson, type OpenOrder, type OrderJson } from './api.ts';
import { badge, button, type Child, code, div, facts, field, h, table, time, type View } from './dom.ts';

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
        return `The deposit window of ${order} ended, then its deposit arrived.`;
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

/** Words for the status codes of the API. */
const NAMES: Readonly<Record<number, string>> = {
  9: 'waiting for the deposit',
  1: 'confirmation',
  3: 'exchanging',
  12: 'paid out',
  4: 'success',
  5: 'overdue',
  6: 'error',
  10: 'pause',
  11: 'frozen',
  13: 'refund',
};

function orderPanel(order: OpenOrder): HTMLElement {
  const { order: number, status, statusCode, refundAddress, type, partner } = order;
  return h(
    'section',
    { class: 'order', 'data-key': `order-${number}`, 'aria-labelledby': 'order-title' },
    h(
      'header',
      {},
      h('h2', { id: 'order-title', tabindex: '-1' }, number, ' ', badge(status)),
      button('Close', 'close-order', number),
    ),
    depositPart(order),
    movePart(order),
    timeline(order),
    div('sides', side('Deposit', order.deposit), side('Receive', order.receive)),
    facts([
      ['Refund address', refundAddress],
      ['Rate', type],
      ['Partner', partner ?? 'removed'],
      ['Status code', String(statusCode)],
    ]),
  );
}

function depositPart({ order, status, deposit, choices }: OpenOrder): HTMLElement {
  const { exact, less, more } = choices.amounts;
  const of = (amount: string) => `${order} ${amount}`;
  const late = choices.windowLeft > 0 && status === 'new';
  return part(
    'Deposit',
    'deposit',
    div(
      'buttons',
      button(`Exact ${exact} ${deposit.coin}`, 'deposit-of', of(exact), {
        class: 'main',
        'data-key': 'exact',
      }),
      less === null ? null : button(`Less ${less}`, 'deposit-of', of(less), { 'data-key': 'less' }),
      more === null ? null : button(`More ${more}`, 'deposit-of', of(more), { 'data-key': 'more' }),
      button('Late', 'deposit-late', order, {
        'data-key': 'late',
        'aria-disabled': late ? null : 'true',
        title: 'First advances the clock past the end of its window, for all orders',
      }),
    ),
    h(
      'form',
      { 'data-do': 'deposit', 'data-value': order, 'data-key': 'own' },
      field(`Another amount in ${deposit.coin}`, 'amount', {
        inputmode: 'decimal',
        required: true,
        pattern: '[0-9]+([.][0-9]+)?',
      }),
      h('button', {}, 'Deposit'),
    ),
  );
}

function part(title: string, key: string, ...children: readonly Child[]): HTMLElement {
  return h('div', { class: 'part', 'data-key': key }, h('h3', {}, title), ...children);
}

function movePart({ order, choices }: OpenOrder): HTMLElement {
  return part(
    'Move',
    'moves',
    div(
      'buttons',
      MOVES.map((verb) =>
        button(verb, 'move', `${order} ${verb}`, {
          'data-key': verb,
          'aria-disabled': choices.moves.includes(verb) ? null : 'true',
        }),
      ),
    ),
  );
}

function timeline({ createdAt, transitions }: OpenOrder): HTMLElement {
  return part(
    'Timeline',
    'timeline',
    h(
      'ol',
      { class: 'timeline' },
      h('li', {}, time(createdAt), ' created'),
      transitions.map(({ at, to }) => h('li', {}, time(at), ` ${NAMES[to] ?? 'unknown'} (${to})`)),
    ),
  );
}

function side(
  title: string,
  { coin, network, amount, address, memo, txId, confirmations }: OpenOrder['deposit'],
): HTMLElement {
  return div(
    'side',
    h('h3', {}, title),
    facts([
      ['Amount', h('strong', {}, `${amount ?? 'no price'} ${coin}`)],
      ['Network', network],
      ['Address', code(address)],
      ['Memo', code(memo)],
      ['Transaction', code(txId)],
      ['Confirmations', confirmations === null ? null : String(confirmations)],
    ]),
  );
}
