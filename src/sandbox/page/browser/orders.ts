import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { MOVES } from '../../orders/order.ts';
import { ask, askJson, type OpenOrder, type OrderJson } from './api.ts';
import { badge, button, type Child, code, facts, field, time, type View } from './dom.ts';

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
        const panel = chosen === null ? nothing : keyed(chosen.order, orderPanel(chosen));
        return html`<div class=${chosen === null ? 'orders' : 'orders with-order'}>
          <section aria-label="Orders">${orderTable(orders, open)}</section>
          ${panel}
        </div>`;
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
    return html`<p class="empty">
      No orders yet. Create one with <code>swapctl create --sandbox</code> or with your own client.
    </p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Order</th>
        <th scope="col">Status</th>
        <th scope="col">Deposit</th>
        <th scope="col">Receive</th>
        <th scope="col" class="wide">Partner</th>
        <th scope="col" class="wide">Created</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(
        orders,
        ({ order }) => order,
        (order) => orderRow(order, order.order === open),
      )}
    </tbody>
  </table>`;
}

function orderRow(row: OrderJson, isOpen: boolean): TemplateResult {
  const { order, status, deposit, receive, partner, createdAt } = row;
  return html`<tr class=${isOpen ? 'open' : nothing}>
    <th scope="row">
      <button type="button" class="link" data-do="open-order" data-value=${order} aria-expanded=${String(isOpen)}>${order}</button>
    </th>
    <td>${badge(status)}</td>
    <td>${deposit.amount ?? '?'} ${deposit.coin}</td>
    <td>${receive.amount ?? '?'} ${receive.coin}</td>
    <td class="wide">${partner ?? 'removed'}</td>
    <td class="wide">${time(createdAt)}</td>
  </tr>`;
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

function orderPanel(order: OpenOrder): TemplateResult {
  const { order: number, status, statusCode, refundAddress, type, partner } = order;
  return html`<section class="order" aria-labelledby="order-title">
    <header>
      <h2 id="order-title" tabindex="-1">${number} ${badge(status)}</h2>
      ${button('Close', 'close-order', number)}
    </header>
    ${depositPart(order)} ${movePart(order)} ${timeline(order)}
    <div class="sides">${side('Deposit', order.deposit)} ${side('Receive', order.receive)}</div>
    ${facts([
      ['Refund address', refundAddress],
      ['Rate', type],
      ['Partner', partner ?? 'removed'],
      ['Status code', String(statusCode)],
    ])}
  </section>`;
}

function depositPart({ order, status, deposit, choices }: OpenOrder): TemplateResult {
  const { exact, less, more } = choices.amounts;
  const of = (label: string, amount: string | null, className?: string) =>
    amount === null ? nothing : button(label, 'deposit-of', `${order} ${amount}`, { className });
  const late = button('Late', 'deposit-late', order, {
    isDisabled: choices.windowLeft <= 0 || status !== 'new',
    title: 'First advances the clock past the end of its window, for all orders',
  });
  const another = field(`Another amount in ${deposit.coin}`, 'amount', {
    inputMode: 'decimal',
    isRequired: true,
    pattern: '[0-9]+([.][0-9]+)?',
  });
  return html`<div class="part">
    <h3>Deposit</h3>
    <div class="buttons">
      ${of(`Exact ${exact} ${deposit.coin}`, exact, 'main')} ${of(`Less ${less}`, less)} ${of(`More ${more}`, more)}
      ${late}
    </div>
    <form data-do="deposit" data-value=${order}>${another}<button>Deposit</button></form>
  </div>`;
}

function movePart({ order, choices }: OpenOrder): TemplateResult {
  const moves = MOVES.map((verb) =>
    button(verb, 'move', `${order} ${verb}`, { isDisabled: !choices.moves.includes(verb) }),
  );
  return html`<div class="part"><h3>Move</h3><div class="buttons">${moves}</div></div>`;
}

function timeline({ createdAt, transitions }: OpenOrder): TemplateResult {
  const changes = transitions.map(
    ({ at, to }) => html`<li>${time(at)}${` ${NAMES[to] ?? 'unknown'} (${to})`}</li>`,
  );
  return html`<div class="part">
    <h3>Timeline</h3>
    <ol class="timeline"><li>${time(createdAt)} created</li>${changes}</ol>
  </div>`;
}

function side(title: string, of: OpenOrder['deposit']): TemplateResult {
  const { coin, network, amount, address, memo, txId, confirmations } = of;
  return html`<div class="side">
    <h3>${title}</h3>
    ${facts([
      ['Amount', html`<strong>${amount ?? 'no price'} ${coin}</strong>`],
      ['Network', network],
      ['Address', code(address)],
      ['Memo', code(memo)],
      ['Transaction', code(txId)],
      ['Confirmations', confirmations === null ? null : String(confirmations)],
    ])}
  </div>`;
}
