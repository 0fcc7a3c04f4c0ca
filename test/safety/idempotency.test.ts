import { describe, expect, it } from 'vitest';
import { CREATED, expectCreate, UNKNOWN } from '../helpers/create-outcome.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import { type Answer, type Plan, swapText } from '../helpers/swap-service.ts';

const KEY = ['--idempotency-key', 'order-991'];

/** A service that fails the first create and accepts all later ones. */
function firstThen(first: Answer): Plan {
  let creates = 0;
  return {
    'create-transaction': (seen, response, request) => {
      creates += 1;
      if (creates === 1) first(seen, response, request);
      else sendJson(response, 201, swapText(seen));
    },
  };
}

it.concurrent('a used idempotency key returns its swap as it is now, and sends no create', () =>
  inScene({}, async (scene) => {
    const first = await scene.create(KEY);
    await expectCreate(scene, first, CREATED);
    const again = await scene.create(KEY);
    await expectCreate(scene, again, CREATED);
    expect(first.json()).toMatchObject({ replayed: false, fundable: true });
    expect(again.json()).toEqual({ ...first.json<object>(), replayed: true });
    expect(again.stderr).toContain('This idempotency key was used before; showing the swap that it created.');
    expect(scene.service.count('get-transaction')).toBe(1);
  }));

describe.concurrent('a dry run with an idempotency key', () => {
  const DRY = [...KEY, '--dry-run'];

  it('that is new shows the request and records nothing', () =>
    inScene({}, async (scene) => {
      expect((await scene.create(DRY)).json()).toMatchObject({ dryRun: true, request: { method: 'POST' } });
      expect([scene.service.posts(), await scene.history()]).toEqual([0, []]);
    }));

  it('of a created swap returns that swap instead of a request', () =>
    inScene({}, async (scene) => {
      const first = await scene.create(KEY);
      const before = scene.service.requests.length;
      const dry = await scene.create(DRY);
      expect([dry.code, dry.json()]).toEqual([0, { ...first.json<object>(), replayed: true }]);
      expect(dry.stderr).toContain('This idempotency key was used before');
      expect(scene.service.requests.length).toBe(before + 1);
    }));

  it('whose outcome is unknown exits with 7 without a request, like a create', () =>
    inScene(
      firstThen((_seen, _response, request) => request.socket.destroy()),
      async (scene) => {
        await scene.create(KEY);
        const before = scene.service.requests.length;
        await expectCreate(scene, await scene.create(DRY), UNKNOWN);
        expect(scene.service.requests.length).toBe(before);
      },
    ));
});

const ELSEWHERE: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ['another path of the service', { path: '/v2' }, /used with another service: 127\.0\.0\.1:\d+ \(/],
  ['another key pair', { SWAPCTL_PUBLIC_KEY: 'pk-2' }, /used with another key pair for this service/],
];
it.concurrent.each(ELSEWHERE)('an idempotency key is rejected for %s', (_name, { path, ...env }, says) =>
  inScene({}, async (scene) => {
    await scene.create(KEY);
    const url = path === undefined ? {} : { SWAPCTL_BASE_URL: `${scene.service.url}${path}` };
    const run = await scene.create(KEY, { ...env, ...url });
    expect(run.error()).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(run.error().message).toMatch(says);
    expect(scene.service.posts()).toBe(1);
  }),
);
