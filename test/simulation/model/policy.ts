import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { CreateIntent } from '../../../src/core/ledger/entry.ts';
import type { Labels } from '../../../src/core/swap/labels.ts';
import type { Committed } from '../world/committed.ts';
import type { PolicyPlan } from '../world/plan.ts';
import type { Runner } from '../world/process.ts';
import { hundredthMore, sameNumber, signOfDifference, sumOf } from './decimals.ts';
import { orderIn, type Post, type RefundLink, type TrueOrder } from './order.ts';
import type { Violation } from './violation.ts';

/** A create as the ledger has it, and as its approver is shown it. */
export interface Content {
  readonly request: Pick<CreateIntent, 'amount' | (typeof SIGNED)[number]>;
  readonly labels: Labels;
}

/** What is signed of a create besides its amount and labels. */
const SIGNED = [
  ...(['deposit', 'receive', 'lastSource', 'type'] as const),
  ...(['address', 'memo', 'refundAddress', 'minReceive'] as const),
] as const;

/** What an approver is shown and signs. */
export type ShownRequest =
  | (Content & { readonly kind: 'create' })
  | { readonly kind: 'refund'; readonly order: string; readonly refundAddress: string };

interface Signed {
  readonly what: ShownRequest;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** The approval that was signed. */
  readonly id: string;
  /** The policy that asked for it. */
  readonly plan: PolicyPlan | null;
}

/** A create that left a process, as the policy counts it. */
interface Counted {
  readonly post: Post;
  readonly coin: string;
  readonly amount: string;
  readonly team: string | null;
  /** Time of its claim, by which it is counted: no clock that was set back makes it earlier than what was counted before. */
  readonly at: number;
}

/** How a create counts. */
interface Counting {
  readonly team: string | null;
  readonly content: Content;
  /** False for those of which it is certain that they made no order. */
  readonly counts: (post: Post) => boolean;
  /** False also for those whose order was shown as ended. */
  readonly isOpen: (post: Post) => boolean;
}

/** A claim is made for a time that a slow disk may have passed since. */
const MAX_LATE_MS = 20_000;

/** What the policy of the world promises: worked out from what was sent, not from what the product counts. */
export class PolicyModel {
  #plan: PolicyPlan | null;
  /** What the owner is about to set. */
  #next: PolicyPlan | null = null;
  readonly #fail: (rule: string, what: string) => Violation;
  readonly #counted: Counted[] = [];
  /** Times of the last claims, with the policy of their moment, by their entry. */
  readonly #claims = new Map<string, { readonly at: number; readonly plan: PolicyPlan }>();
  /** Signed approvals that allowed no create yet. */
  readonly #signed: Signed[] = [];
  /** Ids of approvals that one of two has signed. */
  readonly #half = new Set<string>();
  /** The deposit of an order as the last answer to a process had it. */
  readonly #told = new Map<string, string>();
  #latest = 0;
  #links = 0;
  #isStopped = false;

  constructor(plan: PolicyPlan | null, fail: (rule: string, what: string) => Violation) {
    this.#plan = plan;
    this.#fail = fail;
  }

  /** Someone stops the creates, or lifts the stop. */
  stopped(isStopped: boolean): void {
    this.#isStopped = isStopped;
  }

  /** The owner is about to set a policy. */
  sets(plan: PolicyPlan): void {
    this.#next = plan;
  }

  /** The ledger has another policy. */
  replaced(): void {
    this.#plan = this.#next ?? this.#plan;
  }

