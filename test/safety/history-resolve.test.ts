import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryResult } from '../../src/core/ledger/swap-result.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { AT_TERMINAL, type RanHere, runHere } from '../helpers/run-here.ts';
import { inScene, profileAt, type Scene } from '../helpers/scene.ts';
import { ADDRESSES, BTC_TO_ETH, createdAs, ORDER, type Plan, wireSwap } from '../helpers/swap-service.ts';

const here = ({ home, service }: Scene, args: readonly string[], options = {}): Promise<RanHere> =>
  runHere(args, { home, env: profileAt(service.url), ...options });

const history = async (scene: Scene) =>
  JSON.parse((await here(scene, ['history', '--json'])).stdout) as HistoryResult[];

const CREATE = ['create', 'BTC', 'ETH', '0.1', '-a', ADDRESSES.eth, '--yes', '--json'];
const KEYED = [...CREATE, '--idempotency-key', 'order-991'];

/** A service that closes the connection of the first create without a response, although it makes the order. */
function losing(plan: Plan = {}): Plan {
  let creates = 0;
  return {
    'create-transaction': (seen, response, request) => {
      creates += 1;
      if (creates === 1) request.socket.destroy();
      else createdAs((swap) => (swap.orderNumber = 'SECOND'))(seen, response, request);
    },
    'get-transaction': (_seen, response) => sendJson(response, 200, wireSwap(BTC_TO_ETH)),
    ...plan,
  };
}

/** A scene whose ledger holds one unknown outcome, and its id. */
const withUnknown = (act: (scene: Scene, id: string) => Promise<void>, plan: Plan = {}) =>
  inScene(losing(plan), async (scene) => {
    expect((await here(scene, KEYED)).error?.exitCode).toBe(7);
    const [lost] = await history(scene);
    await act(scene, lost?.id ?? '');
  });

