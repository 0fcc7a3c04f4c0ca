import { expect } from 'vitest';
import { type ScriptedPrompter, type Step, scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, type RanHere, type RunHere, runHere } from '../../../helpers/run-here.ts';

export const BTC_ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
export const ETH_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const TRX_ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
export const XRP_ADDRESS = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';

/** The last question, answered with yes. */
export const YES: Step = { input: 'Create this swap? (y/N, e to change something)', answer: 'y' };
/** The last question, answered with no. */
export const NO: Step = { ...YES, answer: 'n' };
/** The last question, answered with the Enter key alone. */
export const ENTER: Step = { ...YES, answer: '' };
/** The last question, answered with the wish to change something. */
export const EDIT: Step = { ...YES, answer: 'e' };

/** A run of `swapctl create` by a person at a terminal. */
export interface GuidedRun extends RanHere {
  readonly prompter: ScriptedPrompter;
}

/**
 * Runs `swapctl create` with scripted answers; every step of the script must be used. Its clock stands, since a price that
 * fell between review and yes asks again.
 */
export async function create(
  home: string,
  args: readonly string[],
  steps: readonly Step[],
  options: Partial<RunHere> = {},
): Promise<GuidedRun> {
  const prompter = scriptedPrompter(steps);
  const started = Date.now();
  const run = await runHere(['create', ...args], {
    home,
    prompter,
    terminals: AT_TERMINAL,
    now: () => started,
    ...options,
  });
  prompter.done();
  return { ...run, prompter };
}

/** The lines of the ledger, as `swapctl history --json` gives them. */
export async function ledger(home: string): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await runHere(['history', '--json'], { home })).stdout);
}

/** The orders of the built-in service. */
export async function orders(home: string): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await runHere(['sandbox', 'orders', '--json'], { home })).stdout);
}

/** Nothing was sent: no order exists, and the ledger holds nothing that says otherwise. */
export async function expectNothingSent(home: string): Promise<void> {
  expect(await orders(home)).toEqual([]);
  expect((await ledger(home)).filter(({ outcome }) => outcome !== 'not-sent')).toEqual([]);
}

/** The body of the request that a command line would send. */
export async function dryRunBody(home: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const run = await runHere([...args, '--dry-run', '--json'], { home });
  if (run.error !== null) throw run.error;
  return JSON.parse(run.stdout).request.body;
}
