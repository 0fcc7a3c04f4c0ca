import { describe, expect, it } from 'vitest';
import type { HistoryResult } from '../../../src/core/ledger/swap-result.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../helpers/run-here.ts';
import { inScene, SECRET } from '../../helpers/scene.ts';
import { ETH_ADDRESS, expectNothingSent } from './create/wizard.ts';

const CREATE = ['create', 'BTC', 'ETH', '0.1', '-a', ETH_ADDRESS, '--yes', '--json'];
const SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('the labels of a swap', () => {
  it('appear in every result for the swap and in no result for other swaps', async () => {
    const home = await temporaryFolder();
    const json = async (...args: string[]) =>
      JSON.parse((await runHere([...args, '--json'], { home })).stdout);
    const labels = { team: 'ops', invoice: '17, paid' };
    const flags = ['--label', 'team=ops', '--label', 'invoice=17, paid'];
    const made = JSON.parse((await runHere([...CREATE, ...flags], { home })).stdout);
    expect(made.labels).toEqual(labels);
    const plain = JSON.parse((await runHere(CREATE, { home })).stdout);
    expect(plain.labels).toEqual({});

    expect((await json('status', made.order)).labels).toEqual(labels);
    expect((await json('status')).map((swap: HistoryResult) => swap.labels)).toEqual([labels, {}]);
    const [event] = await json('events', 'list', '--order', made.order);
    expect(event.data.swap.labels).toEqual(labels);
    expect(await json('events', 'list', '--order', 'team=ops')).toEqual([event]);

    const found = async (...args: string[]) =>
      (await json('history', ...args)).map(({ order }: HistoryResult) => order);
    expect(await found('--label', 'team=ops')).toEqual([made.order]);
    expect(await found('--label', 'team=ops', '--label', 'invoice=17, paid')).toEqual([made.order]);
    expect(await found('--label', 'team=dev')).toEqual([]);
    expect(await found()).toHaveLength(2);

    const csv = (await runHere(['history', '--csv'], { home })).stdout.split('\r\n');
    expect(csv[0]).toMatch(/,label\.team,label\.invoice$/);
    expect(csv.filter((line) => line.endsWith(',ops,"17, paid"'))).toHaveLength(1);
    for (const args of [['history'], ['status', made.order]]) {
      const { stdout } = await runHere(args, { home, terminals: AT_TERMINAL, columns: 200 });
      expect(stdout).toContain('team=ops, invoice=17, paid');
    }
  });

  it('keep their first values when an idempotency key is reused, and are never sent', async () => {
    const home = await temporaryFolder();
    const keyed = [...CREATE, '--idempotency-key', 'k'];
    const first = JSON.parse((await runHere([...keyed, '--label', 'team=ops'], { home })).stdout);
    for (const flags of [[], ['--label', 'team=dev'], ['--label', 'other=x']]) {
      const again = JSON.parse((await runHere([...keyed, ...flags], { home })).stdout);
      expect([again.order, again.replayed, again.labels]).toEqual([first.order, true, { team: 'ops' }]);
    }
    const dry = JSON.parse((await runHere([...CREATE, '--dry-run', '--label', 'team=ops'], { home })).stdout);
    expect(JSON.stringify(dry)).not.toContain('ops');
  });

  it.each([
    [['--label', `note=${SEED}`], 'Invalid label. '],
    [['--label', `note=${'4f'.repeat(32)}`], 'Invalid label. '],
  ])('%.60j are rejected with an error that repeats no value', async (flags, words) => {
    const home = await temporaryFolder();
    const { error, stdout, stderr } = await runHere([...CREATE, ...flags], { home });
    expect([error?.code, error?.exitCode, stdout]).toEqual(['usage', 2, '']);
    expect(error?.message).toContain(words);
    for (const secret of ['winner', '4f4f']) expect(`${error?.message}${stderr}`).not.toContain(secret);
    await expectNothingSent(home);
  });

  it("that contain the profile's secret or a signature are rejected without printing it", async () => {
    await inScene({}, async ({ create, history, service }) => {
      for (const value of [SECRET, `x ${SECRET} y`, sign('create-transaction', SECRET)]) {
        const { code, stdout, error } = await create(['--label', `note=${value}`]);
        expect([code, stdout, error().message]).toEqual([
          2,
          '',
          'Invalid label. It contains the secret of profile env, or a signature made with it.',
        ]);
      }
      expect([service.requests.length, await history()]).toEqual([0, []]);
    });
  });
});
