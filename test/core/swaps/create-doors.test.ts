import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SwapctlError } from '../../../src/base/errors.ts';
import { ADDRESSES, swapText } from '../../helpers/swap-service.ts';
import {
  APPROVE,
  codeOf,
  inLaboratory,
  inLibrary,
  inMcp,
  inProgram,
  type Place,
  placeWith,
  run,
  under,
} from './doors.ts';

/** A create as a program describes it; each door writes it in its own form. */
interface Asked {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly address: string;
  readonly memo?: string;
  readonly refundAddress?: string;
  readonly minReceive?: string;
  readonly type?: 'fixed';
  readonly label?: string;
  readonly key?: string;
}

const GOOD: Asked = { from: 'BTC', to: 'ETH', amount: '0.1', address: ADDRESSES.eth };
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** `created`, or the code of the error that a create by this door ends with. */
type Door = (place: Place, asked: Asked) => Promise<string>;

const command: Door = async (place, { from, to, amount, address, memo, ...more }) => {
  const { error } = await run(place, [
    ...['create', from, to, amount, '--address', address, '--yes', '--json'],
    ...(memo === undefined ? [] : ['--memo', memo]),
    ...(more.refundAddress === undefined ? [] : ['--refund-address', more.refundAddress]),
    ...(more.type === undefined ? [] : ['--fixed']),
    ...(more.minReceive === undefined ? [] : ['--min-receive', more.minReceive]),
    ...(more.label === undefined ? [] : ['--label', `note=${more.label}`]),
    ...(more.key === undefined ? [] : ['--idempotency-key', more.key]),
  ]);
  return error === null ? 'created' : error.code;
};

const batch: Door = async (place, { label, ...row }) => {
  const file = join(place.home, 'rows.jsonl');
  writeFileSync(
    file,
    JSON.stringify({ ...row, ...(label === undefined ? {} : { labels: { note: label } }) }),
  );
  const { error, stdout } = await run(place, ['batch', file, '--yes', '--json']);
  // A row that was sent, or refused when it was to be sent, has a line of its own.
  if (stdout !== '') return (JSON.parse(stdout) as { error: SwapctlError | null }).error?.code ?? 'created';
  const [cause] = (error?.details?.['errors'] ?? []) as readonly { readonly code: string }[];
  return cause?.code ?? codeOf(error);
};

const mcp: Door = async (place, { label, key = 'agent-1', ...asked }) => {
  const labels = label === undefined ? {} : { labels: { note: label } };
  const onForm = () => ({ action: 'accept', content: { lastSix: asked.address.slice(-6) } });
  return inMcp(place, ['create_swap', { ...asked, ...labels, idempotencyKey: key }], 'created', onForm);
};

const library: Door = async (place, { label: _, key: __, from, to, ...asked }) => {
  const request = { ...asked, from: { coin: from }, to: { coin: to } };
  return inLibrary(place, (client) => client.create(request), 'created');
};

const program: Door = async (place, { label, key, from, to, ...asked }) => {
  const labels = label === undefined ? {} : { labels: { note: label } };
  const keyed = key === undefined ? {} : { idempotencyKey: key };
  const request = { ...asked, ...labels, ...keyed, from: { coin: from }, to: { coin: to } };
  return inProgram(place, (client) => client.create(request), 'created');
};

const laboratory: Door = async (place, { label: _, key: __, ...create }) =>
  inLaboratory(place, { create: { as: 'a', ...create } }, 'created');

/** Every door. `program` is the library with a ledger; without one, and in the laboratory, there is no key, label or policy. */
const DOORS = { command, batch, mcp, program, library, laboratory };
const ON_LEDGER = ['command', 'batch', 'mcp', 'program'] as const;

/** What a check refuses, and how: before anything is sent. */
const CHECKS: readonly (readonly [string, Partial<Asked>, string])[] = [
  ['a secret memo', { memo: PHRASE }, 'invalid_memo'],
  ['an unknown coin', { to: 'NOPE' }, 'unknown_coin'],
  ['both sides the same', { to: 'BTC', address: ADDRESSES.btcRefund }, 'usage'],
  ['more decimals than the coin has', { amount: '0.123456789' }, 'invalid_amount'],
  ['an address of another network', { address: ADDRESSES.xrp }, 'invalid_address'],
  ['an address with a typing mistake', { address: ADDRESSES.eth.replace('5aAe', '5aaE') }, 'invalid_address'],
  ['a memo where the network has none', { memo: '12345' }, 'invalid_memo'],
  ['a missing memo', { to: 'XRP', address: ADDRESSES.xrp }, 'memo_required'],
  ['a refund address of another network', { refundAddress: ADDRESSES.eth }, 'invalid_address'],
  ['less than the minimum', { amount: '0.0001' }, 'amount_below_min'],
  ['more than the maximum', { amount: '101' }, 'amount_above_max'],
  ['a payout below the wanted minimum', { minReceive: '2.6' }, 'invalid_amount'],
];