  /** An approver signs what was shown. */
  signed(signed: Omit<Signed, 'plan'>): void {
    if (this.#plan?.approve?.isDouble === true && !this.#half.delete(signed.id)) this.#half.add(signed.id);
    else this.#signed.push({ ...signed, plan: this.#plan });
  }

  /** A process has claimed an entry. */
  claimed(entry: string, process: Runner | null): void {
    this.#links += 1;
    if (process === null) return;
    if (this.#isStopped)
      throw this.#fail('stop', `${process.name} claims a create while creates are stopped`);
    if (this.#plan === null) return;
    this.#latest = Math.max(this.#latest, process.now());
    this.#claims.set(entry, { at: this.#latest, plan: this.#plan });
  }

  /** A create leaves a process. */
  sent(post: Post, { body = '' }: ApiRequest, { team, content, counts, isOpen }: Counting): void {
    const claim = this.#claims.get(post.intent);
    if (claim === undefined) return;
    const { at, plan } = claim;
    const coin = /"depositCoin":"([^"]*)"/.exec(body)?.[1] ?? '';
    const amount = /"depositAmount":([0-9.]+)/.exec(body)?.[1] ?? '0';
    const own = { at, post, coin, amount, team };
    this.#counted.push(own);
    const within = (minutes: number) =>
      this.#counted.filter(
        (each) => (each === own || counts(each.post)) && each.at > own.at - minutes * 60_000 + MAX_LATE_MS,
      );
    const { caps, count, approve, open = null } = plan;
    for (const [, address = ''] of body.matchAll(/"(?:receiveAddress|refundAddress)":"([^"]+)"/g))
      this.#checkPayee(post.process, plan, address);
    const others = this.#counted.filter((each) => each !== own && isOpen(each.post)).length;
    if (open !== null && others >= open)
      throw this.#fail('open', `${post.process} opens a swap while ${others} are open; the limit is ${open}`);
    for (const cap of caps) {
      if (cap.coin !== coin) continue;
      const sum = within(cap.minutes).reduce(
        (total, each) =>
          each.coin === coin && (cap.isByTeam !== true || each.team === team)
            ? sumOf(total, each.amount)
            : total,
        '0',
      );
      if (signOfDifference(sum, cap.amount) > 0)
        throw this.#fail(
          'cap',
          `${post.process} makes it ${sum} ${coin} in ${cap.minutes} minutes; the cap is ${cap.amount}`,
        );
    }
    if (count !== null && within(count.minutes).length > count.most)
      throw this.#fail(
        'count',
        `${post.process} sends more than ${count.most} creates in ${count.minutes} minutes`,
      );
    if (approve?.coin !== coin || signOfDifference(amount, approve.above) <= 0) return;
    const isFitting = ({ what, until, plan: asked }: Signed) =>
      what.kind === 'create' && asked === plan && at < until + MAX_LATE_MS && isSigned(what, content);
    const fitting = this.#signed.filter(isFitting);
    // The least of them: a larger one may be that of another create.
    const amountOf = ({ what }: Signed) => (what.kind === 'create' ? what.request.amount : '0');
    const [used] = fitting.sort((a, b) => signOfDifference(amountOf(a), amountOf(b)));
    if (used === undefined)
      throw this.#fail('approval', `${post.process} sends ${amount} ${coin} without an approval of its own`);
    this.#signed.splice(this.#signed.indexOf(used), 1);
  }

  #checkPayee(process: string, { payees }: PolicyPlan, address: string): void {
    if (payees?.includes(address) === false)
      throw this.#fail('payee', `${process} pays to ${address}, which the policy does not name`);
  }

  /** An answer arrives at a process. */
  told({ name }: Runner, text: string): void {
    const [, amount = ''] = /"value":"?([0-9.]+)/.exec(text) ?? [];
    if (amount !== '') this.#told.set(`${name} ${orderIn(text)}`, amount);
  }

  /** A refund address passes the policy, which judges it by the deposit that arrived: what its process was told last. */
  passed(writer: Runner | null, { order, refundAddress }: RefundLink, truth: TrueOrder | undefined): void {
    if (writer === null) return;
    if (this.#isStopped)
      throw this.#fail('stop', `${writer.name} sets a refund address while everything is stopped`);
    if (this.#plan === null) return;
    this.#checkPayee(writer.name, this.#plan, refundAddress);
    const { approve } = this.#plan;
    if (truth === undefined || approve?.coin !== truth.deposit.coin) return;
    const told = this.#told.get(`${writer.name} ${order}`);
    if (told !== undefined && signOfDifference(told, approve.above) <= 0) return;
    const at = writer.now();
    const place = this.#signed.findIndex(
      ({ what, until }) =>
        what.kind === 'refund' &&
        what.order === order &&
        what.refundAddress === refundAddress &&
        at < until + MAX_LATE_MS,
    );
    if (place < 0)
      throw this.#fail('approval', `${writer.name} sets ${refundAddress} of ${order} without an approval`);
    this.#signed.splice(place, 1);
  }

  /** The chain has a link for every claim, and each follows the one before. */
  checkChain(disk: Committed): void {
    const rows = disk.rows<{ n: number; body: string; hash: string }>(
      'select n, body, hash from audit order by n',
    );
    let before = '0'.repeat(64);
    for (const [index, { n, body, hash: digest }] of rows.entries()) {
      const isWhole =
        n === index + 1 && body.includes(`"previous":"${before}"`) && hash('sha256', body) === digest;
      if (!isWhole) throw this.#fail('audit', `link ${n} does not follow`);
      before = digest;
    }
    const creates = rows.filter(({ body }) => body.includes('"type":"create"')).length;
    if (creates !== this.#links)
      throw this.#fail('audit', `${creates} creates are in the chain of ${this.#links}`);
  }
}

/** Whether a create is the one that was signed. The deposit that the service computes moves, by a hundredth at most. */
function isSigned({ request, labels }: Content, sent: Content): boolean {
  const isAmount =
    request.lastSource === 'receive'
      ? signOfDifference(sent.request.amount, hundredthMore(request.amount)) <= 0
      : sameNumber(sent.request.amount, request.amount);
  const isSame = (name: (typeof SIGNED)[number]) => isDeepStrictEqual(request[name], sent.request[name]);
  return isAmount && isDeepStrictEqual(labels, sent.labels) && SIGNED.every(isSame);
}
