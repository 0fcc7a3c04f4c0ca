import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SwapctlError } from '../../../src/base/errors.ts';
import type { Entry } from '../../../src/core/ledger/entry.ts';
import { anotherSwap, labelsNotice, requireSameRequest } from '../../../src/core/swaps/idempotency.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { NO_CREATE_OPTIONS } from '../../cli/commands/options.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { ADDRESSES } from '../../helpers/swap-service.ts';
import { INTENT, OWNER } from '../ledger/entries.ts';
import { ledgerAt, sentIntent } from '../ledger/events/ledgers.ts';
import { contextOn } from './follow/followers.ts';

const { address, memo } = INTENT;
const SAME = { address, memo };
const REFUND = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

/** Compares what is said now with the request that a key was used for. */
async function compared(ports: Partial<Ports>, known: Partial<Entry>, said: object, asWritten: boolean) {
  const home = await temporaryFolder();
  const entry = await sentIntent(await ledgerAt(join(home, 'ledger.db')));
  const { context } = contextOn({ now: () => 1, sleep: async () => undefined }, home);
  const words = { ...NO_CREATE_OPTIONS, ...said };
  return requireSameRequest({ ...context, ...ports }, { ...entry, ...known }, words, asWritten);
}

const OWNED = { owner: async () => OWNER };

it.each([
  ['nothing', {}, false, null],
  ['its address alone', { address }, false, null],
  ['its address alone, which means no memo', { address }, true, ['memo']],
  ['another memo', { address, memo: '12346' }, false, ['memo']],
  ['its values', { ...SAME, from: INTENT.deposit, amount: '0.1000000000000000010' }, true, null],
  ['its codes in lower case', { ...SAME, from: { coin: 'btc', network: 'btc' } }, true, null],
  ['its coin without a network', { ...SAME, from: { coin: 'BTC', network: null } }, true, null],
  ['another coin', { from: { coin: 'LTC', network: 'BTC' } }, false, ['deposit coin']],
  ['another network', { to: { coin: 'XRP', network: 'BSC' } }, false, ['payout coin']],
  ['another amount and rate', { amount: '0.1', type: 'fixed' }, false, ['amount', 'rate type']],
  ['another side', { lastSource: 'receive' }, false, ['side of the amount']],
  ['a refund address among flags', { refundAddress: REFUND }, false, ['refund address']],
  ['a new refund address', { ...SAME, refundAddress: REFUND }, true, ['refund address']],
] as const)('a key reused with %s, asWritten $2, differs: $3', async (_, printed, asWritten, different) => {
  const check = compared(OWNED, { request: INTENT }, printed, asWritten);
  if (different === null) await check;
  else await expect(check).rejects.toMatchObject({ code: 'usage', details: { different } });
});

it('a key reused without its refund address differs only if it is meant as written', async () => {
  const known = { request: { ...INTENT, refundAddress: REFUND }, refundAddress: REFUND };
  const details = { different: ['refund address'] };
  await expect(compared(OWNED, known, SAME, true)).rejects.toMatchObject({ details });
  await compared(OWNED, known, SAME, false);
});

it.each([
  ['lists the code that was sent', ['ETH'], false],
  ['has renamed the network since', ['ERC20'], false],
  ['lists both codes', ['ETH', 'ERC20'], true],
  ['lists neither code', ['TRX'], true],
  ['lists only another coin', null, true],
  ['cannot be reached', new SwapctlError('network_error', 'No answer.'), false],
])('an alias of the sent network, if the service %s, is another network: $2', async (...row) => {
  const [, listed, isOther] = row;
  const codes = Array.isArray(listed) ? listed : ['ETH'];
  const networks = codes.map((network) => ({ network, memoRequired: false }));
  const code = listed === null ? 'USDC' : 'USDT';
  const coinList = async () => {
    if (listed instanceof SwapctlError) throw listed;
    return { fetchedAt: 1, coins: [{ code, name: code, image: null, deposit: networks, receive: networks }] };
  };
  const request = { ...INTENT, deposit: { coin: 'USDT', network: 'ETH' } };
  const from = { coin: 'USDT', network: 'ERC20' };
  const check = compared({ coinList }, { request }, { from }, false);
  if (isOther) await expect(check).rejects.toMatchObject({ details: { different: ['deposit coin'] } });
  else await check;
});

it.each([
  ['7', '7', null],
  ['7', '8', { details: { different: ['memo'] } }],
  [null, '7', { code: 'invalid_memo' }],
])('the memo %s on a network without memos, sent again as %s, has the error %j', async (...row) => {
  const [stored, printed, error] = row;
  const payout = { receive: { coin: 'ETH', network: 'ETH' }, address: ADDRESSES.eth };
  const request = { ...INTENT, ...payout, memo: stored };
  const check = compared(OWNED, { request }, { address: payout.address, memo: printed }, true);
  if (error === null) await check;
  else await expect(check).rejects.toMatchObject(error);
});

const EXISTS = 'Order KQWZPA already exists for this swap, but its';
const USED = 'This idempotency key was used for another swap';

it.each<[string | null, readonly string[], string, RegExp]>([
  ['KQWZPA', ['rate type'], `${EXISTS} rate type differs.`, /^It can no longer be changed\./],
  ['KQWZPA', ['refund address'], `${EXISTS} refund address differs.`, /`swapctl refund KQWZPA <address>`;/],
  ['KQWZPA', ['rate type', 'refund address'], `${EXISTS} rate type and refund address differ.`, /^Change/],
  [null, ['rate type'], 'An order may already exist for this swap, but its rate type differs.', /^It can no/],
  [null, ['refund address', 'memo'], `${USED}: the refund address, memo differ.`, /^Use a new key/],
  ['KQWZPA', ['memo'], `${USED} (order KQWZPA): the memo differs.`, /^Use a new key for a new swap;/],
])('a key reused for order %s with a different %j fails: %s', (order, different, message, hint) => {
  const error = anotherSwap({ idempotencyKey: 'k', order }, different);
  expect(error.message).toBe(message);
  expect(error.hint).toMatch(hint);
});

it.each([{}, { team: 'ops' }])('a key sent again with the labels %j differs in none', (labels) => {
  expect(labelsNotice({ order: 'KQWZPA', labels: { team: 'ops' } }, labels)).toBeNull();
});
