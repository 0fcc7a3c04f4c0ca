import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MAX_CHANGES } from '../../../../src/core/ledger/changes.ts';
import { EVERY_ENTRY } from '../../../../src/core/ledger/filter.ts';
import { openLedger } from '../../../../src/core/ledger/ledger.ts';
import type { TimelineResult } from '../../../../src/core/ledger/timeline.ts';
import { BOTH_DATABASES } from '../../../core/database/databases.ts';
import { claimed, INTENT, OWNER, observed } from '../../../core/ledger/entries.ts';
import { configIn } from '../../../helpers/config.ts';
import { AT_TERMINAL, runHere } from '../../../helpers/run-here.ts';
import { SECRET } from '../../../helpers/scene.ts';
import { words } from '../../../helpers/words.ts';
import { inStory, ORDER, withDeposit } from './scene.ts';

const TX = 'c0ffee00'.repeat(8);
const HOUR = 3_600_000;

it('history sent adds the mismatch deposit_sent_not_seen while the deposit is not seen in time', async () => {
  await inStory([], async ({ run, poll, here }) => {
    await poll(9);
    const later = (hours: number, ...args: string[]) => here(args, { now: () => Date.now() + hours * HOUR });
    const doubts = async (hours: number) =>
      JSON.parse((await later(hours, 'status', ORDER, '--json')).stdout).doubts;
    const sent = await run(['history', 'sent', ORDER.toLowerCase(), '--tx', TX, '--json']);
    const { events } = sent.json<TimelineResult>();
    expect(events.at(-1)).toMatchObject({ type: 'deposit.sent', changes: { txId: [null, TX] } });
    expect(await doubts(0)).toEqual([]);
    expect(await doubts(2)).toEqual(['deposit_sent_not_seen']);
    const attention = await later(2, 'status', '--attention');
    expect(attention.stdout).toContain('Mismatch (deposit_sent_not_seen): do not pay, ask the service.');
    const ticket = (await later(2, 'history', 'support', ORDER)).stdout;
    expect(ticket).toContain(` that a deposit was sent in transaction \`${TX}\`, from \`____\`.`);
    expect(ticket).toContain(`its deposit was sent in transaction ${TX}, and the service does not see it`);
    expect((await run(['history', TX.slice(0, 20)])).stdout).toMatch(new RegExp(`\t${ORDER}\t`));
    await poll(1, (swap) => withDeposit(swap));
    expect(await doubts(2)).toEqual([]);
  });
});

it.each(['before', 'after'])('history sent %s the end of an overdue swap adds a mismatch', async (when) => {
  await inStory([], async ({ run, poll }) => {
    const attention = () => run(['status', '--attention', '--max-age', '1h']);
    const sent = ['history', 'sent', ORDER, '--tx', TX];
    await poll(9);
    if (when === 'before') await run(sent);
    await poll(5);
    if (when === 'after') {
      expect((await attention()).code).toBe(0);
      await run(sent);
    }
    const found = await attention();
    expect(found.code).toBe(8);
    expect(found.stdout).toContain('Mismatch (deposit_sent_not_seen): ask the service.');
    await poll(5, (swap) => withDeposit(swap));
    expect((await run(['status', '--attention', '--json'])).stdout).toContain('"doubts":[]');
  });
});

it.each([
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', false],
  [TX.slice(1), false],
  [`0x${TX}`, false],
  [TX, true],
])('history sent --tx %s on BTC is accepted: %s', async (txId, isValid) => {
  await inStory([], async ({ run, poll }) => {
    await poll(9);
    const sent = await run(['history', 'sent', ORDER, '--tx', txId]);
    expect(sent.code).toBe(isValid ? 0 : 2);
    if (!isValid) expect(sent.stderr).toContain('is not a transaction id on BTC.');
  });
});

