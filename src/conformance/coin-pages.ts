import { countAt, textAt } from '../partner-api/json-path.ts';
import type { Check, Verdict } from './check.ts';
import { assumed, at, check, checkAnswer, differs, heldIf } from './check.ts';
import {
  codesOf,
  coinsIn,
  coinsRequest,
  firstCoin,
  firstPage,
  listed,
  ONE_COIN,
  PAGE_LIMIT,
} from './listing.ts';
import { NotTestable, type Probe, type Reply } from './probe.ts';

/** Default of `limit`: coins on a page. */
const DEFAULT_LIMIT = 20;
const ALL = String(PAGE_LIMIT);

/** Checks of the coin list's pages. */
export function coinPageChecks(): Check[] {
  return at(
    'get-all-coins',
    check('pages and totals agree', 'pageCount = totalCount / limit, rounded up', pagesAgree),
    check('a limit of 1', 'one coin, a page for each', async (probe) => {
      const reply = await probe.ask(coinsRequest(ONE_COIN));
      if (!reply.ok) return differs(reply.words);
      const { pages, total } = totals(reply);
      const { length } = coinsIn(reply, 'deposit');
      return heldIf(length === 1 && pages === total, `${length} coins, ${pages} pages for ${total}`);
    }),
    check('the second page', 'another coin than the first', async (probe) => {
      const first = await probe.ask(coinsRequest(ONE_COIN));
      if (totals(first).total < 2) throw new NotTestable('only one coin is listed');
      const second = await probe.ask(coinsRequest({ ...ONE_COIN, page: '2' }));
      const [a, b] = [first, second].map((reply) => codesOf(coinsIn(reply, 'deposit'))[0]);
      return heldIf(b !== undefined && a !== b, second.ok ? `${b ?? 'no coin'}` : second.words);
    }),
    ...assumed('page, limit', ...pageAssumptions()),
  );
}

function totals(reply: Reply): { pages: number; total: number } {
  const pages = countAt(reply.json, 'pagination.pageCount');
  const total = countAt(reply.json, 'pagination.totalCount');
  if (pages === undefined || total === undefined) throw new NotTestable('no pagination to read');
  return { pages, total };
}

async function pagesAgree(probe: Probe): Promise<Verdict> {
  const reply = await probe.ask(firstPage('deposit'));
  if (!reply.ok) throw new NotTestable(`no page of ${ALL}: ${reply.words}`);
  const { pages, total } = totals(reply);
  const { length } = coinsIn(reply, 'deposit');
  // The document does not state the maximum limit, so a page may hold fewer coins than requested.
  const limit = Math.min(PAGE_LIMIT, length);
  const agree = total === 0 ? length === 0 : limit > 0 && pages === Math.ceil(total / limit);
  return heldIf(agree, `${length} coins on the first of ${pages} pages of ${ALL}, ${total} in all`);
}

function pageAssumptions() {
  return [
    check('no limit', `${DEFAULT_LIMIT} coins on a page`, async (probe: Probe) => {
      const reply = await probe.ask(coinsRequest({ method: '1' }));
      const { length } = coinsIn(reply, 'deposit');
      if (!reply.ok) return differs(reply.words);
      return heldIf(length === Math.min(DEFAULT_LIMIT, totals(reply).total), `${length} coins`);
    }),
    check('no page', 'the first page', async (probe: Probe) => {
      const reply = await probe.ask(coinsRequest({ method: '1' }));
      const wanted = textAt(await firstCoin(probe, 'deposit'), 'subName');
      const [code] = codesOf(coinsIn(reply, 'deposit'));
      return heldIf(code === wanted, reply.ok ? `it begins with ${code ?? 'nothing'}` : reply.words);
    }),
    checkAnswer('a limit of 100', 'accepted', firstPage('deposit'), ({ ok }) => ok),
    checkAnswer(
      'a limit of 101',
      '400',
      coinsRequest({ method: '1', page: '1', limit: String(PAGE_LIMIT + 1) }),
      ({ status }) => status === 400,
    ),
    check('a page beyond the last', 'an empty list', async (probe: Probe) => {
      const { pages } = totals(await listed(probe, 'deposit'));
      const reply = await probe.ask(coinsRequest({ method: '1', page: String(pages + 1), limit: ALL }));
      return reply.ok ? emptyList(reply) : differs(reply.words);
    }),
  ];
}

/** Held where the deposit listing exists and is empty. */
export function emptyList(reply: Reply): Verdict {
  const { length } = coinsIn(reply, 'deposit');
  return heldIf(length === 0 && Array.isArray(reply.body['depositCoins']), `${length} coins`);
}
