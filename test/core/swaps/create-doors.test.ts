import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SwapctlError } from '../../../src/base/errors.ts';
import { createSwapClient } from '../../../src/library/swap-client.ts';
import { startAgent } from '../../cli/commands/mcp/agent.ts';
import { profileAt } from '../../helpers/scene.ts';
import { ADDRESSES, swapText } from '../../helpers/swap-service.ts';
import { closePlaces, codeOf, type Place, placeWith, run } from './doors.ts';

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

closePlaces();

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

const mcp: Door = async ({ home, service }, { label, key = 'agent-1', ...asked }) => {
  const { call, close } = await startAgent({
    ...{ home, flags: {}, env: profileAt(service.url) },
    onForm: () => ({ action: 'accept', content: { lastSix: asked.address.slice(-6) } }),
  });
  const labels = label === undefined ? {} : { labels: { note: label } };
  const { isError, result } = await call('create_swap', { ...asked, ...labels, idempotencyKey: key });
  await close();
  if (result['approval'] !== undefined) return 'approval_required';
  return isError ? String(result['code']) : 'created';
};

const library: Door = async ({ service }, { label: _, key: __, from, to, ...asked }) => {
  const { SWAPCTL_PUBLIC_KEY: publicKey = '', SWAPCTL_SECRET: secret = '' } = profileAt(service.url);
  const client = createSwapClient({ baseUrl: service.url, publicKey, secret });
  try {
    await client.create({ ...asked, from: { coin: from }, to: { coin: to } });
    return 'created';
  } catch (error) {
    return codeOf(error);
  }
};

const program: Door = async ({ home, service }, { label, key, from, to, ...asked }) => {
  const { SWAPCTL_PUBLIC_KEY: publicKey = '', SWAPCTL_SECRET: secret = '' } = profileAt(service.url);
  const folder = join(home, '.local', 'state', 'swapctl');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ledger = join(folder, 'ledger.db');
  const client = createSwapClient({ baseUrl: service.url, publicKey, secret, ledger });
  const labels = label === undefined ? {} : { labels: { note: label } };
  const keyed = key === undefined ? {} : { idempotencyKey: key };
  try {
    await client.create({ ...asked, ...labels, ...keyed, from: { coin: from }, to: { coin: to } });
    return 'created';
  } catch (error) {
    return codeOf(error);
  } finally {
    await client.close();
  }
};

const laboratory: Door = async (place, { label: _, key: __, ...create }) => {
  const file = join(place.home, 'scenario.json');
  writeFileSync(file, JSON.stringify({ steps: [{ create: { as: 'a', ...create } }] }));
  const { error } = await run(place, ['sandbox', 'run', file, '--against', place.service.url, '--json']);
  if (error === null) return 'created';
  return /It failed with (\w+):/.exec(error.message)?.[1] ?? `${error.code}: ${error.message}`;
};

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

const POLICY = { version: 1, rules: [{ cap: { coin: 'BTC', amount: '0.05', per: 'order' } }] };
const APPROVALS = {
  version: 1,
  rules: [
    {
      approve: {
        ...{ coin: 'BTC', above: '0.01', within: '15m' },
        by: ['ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
      },
    },
  ],
};

async function under(place: Place, policy: object): Promise<void> {
  const file = join(place.home, 'policy.json');
  writeFileSync(file, JSON.stringify(policy));
  const { error } = await run(place, ['policy', 'set', file]);
  expect(error).toBeNull();
}

/** What the ledger refuses: how it comes to it, the create then, and how that ends. */
const OF_THE_LEDGER: readonly (readonly [
  string,
  (place: Place) => Promise<unknown>,
  Partial<Asked>,
  string,
])[] = [
  ['a secret label', async () => undefined, { label: PHRASE }, 'usage'],
  [
    'a label with the secret of the profile',
    async () => undefined,
    { label: 'sk-5f1e0c-never-to-be-shown' },
    'usage',
  ],
  [
    'a key of another swap',
    (place) => command(place, { ...GOOD, key: 'k' }),
    { key: 'k', amount: '0.2' },
    'usage',
  ],
  ['a policy', (place) => under(place, POLICY), {}, 'policy_refused'],
  ['a policy that requires an approval', (place) => under(place, APPROVALS), {}, 'approval_required'],
  ['a stop', (place) => run(place, ['policy', 'stop']), {}, 'stopped'],
];

describe.each(ON_LEDGER)('a create through %s, with a ledger', (name) => {
  it.each(OF_THE_LEDGER)('ends with $3 for %s and sends nothing', async (_, before, change, code) => {
    const place = await placeWith();
    await before(place);
    const posts = place.service.posts();
    expect([await DOORS[name](place, { ...GOOD, ...change }), place.service.posts()]).toEqual([code, posts]);
  });

  it('is not sent again for a key whose outcome is unknown', async () => {
    const place = await placeWith({ 'create-transaction': (_, __, request) => request.socket.destroy() });
    expect(await command(place, { ...GOOD, key: 'k' })).toBe('outcome_unknown');
    expect([await DOORS[name](place, { ...GOOD, key: 'k' }), place.service.posts()]).toEqual([
      'outcome_unknown',
      1,
    ]);
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
