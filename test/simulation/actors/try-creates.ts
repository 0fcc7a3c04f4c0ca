import { attempt, SwapctlError } from '../../../src/base/errors.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import type { CheckedSwap, SwapInput } from '../../../src/core/swaps/check.ts';
import { onLedger } from '../../../src/core/swaps/create-records.ts';
import { createSwap, type Review, type ReviewAnswer } from '../../../src/core/swaps/create-swap.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { createProblem } from '../model/create-cases.ts';
import { type CreateCase, labelled, REQUESTS } from '../world/create-cases.ts';
import type { Program } from '../world/world.ts';
import type { Errand } from './desk.ts';
import { libraryOf } from './library.ts';

/** Worlds that share the requests. */
const SHARES = 4;

/** Requests swaps, most of them wrong in one part, and declines those that are not. */
export const tryCreates: Errand = async ({ program, random }) => {
  const { plan } = program.world;
  const share = Math.floor(plan.seed / 15) % SHARES;
  const { secret } = program.process.account.credentials;
  const requests = [labelled(secret), ...REQUESTS.filter((_, index) => index % SHARES === share)];
  while (requests.length > 0) {
    const [wanted] = requests.splice(random.between(0, requests.length - 1), 1);
    if (wanted !== undefined) await ask(program, wanted);
  }
};

/** Requests a swap, and checks the result. */
async function ask(program: Program, wanted: CreateCase): Promise<void> {
  const { process, world } = program;
  const { model } = world;
  const before = model.posts.length;
  const { ports, reads, steps } = portsFor(program, wanted);
  let draft: Pick<CheckedSwap, 'request' | 'warnings'> | null = null;
  const confirm = async (review: Review<SwapInput>): Promise<ReviewAnswer<SwapInput>> => {
    const { request, warnings, quote } = review.draft;
    draft = { request, warnings };
    if (wanted.reviewed !== undefined) {
      const receive = String(Number(quote.receive) * wanted.reviewed);
      return { yes: { deposit: request.amount, receive } };
    }
    return wanted.refusal === null ? null : { yes: 'now' };
  };
  const { labels, asked } = wanted;
  const { memoWaived: noMemo, tolerance: _, ...plain } = asked;
  const key = wanted.secret === null ? null : 'input';
  const create = () =>
    wanted.isOfLibrary === true
      ? libraryOf({ ...program, ports }).create({ ...plain, noMemo })
      : createSwap(onLedger(ports), asked, { key, labels, approval: null, confirm, steps });
  const ended = await attempt<unknown>(create);
  const error = ended instanceof SwapctlError ? ended : null;
  const printed = JSON.stringify([error?.toJSON() ?? null, draft]);
  model.refuseSecrets(process, printed);
  const problem = createProblem(wanted, {
    error: error === null ? null : `${error.code} ${error.message}`,
    printed,
    draft,
    sent: model.posts.length - before,
    reads: reads(),
  });
  if (problem !== null) throw model.fail('input', `${process.name}: ${problem}`);
}

/** The ports of a program, which count how often the ledger is read, in the world that a request is about. */
function portsFor({ ports: usual }: Program, { asked, isLive, isMemoListed, places }: CreateCase) {
  let reads = 0;
  const ports: Ports = {
    ...usual,
    owner: async () => {
      const owner = await usual.owner();
      return isLive === true ? { ...owner, environment: 'live' } : owner;
    },
    ledger: () => {
      reads += 1;
      return usual.ledger();
    },
    service: async () => {
      const service = await usual.service();
      if (places === undefined) return service;
      const quote: typeof service.client.quote = async (request) => {
        const found = await service.client.quote(request);
        return { ...found, amount: `${found.amount}${found.amount.includes('.') ? '' : '.'}000000000001` };
      };
      return { ...service, client: { ...service.client, quote } };
    },
  };
  const listed = ({ code, receive, ...coin }: Coin): Coin => ({
    ...coin,
    code,
    receive: receive.map((each) =>
      code === asked.to.coin && isMemoListed !== undefined ? { ...each, memoRequired: isMemoListed } : each,
    ),
  });
  const coins = async () => (await usual.coinList()).coins.map(listed);
  return { ports, reads: () => reads, steps: { coins } };
}
