import { createHmac } from 'node:crypto';
import type { Attempt, RecordedEvent } from '../../../src/core/ledger/events/event.ts';
import { webhookHeaders } from '../../../src/core/swaps/listen/targets.ts';
import type { Committed } from '../world/committed.ts';
import type { Faults } from '../world/faults.ts';
import type { Process, Runner } from '../world/process.ts';
import type { Model } from './model.ts';
import { ANYONE } from './order.ts';

/** A later event of the same swap that does not wait for one that is not delivered. */
const OVERTAKING = `select later.id from events as this join events as later on later.intent_id = this.intent_id
  where this.id = ? and this.delivery = 'pending' and later.delivery = 'pending'
    and later.sequence > this.sequence and later.next_attempt_at is not null limit 1`;

/** A receiver of events that refuses some, and remembers what it took. */
export class Receiver {
  /** Ids of the events that were taken, with their bodies. */
  readonly #taken = new Map<string, string>();
  readonly #model: Model;
  readonly #disk: Committed;
  readonly #faults: Faults;
  /** Events that a person has sent again. */
  readonly #resent = new Set<string>();
  /** How often each event was handed over, since it was sent again. */
  readonly #tries = new Map<string, number>();
  /** Patterns of the types of events that a process wants, if it does not want all, by its name. */
  readonly #wanted = new Map<string, readonly string[]>();
  repeated = 0;

  constructor(model: Model, disk: Committed, faults: Faults) {
    this.#model = model;
    this.#disk = disk;
    this.#faults = faults;
    model.onDelivery = (id, old, now) => this.#delivery(id, old, now);
  }

  /** The target of a listener's process, which may want some types of events alone; `secret` signs its webhooks. */
  targetOf(
    process: Process,
    types: readonly string[] | null = null,
    secret: string | null = null,
  ): (event: RecordedEvent) => Promise<Attempt> {
    if (types !== null) this.#wanted.set(process.name, types);
    return async (event) => {
      const at = process.now();
      const tries = this.#tries.get(event.id) ?? 0;
      if (event.attempts > tries)
        throw this.#model.fail('delivery', `event ${event.id} has ${event.attempts} attempts after ${tries}`);
      this.#tries.set(event.id, tries + 1);
      await process.pause(this.#faults.random.between(2, 80));
      const attempt = { at, target: 'http', httpStatus: 200, error: null, milliseconds: 5 } as const;
      if (this.#faults.strikes('receiver', process.name))
        return { ...attempt, httpStatus: 500, error: 'the receiver answered 500' };
      if (secret !== null) this.#checkSigned(event, webhookHeaders(secret, event, at), at);
      this.take(process, event);
      await process.pause(this.#faults.random.between(2, 80));
      return attempt;
    };
  }

  /** What a program of the library does with an event: it takes it, or throws. */
  handlerOf(
    process: Process,
    types: readonly string[] | null,
  ): (event: { readonly id: string }) => Promise<void> {
    const target = this.targetOf(process, types);
    return async ({ id }) => {
      const [event] = this.#disk.rows<RecordedEvent>(
        'select id, intent_id as intentId, sequence, body from events where id = ?',
        id,
      );
      if (event === undefined) throw this.#model.fail('delivery', `event ${id} is not in the ledger`);
      const { error } = await target(event);
      if (error !== null) throw new Error(error);
    };
  }

  /** A person sends an event again. */
  resent(id: string): void {
    this.#resent.add(id);
  }

  /** A listener hands an event over. */
  take(process: Runner, event: Pick<RecordedEvent, 'id' | 'intentId' | 'sequence' | 'body'>): void {
    const { id, intentId, sequence, body } = event;
    this.#model.refuseSecrets(process, body);
    const before = this.#taken.get(id);
    if (before !== undefined) {
      this.repeated += 1;
      if (before !== body) throw this.#model.fail('delivery', `event ${id} comes again with another body`);
      return;
    }
    this.#taken.set(id, body);
    this.#model.afterStep(() => {
      this.#checkEvent(process, id);
      this.#checkOrder(intentId, sequence);
    });
  }

  /** A webhook is signed as Standard Webhooks 1.0 says, with the secret of its key pair. */
  #checkSigned({ id, body }: RecordedEvent, headers: ReturnType<typeof webhookHeaders>, at: number): void {
    const [row] = this.#disk.rows<{ secret: string }>(
      'select secret from webhooks where account = (select account from events where id = ?)',
      id,
    );
    const key = Buffer.from(row?.secret.replace(/^whsec_/, '') ?? '', 'base64');
    const time = Math.floor(at / 1000);
    const digest = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
    const { 'webhook-id': name, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    if (name !== id || timestamp !== String(time) || signature !== `v1,${digest}`)
      throw this.#model.fail('delivery', `the signature of event ${id} is not of its id, time and body`);
  }

  /** A listener delivers the events of its own key pair alone, and of the types that it wants. */
  #checkEvent({ name, account }: Runner, id: string): void {
    const [event] = this.#disk.rows<{ account: string; type: string }>(
      'select account, type from events where id = ?',
      id,
    );
    if (event?.account !== account.owner.account)
      throw this.#model.fail('delivery', `${name} delivers event ${id} of another key pair`);
    if (!this.#wants(name, event.type))
      throw this.#model.fail('delivery', `${name} delivers ${event.type}, and does not want it`);
  }

  /** Whether a process wants a type of events: all, or some that its patterns name, which end with a star. */
  #wants(process: string, type: string): boolean {
    const patterns = this.#wanted.get(process);
    return patterns === undefined || patterns.some((each) => type.startsWith(each.slice(0, -1)));
  }

  /** The events of a swap come in their order, at first. */
  #checkOrder(intentId: string, sequence: number): void {
    const earlier = this.#disk.rows<{ id: string; sequence: number }>(
      `select id, sequence from events where intent_id = ? and sequence < ? and delivery not in ('none', 'failed')`,
      intentId,
      sequence,
    );
    const missing = earlier.find((event) => !this.#taken.has(event.id));
    if (missing !== undefined)
      throw this.#model.fail(
        'delivery',
        `event ${sequence} of ${intentId} comes before event ${missing.sequence}`,
      );
  }

  #delivery(id: string, old: string | null, now: string | null): void {
    if (now === null) throw this.#model.fail('delivery', `event ${id} was removed`);
    if (now === 'delivered' && !this.#taken.has(id))
      throw this.#model.fail('delivery', `event ${id} counts as delivered, and the receiver never took it`);
    if (this.#disk.rows(OVERTAKING, id).length > 0)
      throw this.#model.fail('delivery', `an event may come before event ${id} of its swap`);
    const writer = this.#disk.lastWriter;
    if (now === 'none' && writer !== null && writer.name !== ANYONE) {
      const [event] = this.#disk.rows<{ type: string }>('select type from events where id = ?', id);
      if (event !== undefined && this.#wants(writer.name, event.type))
        throw this.#model.fail('delivery', `${writer.name} leaves out ${event.type}, which it wants`);
    }
    // Another listener may have it in hand.
    if (old !== 'pending' && now === 'pending') this.#tries.set(id, 1);
    if (old !== 'pending' && !(now === 'pending' && this.#resent.has(id)))
      throw this.#model.fail('delivery', `event ${id} goes from ${old} to ${now}`);
  }
}
