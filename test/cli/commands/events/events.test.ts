import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Owner } from '../../../../src/core/ledger/entry.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import { claimed, INTENT, OTHER, OWNER, observed } from '../../../core/ledger/entries.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { words } from '../../../helpers/words.ts';

const NOW = Date.UTC(2026, 0, 31, 12);

/** A home whose ledger has two swaps, of which one is listened to, with a delivery that failed once. */
async function homeWithEvents() {
  const home = await temporaryFolder();
  const file = join(home, '.local', 'state', 'swapctl', 'ledger.db');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const ledger = await openLedger(file);
  const create = async (owner: Owner, order: string, at: number) => {
    const entry = await claimed(ledger, owner, INTENT, null, at);
    await ledger.created(entry.id, observed(order, 9, at), null);
  };
  await ledger.events.webhooks.listen(OWNER.account, NOW);
  await create(OWNER, 'AAAAAA', NOW - 60_000);
  await ledger.seen(OWNER, observed('AAAAAA', 1, NOW - 30_000));
  await create(OTHER, 'BBBBBB', NOW - 90_000);
  const [event] = await ledger.events.claim({ account: OWNER.account, orders: null }, 'me', NOW, 1);
  const attempt = {
    at: NOW - 5_000,
    target: 'http',
    httpStatus: 500,
    error: 'responded with 500',
    milliseconds: 12,
  };
  if (event !== undefined)
    await ledger.events.settle([{ event, attempts: [{ ...attempt, target: 'http' }] }], NOW - 2_000);
  await ledger.close();
  const events = (args: readonly string[], options: Partial<Parameters<typeof runHere>[1]> = {}) =>
    runHere(['events', ...args], { home, now: () => NOW, ...options });
  return { events, id: event?.id ?? '' };
}

type Listed = { id: string; order: string; sequence: number; type: string; delivery: string };

describe('swapctl events', () => {
  it('list prints events newest first as JSON with their delivery state', async () => {
    const { events, id } = await homeWithEvents();
    const listed = JSON.parse((await events(['list', '--json'])).stdout) as Listed[];
    const states = listed.map(({ order, sequence, delivery }) => `${order} ${sequence} ${delivery}`);
    expect(states).toEqual(['AAAAAA 2 pending', 'AAAAAA 1 pending', 'BBBBBB 1 none']);
    expect(Object.keys(listed[0] ?? {})).toEqual(
      words(`id type at sequence order profile environment data previous delivery attempts nextAttemptAt
      lastError`),
    );
    expect(listed[1]).toMatchObject({
      id,
      type: 'swap.new',
      attempts: 1,
      lastError: 'responded with 500',
      nextAttemptAt: '2026-01-31T12:00:03.000Z',
    });
  });

  it.each([
    [['--order', 'BBBBBB'], ['BBBBBB 1']],
    [['--undelivered'], ['AAAAAA 2', 'AAAAAA 1']],
    [
      ['--since', '2026-01-31T11:59:00Z'],
      ['AAAAAA 2', 'AAAAAA 1'],
    ],
    [['-L', '1'], ['AAAAAA 2']],
    [['--since', '2026-02-01'], []],
  ])('list with %j prints only matching events', async (args, expected) => {
    const { events } = await homeWithEvents();
    const { stdout } = await events(['list', ...args, '--json']);
    const listed = JSON.parse(stdout) as Listed[];
    expect(listed.map(({ order, sequence }) => `${order} ${sequence}`)).toEqual(expected);
  });

  it('list prints a row per event in a pipe, and a table on a terminal', async () => {
    const { events, id } = await homeWithEvents();
    const pipe = await events(['list', '--undelivered']);
    expect(pipe.stdout.split('\n')[1]).toBe(
      `2026-01-31T11:59:00.000Z\tAAAAAA\t1\tswap.new\tnew\t9\t\t${id}\tshop\tsandbox\tpending\t1\t2026-01-31T12:00:03.000Z\tresponded with 500`,
    );
    const screen = await events(['list', '-L', '2'], { terminals: AT_TERMINAL, columns: 120 });
    const lines = screen.stdout.split('\n').map((line) => line.trimEnd().replace(/ {2,}/g, '|'));
    expect(lines.slice(0, 3)).toEqual([
      ' ORDER|#|TYPE|DELIVERY|SEEN|ID',
      expect.stringMatching(
        /^ AAAAAA\|2\|swap\.confirmation\|waiting for an earlier event\|30 seconds ago\|evt_\w{24}$/,
      ),
      ` AAAAAA|1|swap.new|again in 3 seconds, tried once|1 minute ago|${id}`,
    ]);
    expect(screen.stderr).toBe('1 more; show them with --limit 3.\n');
  });

  it('show prints the delivery attempts of an event, and resend keeps its id', async () => {
    const { events, id } = await homeWithEvents();
    const shown = JSON.parse((await events(['show', id, '--json'])).stdout);
    const attempt = {
      at: '2026-01-31T11:59:55.000Z',
      target: 'http',
      httpStatus: 500,
      error: 'responded with 500',
      milliseconds: 12,
    };
    expect(shown).toMatchObject({ id, delivery: 'pending', attempts: 1, deliveries: [attempt] });
    expect(Object.keys(shown.deliveries[0])).toEqual(Object.keys(attempt));
    const resent = JSON.parse((await events(['resend', id, '--json'])).stdout);
    const attempts = JSON.parse((await events(['resend', id, '--json', '--fields', 'deliveries'])).stdout);
    expect(attempts.deliveries).toHaveLength(resent.deliveries.length);
    expect(resent).toEqual({ ...shown, attempts: 0, nextAttemptAt: '2026-01-31T12:00:00.000Z' });
    const screen = (await events(['show', id], { terminals: AT_TERMINAL })).stdout;
    expect(screen).toMatch(/^ Event {7}evt_\w{24}\n Type {8}swap\.new\n Order {7}AAAAAA\n/);
    expect(screen).toMatch(/\n 2026-0[12]-\d\d \d\d:\d\d:55 {2}http {2}responded with 500 {2}12 ms\n$/);
  });

  it('show and resend report an unknown event as not_found and escape its id', async () => {
    const { events } = await homeWithEvents();
    for (const verb of ['show', 'resend']) {
      const { stdout, error } = await events([verb, 'evt_\u001b']);
      expect([stdout, error?.message]).toEqual(['', 'The ledger has no event evt_<U+001B>.']);
      expect(error).toMatchObject({ code: 'not_found', exitCode: 3 });
    }
  });

  it('list rejects an unknown profile and an invalid time', async () => {
    const { events } = await homeWithEvents();
    expect((await events(['list', '-p', 'none'])).error).toMatchObject({ code: 'no_credentials' });
    expect((await events(['list', '--since', 'today week'])).error).toMatchObject({ code: 'usage' });
  });
});
