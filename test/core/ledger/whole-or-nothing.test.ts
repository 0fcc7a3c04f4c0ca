import { expect, it } from 'vitest';
import { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import { type Ledger, openLedger } from '../../../src/core/ledger/ledger.ts';
import { tamper } from '../../helpers/ledger-damage.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { claimed, INTENT, OWNER, observed } from './entries.ts';
import { approvalIdOf, approvedBy, grantShown, signer } from './policy/gates.ts';

const TABLES = 'intents changes events event_attempts guards approvals approval_uses audit'.split(' ');

/** Everything in a ledger. */
function contents(location: string): unknown {
  const database = new DatabaseSync(location);
  try {
    return TABLES.map((table) => database.prepare(`select * from ${table} order by 1, 2`).all());
  } finally {
    database.close();
  }
}

const SIGNER = signer();
const APPROVE = { policy: approvedBy(SIGNER), before: null, signer: null };
const SCOPE = { account: OWNER.account, orders: null };
const TRX = { what: { network: 'TRX' }, side: null, until: null, reason: null };
const BSC = { ...TRX, what: { network: 'BSC' } };

const UNKNOWN = { outcome: 'unknown', reason: 'cut off', at: 2 } as const;
const NOTE = { text: 'asked', ticket: null, until: null };

/** A ledger, and what the steps so far have left. */
interface Life {
  readonly ledger: Ledger;
  readonly guards: Ledger['guards'];
  first: string;
  last: string;
  approval: string;
  /** Past the lease of what was taken before. */
  now: number;
}

const claim = async (life: Life) => {
  life.last = (await claimed(life.ledger, OWNER, INTENT, null, 1)).id;
  life.first ||= life.last;
};
const deliver = async (life: Life) => {
  const { events } = life.ledger;
  life.now += 60_000;
  const attempt = { at: 7, target: 'http', httpStatus: 204, error: null, milliseconds: 1 };
  const [event] = await events.claim(SCOPE, 'me', life.now, 1);
  if (event !== undefined) await events.settle([{ event, attempts: [attempt] }], life.now);
};
const requestApproval = async (life: Life) => {
  const error = await life.ledger.claim(OWNER, INTENT, 'key', 1).catch((thrown: unknown) => thrown);
  if ((error as { code: string }).code !== 'approval_required') throw error;
  life.approval = approvalIdOf(error);
};

const SETTLED = ['intents', 'changes', 'events', 'audit'];
const CHANGED = ['intents', 'changes'];
const DUE = 'events when new.lease is null and new.next_attempt_at is not null';
const STOPPED = ['guards', 'guards when new.stop is not null', 'audit'];
const ONE_LEFT = "guards when new.suspensions like '%BSC%' and new.suspensions not like '%TRX%'";
const GRANTED = ['approvals', "approvals when new.state = 'granted'", 'events', 'audit'];

/** What a ledger goes through, and the tables in which each step writes. */
const STEPS: readonly (readonly [string, readonly string[], (life: Life) => Promise<unknown>])[] = [
  ['a listener', [], ({ ledger }) => ledger.events.webhooks.listen(OWNER.account, 0)],
  ['a claim', ['intents', "intents when new.outcome = 'unknown'", 'audit'], claim],
  ['an unknown outcome', SETTLED, ({ ledger, first }) => ledger.settle(first, UNKNOWN)],
  ['an order', SETTLED, ({ ledger, first }) => ledger.created(first, observed('AAAAAA', 9, 3), null)],
  ['a status', [...CHANGED, 'events'], ({ ledger }) => ledger.seen(OWNER, observed('AAAAAA', 1, 4))],
  ['a refund', CHANGED, ({ ledger }) => ledger.refundAddressSet(OWNER, observed('AAAAAA', 1, 5), 'bc1q')],
  ['a note', CHANGED, ({ ledger, first }) => ledger.addNote(first, NOTE, 6)],
  ['a delivery, and that the next one is due', ['event_attempts', 'events', DUE], deliver],
  ['a second claim', ['intents', 'audit'], claim],
  ['a dismissal', [...CHANGED, 'audit'], ({ ledger, last }) => ledger.dismiss(last, 8)],
  ['a stop', STOPPED, ({ guards }) => guards.stop(OWNER, 'looking', 9)],
  ['the end of a stop', ['guards', 'audit'], ({ guards }) => guards.resume(OWNER, null, 9)],
  ['a suspension', ['guards', 'audit'], ({ guards }) => guards.suspend(OWNER, TRX, 9)],
  ['another suspension', ['guards', 'audit'], ({ guards }) => guards.suspend(OWNER, BSC, 9)],
  [
    'its end',
    ['guards', ONE_LEFT, 'audit'],
    ({ guards }) => guards.unsuspend(OWNER, { ...TRX, signer: null }, 9),
  ],
  ['a policy', ['guards', 'audit'], ({ guards }) => guards.set(OWNER, APPROVE, 9)],
  ['a request for an approval', ['intents', 'approvals', 'events', 'audit'], requestApproval],
  ['a grant', GRANTED, ({ ledger, approval }) => grantShown(ledger, approval, SIGNER, 10)],
  [
    'a claim that uses it',
    ['intents', 'approval_uses', 'audit'],
    ({ ledger, approval }) => ledger.claim(OWNER, INTENT, 'key', 11, { approval: { id: approval } }),
  ],
];

it('a ledger write succeeds in all tables or in none', async () => {
  const [sqlite] = BOTH_DATABASES;
  const location = await sqlite.fresh();
  const ledger = await openLedger(location);
  const life: Life = { ledger, guards: ledger.guards, first: '', last: '', approval: '', now: 0 };
  for (const [what, tables, act] of STEPS) {
    for (const place of tables) {
      const [table = '', ...when] = place.split(' ');
      const before = contents(location);
      for (const change of ['insert', 'update'])
        tamper(
          location,
          `create trigger no_${change} before ${change} on ${table} ${when.join(' ')}
            begin select raise(abort, 'no more room'); end`,
        );
      await expect(act(life), `${what} without ${place}`).rejects.toMatchObject({ code: 'storage_failed' });
      for (const change of ['insert', 'update']) tamper(location, `drop trigger no_${change}`);
      if (!what.startsWith('a delivery'))
        expect(contents(location), `${what} without ${place}`).toEqual(before);
    }
    await act(life);
  }
  expect(await ledger.audit.verify(null)).toMatchObject({ problems: [], links: 16 });
  await ledger.close();
});
