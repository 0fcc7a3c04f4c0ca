import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOfFile } from '../../helpers/home.ts';
import { sendJson } from '../../helpers/raw-server.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt, SECRET } from '../../helpers/scene.ts';
import {
  ADDRESSES,
  type CreateBody,
  ORDER,
  type SwapService,
  startSwapService,
  wireSwap,
} from '../../helpers/swap-service.ts';
import { startAgent } from './mcp/agent.ts';

const DEPOSIT_TX = 'b17c0de0'.repeat(8);
const PAYOUT_TX = 'C0FFEE01'.repeat(8);
const OTHER = 'OTHERS';

const home = await folderOfFile();
let service: SwapService;

const run = (args: readonly string[]) => runHere(args, { home, env: profileAt(service.url) });
const create = (more: readonly string[]) =>
  run([...['create', 'BTC', 'XRP', '0.1', '--address', ADDRESSES.xrp, '--yes', '--json'], ...more]);
const asked = () => service.requests.flatMap(({ query }) => query.get('id') ?? []);

/** Two swaps: one with every fact of its own, and another one with the same label `team=ops` and payout address. */
beforeAll(async () => {
  const made = new Map<string, ReturnType<typeof wireSwap>>();
  service = await startSwapService({
    'create-transaction': ({ body }, response) => {
      const swap = wireSwap(JSON.parse(body) as CreateBody);
      const isFirst = made.size === 0;
      const orderNumber = isFirst ? ORDER : OTHER;
      if (!isFirst) swap.pairs.deposit.address = ADDRESSES.otherBtcDeposit;
      const receiveTransaction = { ...swap.receiveTransaction, txId: isFirst ? PAYOUT_TX : '' };
      const seen = { ...swap, orderNumber, receiveTransaction, txId: isFirst ? DEPOSIT_TX : '', status: 12 };
      made.set(orderNumber, isFirst ? seen : { ...swap, orderNumber });
      sendJson(response, 201, { ...swap, orderNumber });
    },
    'get-transaction': ({ query }, response) => {
      const swap = made.get(query.get('id') ?? '');
      if (swap === undefined) sendJson(response, 404, { statusCode: 404, message: 'Not found.' });
      else sendJson(response, 200, swap);
    },
  });
  const refund = ['--refund-address', ADDRESSES.btcRefund];
  const own = ['--idempotency-key', 'order-991', '--label', 'customer=8812', '--label', 'team=ops'];
  expect((await create(['--memo', '55221', ...refund, ...own])).error).toBeNull();
  expect((await create(['--memo', '55222', '--label', 'team=ops'])).error).toBeNull();
  expect((await run(['status', ORDER])).error).toBeNull();
});
afterAll(() => service.close());

const idOf = async (order: string) =>
  (JSON.parse((await run(['history', order, '--json'])).stdout) as { id: string }[])[0]?.id ?? '';

const FACTS: readonly (readonly [string, () => string | Promise<string>, RegExp | null])[] = [
  ['order number', () => ORDER.toLowerCase(), null],
  [
    'entry id',
    () => idOf(ORDER),
    /^Found by entry id: order KQWZPA \(success, BTC:BTC → XRP:XRP, 20\S+Z\)\.$/m,
  ],
  ['idempotency key', () => 'order-991', /^Found by idempotency key: order KQWZPA/m],
  ['deposit address', () => ADDRESSES.btcDeposit.toUpperCase(), /^Found by deposit address: order KQWZPA/m],
  ['refund address', () => ADDRESSES.btcRefund, /^Found by refund address: order KQWZPA/m],
  ['memo', () => '55221', /^Found by memo: order KQWZPA/m],
  ['transaction of the deposit', () => DEPOSIT_TX.toUpperCase(), /^Found by transaction: order KQWZPA/m],
  ['transaction of the payout', () => PAYOUT_TX, /^Found by transaction: order KQWZPA/m],
  [
    'prefix of a transaction',
    () => DEPOSIT_TX.slice(0, 8),
    /^Found by the beginning of a transaction id: order/m,
  ],
  ['label', () => 'customer=8812', /^Found by label: order KQWZPA/m],
];

