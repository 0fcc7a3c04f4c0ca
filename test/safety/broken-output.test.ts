import { describe, expect, it } from 'vitest';
import { inScene } from '../helpers/scene.ts';
import { ADDRESSES } from '../helpers/swap-service.ts';

describe.concurrent('a create that cannot write its result', () => {
  it('because the disk is full says so, and has recorded the swap', () =>
    inScene({}, async (scene) => {
      const run = await scene.createIn('"$0" "$@" > /dev/full');
      expect(run.code).toBe(1);
      expect(run.error()).toMatchObject({ code: 'write_failed', exitCode: 1, outcome: 'done' });
      const [line] = await scene.history();
      expect(line).toMatchObject({ outcome: 'created', deposit: { address: ADDRESSES.btcDeposit } });
      expect(scene.service.posts()).toBe(1);
    }));

  it.each(['| head -c 0', '| true'])('because of %s ends quietly, and has recorded the swap', (pipe) =>
    inScene({}, async (scene) => {
      const run = await scene.createIn(`set -o pipefail; "$0" "$@" ${pipe}`);
      expect(run.code).toBe(0);
      expect(run.stderr).not.toContain('"error"');
      expect(await scene.history()).toMatchObject([{ outcome: 'created' }]);
      expect(scene.service.posts()).toBe(1);
    }),
  );

  it.each(['2> /dev/full', '2>&-', '2> >(true)'])(
    'or its error, because of %s, keeps its exit code',
    (redirection) =>
      inScene(
        { 'create-transaction': (_seen, _response, request) => request.socket.destroy() },
        async (scene) => {
          expect((await scene.createIn(`"$0" "$@" ${redirection}`)).code).toBe(7);
          expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
        },
      ),
  );
});