describe.each(Object.entries(DOORS))('a create through %s', (_, door) => {
  it('is sent once if every check passes', async () => {
    const place = await placeWith();
    expect([await door(place, GOOD), place.service.posts()]).toEqual(['created', 1]);
  });

  it.each(CHECKS)('ends with $2 for %s and sends nothing', async (__, change, code) => {
    const place = await placeWith();
    expect([await door(place, { ...GOOD, ...change }), place.service.posts()]).toEqual([code, 0]);
  });

  it('ends with outcome_unknown and is not repeated if the response contradicts it', async () => {
    const place = await placeWith({
      'create-transaction': (seen, response) => {
        const wrong = (swap: { pairs: { receive: { address: string } } }) => {
          swap.pairs.receive.address = ADDRESSES.otherEth;
        };
        response.writeHead(201, { 'content-type': 'application/json' }).end(swapText(seen, wrong));
      },
    });
    expect([await door(place, GOOD), place.service.posts()]).toEqual(['outcome_unknown', 1]);
  });
});

const CAP = { cap: { coin: 'BTC', amount: '0.05', per: 'order' } };

/** What the ledger refuses: how it comes to it, the create then, and how that ends. */
const OF_THE_LEDGER: readonly (readonly [
  string,
  (place: Place) => Promise<unknown>,
  Partial<Asked>,
  string,
])[] = [
  ['a secret label', async () => undefined, { label: PHRASE }, 'usage'],
  ['a label with its secret', async () => undefined, { label: 'sk-5f1e0c-never-to-be-shown' }, 'usage'],
  ['a used key', (place) => command(place, { ...GOOD, key: 'k' }), { key: 'k', amount: '0.2' }, 'usage'],
  ['a policy', (place) => under(place, CAP), {}, 'policy_refused'],
  ['a policy that requires an approval', (place) => under(place, APPROVE), {}, 'approval_required'],
  ['a stop', (place) => run(place, ['policy', 'stop']), {}, 'stopped'],
];

describe.each(ON_LEDGER)('a create through %s, with a ledger', (name) => {
  it.each(OF_THE_LEDGER)('ends with $3 for %s and sends nothing', async (_, before, change, code) => {
    const place = await placeWith();
    await before(place);
    const posts = place.service.posts();
    expect([await DOORS[name](place, { ...GOOD, ...change }), place.service.posts()]).toEqual([code, posts]);
  });

  it('is not sent again if the first create with its idempotency key has an unknown outcome', async () => {
    const place = await placeWith({ 'create-transaction': (_, __, request) => request.socket.destroy() });
    expect(await command(place, { ...GOOD, key: 'k' })).toBe('outcome_unknown');
    const again = await DOORS[name](place, { ...GOOD, key: 'k' });
    expect([again, place.service.posts()]).toEqual(['outcome_unknown', 1]);
  });

  it('records amount_changed for an order that pays less than its fixed rate', async () => {
    const place = await placeWith({
      'create-transaction': (seen, response) => {
        const less = swapText(seen, ({ pairs }) => (pairs.receive.coin.value = 2.49));
        response.writeHead(201, { 'content-type': 'application/json' }).end(less);
      },
    });
    expect(await DOORS[name](place, { ...GOOD, type: 'fixed' })).toBe('created');
    const { stdout } = await run(place, ['history', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ doubts: ['amount_changed'], fundable: false }]);
  });

  it('returns the existing swap of its key, whichever interface created it', async () => {
    const place = await placeWith();
    for (const each of ON_LEDGER) expect(await DOORS[each](place, { ...GOOD, key: 'k' })).toBe('created');
    expect([await DOORS[name](place, { ...GOOD, key: 'k' }), place.service.posts()]).toEqual(['created', 1]);
  });
});
