import { expect, it } from 'vitest';
import type { HealthResult } from '../../../../src/cli/commands/report/health.ts';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import type { FiguresFilter } from '../../../../src/core/ledger/report/figures.ts';
import { BOTH_DATABASES } from '../../../core/database/databases.ts';
import { claimed, INTENT, OWNER, observed } from '../../../core/ledger/entries.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { inStory, ORDER, withDeposit } from '../history/scene.ts';

const HOUR = 3_600_000;

it('report health shows swaps per pair, responses per endpoint and a test quote per pair', async () => {
  await inStory([], async ({ run, poll, home, service }) => {
    await poll(1, (swap) => withDeposit(swap));
    expect((await run(['status', 'NONE'])).code).not.toBe(0);
    const health = (...args: string[]) => run(['report', 'health', ...args, '--json']);
    const result = (await health('--probe')).json<HealthResult>();
    expect(result.groups).toMatchObject([{ key: 'BTC:BTC ETH:ETH', count: 1, paid: 0, stuck: 0 }]);
    const of = (name: string) => result.endpoints.find(({ endpoint }) => endpoint === name);
    expect(of('create-transaction')).toMatchObject({ requests: 1, refused: 0, unanswered: 0 });
    expect(of('get-transaction')?.requests).toBe(2);
    expect(result.probes).toMatchObject([{ pair: 'BTC:BTC ETH:ETH', error: null }]);
    const later = { home, env: profileAt(service.url), now: () => Date.now() + 2 * HOUR };
    const screen = await runHere(['report', 'health', '--since', '1d'], { ...later, terminals: AT_TERMINAL });
    expect(screen.stdout).toMatch(/^ PAIR +CREATED +PAID +STUCK .*\n BTC:BTC ETH:ETH +1 +0 \(0 %\) +1 /);
    expect((await run(['report', 'health', '--by', 'endpoint'])).stdout).toMatch(
      /^endpoint\tcreate-transaction\t1\t/,
    );
    expect((await run(['history', 'show', ORDER])).code).toBe(0);
  });
});

it.each(BOTH_DATABASES)(
  'report health reads created swaps by profile, environment and period on $kind',
  async ({ fresh }) => {
    const ledger = await openLedger(await fresh());
    const live = { ...OWNER, profile: 'live', environment: 'live' } as const;
    for (const [at, owner] of [OWNER, OWNER, live, OWNER].entries()) {
      const entry = await claimed(ledger, owner, INTENT, null, at);
      if (at !== 1) await ledger.created(entry.id, observed(`ORDER${at}`, 9, at), null);
    }
    const times = async (filter: Partial<FiguresFilter>) => {
      const found: number[] = [];
      const swaps = ledger.health.swaps({ ...EVERY_ENTRY, ...filter });
      for await (const { requestedAt } of swaps) found.push(requestedAt);
      return found;
    };
    expect(await times({})).toEqual([2, 0, 3]);
    expect(await times({ profile: 'live' })).toEqual([2]);
    expect(await times({ environment: 'sandbox' })).toEqual([0, 3]);
    expect(await times({ since: 2 })).toEqual([2, 3]);
    expect(await times({ until: 2 })).toEqual([0]);
    await ledger.close();
  },
);
