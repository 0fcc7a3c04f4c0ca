import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { jsonLines } from '../../../helpers/lines.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { type RanHere, type RunHere, runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import type { Answer, SwapService } from '../../../helpers/swap-service.ts';
import { ADDRESSES, createdAs, ORDER, startSwapService, wireSwapIn } from '../../../helpers/swap-service.ts';

/** A line of `listen --json`. */
export interface Line {
  readonly id: string | null;
  readonly type: string;
  readonly at: string;
  readonly sequence: number;
  readonly order: string | null;
  readonly data: {
    readonly swap?: {
      readonly status: string;
      readonly fundable: boolean;
      readonly paymentUri: string | null;
    };
  };
}

/** What a service shows of a swap. */
export interface Shown {
  readonly status: number;
  readonly txId?: string;
  readonly expiresAt?: string;
}

/** A home with swaps at a service whose statuses a test sets. */
export interface Shop {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly service: SwapService;
  /** Status code by order number, with more of the swap or alone, 9 unless set; null is a service that fails. */
  readonly statuses: Map<string, number | Shown | null>;
  /** Makes a swap with this order number; for null the service does not answer. */
  create(order: string | null, ...flags: readonly string[]): Promise<void>;
  run(args: readonly string[], options?: Partial<RunHere>): Promise<RanHere>;
}

/** Opens a {@link Shop}, which is closed as the test ends; all its runs have these options. */
export async function openShop(create?: Answer, more: Partial<RunHere> = {}): Promise<Shop> {
  const home = await temporaryFolder();
  const statuses: Shop['statuses'] = new Map();
  let next: string | null = ORDER;
  const ordered = createdAs((swap) => Object.assign(swap, { orderNumber: next }));
  const service = await startSwapService({
    'create-transaction': create ?? ((...call) => (next === null ? call[1].destroy() : ordered(...call))),
    'get-transaction': ({ query }, response) => {
      const orderNumber = query.get('id') ?? '';
      const state = statuses.get(orderNumber);
      const shown = typeof state === 'object' ? state : { status: state ?? 9 };
      if (orderNumber.startsWith('NO')) sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      else if (shown === null) sendJson(response, 500, { statusCode: 500, message: 'Broken.' });
      else sendJson(response, 200, { ...wireSwapIn(shown.status, orderNumber), ...shown });
    },
  });
  onTestFinished(() => service.close());
  const env = profileAt(service.url);
  const run: Shop['run'] = (args, options = {}) => runHere(args, { home, env, ...more, ...options });
  return {
    home,
    env,
    service,
    statuses,
    run,
    create: async (order, ...flags) => {
      next = order;
      const args = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--no-qr', ...flags];
      const { error } = await run(args);
      if (error !== null && error.code !== 'outcome_unknown') throw error;
    },
  };
}

/** The lines of `listen --json`. */
export const linesOf = ({ stdout }: Pick<RanHere, 'stdout'>): readonly Line[] => jsonLines<Line>(stdout);

/** What tells one line from another. */
export function tellTales(lines: readonly Line[]): readonly string[] {
  return lines.map(({ order, sequence, type }) => `${order ?? '-'} ${sequence} ${type}`);
}
