import { joined, shown, type Visible } from '../../../base/text.ts';
import type { Reconciliation } from '../../../core/swaps/reconcile.ts';
import type { View } from '../../terminal/streams.ts';
import type { Style } from '../../terminal/style.ts';
import { renderTable } from '../../terminal/table.ts';

/** The ledger compared with a statement. */
export function reconcileView(result: Reconciliation): View {
  const { matched, onlyHere, onlyThere, differs, duplicates } = result;
  return {
    json: () => result,
    rows: () => [
      ['matched', matched],
      ...onlyHere.map((order) => ['only-here', order]),
      ...onlyThere.map((order) => ['only-there', order]),
      ...differs.map(({ order, field, here, there }) => ['differs', order, field, here, there]),
      ...duplicates.map((order) => ['duplicate', order]),
    ],
    screen: async (style, width) => {
      const list = (title: string, orders: readonly string[]) =>
        orders.length === 0
          ? []
          : [
              renderTable(
                [{ title, paint: style.yellow }],
                orders.map((order) => [order]),
                style,
                width,
              ),
            ];
      const columns = ['ORDER', 'FIELD', 'LEDGER', 'STATEMENT'].map((title) => ({ title }));
      const rows = differs.map(({ order, field, here, there }) => [order, field, here ?? '-', there ?? '-']);
      const tables = [
        ...list('ONLY IN THE LEDGER', onlyHere),
        ...list('ONLY IN THE STATEMENT', onlyThere),
        ...(rows.length === 0 ? [] : [renderTable(columns, rows, style, width)]),
        ...list('DUPLICATES IN THE STATEMENT', duplicates),
      ];
      return joined([summary(result, style), ...(await Promise.all(tables))], shown`\n`);
    },
  };
}

function summary({ matched, onlyHere, onlyThere, differs }: Reconciliation, style: Style): Visible {
  const changed = new Set(differs.map(({ order }) => order)).size;
  return shown` ${style.bold(shown`${matched}`)} matched · ${changed} different · ${onlyHere.length} only in the ledger · ${onlyThere.length} only in the statement\n`;
}
