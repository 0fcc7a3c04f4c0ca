import type { DatabaseSync } from '../../../src/core/database/sqlite/connection.ts';
import type { Runner } from './process.ts';

/** One change of the ledger, written by triggers in the transaction of the change. */
interface Change {
  readonly kind:
    | 'intent'
    | 'outcome'
    | 'event'
    | 'delivery'
    | 'budget'
    | 'stop'
    | 'policy'
    | 'refund'
    | 'order'
    | 'link';
  readonly id: string;
  readonly old: string | null;
  readonly new: string | null;
}

/** Every change is also written here, so that the model sees what was committed and nothing else. */
export const JOURNAL = `
  create table journal (kind text, id text, old text, new text);
  create trigger j1 after insert on intents begin insert into journal values ('intent', new.id, null, new.outcome); end;
  create trigger j2 after update on intents when old.outcome <> new.outcome or old.order_number is not new.order_number
    begin insert into journal values ('outcome', new.id, old.outcome, new.outcome); end;
  create trigger j3 after update on intents when old.status_code is not new.status_code or old.events <> new.events
    or old.doubts <> new.doubts
    begin insert into journal values ('intent', new.id, old.outcome, new.outcome); end;
  create trigger j4 after insert on events begin insert into journal values ('event', new.id, new.delivery, new.intent_id); end;
  create trigger j5 after update on events when old.delivery <> new.delivery or old.body <> new.body
    begin insert into journal values ('delivery', new.id, old.delivery, new.delivery); end;
  create trigger j7 after insert on budgets begin insert into journal values ('budget', new.account, null, new.state); end;
  create trigger j8 after update on budgets
    begin insert into journal values ('budget', new.account, old.state, new.state); end;
  create trigger j9 after update on guards when old.stop is not new.stop
    begin insert into journal values ('stop', new.account, old.stop, new.stop); end;
  create trigger j12 after update on guards when old.policy is not new.policy
    begin insert into journal values ('policy', new.account, null, null); end;
  create trigger j10 after update on intents when old.refund_address is not new.refund_address
    begin insert into journal values ('refund', new.id, old.refund_address, new.refund_address); end;
  create trigger j11 after insert on audit when instr(new.body, '"type":"refund"') > 0
    begin insert into journal values ('link', new.account, null, new.body); end;
  create trigger j13 after update on intents when old.order_number <> new.order_number
    begin insert into journal values ('order', new.id, old.order_number, new.order_number); end;
  create trigger j6 after delete on events begin insert into journal values ('delivery', old.id, old.delivery, null); end;
`;

type Keeper = InstanceType<typeof DatabaseSync>;

/** What is committed to a ledger, and what changed: the model reads it here, past the product. */
export class Committed {
  /** The process that made the changes since the last call of `changes`. */
  lastWriter: Runner | null = null;
  isDirty = false;
  protected readonly keeper: Keeper;
  readonly #reads: Map<string, ReturnType<Keeper['prepare']>>;
  /** The last change that was read. */
  #read = 0;

  constructor(keeper: Keeper, reads = new Map<string, ReturnType<Keeper['prepare']>>()) {
    this.keeper = keeper;
    this.#reads = reads;
  }

  rows<Row>(sql: string, ...parameters: readonly (string | number)[]): Row[] {
    const statement = this.#reads.get(sql) ?? this.keeper.prepare(sql);
    this.#reads.set(sql, statement);
    return statement.all(...parameters) as Row[];
  }

  /** Whether the ledger has a description of an order. */
  hasDescription(order: string): boolean {
    const described = 'select id from intents where order_number = ? and first_snapshot is not null';
    return this.rows(described, order).length > 0;
  }

  /** The changes since the last call. */
  changes(): readonly Change[] {
    this.isDirty = false;
    const changes = this.rows<Change & { readonly rowid: number }>(
      'select rowid, * from journal where rowid > ? order by rowid',
      this.#read,
    );
    this.#read = changes.at(-1)?.rowid ?? this.#read;
    return changes;
  }
}