interface ErrorShown {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** What a door made of a fact: the order that its result names, or its error. */
interface Through {
  readonly order: string | null;
  readonly printed: string;
  readonly error: (ErrorShown & { readonly candidates: unknown }) | null;
}

type Door = (fact: string) => Promise<Through>;

const command =
  (before: readonly string[], after: readonly string[] = []): Door =>
  async (fact) => {
    const { stdout, stderr, error } = await run([...before, fact, ...after, '--json']);
    const failed = error && {
      code: error.code,
      message: error.message,
      hint: error.hint ?? null,
      candidates: error.details?.['candidates'],
    };
    return {
      order: /KQWZPA|OTHERS/.exec(stdout)?.[0] ?? null,
      printed: stderr.replace(/^warning: /gm, ''),
      error: failed,
    };
  };

const tool =
  (name: string, more: object = {}): Door =>
  async (fact) => {
    const agent = await startAgent({ home, flags: {}, env: profileAt(service.url) });
    const { isError, result, text } = await agent.call(name, { order: fact, ...more });
    await agent.close();
    const { code, message, hint, details } = result as unknown as ErrorShown & { details?: object };
    const candidates = details && Reflect.get(details, 'candidates');
    const words = JSON.stringify(result['notes'] ?? text).replaceAll(/^\[?"|\\n|"/g, '\n');
    return {
      order: isError ? null : (result['order'] as string),
      printed: words,
      error: isError ? { code, message, hint, candidates } : null,
    };
  };

const NEW_REFUND = ADDRESSES.btcRefund;

const DOORS: Readonly<Record<string, Door>> = {
  status: command(['status']),
  'status --attention': command(['status', '--attention', '--max-age', '1h']),
  refund: command(['refund'], [NEW_REFUND, '--yes']),
  'history show': command(['history', 'show']),
  'history support': command(['history', 'support']),
  'history note': command(['history', 'note'], ['asked']),
  'history sent': command(['history', 'sent'], ['--tx', DEPOSIT_TX]),
  listen: command(['listen'], ['--once']),
  'create --like': command(['create', '--like'], ['--dry-run']),
  'swap_status of mcp': tool('swap_status'),
  'support_case of mcp': tool('support_case'),
  'set_refund_address of mcp': tool('set_refund_address', { address: NEW_REFUND }),
};

describe.each(Object.entries(DOORS))('%s', (name, door) => {
  it.each(FACTS)('finds a swap by its %s', async (_, factOf, words) => {
    const { order, printed, error } = await door(await factOf());
    // These print no order: nothing needs attention, nothing is open, and a create has none yet.
    const isSilent = ['status --attention', 'listen', 'create --like'].includes(name);
    expect([error, order]).toEqual([null, isSilent ? null : ORDER]);
    if (words !== null && !name.includes('mcp')) expect(printed).toMatch(words);
  });

  it.each(['team=ops', ADDRESSES.xrp])('rejects %s, which matches two swaps', async (fact) => {
    const before = service.requests.length;
    const { error } = await door(fact);
    expect(error?.code).toBe('usage');
    expect(error?.message).toMatch(
      /^2 swaps match \S+: order \w{6} \(\w+, BTC:BTC → XRP:XRP, 20\S+Z\); order /,
    );
    const [newest] = (error?.candidates ?? []) as readonly { readonly id: string }[];
    expect(error?.hint).toMatch(new RegExp(` ${newest?.id} is the newest\\.$`));
    expect(error?.candidates).toMatchObject([
      { order: OTHER, status: 'new', pair: 'BTC:BTC → XRP:XRP', environment: 'sandbox' },
      { order: ORDER, status: 'success', pair: 'BTC:BTC → XRP:XRP', environment: 'sandbox' },
    ]);
    expect(service.requests.slice(before).filter(({ query }) => query.has('id'))).toEqual([]);
  });

  it.each([
    ['an address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['a transaction', `0x${'5afe1234'.repeat(8)}`],
    ['a label', 'customer=1'],
    ['a memo', 'thank you'],
  ])('reports %s that no swap has as not_found without a request', async (_, fact) => {
    const before = asked().length;
    const { error } = await door(fact);
    expect([error?.code, error?.message]).toEqual(['not_found', `The ledger has no swap with ${fact}.`]);
    expect(asked().slice(before)).toEqual([]);
  });

  it.each([
    ['a private key', '5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF'],
    ['a hexadecimal private key', `0x${'4f3edf98'.repeat(16)}`],
    ['a seed phrase', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
    ['the secret of the profile', SECRET],
  ])('neither sends nor prints %s', async (_, secret) => {
    const before = service.requests.length;
    const { error, printed } = await door(secret);
    expect(error?.code).toMatch(/^(usage|not_found)$/);
    expect(`${error?.message}${printed}`).not.toContain(secret);
    expect(
      JSON.stringify(service.requests.slice(before).map(({ query, body }) => [`${query}`, body])),
    ).not.toContain(secret);
  });
});

it('status asks the service for an unknown text that could be an order number', async () => {
  const before = asked().length;
  expect((await run(['status', 'ABCDEF'])).error?.code).toBe('not_found');
  expect(asked().slice(before)).toEqual(['ABCDEF']);
});

it('refund names the swap found by a transaction id prefix even with --quiet', async () => {
  const { stderr } = await run(['refund', DEPOSIT_TX.slice(0, 8), NEW_REFUND, '--yes', '--quiet']);
  expect(stderr).toMatch(/Found by the beginning of a transaction id: order KQWZPA/);
});

it('an unknown command that identifies a swap suggests `swapctl status`', async () => {
  for (const fact of [ORDER, 'order-991', DEPOSIT_TX, DEPOSIT_TX.slice(0, 10)]) {
    const { error } = await run([fact]);
    expect([error?.message, error?.hint]).toEqual([
      `Unknown command ${fact}.`,
      `Did you mean \`swapctl status ${fact}\`?`,
    ]);
    expect(error?.actions.map((action) => action.command)).toEqual([['swapctl', 'status', fact]]);
  }
  expect((await run(['ABCDEF'])).error?.hint).toBe('See `swapctl --help`.');
});