it('history note and history sent name the profile, and confirm with one line on a terminal', async () => {
  await inStory([], async ({ poll, here }) => {
    await poll(9);
    const terminal = { terminals: AT_TERMINAL, columns: 200 };
    const sent = await here(['history', 'sent', ORDER, '--tx', TX], terminal);
    expect(sent.stdout).toBe(` Recorded: the deposit of order ${ORDER} was sent in ${TX}.\n`);
    const note = ['history', 'note', ORDER, 'asked', '--ticket', 'CASE-4711', '--until', '2h'];
    const noted = await here(note, terminal);
    const place = expect.stringMatching(/^profile \S+ · sandbox · 127\.0\.0\.1:\d+\n$/);
    expect([sent.stderr, noted.stderr]).toEqual([place, place]);
    expect(noted.stdout).toMatch(
      / Noted for order KQWZPA, case CASE-4711, snoozed in status --attention until [0-9-]+ [0-9:]+\.\n$/,
    );
  });
});

it('history note --until names the swap that status --attention leaves out, with its case', async () => {
  await inStory([], async ({ run, poll }) => {
    await poll(10, (swap) => withDeposit(swap));
    const note = ['history', 'note', ORDER, 'asked the service', '--ticket', 'CASE-4711', '--until', '2h'];
    const noted = await run(note);
    expect(noted.stdout).toContain('\tnote.added\t');
    expect(noted.stdout).toContain('\tnote\t\tasked the service\n');
    const quiet = await run(['status', '--attention', '--max-age', '1h']);
    expect([quiet.code, quiet.stdout]).toEqual([0, '']);
    expect(quiet.stderr).toMatch(
      new RegExp(`1 swap is snoozed by a note until 20[0-9TZ:.-]+: ${ORDER} \\(CASE-4711\\)\\.`),
    );
    expect((await run(['history', 'case-4711', '--columns', 'order'])).stdout).toBe(`${ORDER}\n`);
    expect((await run(['history', 'note', ORDER, 'a\nb'])).stderr).toContain('Invalid note ');
  });
});

it('the support contact of a profile overrides the setting and survives a new login', async () => {
  await inStory([], async ({ run, poll, home, service }) => {
    await poll(9);
    const ticket = async () => (await run(['history', 'support', ORDER])).stdout;
    await run(['config', 'set', 'support', 'https://help.swap.example/desk']);
    expect(await ticket()).toContain('- Support: `https://help.swap.example/desk`\n');
    const login = (key: string, ...args: string[]) => {
      const line = `auth login -p shop --base-url ${service.url} --public-key ${key} --with-secret --yes`;
      return runHere([...words(line), ...args], { home, input: `${SECRET}\n` });
    };
    expect((await login('pk_1', '--support', 'help@swap.example')).error).toBe(null);
    expect((await login('pk_2')).error).toBe(null);
    const stored = JSON.parse(readFileSync(configIn(home), 'utf8'));
    expect(stored.profiles.shop).toMatchObject({ publicKey: 'pk_2', support: 'help@swap.example' });
  });
});

it.each(BOTH_DATABASES)('a ledger on $kind keeps every note when changes are merged', async ({ fresh }) => {
  const ledger = await openLedger(await fresh());
  const entry = await claimed(ledger, OWNER, INTENT, 'key', 1);
  await ledger.settle(entry.id, { outcome: 'unknown', reason: 'cut off', at: 1 });
  await ledger.created(entry.id, observed('KQWZPA'), null);
  const write = async (n: number) => {
    const { swap } = observed('KQWZPA', n % 2 === 0 ? 1 : 9);
    await ledger.seen(OWNER, { swap, doubts: [], at: n });
  };
  const note = (text: string) => ledger.addNote(entry.id, { text, ticket: null, until: null }, 1000);
  await note('first');
  for (let n = 2; n < 198; n += 1) await write(n);
  // Into the last of the changes that are kept the later ones are merged, but not into a note.
  await note('second');
  for (let n = 198; n < 210; n += 1) await write(n);
  await note('third');
  await write(400);
  const kept = await ledger.changes(entry.id);
  const notes = kept.filter(({ type }) => type === 'note.added');
  expect(notes.map(({ changes }) => changes)).toEqual(
    ['first', 'second', 'third'].map((text) => ({ note: [null, text] })),
  );
  expect(kept).toHaveLength(MAX_CHANGES + 2);
  const last = kept.filter(({ type }) => type !== 'note.added').at(-1);
  expect(last).toMatchObject({ at: 400, type: 'swap.confirmation', statusCode: 1 });
  expect(await ledger.books.count({ ...EVERY_ENTRY, search: 'kqwz' })).toBe(1);
  await ledger.close();
});
