import { expect, it } from 'vitest';
import { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import { type Ledger, openLedger } from '../../../src/core/ledger/ledger.ts';
import { tamper } from '../../helpers/ledger-damage.ts';
import { BOTH_DATABASES } from '../database/databases.ts';
import { policyOf } from '../swap/policy/samples.ts';
import { claimed, INTENT, OWNER, observed } from './entries.ts';
import { grantShown, signer } from './policy/gates.ts';

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
const APPROVE = policyOf([{ approve: { by: [SIGNER.publicKey], within: '1h' } }]);
const SCOPE = { account: OWNER.account, orders: null };
const SUSPENSION = { what: { network: 'TRX' }, side: null, until: null, reason: null };

/** A ledger, and what the steps so far have left. */
interface Life {
  readonly ledger: Ledger;
  readonly ids: string[];
  approval: string;
  /** Past the lease of what was taken before. */
  now: number;
}

const claim = async ({ ledger, ids }: Life) =>
  void ids.push((await claimed(ledger, OWNER, INTENT, null, 1)).id);

/** What a ledger goes through, and the tables in which each step writes. */
const STEPS: readonly (readonly [
  what: string,
  tables: readonly string[],
  (life: Life) => Promise<unknown>,
])[] = [
  ['a listener', [], ({ ledger }) => ledger.events.webhooks.listen(OWNER.account, 0)],
  ['a claim', ['intents', "intents when new.outcome = 'unknown'", 'audit'], claim],
  [
    'an unknown outcome',
    ['intents', 'changes', 'events', 'audit'],
    ({ ledger, ids }) => ledger.settle(ids[0] ?? '', { outcome: 'unknown', reason: 'cut off', at: 2 }),
  ],
  [
    'an order',
    ['intents', 'changes', 'events', 'audit'],
    ({ ledger, ids }) => ledger.created(ids[0] ?? '', observed('AAAAAA', 9, 3), null),
  ],
  [
    'a status',
    ['intents', 'changes', 'events'],
    ({ ledger }) => ledger.seen(OWNER, observed('AAAAAA', 1, 4)),
  ],
  [
    'a refund address',
    ['intents', 'changes'],
    ({ ledger }) => ledger.refundAddressSet(OWNER, observed('AAAAAA', 1, 5), 'bc1q'),
  ],
  [
    'a note',
    ['intents', 'changes'],
    ({ ledger, ids }) => ledger.addNote(ids[0] ?? '', { text: 'asked', ticket: null, until: null }, 6),
  ],
  [
    'a delivery, and that the next one is due',
    ['event_attempts', 'events', 'events when new.lease is null and new.next_attempt_at is not null'],
    async (life) => {
      const { ledger } = life;
      life.now += 60_000;
      const attempt = { at: 7, target: 'http', httpStatus: 204, error: null, milliseconds: 1 };
      const [event] = await ledger.events.claim(SCOPE, 'me', life.now, 1);
      if (event !== undefined) await ledger.events.settle([{ event, attempts: [attempt] }], life.now);
    },
  ],
  ['a second claim', ['intents', 'audit'], claim],
  ['a dismissal', ['intents', 'changes', 'audit'], ({ ledger, ids }) => ledger.dismiss(ids[1] ?? '', 8)],
  [
    'a stop',
    ['guards', 'guards when new.stop is not null', 'audit'],
    ({ ledger }) => ledger.guards.stop(OWNER, 'looking', 9),
  ],
  ['the end of a stop', ['guards', 'audit'], ({ ledger }) => ledger.guards.resume(OWNER, null, 9)],
  ['a suspension', ['guards', 'audit'], ({ ledger }) => ledger.guards.suspend(OWNER, SUSPENSION, 9)],
  [
    'a suspension of another network',
    ['guards', 'audit'],
    ({ ledger }) => ledger.guards.suspend(OWNER, { ...SUSPENSION, what: { network: 'BSC' } }, 9),
  ],
  [
    'the end of a suspension',
    ['guards', "guards when new.suspensions like '%BSC%' and new.suspensions not like '%TRX%'", 'audit'],
    ({ ledger }) => ledger.guards.unsuspend(OWNER, { ...SUSPENSION, signer: null }, 9),
  ],
  [
    'a policy',
    ['guards', 'audit'],
    ({ ledger }) => ledger.guards.set(OWNER, { policy: APPROVE, before: null, signer: null }, 9),
  ],
  [
    'a request for an approval',
    ['intents', 'approvals', 'events', 'audit'],
    async (life) => {
      const error = await life.ledger.claim(OWNER, INTENT, 'key', 1).catch((thrown: unknown) => thrown);
      const { code, details } = error as { code: string; details: { approval: { id: string } } };
      if (code !== 'approval_required') throw error;
      life.approval = details.approval.id;
    },
  ],
  [
    'a grant',
    ['approvals', "approvals when new.state = 'granted'", 'events', 'audit'],
    ({ ledger, approval }) => grantShown(ledger, approval, SIGNER, 10),
  ],
  [
    'a claim that uses it',
    ['intents', 'approval_uses', 'audit'],
    ({ ledger, approval }) => ledger.claim(OWNER, INTENT, 'key', 11, { approval: { id: approval } }),
  ],
];

it('a ledger write succeeds in all tables or in none', async () => {
  const [sqlite] = BOTH_DATABASES;
  const location = await sqlite.fresh();
  const life: Life = { ledger: await openLedger(location), ids: [], approval: '', now: 0 };
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
  expect(await life.ledger.audit.verify(null)).toMatchObject({ problems: [], links: 16 });
  await life.ledger.close();
});
