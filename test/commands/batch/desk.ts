import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import type { RanHere, RunHere } from '../../helpers/run-here.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import type { Answer, Plan, Seen, SwapService } from '../../helpers/swap-service.ts';
import { ADDRESSES, startSwapService, swapText } from '../../helpers/swap-service.ts';

/** A home with a service of its own and files of rows. */
export interface Desk {
  readonly home: string;
  readonly service: SwapService;
  /** Writes a file and gives its path. */
  file(name: string, text: string): string;
  run(args: readonly string[], options?: Partial<RunHere>): Promise<RanHere>;
}

/** One line of the result. */
export interface ResultLine {
  readonly row: number;
  readonly idempotencyKey: string;
  readonly outcome: string;
  readonly swap: {
    readonly order: string;
    readonly labels: Record<string, string>;
    readonly receive: { readonly amount: string };
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Opens a desk; close its service at the end. */
export async function openDesk(plan: Plan = {}): Promise<Desk> {
  const home = await temporaryFolder();
  const service = await startSwapService({ 'create-transaction': created(), ...plan });
  return {
    home,
    service,
    file: (name, text) => {
      writeFileSync(join(home, name), text);
      return join(home, name);
    },
    run: (args, options = {}) =>
      runHere(args, { home, ...options, env: { ...profileAt(service.url), ...options.env } }),
  };
}

/** Answers creates well, each with an order of its own, and pays 25 for one. */
export function created(): Answer {
  let count = 0;
  return (seen, response) => {
    count += 1;
    const orderNumber = `ORDER${count}`;
    const text = swapText(seen, (swap) => {
      swap.pairs.receive.coin.value = 25 * swap.pairs.deposit.coin.value;
      Object.assign(swap, { orderNumber });
    });
    sendJson(response, 201, JSON.parse(text));
  };
}

/** The deposit that a create asks for. */
export function amountOf({ body }: Seen): number {
  return (JSON.parse(body) as { depositAmount: number }).depositAmount;
}

/** A file of rows from BTC to ETH with these amounts. */
export function amounts(...values: readonly (string | number)[]): string {
  return `from,to,amount,address\n${values.map((value) => `BTC,ETH,${value},${ADDRESSES.eth}\n`).join('')}`;
}

/** The lines of `--json`. */
export function resultsOf({ stdout }: Pick<RanHere, 'stdout'>): ResultLine[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ResultLine);
}

/** Row, outcome and order of each line. */
export function endsOf(run: Pick<RanHere, 'stdout'>): (readonly [number, string, string | null])[] {
  return resultsOf(run).map(({ row, outcome, swap }) => [row, outcome, swap?.order ?? null] as const);
}
