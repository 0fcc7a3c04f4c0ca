import { describe, expect, it } from 'vitest';
import { NO_MORE_ROOM, tamper } from '../helpers/ledger-damage.ts';
import { sendJson } from '../helpers/raw-server.ts';
import { inScene } from '../helpers/scene.ts';
import { ADDRESSES, type Plan, swapText } from '../helpers/swap-service.ts';

/** The payment details, which are on standard error if the result could not be written. */
const WHOLE = ` Order    KQWZPA\n Amount   0.1 BTC\n Network  BTC\n Address  ${ADDRESSES.btcDeposit}\n`;
const expectWhole = (stderr: string) => expect(stderr).toContain(WHOLE);

const DETAILS = {
  details: { order: 'KQWZPA', deposit: { address: ADDRESSES.btcDeposit, memo: null, amount: '0.1' } },
};

/** A service that fills up the ledger before it responds to a create. */
function withoutRoom(ledgerFile: () => string): Plan {
  return {
    'create-transaction': (seen, response) => {
      tamper(ledgerFile(), NO_MORE_ROOM);
      sendJson(response, 201, swapText(seen));
    },
  };
}

describe.concurrent('a create whose ledger entry cannot be written', () => {
  it.each([
    ['a full disk', '"$0" "$@" > /dev/full'],
    ['a closed pipe', 'set -o pipefail; "$0" "$@" | true'],
  ])('and whose result is lost by %s prints the order on stderr and exits with 7', (_name, shell) => {
    let file = '';
    return inScene(
      withoutRoom(() => file),
      async (scene) => {
        file = scene.ledgerFile;
        const run = await scene.createIn(shell);
        expect(run.code).toBe(7);
        expect(run.error()).toMatchObject({ code: 'outcome_unknown', outcome: 'done', ...DETAILS });
        expectWhole(run.stderr);
        expect(await scene.history()).toMatchObject([{ outcome: 'unknown' }]);
      },
    );
  });
});

describe.concurrent('a create that cannot write its result', () => {
  it('because of a full disk exits with 7, prints the order on stderr and records the swap', () =>
    inScene({}, async (scene) => {
      const run = await scene.createIn('"$0" "$@" > /dev/full');
      expect(run.code).toBe(7);
      expect(run.error()).toMatchObject({ code: 'outcome_unknown', exitCode: 7, outcome: 'done' });
      expectWhole(run.stderr);
      expect(run.error()).toMatchObject(DETAILS);
      expect(run.error()['actions']).toMatchObject([{ command: ['swapctl', 'status', 'KQWZPA'] }]);
      const [line] = await scene.history();
      expect(line).toMatchObject({ outcome: 'created', deposit: { address: ADDRESSES.btcDeposit } });
      expect(scene.service.posts()).toBe(1);
    }));

  it.each(['| head -c 0', '| true'])('because of `%s` exits with 0 and records the swap', (pipe) =>
    inScene({}, async (scene) => {
      const run = await scene.createIn(`set -o pipefail; "$0" "$@" ${pipe}`);
      expect(run.code).toBe(0);
      expect(run.stderr).not.toContain('"error"');
      expectWhole(run.stderr);
      expect(await scene.history()).toMatchObject([{ outcome: 'created' }]);
      expect(scene.service.posts()).toBe(1);
    }),
  );

  it.each(['2> /dev/full', '2>&-', '2> >(true)'])(
    'or its error, because of `%s`, exits with the code of its error',
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
