import { MOVES } from '../../orders/order.ts';
import type { OpenOrder } from './api.ts';
import { badge, button, type Child, code, div, facts, field, h, time } from './dom.ts';

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

/** One order: both sides, its timeline, and what can be done to it. */
export function orderPanel(order: OpenOrder): HTMLElement {
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
