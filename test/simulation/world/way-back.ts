import type { ApiRequest } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { sign } from '../../../src/core/partner-api/signature.ts';
import type { Model } from '../model/model.ts';
import { orderIn } from '../model/order.ts';
import type { Committed } from './committed.ts';
import type { Faults } from './faults.ts';
import { type Part, tamperedAnswer, tamperedRefund } from './lies.ts';
import type { Runner } from './process.ts';
import type { Account, Answer } from './service.ts';

/** The way of an answer back from the service: it loses, cuts and changes what it carries. */
export class WayBack {
  readonly #faults: Faults;
  readonly #model: Model;
  readonly #disk: Committed;
  /** Earlier answers by endpoint, for an answer that comes to the wrong request. */
  readonly #earlier = new Map<string, string>();

  readonly #lieAbout: Part | undefined;

  constructor(
    { faults, model, disk }: { faults: Faults; model: Model; disk: Committed },
    { lieAbout }: { readonly lieAbout?: Part | undefined } = {},
  ) {
    this.#lieAbout = lieAbout;
    this.#faults = faults;
    this.#model = model;
    this.#disk = disk;
  }

  /** What arrives of an answer; null for nothing. */
  pass(
    process: Runner,
    request: ApiRequest,
    answer: Answer,
    mayLie: boolean,
  ): Answer | TransportError | null {
    const faults = this.#faults;
    const { name } = process;
    if (faults.strikes('answer-lost', name)) return null;
    if (faults.strikes('cut', name)) {
      if (faults.random.chance(0.5))
        return new TransportError('broken', true, 'ECONNRESET', faults.random.pick([answer.status, null]));
      return { ...answer, text: answer.text.slice(0, faults.random.below(answer.text.length)) };
    }
    if (faults.strikes('garbage', name))
      return { status: faults.random.pick([200, 502, 503, 408]), text: '<html>Proxy</html>', headers: {} };
    if (faults.strikes('echo', name)) return echo(request, process.account);
    if (answer.status >= 300 || !mayLie) return answer;
    const key = request.endpoint;
    if (key === 'update-refund-address' && faults.strikes('tampered', name))
      return { ...answer, text: tamperedRefund(answer.text, faults.random) };
    const isComputed = request.query?.['lastSource'] === 'receive';
    if (this.#lieAbout === 'price' && isComputed && faults.strikes('tampered', name))
      return {
        ...answer,
        text: tamperedAnswer(answer.text, { isCreate: false, isFirst: true, about: 'price' }, faults.random),
      };
    const earlier = this.#earlier.get(key);
    this.#earlier.set(key, answer.text);
    if (key === 'create-transaction' || key === 'get-transaction') {
      if (earlier !== undefined && faults.strikes('stale', name)) {
        this.#model.repeated(earlier);
        return { ...answer, text: earlier };
      }
      if (faults.strikes('tampered', name)) {
        const isCreate = key === 'create-transaction';
        const isFirst = isCreate || !this.#disk.hasDescription(request.query?.['id'] ?? '');
        this.#model.liedAbout.add(orderIn(answer.text));
        return {
          ...answer,
          text: tamperedAnswer(answer.text, { isCreate, isFirst, about: this.#lieAbout }, faults.random),
        };
      }
    }
    return answer;
  }
}

function echo({ endpoint }: ApiRequest, { credentials: { secret } }: Account): Answer {
  const message = `bad headers: ${secret} ${sign(endpoint, secret)}`;
  return { status: 500, text: JSON.stringify({ statusCode: 500, message }), headers: {} };
}
