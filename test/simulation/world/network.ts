import type { ApiAnswer, ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { createRedactor, type Redactor } from '../../../src/core/partner-api/redaction.ts';
import type { Model } from '../model/model.ts';
import type { Post } from '../model/order.ts';
import { Faults } from './faults.ts';
import { otherRequest } from './lies.ts';
import type { Plan } from './plan.ts';
import { never, type Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import type { Account, Answer, Service } from './service.ts';
import { WayBack } from './way-back.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 30_000;

/** The way between the processes and the service: it delays, loses, repeats, cuts and changes what it carries. */
export class Network {
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #service: Service;
  readonly #model: Model;
  readonly #wayBack: WayBack;
  /** What strikes requests that the plan of the world leaves alone: nothing. */
  readonly #calm: { readonly faults: Faults; readonly wayBack: WayBack };
  readonly #only: Plan['only'];
  readonly #tell: (words: string) => void;
  readonly #redactors = new Map<Account, Redactor>();

  constructor(
    {
      scheduler,
      faults,
      service,
      model,
      disk,
      plan,
    }: Pick<World, 'scheduler' | 'faults' | 'service' | 'model' | 'disk' | 'plan'>,
    tell: (words: string) => void,
  ) {
    this.#tell = tell;
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#service = service;
    this.#model = model;
    this.#wayBack = new WayBack({ faults, model, disk }, plan);
    const none = new Faults(`${plan.seed} calm`, {}, tell);
    this.#calm = { faults: none, wayBack: new WayBack({ faults: none, model, disk }) };
    this.#only = plan.only;
  }

  /** The transport of a process, which stands below the client where the sockets are. */
  transportOf(process: Process, isBudgeted: boolean): Transport {
    const { account } = process;
    const redact = this.#redactors.get(account) ?? createRedactor(account.credentials);
    this.#redactors.set(account, redact);
    return async (request) => {
      if (isBudgeted) this.#model.spends(process);
      await process.pause(this.#latency());
      if (this.#weather(request).faults.strikes('refused', process.name))
        throw new TransportError('unreachable', false, 'ECONNREFUSED');
      if (process.signal.aborted) throw new TransportError('interrupted', false);
      const sent = this.#model.sent(process, request);
      this.#tell(`${process.name} sends ${request.endpoint} ${request.body ?? request.query?.['id'] ?? ''}`);
      try {
        const answer = await this.#exchange(process, request, sent.post);
        if (!process.isAlive) return never();
        sent.answered(answer);
        this.#tell(`${process.name} gets ${answer.status} to ${request.endpoint} ${orderIn(answer.text)}`);
        const { status, headers } = answer;
        const retryAfter = headers['retry-after'] ?? null;
        return { status, headers, retryAfter, text: redact(answer.text, status >= 400) } satisfies ApiAnswer;
      } catch (error) {
        sent.lost();
        this.#tell(`${process.name} gets no answer to ${request.endpoint}`);
        throw error;
      }
    };
  }

  /** Sends a request, and gives what comes back of it, if anything does. */
  #exchange(process: Process, request: ApiRequest, post: Post | null): Promise<Answer> {
    const scheduler = this.#scheduler;
    const { faults, wayBack } = this.#weather(request);
    const { name } = process;
    return new Promise((resolve, reject) => {
      const finish = (work: () => void) => {
        if (process.isAlive) work();
      };
      const limit = Math.min(request.timeoutMs ?? TIMEOUT_MS, TIMEOUT_MS);
      scheduler.after(limit, () => finish(() => reject(new TransportError('timeout', true, 'ETIMEDOUT'))));
      process.signal.addEventListener(
        'abort',
        () => finish(() => reject(new TransportError('interrupted', true))),
        { once: true },
      );
      if (faults.strikes('interrupted-sending', name))
        scheduler.after(faults.random.between(1, 150), () => process.interrupt());
      if (faults.strikes('request-lost', name)) return;
      const changes =
        request.endpoint === 'create-transaction' || request.endpoint === 'update-refund-address';
      const before = faults.strikes('busy', name) ? 'busy' : null;
      if (before !== null) {
        // A service under maintenance asks for long pauses, after which what was read before them is old.
        const pause = faults.random.pick([null, null, '3', '800']);
        const headers: Record<string, string> = pause === null ? {} : { 'retry-after': pause };
        const text = '{"statusCode":429,"message":"Too Many Requests"}';
        scheduler.after(this.#latency(), () => finish(() => resolve({ status: 429, text, headers })));
        return;
      }
      const carried =
        changes && faults.strikes('request-tampered', name) ? otherRequest(request, faults.random) : request;
      const way = this.#latency() + (faults.strikes('slow', name) ? faults.random.between(5_000, 50_000) : 0);
      const deliver = (isRepeat: boolean) => async () => {
        const answer = await this.#service.handle(carried, process.account);
        this.#model.delivered(process, post, answer);
        if (isRepeat) return;
        // One lie at a time: two may cancel each other.
        const back = wayBack.pass(process, request, answer, carried === request);
        if (back === null) return;
        scheduler.after(this.#latency(), () => finish(() => ('kind' in back ? reject(back) : resolve(back))));
      };
      scheduler.after(way, deliver(false));
      if (faults.strikes('request-repeated', name)) scheduler.after(way + this.#latency(), deliver(true));
    });
  }

  /** What may strike a request. */
  #weather({ endpoint }: ApiRequest): { readonly faults: Faults; readonly wayBack: WayBack } {
    const isCalm = this.#only?.includes(endpoint) === false;
    return isCalm ? this.#calm : { faults: this.#faults, wayBack: this.#wayBack };
  }

  #latency(): number {
    return this.#faults.random.between(2, 60);
  }
}

/** What an answer says of an order, for the story. */
function orderIn(text: string): string {
  const order = /"orderNumber":"([^"]*)"/.exec(text)?.[1];
  return order === undefined ? '' : `${order} in status ${/"status":([0-9]+)/.exec(text)?.[1]}`;
}
