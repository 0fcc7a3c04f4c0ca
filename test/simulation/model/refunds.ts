import type { SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import { isAddressOf } from '../world/coins.ts';
import type { Committed } from '../world/committed.ts';
import type { Runner } from '../world/process.ts';
import { ANYONE, type TrueOrder } from './order.ts';
import type { Violation } from './violation.ts';

/** An answer, as it arrived. */
interface Arrived {
  readonly status: number;
  readonly text: string;
}

/** Requests of one refund address: the first, and two more. */
const MAX_SENT = 3;
/** By then nothing of a program that ended is under way any more, in milliseconds. */
const UNDER_WAY_MS = 120_000;

/** Someone sets the refund address of an order, in a process. */
interface Attempt {
  readonly process: string;
  readonly order: string;
  readonly address: string;
  readonly begunAt: number;
  /** Passed the policy. */
  isPassed: boolean;
  sent: number;
  /** Set at the service. */
  isSet: boolean;
  /** An answer arrived that names the address. */
  isConfirmed: boolean;
  endedAt: number;
  isWell: boolean;
}

/** Address and order of a request or an answer. */
function refundIn(text: string) {
  return {
    order: /"(?:id|orderNumber)":"([^"]*)"/.exec(text)?.[1] ?? null,
    address: /"(?:refundAddress|newRefundAddress)":"([^"]*)"/.exec(text)?.[1] ?? null,
  };
}

/**
 * Refund addresses: what was asked, passed the policy, was sent, is set at the service and is in the ledger is one; an
 * answer that was lost, or names another address, leaves the ledger as it is.
 */
export class RefundModel {
  readonly #disk: Committed;
  readonly #orders: ReadonlyMap<string, TrueOrder>;
  readonly #fail: (rule: string, what: string) => Violation;
  readonly #attempts: Attempt[] = [];
  readonly #now: () => number;

  constructor(
    { disk, orders, now }: { disk: Committed; orders: ReadonlyMap<string, TrueOrder>; now: () => number },
    fail: (rule: string, what: string) => Violation,
  ) {
    this.#disk = disk;
    this.#orders = orders;
    this.#now = now;
    this.#fail = fail;
  }

  /** Someone asks a process to set an address. */
  begins({ name }: Runner, order: string, address: string): void {
    const known = { process: name, order, address, begunAt: this.#now() };
    const nothing = { isPassed: false, sent: 0, isSet: false, isConfirmed: false };
    this.#attempts.push({ ...known, ...nothing, endedAt: Number.POSITIVE_INFINITY, isWell: false });
  }

  #of(process: string): readonly Attempt[] {
    return this.#attempts.filter((attempt) => process === ANYONE || attempt.process === process);
  }

  /** The policy lets an address pass. */
  passed(process: string, order: string, address: string): void {
    const attempts = this.#of(process).filter((each) => each.order === order && each.address === address);
    if (attempts.length === 0)
      throw this.#fail('refund', `${process} has ${address} pass for ${order}, which no one asked for`);
    // Where a ledger cannot tell who wrote, it may be any of those who asked for the same.
    for (const attempt of attempts) attempt.isPassed = true;
  }

  /** A request leaves a process. */
  sent({ name }: Runner, { body = '' }: ApiRequest): void {
    const { order, address } = refundIn(body);
    const attempt = this.#of(name).at(-1);
    if (attempt?.order !== order || attempt.address !== address)
      throw this.#fail(
        'refund',
        `${name} sends ${address} for ${order} in place of ${attempt?.address} for ${attempt?.order}`,
      );
    if (!attempt.isPassed) throw this.#fail('refund', `${name} sends ${address} past the policy`);
    if (!this.#isOfDeposit(attempt))
      throw this.#fail('refund', `${name} sends ${address} for ${order}, where no deposit of it comes from`);
    attempt.sent += 1;
    if (attempt.sent > MAX_SENT) throw this.#fail('refund', `${name} sends ${address} ${attempt.sent} times`);
  }

