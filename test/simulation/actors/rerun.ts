import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Job } from '../model/shown.ts';
import { type ListRow, RERUNS, type Rerun } from '../world/reruns.ts';
import type { Program, World } from '../world/world.ts';
import { batch } from './batch.ts';
import type { Errand } from './desk.ts';
import { libraryOf } from './library.ts';

const VISITS = new WeakMap<World, number>();

/** Someone runs lists again: with rows in another order and spelling, with other labels, too late, and once too often. */
export const rerun: Errand = async ({ program }) => {
  const { world, process } = program;
  const visit = VISITS.get(world) ?? 0;
  VISITS.set(world, visit + 1);
  for (const each of RERUNS) {
    if (each.visit !== visit) continue;
    const said = await saidOf(program, each);
    const rows = each.rows.map(
      ({ asked, team, key }) => `${asked.amount} ${asked.to.coin} ${team ?? ''}${key ?? ''}`,
    );
    if (!each.said.test(said))
      throw world.model.fail(
        'rerun',
        `${process.name}: ${each.how} of ${rows.join(', ')} at visit ${visit} ends with: ${said}`,
      );
  }
};

function jobOf({ asked, team, key }: ListRow): Job {
  return { id: '', asked, team, isUnlabelled: true, ...(key === null ? {} : { rowKey: key }) };
}

/** How many creates a run sends, or why it ends. */
async function saidOf(program: Program, { rows, how, isRead, isLost }: Rerun): Promise<string> {
  const { model } = program.world;
  const partner = libraryOf(program);
  if (isRead) for (const { order } of await partner.open()) if (order !== null) await partner.status(order);
  const before = model.posts.length;
  const errors: string[] = [];
  const ended = await attempt(() =>
    batch(
      isLost ? withoutAnswers(program) : program,
      rows.map(jobOf),
      (_, { error }) => {
        if (error !== null) errors.push(`${error.code} ${error.message}`);
      },
      { resume: how === 'resume', repeat: how === 'repeat' },
    ),
  );
  if (ended instanceof SwapctlError) errors.push(ended.message);
  const sent = model.posts.length - before;
  return errors.length === 0 ? `${sent} sent` : errors.join('; ');
}

/** A program whose creates end with an unknown outcome. */
function withoutAnswers(program: Program): Program {
  const { ports } = program;
  const create = () =>
    Promise.reject(new SwapctlError('outcome_unknown', 'No answer: unknown.', { outcome: 'unknown' }));
  const service = async () => {
    const found = await ports.service();
    return { ...found, client: { ...found.client, create } };
  };
  return { ...program, ports: { ...ports, service } };
}
