import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CREATED, expectCreate } from '../helpers/create-outcome.ts';
import type { HistoryLine, Scene } from '../helpers/scene.ts';
import { inScene, SECRET } from '../helpers/scene.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';

/** Stores the service as a live profile. */
async function storeLiveProfile(scene: Scene): Promise<void> {
  const folder = join(scene.home, '.config', 'swapctl');
  const shop = { baseUrl: scene.service.url, publicKey: 'pk', secret: SECRET, environment: 'live' };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'config.json'), JSON.stringify({ current: 'shop', profiles: { shop } }), {
    mode: 0o600,
  });
}

/** The scene with the history of that profile instead of the one from the environment. */
function ofShop(scene: Scene): Scene {
  const history = async () => (await scene.run(['history', '--json', '-p', 'shop'])).json<HistoryLine[]>();
  return { ...scene, history };
}

describe.concurrent('a test network address on a live profile', () => {
  it('is shown with a warning as the deposit address', () =>
    inScene({}, async (scene) => {
      await storeLiveProfile(scene);
      const run = await scene.create(['-p', 'shop']);
      await expectCreate(ofShop(scene), run, {
        ...CREATED,
        says: [/belongs to a test network/, /Ask the service/],
      });
      expect(run.stderr).toContain('profile shop · LIVE · 127.0.0.1');
    }));

  it('is rejected as the refund address before anything is sent', () =>
    inScene({}, async (scene) => {
      await storeLiveProfile(scene);
      const run = await scene.create(['-p', 'shop', '--refund-address', ADDRESSES.btcRefund]);
      const says = [/test network address/];
      await expectCreate(scene, run, { exit: 2, code: 'invalid_address', posts: 0, ledger: null, says });
    }));
});
