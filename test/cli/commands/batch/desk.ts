import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../helpers/home.ts';
import { jsonLines } from '../../../helpers/lines.ts';
import { sendJson } from '../../../helpers/raw-server.ts';
import { type RanHere, type RunHere, runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import type { Answer, Plan, Seen, SwapService } from '../../../helpers/swap-service.ts';
import { ADDRESSES, startSwapService, swapText } from '../../../helpers/swap-service.ts';

/** A home with a service of its own and files of rows. */
export interface Desk {
  readonly home: string;
  /** In which its service is the profile. */
  readonly env: Readonly<Record<string, string>>;
  readonly service: SwapService;
  /** Writes a file and gives its path. */
  file(name: string, text: string): string;
  run(args: readonly string[], options?: Partial<RunHere>): Promise<RanHere>;
  /** Runs a batch of rows, which is agreed to, with a line of JSON for each of them. */
  batch(text: string, ...flags: readonly string[]): Promise<RanHere>;
}

/** One line of the result. */
export interface ResultLine {
  readonly row: number;
  readonly idempotencyKey: string;
  readonly outcome: string;
  readonly swap: {
    readonly order: string;
    readonly labels: Record<string, string>;
    readonly replayed: boolean;
    readonly receive: { readonly amount: string };
  } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Opens a desk whose service is closed after the test. */
export async function deskWith(plan: Plan = {}): Promise<Desk> {
  const home = await temporaryFolder();
  const service = await startSwapService({ 'create-transaction': created(), ...plan });
  onTestFinished(() => service.close());
  const file: Desk['file'] = (name, text) => {
    writeFileSync(join(home, name), text);
    return join(home, name);
  };
  const env = profileAt(service.url);
  const run: Desk['run'] = (args, options = {}) =>
    runHere(args, { home, ...options, env: { ...env, ...options.env } });
  const batch: Desk['batch'] = (text, ...flags) => run(['batch', file('rows.csv', text), ...YES, ...flags]);
  return { home, env, service, file, run, batch };
}

/** A batch that is agreed to at once, with a line of JSON for each row. */
export const YES = ['--yes', '--json'];

/** For files that would otherwise wait for their turns. */
export const AT_ONCE = ['--budget', '9999/60s'];

/** The ledger of a desk. */
export function ledgerOf({ home }: Desk): string {
  return join(home, '.local', 'state', 'swapctl', 'ledger.db');
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

/** A plan whose creates of some amounts end otherwise. */
export function except(ends: Readonly<Record<number, 'refused' | 'lost' | 'limited'>>): Plan {
  const well = created();
  return {
    'create-transaction': (seen, response, request) => {
      const end = ends[amountOf(seen)];
      if (end === 'lost') request.socket.destroy();
      else if (end === 'refused')
        sendJson(response, 400, { statusCode: 400, message: 'Invalid withdrawal address.' });
      else if (end === 'limited') sendJson(response, 429, { statusCode: 429, message: 'Too many.' });
      else well(seen, response, request);
    },
  };
}

/** The deposit that a create asks for. */
function amountOf({ body }: Seen): number {
  return (JSON.parse(body) as { depositAmount: number }).depositAmount;
}

/** A file of rows from BTC to ETH with these amounts. */
export function amounts(...values: readonly (string | number)[]): string {
  return `from,to,amount,address\n${values.map((value) => `BTC,ETH,${value},${ADDRESSES.eth}\n`).join('')}`;
}

/** The ends of the same rows in a later run, which finds their orders. */
export function asExisting(ends: ReturnType<typeof endsOf>): ReturnType<typeof endsOf> {
  return ends.map(([row, outcome, order]) => [row, outcome === 'created' ? 'existing' : outcome, order]);
}

/** The lines of `--json`. */
export function resultsOf({ stdout }: Pick<RanHere, 'stdout'>): ResultLine[] {
  return jsonLines<ResultLine>(stdout);
}

/** Row, outcome and order of each line. */
export function endsOf(run: Pick<RanHere, 'stdout'>): (readonly [number, string, string | null])[] {
  return resultsOf(run).map(({ row, outcome, swap }) => [row, outcome, swap?.order ?? null] as const);
}
