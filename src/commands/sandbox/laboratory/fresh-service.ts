import type { Context } from '../../../context.ts';
import { type SwapctlError, UsageError } from '../../../errors.ts';
import { sandboxMemory } from '../../../sandbox/memory.ts';
import { type Operator, openOperator } from '../../../sandbox/operator/operator.ts';
import type { ScenarioName } from '../../../sandbox/orders/scenario-ends.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { SEEDED_CLOCK } from '../../../sandbox/state/assumptions.ts';
import type { SandboxDatabase } from '../verb.ts';
import { BUILT_IN } from './place.ts';
import { isOwnFault, type OpenService, serviceOf, toolsAt } from './step-service.ts';

/** A sandbox that a scenario begins. */
interface FreshSandbox {
  readonly seed: number;
  readonly scenario: ScenarioName | null;
  readonly magic: boolean;
  /** Where it is kept; undefined for a place that is gone with the run. */
  readonly database: SandboxDatabase;
}

/**
 * A sandbox of its own for one run: its seed and its standing clock make the same scenario give the same results. Throws
 * a UsageError for a database that something has happened in already.
 */
export async function freshService(context: Context, options: FreshSandbox): Promise<OpenService> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const database = options.database ?? sandboxMemory();
    const { scenario, magic, seed } = options;
    const settings = { database, seed, ...SEEDED_CLOCK, now: context.now, allowEmptyFile: true };
    const sandbox = await startSandbox({
      ...settings,
      magic,
      countsRequests: false,
      scenario: scenario ?? undefined,
    });
    closers.push(() => sandbox.close());
    const operator = await openOperator(settings);
    closers.push(() => operator.close());
    await refuseUsed(operator);
    const { url: baseUrl, credentials, catalogue } = sandbox;
    const place = { baseUrl, credentials, catalogue, profile: BUILT_IN };
    const host = new URL(baseUrl).host;
    const tools = await toolsAt(context, place, operator, { standing: true });
    closers.push(tools.close);
    const words = ({ message }: SwapctlError) => message.replaceAll(host, 'the sandbox');
    return { ...serviceOf(tools), words, isFatal: isOwnFault, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function refuseUsed(operator: Operator): Promise<void> {
  const { orders, faults, clock } = await operator.info();
  if (orders === 0 && faults === 0 && clock.offset === 0 && clock.standsStill) return;
  throw new UsageError(
    `A scenario needs an empty sandbox, but ${operator.location} is not empty.`,
    'Empty it with `swapctl sandbox reset --database …`, choose another, or leave --database out.',
  );
}