  /** Whether an address is on the network of the deposit, whatever an answer says of it; also for an order of no one. */
  #isOfDeposit({ order, address }: Attempt): boolean {
    const truth = this.#orders.get(order);
    return truth === undefined || isAddressOf(truth.deposit.coin, address);
  }

  /** The service has set an address. */
  set({ name }: Runner, text: string): void {
    const { order, address } = refundIn(text);
    this.#orders.get(order ?? '')?.refunds.push(address ?? '');
    for (const attempt of this.#of(name)) if (attempt.address === address) attempt.isSet = true;
  }

  /** An answer arrives at a process. */
  arrived({ name }: Runner, { status, text }: Arrived): void {
    const { order, address } = refundIn(text);
    for (const attempt of this.#of(name))
      if (status < 300 && address === attempt.address && (order === null || order === attempt.order))
        attempt.isConfirmed = true;
  }

  /** The ledger has another address of an entry. */
  recorded(process: string, id: string, old: string | null, address: string | null): void {
    const [row] = this.#disk.rows<{ order_number: string | null; request: string }>(
      'select order_number, request from intents where id = ?',
      id,
    );
    const agreed = (JSON.parse(row?.request ?? 'null') as { refundAddress: string | null } | null)
      ?.refundAddress;
    const isConfirmed = this.#of(process).some(
      (each) => each.isConfirmed && each.order === row?.order_number && each.address === address,
    );
    if (isConfirmed || (old === null && address === agreed)) return;
    throw this.#fail(
      'refund',
      `${process} records ${address} of ${row?.order_number}, which is not confirmed`,
    );
  }

  /** A process ended, perhaps with an error, whose outcome says what became of the address. */
  ended({ name }: Runner, error: SwapctlError | null): void {
    const outcome = error?.outcome ?? null;
    // A server sets one after the other.
    for (const attempt of this.#of(name).slice(-1)) {
      if (error?.code === 'invalid_address' && this.#isOfDeposit(attempt) && this.#isAgreed(attempt))
        throw this.#fail(
          'refund',
          `${name} refuses ${attempt.address} for ${attempt.order}: ${error.message}`,
        );
      const { order, address, isSet, isConfirmed } = attempt;
      attempt.endedAt = this.#now();
      attempt.isWell = outcome === null;
      if (outcome === null && !isConfirmed)
        throw this.#fail('refund', `${name} reports ${address} of ${order} as set, which is not confirmed`);
      if (isSet && outcome !== null && outcome !== 'unknown' && outcome !== 'done')
        throw this.#fail('refund', `${name} reports ${outcome}, and ${address} of ${order} is set`);
      if (outcome !== null) continue;
      const rows = this.#disk.rows<{ refund_address: string | null }>(
        'select refund_address from intents where order_number = ?',
        order,
      );
      // Another process may have set another one since.
      const others = this.#attempts.filter((each) => each !== attempt && each.order === order);
      const isThere = (there: string | null) =>
        there === address || others.some((each) => each.isConfirmed && each.address === there);
      if (!rows.some((row) => isThere(row.refund_address)))
        throw this.#fail('refund', `${address} of ${order} is set, and not in the ledger`);
    }
  }

  /** Whether the ledger has what was agreed about an order, so that no answer can move its deposit. */
  #isAgreed({ order }: Attempt): boolean {
    const requested = `select request from intents where order_number = ? and request <> 'null'`;
    const truth = this.#orders.get(order);
    // An order that was made elsewhere may have the request of an unknown create, which differs.
    return this.#disk
      .rows<{ request: string }>(requested, order)
      .some(({ request }) => truth === undefined || JSON.parse(request).deposit.coin === truth.deposit.coin);
  }

  /** What was set last, while nothing else was under way, is at the service and in the ledger. */
  checkEnds(): void {
    for (const [order, { refunds, post }] of this.#orders) {
      const attempts = this.#attempts.filter((each) => each.order === order);
      const last = attempts.findLast(({ isWell }) => isWell);
      const isAlone = attempts.every(
        (each) =>
          each === last ||
          (last !== undefined &&
            (each.isWell ? each.endedAt : Math.min(each.endedAt, each.begunAt) + UNDER_WAY_MS) <
              last.begunAt),
      );
      if (last === undefined || !isAlone) continue;
      const [row] = this.#disk.rows<{ refund_address: string | null }>(
        'select refund_address from intents where order_number = ? and account = ?',
        order,
        post.account.owner.account,
      );
      if (row === undefined) continue;
      if (refunds.at(-1) !== last.address || row.refund_address !== last.address)
        throw this.#fail(
          'refund',
          `${order} has ${refunds.at(-1)} at the service and ${row.refund_address} in the ledger in place of ${last.address}`,
        );
    }
  }
}
