import { afterEach } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import type { Plan, SwapService } from '../../helpers/swap-service.ts';
import { startSwapService } from '../../helpers/swap-service.ts';

/** A home with a service. */
export interface Place {
  readonly home: string;
  readonly service: SwapService;
}

const open: SwapService[] = [];

/** Closes after each test what {@link placeWith} has started. */
export function closePlaces(): void {
  afterEach(async () => {
    for (const service of open.splice(0)) await service.close();
  });
}

/** A fresh home with a service that answers by a plan. */
export async function placeWith(plan: Plan = {}): Promise<Place> {
  const service = await startSwapService(plan);
  open.push(service);
  return { home: await temporaryFolder(), service };
}

/** Runs a command line at a place. */
export const run = ({ home, service }: Place, args: readonly string[]) =>
  runHere(args, { home, env: profileAt(service.url) });

/** The code of an error. */
export const codeOf = (error: unknown) => (error instanceof SwapctlError ? error.code : String(error));