/** Sets a policy of at most two creates a day whose owner's key is pinned; the key's file. */
async function withPolicy(scene: Scene): Promise<string> {
  const [key, policy] = [join(scene.home, 'owner.pem'), join(scene.home, 'policy.json')];
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(key, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  await writeFile(policy, JSON.stringify({ version: 1, rules: [{ count: { most: 2, per: '24h' } }] }));
  const set = await here(scene, ['policy', 'set', policy, '--owner-key', key, '--yes']);
  expect(set.error).toBeNull();
  return key;
}

describe.concurrent('a create with an unknown outcome', () => {
  it('is listed with its id, key and reason in every output format', () =>
    withUnknown(async (scene, id) => {
      expect(await history(scene)).toMatchObject([
        { id, outcome: 'unknown', idempotencyKey: 'order-991', order: null, fundable: false, doubts: [] },
      ]);
      expect((await history(scene))[0]?.reason).toContain(
        'closed the connection before the response was complete',
      );
      const [row] = (await here(scene, ['history'])).stdout.trimEnd().split('\n');
      expect(row?.split('\t').slice(-3, -1)).toEqual([id, 'order-991']);
      expect(row?.split('\t').at(-1)).toContain('closed the connection');
      const screen = (await here(scene, ['history'], { terminals: AT_TERMINAL })).stdout;
      expect(screen).toContain(` Unknown    ${id}\n Key        order-991\n`);
      expect(screen.replace(/\s+/g, ' ')).toMatch(/Reason The outcome is unknown: an order may exist\. 127/);
      expect((await here(scene, ['history', '--csv'])).stdout).toContain(`${id},unknown,`);
    }));

  it.each([
    [60 * 60_000, true],
    [60_000, false],
  ])('is linked to an order created %i ms earlier, with a warning: %s', async (before, warns) => {
    const created = new Date(Date.now() - before).toISOString();
    const older = (_seen: unknown, response: ServerResponse) =>
      sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), createdAt: created });
    await withUnknown(
      async (scene, id) => {
        const run = await here(scene, ['history', 'resolve', id, '--order', ORDER, '--json']);
        expect(run.error).toBeNull();
        expect(run.stderr.includes(`Order ${ORDER} was created at ${created}, before`)).toBe(warns);
      },
      { 'get-transaction': older },
    );
  });

  it('is linked to its order once, and its key then returns that order', () =>
    withUnknown(async (scene, id) => {
      const run = await here(scene, ['history', 'resolve', id, '--order', ORDER, '--json']);
      expect(run.error).toBeNull();
      expect(JSON.parse(run.stdout)).toMatchObject({
        id,
        outcome: 'created',
        order: ORDER,
        status: 'new',
        reason: null,
        fundable: true,
        asked: { deposit: '0.1', receive: '2.5' },
        doubts: [],
        idempotencyKey: 'order-991',
      });
      const again = await here(scene, KEYED);
      expect(JSON.parse(again.stdout)).toMatchObject({ order: ORDER, replayed: true });
      expect(scene.service.posts()).toBe(1);
    }));

  it('that is dismissed is no longer listed first, and its key can be used again', () =>
    withUnknown(async (scene, id) => {
      await here(scene, CREATE);
      expect((await history(scene)).map(({ outcome }) => outcome)).toEqual(['unknown', 'created']);
      const run = await here(scene, ['history', 'resolve', id, '--dismiss', '--json']);
      expect(JSON.parse(run.stdout)).toMatchObject({ id, outcome: 'dismissed', order: null });
      expect((await history(scene)).map(({ outcome }) => outcome)).toEqual(['created', 'dismissed']);
      const only = await here(scene, ['history', '--status', 'dismissed', '--json']);
      expect(JSON.parse(only.stdout)).toMatchObject([{ id }]);
      expect((await here(scene, ['history'], { terminals: AT_TERMINAL })).stderr).not.toContain('unknown:');
      const { events } = JSON.parse((await here(scene, ['history', 'show', id, '--json'])).stdout);
      expect(events.map(({ type }: { type: string }) => type).join(' ')).toBe(
        'create.requested create.unknown create.dismissed',
      );
      expect(events.at(-1)).toMatchObject({
        changes: { outcome: ['unknown', 'dismissed'] },
        at: expect.stringMatching(/^20.*Z$/),
      });
      const dry = await here(scene, [...KEYED, '--dry-run']);
      expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true });
    }));

  it('is linked to an order older than itself only with the key of the pinned owner', () => {
    const createdAt = new Date(Date.now() - 60 * 60_000).toISOString();
    return withUnknown(
      async (scene, id) => {
        const key = await withPolicy(scene);
        const link = ['history', 'resolve', id, '--order', ORDER];
        expect((await here(scene, link)).error).toMatchObject({ code: 'policy_refused', exitCode: 12 });
        expect(await history(scene)).toMatchObject([{ outcome: 'unknown' }]);
        expect((await here(scene, [...link, '--owner-key', key])).error).toBeNull();
        expect(await history(scene)).toMatchObject([{ outcome: 'created', order: ORDER }]);
      },
      {
        'get-transaction': (_seen, response) =>
          sendJson(response, 200, { ...wireSwap(BTC_TO_ETH), createdAt }),
      },
    );
  });

  it.each([
    ['another payout address', { receiveAddress: ADDRESSES.otherEth }],
    ['another coin', { depositCoin: 'LTC' }],
  ])('is not linked to an order with %s', (_name, other) =>
    withUnknown(
      async (scene, id) => {
        const run = await here(scene, ['history', 'resolve', id, '--order', ORDER]);
        expect(run.error).toMatchObject({ code: 'usage', exitCode: 2 });
        expect(run.error?.message).toContain('is not the requested swap');
        expect(await history(scene)).toMatchObject([{ outcome: 'unknown', order: null }]);
      },
      {
        'get-transaction': (_seen, response) =>
          sendJson(response, 200, wireSwap({ ...BTC_TO_ETH, ...other })),
      },
    ),
  );

  it('is not linked to an order at another host, even with the same key pair', () =>
    withUnknown((own, id) =>
      inScene(losing(), async ({ service }) => {
        const run = await here({ ...own, service }, ['history', 'resolve', id, '--order', ORDER]);
        expect(run.error?.message).toMatch(/^Entry \S+ was sent with the key pair of profile env at 127/);
        expect(service.requests).toEqual([]);
      }),
    ));

  it('is linked with a doubt to an order with another deposit amount', () =>
    withUnknown(
      async (scene, id) => {
        const run = await here(scene, ['history', 'resolve', id, '--order', ORDER, '--json']);
        expect(run.stderr).toContain('asks for a deposit of 0.5 instead of 0.1');
        expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'created', fundable: false });
      },
      {
        'get-transaction': (_seen, response) =>
          sendJson(response, 200, wireSwap({ ...BTC_TO_ETH, depositAmount: 0.5 })),
      },
    ));

  it('stays unknown if the id or order is unknown', () =>
    withUnknown(
      async (scene, id) => {
        for (const words of ['no-such-id --dismiss', `${id} --order NOSUCH`])
          expect((await here(scene, ['history', 'resolve', ...words.split(' ')])).error?.exitCode).toBe(3);
        expect(await history(scene)).toMatchObject([{ outcome: 'unknown' }]);
      },
      { 'get-transaction': (_seen, response) => sendJson(response, 404, { message: 'Not found.' }) },
    ));
});
