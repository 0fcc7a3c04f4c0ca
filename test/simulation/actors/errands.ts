import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { SwapInput } from '../../../src/core/swaps/check.ts';
import { submitApi } from '../../../src/core/swaps/submit.ts';
import { readSwap } from '../../../src/library/status.ts';
import { PAYEES, rawCreate, wantedSwap } from '../world/coins.ts';
import type { ErrandName, Plan } from '../world/plan.ts';
import { agent } from './agent.ts';
import { type Errand, write } from './desk.ts';
import { holdDialogs } from './dialogs.ts';
import { libraryOf } from './library.ts';
import { misinform } from './misinform.ts';
import { operate } from './operate.ts';
import { rerun } from './rerun.ts';
import { tryCreates } from './try-creates.ts';
import { type } from './type.ts';

/** `api` with something that changes the service, while nothing but a stop or a suspension is set: it must not leave. */
const sendWhileStopped: Errand = async ({ program, random, orders, ledger: { guards }, owner }) => {
  const { ports, process, world } = program;
  const asked: SwapInput = { ...wantedSwap(random), lastSource: 'deposit' };
  const what = { coin: { coin: asked.from.coin, network: null } };
  const isStop = random.chance(0.4);
  if (isStop) await guards.stop(owner, null, ports.now());
  else
    for (const until of [null, ports.now()])
      await guards.suspend(owner, { what, side: 'deposit', until, reason: null }, ports.now());
  // One that ends earlier shortens nothing, and what is lifted is another one.
  for (const other of ['receive', 'deposit'] as const) {
    const coin = { coin: other === 'receive' ? asked.from.coin : asked.to.coin, network: null };
    await guards.unsuspend(owner, { what: { coin }, side: other, signer: null }, ports.now());
  }
  const refund = JSON.stringify({ id: orders[0] ?? 'QQQQQQ', refundAddress: PAYEES.BTC[0] });
  const request: ApiRequest =
    isStop && random.chance(0.5)
      ? { endpoint: 'update-refund-address', body: refund }
      : { endpoint: 'create-transaction', body: rawCreate(asked) };
  const onFailure = () => undefined;
  const service = await ports.service();
  const sent = await attempt(() => submitApi(ports, service, { request, approval: 'any', onFailure }));
  if (!(sent instanceof SwapctlError) || sent.outcome !== 'nothing-sent')
    throw world.model.fail('stop', `${process.name} sends ${request.endpoint}, which is stopped`);
  if (isStop) await guards.resume(owner, null, ports.now());
  else await guards.unsuspend(owner, { what, side: null, signer: null }, ports.now());
};

/** `api` with a refund address, of a swap that was just looked at. */
const refundRaw: Errand = async ({ program, random, orders }) => {
  if (orders.length === 0) return;
  const { ports, process, world } = program;
  const [order, refundAddress] = [random.pick(orders), PAYEES.BTC[0]];
  await libraryOf(program).status(order);
  const request = {
    endpoint: 'update-refund-address',
    body: JSON.stringify({ id: order, refundAddress }),
  } as const;
  world.model.refunds.begins(process, order, refundAddress);
  await submitApi(ports, await ports.service(), { request, approval: 'any', onFailure: () => undefined });
};

/** An event that was delivered is sent again, whatever came after it. */
const resend: Errand = async ({ program: { world, ports }, random, ledger: { events } }) => {
  const all = { profile: null, order: null, undelivered: false, since: null };
  const delivered = (await events.list(all, null)).events.filter(({ delivery }) => delivery === 'delivered');
  if (delivered.length === 0) return;
  const { id } = random.pick(delivered);
  world.receiver.resent(id);
  await events.resend(id, ports.now());
};

/** A program without a ledger keeps the description of a swap, and compares the next answer with it. */
const keepDescription: Errand = async ({ program, random, orders }) => {
  if (orders.length === 0) return;
  const { ports, process, show } = program;
  let known = await libraryOf(program).status(random.pick(orders));
  for (let polls = 1; polls <= 4; polls += 1) {
    await process.pause(2_000);
    known = { ...known, ...(await readSwap(ports, known)) };
    show(known);
  }
};

const ERRANDS: Readonly<Record<ErrandName, Errand>> = {
  'send while stopped': sendWhileStopped,
  'refund raw': refundRaw,
  resend,
  'keep a description': keepDescription,
  write,
  'try creates': tryCreates,
  misinform,
  rerun,
  type,
  dialogs: holdDialogs,
  agent,
  operate,
};

/** What the one at the desk of a themed world does; null where it is anything. */
export function themedErrand({ errand }: Plan): Errand | null {
  return errand === undefined ? null : ERRANDS[errand];
}
