import { describe, expect, it } from 'vitest';
import { fittingOrdersView } from '../../../src/cli/commands/sandbox/views/sandbox.ts';
import { PLAIN } from '../../../src/cli/terminal/style.ts';
import type { SandboxOrder } from '../../../src/sandbox/operator/order-view.ts';

const NOW = Date.UTC(2026, 0, 1);

function order(number: number): SandboxOrder {
  const side = { coin: 'BTC', network: 'BTC', amount: '0.1', address: 'a', memo: null, txId: null };
  return {
    order: `ORDER${number}`,
    partner: 'default',
    status: 9,
    type: 'float',
    deposit: { ...side, confirmations: null },
    receive: { ...side, coin: 'ETH', network: 'ETH', confirmations: null },
    refundAddress: null,
    createdAt: NOW,
    since: NOW,
    endedAt: null,
    transitions: [],
  };
}

const ORDERS = Array.from({ length: 30 }, (_, index) => order(index));

describe('the live table of sandbox orders', () => {
  it.each([80, 40])(
    'shows the newest orders that fit into 24 rows of %d columns and counts the others',
    async (width) => {
      const screen = await fittingOrdersView(ORDERS, 1000, { now: NOW, rows: 24 }).screen(PLAIN, width);
      const lines = screen.trimEnd().split('\n');
      const shown = ORDERS.filter(({ order: name }) => new RegExp(`\\b${name}\\b`).test(screen));
      expect(lines.length).toBeLessThanOrEqual(23);
      expect(shown.length).toBeGreaterThan(1);
      expect(shown).toEqual(ORDERS.slice(0, shown.length));
      expect(lines.at(-1)).toBe(` … ${1000 - shown.length} more`);
    },
  );

  it('shows no count if all orders fit, and a note if there are none', async () => {
    const few = fittingOrdersView(ORDERS.slice(0, 3), 3, { now: NOW, rows: 24 });
    expect(await few.screen(PLAIN, 80)).not.toContain('more');
    expect(await fittingOrdersView([], 0, { now: NOW, rows: 24 }).screen(PLAIN, 80)).toBe('No orders yet.');
  });
});
