import { SwapctlError } from '../../../src/base/errors.ts';
import { type Acting, type Ended, pauseOf, wantedApproval } from './stage.ts';

const SECOND = 1000;
const MAX_TRIES = 4;

/** Sets a refund address; after an error perhaps again, once an approval may be there. */
export async function setRefund(acting: Acting, order: string, address: string): Promise<void> {
  const { world, random } = acting;
  let approval: string | null = null;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const ended = await tryRefund(acting, order, address, approval);
    const wanted = wantedApproval(ended);
    const isRepeated = wanted !== null || (ended.kind !== 'done' && random.chance(0.5));
    if (!isRepeated) return;
    approval = wanted ?? approval;
    await world.scheduler.sleep(pauseOf(acting, SECOND, 60 * SECOND));
  }
}

/** Sets a refund address, perhaps with an approval. */
export function tryRefund(
  { world: { model }, programs, library, run }: Acting,
  order: string,
  address: string,
  approval: string | null,
): Promise<Ended<void>> {
  const { refunds } = model;
  return run(async (program) => {
    refunds.begins(program.process, order, address);
    try {
      await (library ?? programs).refund(program, order, address, approval);
      if (program.process.isAlive) model.afterStep(() => refunds.ended(program.process, null));
    } catch (error) {
      if (error instanceof SwapctlError && program.process.isAlive) refunds.ended(program.process, error);
      throw error;
    }
  });
}
