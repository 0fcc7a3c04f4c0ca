import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import { EVERY_ENTRY } from '../../../src/core/ledger/filter.ts';
import { changeOf } from '../../../src/core/ledger/policy/changes.ts';
import { addUp } from '../../../src/core/ledger/report/report.ts';
import { historyResult } from '../../../src/core/ledger/swap-result.ts';
import { parsePolicy } from '../../../src/core/swap/policy/policy.ts';
import { decisionOn } from '../../../src/core/swaps/submit.ts';
import type { Random } from '../random.ts';
import { APPROVER } from '../world/approver.ts';
import type { Program, World } from '../world/world.ts';

/** Columns of an entry, with what a program or a disk may have left there that swapctl does not write. */
const ENTRY: readonly (readonly [column: string, junk: string | number])[] = [
  ['request', '{"deposit":'],
  ['snapshot', '{"order":7}'],
  ['first_snapshot', '{"order":'],
  ['doubted_snapshot', '[]'],
  ['doubts', '[7]'],
  ['labels', '[]'],
  ['sent', '{}'],
  ['requested_at', 9e15],
  ['seen_at', -9e15],
];

/** The stored figures of a report, which are computed again from the entry where they cannot be read. */
const FIGURES = [
  '',
  '{',
  '[1]',
  JSON.stringify([null, 'BTC', 'ETH', 'x', null, null, null, null, 1, true, true, {}]),
];

/** At the end of a world, the ledger loses some bytes: that is noticed, and everything else is still there. */
export async function damage(world: World, { ports }: Program, random: Random): Promise<void> {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  const entries = await all(ledger.books.entries(EVERY_ENTRY));
  if (entries.length === 0) return;
  const { id } = random.pick(entries);
  const reports: string[] = [];
  world.onDamaged = ({ message }) => reports.push(message);
  await random.pick([
    () => damageEntry(world, { ports, random, id, reports }),
    () => damageFigures(world, { ports, random, id, reports }),
    () => damageGuard(world, { ports, random, id, reports }),
    () => damageChain(world, { ports, random, id, reports }),
    () => damageChain(world, { ports, random, id, reports }),
    async () => {
      world.disk.corrupt('update budgets set state = ?', random.pick(['{', '[]', '{"keepMs":1}']));
      await ledger.buckets(owner.account, ports.now(), (state) => ({ state, value: null }));
    },
  ])();
}

interface DamageTools {
  readonly ports: Program['ports'];
  readonly random: Random;
  /** The entry that is damaged. */
  readonly id: string;
  /** What is reported about damaged entries. */
  readonly reports: readonly string[];
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** One entry cannot be read: lists leave it out and say so, and all others are there. */
async function damageEntry(
  { disk, model }: World,
  { ports, random, id, reports }: DamageTools,
): Promise<void> {
  const ledger = await ports.ledger();
  const before = await all(ledger.books.entries(EVERY_ENTRY));
  const [column, junk] = random.pick(ENTRY);
  disk.corrupt(`update intents set ${column} = ? where id = ?`, junk, id);
  disk.corrupt(`update changes set changes = '[]' where intent_id = ?`, id);
  const after = await all(ledger.books.entries(EVERY_ENTRY));
  const left = before.filter((entry) => entry.id !== id).map((entry) => entry.id);
  if (after.map((entry) => entry.id).join() !== left.join() || reports.length !== 1)
    throw model.fail(
      'damaged entry',
      `without ${column} of ${id}, ${after.length} of ${before.length} are listed`,
    );
  for (const page of await all(ledger.books.listed(EVERY_ENTRY)))
    for (const entry of page) historyResult(entry, ports.now());
  await all(ledger.books.settled(EVERY_ENTRY));
  await all(ledger.figures.pages(EVERY_ENTRY));
  await all(ledger.health.swaps(EVERY_ENTRY));
  await ledger.changes(id);
  const read = await attempt(() => ledger.byId(id));
  if (!(read instanceof SwapctlError))
    throw model.fail('damaged entry', `${id} is read without its ${column}`);
}

/** The figures of an entry cannot be read: the report is the same as before. */
async function damageFigures({ disk, model }: World, { ports, random, id }: DamageTools): Promise<void> {
  const ledger = await ports.ledger();
  const sums = async () => {
    const { total } = await addUp(ledger.figures.pages(EVERY_ENTRY), {
      by: 'pair',
      days: 'utc',
      share: null,
    });
    return JSON.stringify(total);
  };
  const before = await sums();
  disk.corrupt('update intents set figures = ? where id = ?', random.pick(FIGURES), id);
  if ((await sums()) !== before) throw model.fail('report', `without the figures of ${id} the sums differ`);
  await all(ledger.books.listed(EVERY_ENTRY));
  await all(ledger.health.swaps(EVERY_ENTRY));
}

/** What limits creates cannot be read: everything is refused. */
async function damageGuard({ disk, model }: World, { ports, random }: DamageTools): Promise<void> {
  const [ledger, owner] = [await ports.ledger(), await ports.owner()];
  const entries = await all(ledger.books.entries(EVERY_ENTRY));
  const intent = entries.find(({ request }) => request !== null)?.request;
  if (intent == null) return;
  await ledger.guards.stop(owner, null, ports.now());
  await ledger.guards.resume(owner, APPROVER, ports.now()).catch(() => undefined);
  const [column, junk] = random.pick([
    ['policy', '{"version":1,"rules":7}'],
    ['policy', '{'],
    ['stop', '{"at":1}'],
    ['suspensions', '[7]'],
    ['suspensions', '{}'],
    ['suspensions', '[{"open":{"most":1}}]'],
  ]);
  disk.corrupt(`update guards set ${column} = ? where account = ?`, junk, owner.account);
  const about = { intent, labels: {}, quote: null, hasKey: true };
  const { decision } = await decisionOn(ports, about, 'any');
  if (decision !== 'refuse') throw model.fail('policy', `without its ${column}, a create is ${decision}`);
  const verdict = parsePolicy('{"version":1,"rules":[{"open":{"most":1}}]}');
  if (verdict.ok) changeOf(await ledger.guards.read(owner), verdict.policy);
  await attempt(() =>
    ledger.guards.suspend(
      owner,
      { what: { network: 'ETH' }, side: null, until: null, reason: null },
      ports.now(),
    ),
  );
}

/** A link of the audit chain is changed, removed or made up: the check of the chain finds it. */
async function damageChain({ disk, model }: World, { ports, random }: DamageTools): Promise<void> {
  const { audit } = await ports.ledger();
  const head = await audit.head();
  if (head.n === 0) return;
  const n = random.between(1, head.n);
  disk.corrupt(
    random.pick([
      `update audit set body = replace(body, '"actor"', '"Actor"') where n = ?`,
      `update audit set hash = substr(hash, 2) || 'x' where n = ?`,
      `update audit set body = '7' where n = ?`,
      'delete from audit where n = ?',
    ]),
    n,
  );
  const { problems } = await audit.verify(head);
  if (problems.length === 0)
    throw model.fail('audit', `link ${n} of ${head.n} is not as it was, and no one notices`);
}
