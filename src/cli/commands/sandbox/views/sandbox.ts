import { joined, linesOf, shown, type Visible, visible } from '../../../../base/text.ts';
import { localTime, relativeTime, secondsWords } from '../../../../base/time.ts';
import { statusMeaning } from '../../../../core/partner-api/statuses.ts';
import type { ActiveFault } from '../../../../sandbox/faults/rule.ts';
import type { ClockAdvance, ClockReading } from '../../../../sandbox/operator/clock.ts';
import type { SandboxInfo } from '../../../../sandbox/operator/info.ts';
import { clockJson, infoJson, orderJson, transitionJson } from '../../../../sandbox/operator/json.ts';
import type { SandboxOrder, SandboxOrderSide } from '../../../../sandbox/operator/order-view.ts';
import type { Partner } from '../../../../sandbox/state/partners.ts';
import { type DetailLine, flatRows, renderDetails } from '../../../terminal/details.ts';
import type { View } from '../../../terminal/streams.ts';
import type { Style } from '../../../terminal/style.ts';
import { detailsView, tableView } from '../../../views/columns.ts';
import { statusColour, statusPaint } from '../../../views/status.ts';
import { SIDE_CELLS, sideText } from '../../../views/swap.ts';

/** One order of the sandbox as its operator sees it; times are RFC 3339. */
export function sandboxOrderView(order: SandboxOrder): View {
  const result = orderJson(order);
  const { status, statusCode } = result;
  const side = (label: string, { address, memo, txId, ...amount }: SandboxOrderSide): DetailLine[] => [
    [label, sideText(amount)],
    ['  address', address],
    ['  memo', memo],
    ['  transaction', txId],
  ];
  return detailsView(result, (style) => [
    ['Order', order.order, style.bold],
    ['Status', `${status} (${statusCode})`, statusColour(style, status)],
    ...side('Deposit', result.deposit),
    ...side('Receive', result.receive),
    ['Refund address', order.refundAddress],
    ['Partner', order.partner],
  ]);
}

/** The sandbox's orders, a row each. */
export function sandboxOrdersView(orders: readonly SandboxOrder[], now: number): View {
  return tableView(orders.map(orderJson), ORDER_CELLS, (style) => [
    { title: 'ORDER', paint: style.bold, cell: ({ order }) => order },
    { title: 'STATUS', paint: statusPaint(style), cell: ({ status }) => status },
    { title: 'DEPOSIT', cell: ({ deposit }) => sideText(deposit) },
    { title: 'RECEIVE', cell: ({ receive }) => sideText(receive) },
    { title: 'PARTNER', cell: ({ partner }) => partner ?? '' },
    { title: 'CREATED', wraps: true, cell: ({ createdAt }) => relativeTime(createdAt, now) },
  ]);
}

/** The newest orders that fit on a screen of `rows` lines, and the number of those left out. */
export function fittingOrdersView(
  orders: readonly SandboxOrder[],
  total: number,
  { now, rows }: { readonly now: number; readonly rows: number },
): View {
  return {
    ...sandboxOrdersView(orders, now),
    screen: async (style, width) => {
      // One row stays for the count, and one for the cursor.
      for (let count = orders.length; count > 0; count -= 1) {
        const text = await sandboxOrdersView(orders.slice(0, count), now).screen(style, width);
        // The text ends with a line break.
        if (linesOf(text).length - 1 > rows - 2 && count > 1) continue;
        return count < total ? shown`${text}${style.dim(shown` … ${total - count} more`)}\n` : text;
      }
      return style.dim(shown`No orders yet.`);
    },
  };
}

const ORDER_CELLS = ['order', 'status', 'statusCode', 'type', 'partner', ...SIDE_CELLS, 'createdAt'];

/** The clock, and the transitions when it was advanced. */
export function clockView(reading: ClockReading | ClockAdvance): View {
  const { offset, standsStill } = reading;
  const transitions = 'transitions' in reading ? reading.transitions.map(transitionJson) : null;
  const result = { ...clockJson(reading), ...(transitions === null ? {} : { transitions }) };
  return {
    json: () => result,
    rows: () => flatRows(result),
    screen: (style) => {
      const lines: readonly DetailLine[] = [
        ['Sandbox time', localTime(result.now), style.bold],
        ['Ahead by', secondsWords(offset / 1000)],
        ['Runs', standsStill ? 'only when advanced' : 'in real time'],
      ];
      return shown`${renderDetails(lines, style)}${firedText(transitions, style)}`;
    },
  };
}

type Fired = { readonly order: string; readonly to: number; readonly at: string };

function firedText(transitions: readonly Fired[] | null, style: Style): Visible {
  if (transitions === null) return shown``;
  if (transitions.length === 0) return shown` No order changed.\n`;
  const lines = transitions.map(({ order, to, at }) => {
    const { status } = statusMeaning(to);
    const word = statusColour(style, status)(visible(status));
    return shown` ${style.dim(visible(localTime(at)))}  ${style.bold(visible(order))}  ${word}\n`;
  });
  return joined(lines);
}

/** Partners with their key pairs: the sandbox's secrets are worth nothing, and tests need them. */
export function partnersView(partners: readonly Partner[]): View {
  const lines = ({ name, publicKey, secret }: Partner, { bold }: Style): readonly DetailLine[] => [
    ['Partner', name, bold],
    ['Public key', publicKey],
    ['Secret', secret],
  ];
  return {
    json: () => partners,
    rows: () => partners.map(({ name, publicKey, secret }) => [name, publicKey, secret]),
    screen: (style) =>
      joined(
        partners.map((each) => renderDetails(lines(each, style), style)),
        shown`\n`,
      ),
  };
}

/** Fault rules, with how often each fired. */
export function faultsView(faults: readonly ActiveFault[]): View {
  const faultText = ({ rule }: ActiveFault) => {
    const { endpoint, ...rest } = rule;
    return Object.entries(rest)
      .map(([name, value]) => `${name} ${String(value).slice(0, 60)}`)
      .join(', ');
  };
  return tableView(
    faults,
    (fault) => [fault.id, fault.rule.endpoint ?? 'all', faultText(fault), fault.seen, fault.fired],
    (style) => [
      { title: 'ID', align: 'right', cell: ({ id }) => String(id) },
      { title: 'ENDPOINT', paint: style.bold, cell: ({ rule }) => rule.endpoint ?? 'all' },
      { title: 'FAULT', wraps: true, cell: faultText },
      { title: 'MATCHED', align: 'right', cell: ({ seen }) => String(seen) },
      { title: 'FIRED', align: 'right', cell: ({ fired }) => String(fired) },
    ],
  );
}

/** Counts and settings of the sandbox. */
export function infoView(info: SandboxInfo & { readonly database: string }): View {
  const result = infoJson(info);
  return detailsView(result, (style) => [
    ['Database', info.database, style.bold],
    ['Kind', info.kind],
    ['Orders', String(info.orders)],
    ['Partners', String(info.partners)],
    ['Faults', String(info.faults)],
    ['Coins', `${info.coins} on ${info.networks} networks`],
    ['Seed', info.seed === null ? 'none' : String(info.seed)],
    ['Time', localTime(result.clock.now)],
  ]);
}
