import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Coin, CoinNetwork } from '../../../src/core/swap/swap.ts';
import type { Job } from '../model/shown.ts';
import { type ListRow, RERUNS, type Rerun } from '../world/reruns.ts';
import type { Program, World } from '../world/world.ts';
import { batch } from './batch.ts';
import type { Errand } from './desk.ts';
import { libraryOf } from './library.ts';

const HOUR_MS = 3_600_000;
const VISITS = new WeakMap<World, number>();

/** Someone runs lists again: with rows in another order and spelling, with other labels, too late, and once too often. */
export const rerun: Errand = async ({ program }) => {
  const { world, process } = program;
  const visit = VISITS.get(world) ?? 0;
  VISITS.set(world, visit + 1);
  for (const each of RERUNS) {
    if (each.visit !== visit) continue;
    const { ahead = 0 } = each;
    world.setClocks(ahead * HOUR_MS, false);
    const said = await saidOf(program, each);
    world.setClocks(-ahead * HOUR_MS, false);
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
async function saidOf(program: Program, rerun: Rerun): Promise<string> {
  const { rows, how, isRead, isLost } = rerun;
  const { model, service } = program.world;
  const partner = libraryOf(program);
  if (isRead) for (const { order } of await partner.open()) if (order !== null) await partner.status(order);
  const before = model.posts.length;
  const errors: string[] = [];
  const ended = await attempt(() =>
    batch(
      isLost ? withoutAnswers(program) : listing(program, rerun.listed),
      rows.map(jobOf),
      ({ asked: { amount, lastSource } }, { error, swap, outcome, notices }) => {
        if (error !== null) errors.push(`${error.code} ${error.message}`);
        else if (outcome === 'created' && (!isNear(swap?.[lastSource].amount, amount) || notices.length > 0))
          errors.push(`${amount} to ${lastSource} becomes ${JSON.stringify(swap)} ${notices.join(' ')}`);
        if (rerun.isCut === true) throw CUT;
      },
      { resume: how === 'resume', repeat: how === 'repeat' },
    ),
  );
  if (model.posts.some(({ fate }) => fate === 'under way')) errors.push('creates are under way');
  if (ended instanceof SwapctlError && ended !== CUT) errors.push(ended.message);
  const posts = model.posts.slice(before);
  const order = [...model.orders.values()].find(({ post }) => post === posts.at(-1))?.order;
  if (rerun.isPaid === true && order !== undefined) {
    await service.operator.orders.deposit(order, rows[0]?.asked.amount ?? '');
    model.funded(order, rows[0]?.asked.amount ?? '');
  }
  const sent = posts.length;
  return errors.length === 0 ? `${sent} sent` : errors.join('; ');
}

/** Whether an amount is the one that was asked for, but for what is rounded and moves. */
function isNear(given: string | null | undefined, asked: string): boolean {
  return Math.abs(Number(given) / Number(asked) - 1) < 0.01;
}

/** Ends a list whose results are no longer read. */
const CUT = new SwapctlError('interrupted', 'Nobody reads on.');

/** A program for which the service lists USDT under these codes alone. */
function listing(program: Program, codes: readonly string[] | undefined): Program {
  if (codes === undefined) return program;
  const networks = (all: readonly CoinNetwork[]) =>
    all.flatMap((each) => (each.network === 'ETH' ? codes.map((network) => ({ ...each, network })) : []));
  const listed = ({ deposit, receive, ...coin }: Coin): Coin =>
    coin.code === 'USDT'
      ? { ...coin, deposit: networks(deposit), receive: networks(receive) }
      : { ...coin, deposit, receive };
  const coinList = async () => {
    const list = await program.ports.coinList();
    return { ...list, coins: list.coins.map(listed) };
  };
  return { ...program, ports: { ...program.ports, coinList } };
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
