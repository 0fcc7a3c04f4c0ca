import type { SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest } from '../../../src/core/client/transport.ts';
import type { CreatedSwap } from '../../../src/core/swaps/create.ts';
import type { Committed } from '../world/committed.ts';
import { SEED_PHRASE } from '../world/mistyped.ts';
import type { PolicyPlan } from '../world/plan.ts';
import type { Runner } from '../world/process.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Answer, Service } from '../world/service.ts';
import { Budgets } from './budget.ts';
import { signOfDifference, sumOf } from './decimals.ts';
import { checkEntry, checkLinked, isListenedTo } from './entry.ts';
import type { Fate, Intent, Post, RefundLink, TrueOrder } from './order.ts';
import {
  ANYONE,
  claimOf,
  contentOf,
  ENDS,
  isRefusal,
  isRequest,
  orderFrom,
  orderIn,
  pricedBy,
  statusIn,
} from './order.ts';
import { PolicyModel } from './policy.ts';
import { RefundModel } from './refunds.ts';
import type { Job, ShownSwap } from './shown.ts';
import { otherThanAgreed, otherThanTrue, shownProblem } from './shown.ts';
import { Violation } from './violation.ts';

/** Time for which a view of an order may be older than the truth: an answer under way, and a slow disk. */
const MAX_LATE_MS = 45_000;

/** A swap that was seen later than this in the future, by a clock that was set back, is one of unknown age. */
const MAX_AHEAD_MS = 60_000;

/** Time between the check of a swap and its showing, in a world where nothing delays it. */
const MAX_SHOWING_MS = 3_000;

/** Longest time for which a process waits for an answer. */
const MAX_REQUEST_MS = 30_000;

/** Time between an answer and what a process does with it, where its disk and clock do not fail. */
const MAX_ACTING_MS = 1_000;
/** Time for which the rows of a list share a quote. */
const MAX_SHARED_MS = 15_000;

/** Errors that may end a create before it has read what became of its key, or found that the key is of another swap. */
const EXCUSES: ReadonlySet<string> = new Set(['storage_failed', 'interrupted', 'usage']);

/** What a world can do to a process, whatever it is asked for. */
const FAILURES: ReadonlySet<string> = new Set(
  'storage_failed interrupted network_error timeout rate_limited service_error bad_response'.split(' '),
);

/** What the model expects of its world. */
interface ModelOptions {
  readonly isBudgetExact: boolean;
  readonly policy: PolicyPlan | null;
  /** Processes know the service's time and windows, and nothing delays what they show. */
  readonly isPunctual?: boolean;
  /** How many times as fast as in the simulation windows and budgets pass. */
  readonly pace?: number;
  /** The ledger never fails: what is reported is in it. */
  readonly isWritable?: boolean;
  /** The owner's key is pinned, and no one signs with it. */
  readonly isPinned?: boolean;
}

/** An order that was created this long before a request is not its own: clocks differ by less, in milliseconds. */
const MAX_OLDER_MS = 12 * 60_000;

/**
 * What must be true, worked out from what left the processes and what the service truly answered. It shares no code with
 * the product.
 */
export class Model {
  readonly orders = new Map<string, TrueOrder>();
  readonly intents = new Map<string, Intent>();
  readonly jobs = new Map<string, Job>();
  /** Orders that were recorded as those of a create. */
  readonly settled: { readonly order: string; readonly account: string }[] = [];
  /** Entries that a person has settled, and with which order; null is dismissed. */
  readonly settledByHand = new Map<string, string | null>();
  readonly #disk: Committed;
  readonly #scheduler: Pick<Scheduler, 'now'>;
  readonly #service: Pick<Service, 'accounts'>;
  readonly #pace: number;
  readonly #isPunctual: boolean;
  readonly #isWritable: boolean;
  readonly #isPinned: boolean;
  readonly #isExact: boolean;
  /** Every create that left a process. */
  readonly posts: Post[] = [];
  /** Milliseconds by which clocks were set back: what is old may look new. */
  setBack = 0;
  readonly #budgets: Budgets;
  readonly policy: PolicyModel;
  readonly refunds: RefundModel;
  readonly #checks: (() => void)[] = [];
  /** Deposits that were reviewed, by the process that showed them and the swap. */
  readonly #reviewed = new Map<string, string>();
  /** Processes that create lists. */
  readonly lists = new Set<string>();
  /** When a process was last answered a quote, in milliseconds of the world. */
  readonly #quotedAt = new Map<string, number>();
  /** Who got the last answer about an order and when, if it was wrong. */
  readonly #misled = new Map<string, { readonly process: Runner; readonly at: number }>();
  /** Orders that were reported to somebody, and recorded. */
  readonly recorded = new Set<string>();
  /** Orders about which an answer was changed on the way. */
  readonly liedAbout = new Set<string>();
  /** Entries that have had an order number. */
  readonly #numbered = new Set<string>();
  /** Orders about which an earlier answer came again. */
  readonly #oldNews = new Set<string>();

  constructor(
    disk: Committed,
    scheduler: Pick<Scheduler, 'now'>,
    service: Pick<Service, 'accounts'>,
    {
      isBudgetExact,
      policy,
      isPunctual = false,
      pace = 1,
      isWritable = false,
      isPinned = false,
    }: ModelOptions,
  ) {
    this.#isWritable = isWritable;
    this.#isPinned = isPinned;
    this.#isExact = isBudgetExact;
    this.policy = new PolicyModel(policy, this.fail);
    this.refunds = new RefundModel({ disk, orders: this.orders, now: () => scheduler.now }, this.fail);
    this.#disk = disk;
    this.#scheduler = scheduler;
    this.#pace = pace;
    this.#isPunctual = isPunctual;
    this.#service = service;
    this.#budgets = new Budgets(service.accounts, { isExact: isBudgetExact, pace }, this.fail);
  }

  /** Has something checked once all that happens now has happened: no transaction is open then. */
  afterStep(check: () => void): void {
    this.#checks.push(check);
  }

  /** A program of the budget is about to send a request. */
  spends(process: Runner): void {
    this.afterStep(() => this.#budgets.spend(process));
  }

  /** A request leaves a process. */
  sent(process: Runner, request: ApiRequest) {
    const isRefund = request.endpoint === 'update-refund-address';
    if (isRefund) this.afterStep(() => this.refunds.sent(process, request));
    if (request.endpoint !== 'create-transaction')
      return {
        post: null,
        answered: (answer: Pick<Answer, 'status' | 'text'>) => {
          if (isRefund) this.refunds.arrived(process, answer);
          else this.policy.told(process, answer.text);
          if (request.endpoint === 'exchange-coin' && answer.status === 200)
            this.#quotedAt.set(`${process.name} ${pricedBy(request)}`, this.#scheduler.now);
          if (request.endpoint === 'get-transaction') this.#described(process, answer);
        },
        lost: () => undefined,
      };
    const { name, account } = process;
    const { body = '' } = request;
    const post: Post = { process: name, account, body, intent: '', fate: 'under way' };
    this.posts.push(post);
    this.afterStep(() => this.#claim(post, request));
    return {
      post,
      answered: ({ status }: Pick<Answer, 'status'>) => {
        post.fate = isRefusal(status) ? 'refused' : status >= 200 && status < 300 ? 'answered' : 'lost';
      },
      lost: () => {
        post.fate = 'lost';
      },
    };
  }

  /** A create leaves a process: the ledger must have it, durably, and nothing may have been sent for the same swap before. */
  #claim(post: Post, request: ApiRequest): void {
    const { process } = post;
    const intent = [...this.intents.values()].find(
      ({ id, claimedBy, outcome }) =>
        outcome === 'unknown' && claimOf(claimedBy, process) >= 0 && isRequest(this.#disk, id, request),
    );
    if (intent === undefined)
      throw this.fail('claim', `${process} sends a create that the ledger does not have as unknown`);
    intent.claimedBy.splice(claimOf(intent.claimedBy, process), 1);
    for (const other of this.intents.values()) {
      const isSame = other.id === intent.id || (other.job !== null && other.job === intent.job);
      const isDismissed = this.settledByHand.has(other.id);
      const open = other.posts.find(({ fate }) => fate !== 'refused' && fate !== 'not sent');
      if (isSame && !isDismissed && open !== undefined)
        throw this.fail(
          'one order',
          `${process} sends a second create for ${intent.job ?? intent.id}; the first, of ${open.process}, is ${open.fate}`,
        );
    }
    post.intent = intent.id;
    intent.posts.push(post);
    this.#checkReviewed(post, intent.job ?? '');
    this.policy.sent(post, request, {
      team: intent.team,
      content: contentOf(this.#disk, intent.id),
      counts: (other) => this.#mayHaveMade(other),
      isOpen: (other) => this.#mayBeOpen(other),
    });
  }

  /** Someone reads a review of a swap, or its list is checked. */
  reviewed({ name }: Runner, { id }: Job, deposit: string): void {
    this.#reviewed.set(`${name} ${id}`, deposit);
  }

  /** A create sends no more than was last reviewed, but for the tolerance of its swap; a row is priced again before. */
  #checkReviewed({ process, body }: Post, id: string): void {
    const reviewed = this.#reviewed.get(`${process} ${id}`);
    const job = this.jobs.get(id);
    if (reviewed === undefined) return;
    const age = this.#scheduler.now - (this.#quotedAt.get(`${process} ${pricedBy({ body })}`) ?? 0);
    if (this.lists.has(process) && this.#isExact && age > MAX_SHARED_MS + MAX_ACTING_MS)
      throw this.fail('reviewed', `${process} sends ${body} at a price of ${age / 1000} s ago`);
    if (job === undefined) return;
    const { tolerance, type } = job.asked;
    const share = Number(tolerance ?? (type === 'fixed' ? 0 : 1)) / 100;
    const sent = /"depositAmount":([0-9.]+)/.exec(body)?.[1] ?? '0';
    if (Number(sent) > Number(reviewed) * (1 + share) * (1 + 1e-12))
      throw this.fail('reviewed', `${process} sends ${sent} for ${id}, of which ${reviewed} was reviewed`);
  }

  /** Whether a create made an order, or may have: one that a person has dismissed has none, unless its number is known. */
  #mayHaveMade({ fate, intent }: Post): boolean {
    const isDismissed = this.intents.get(intent)?.outcome === 'dismissed';
    return fate !== 'refused' && fate !== 'not sent' && !(isDismissed && !this.#numbered.has(intent));
  }

  /** Whether no one can know yet that what a create made has ended. */
  #mayBeOpen(post: Post): boolean {
    const made = [...this.orders.values()].filter((order) => order.post === post);
    return this.#mayHaveMade(post) && !made.some(({ reported }) => ENDS.some((end) => reported.has(end)));
  }

  /**
   * A create, or a key that was used before, is answered with an order: it is the swap that was wanted, at the service and
   * of the key pair where it was wanted.
   */
  checkReportedOrder({ name, account }: Runner, order: string | null, job: Job): void {
    const truth = this.orders.get(order ?? '');
    if (truth !== undefined && truth.post.account !== account && !this.#oldNews.has(truth.order))
      throw this.fail('one order', `${name} reports ${order}, which is of another account`);
    const own = this.posts.findLast((post) => post.process === name);
    const labelled = own === undefined ? job.id : this.intents.get(own.intent)?.job;
    if (labelled !== job.id)
      throw this.fail('acknowledged', `${name} creates ${job.id}, and the ledger has the label ${labelled}`);
    // A person may have taken an order for it that differs, which is then never fundable.
    const isTaken = [...this.settledByHand.values()].includes(order);
    const problem = truth === undefined || isTaken ? null : otherThanAgreed(job, truth);
    if (problem !== null) throw this.fail('acknowledged', `${name} reports ${order}, ${problem}`);
  }

  /** Whoever creates a swap is told what a payer has to know: a refund without a memo, and a payout that is far below. */
  checkWarned({ name }: Runner, { asked }: Job, { swap, warnings, notices }: CreatedSwap): void {
    const texts = [...warnings, ...notices];
    const has = (words: string) => texts.some((text) => text.includes(words));
    if (asked.from.coin === 'XRP' && asked.refundAddress !== null && !has('refund memo'))
      throw this.fail('warned', `${name} is not told that a refund of ${swap.order} has no memo`);
    const { amount } = swap.receive;
    const truth = this.orders.get(swap.order ?? '')?.receive.amount ?? '0';
    if (amount !== null && signOfDifference(sumOf(amount, amount), truth) <= 0 && !has(amount))
      throw this.fail('warned', `${name} is not told that ${swap.order} pays ${amount} alone`);
  }

  /**
   * A create, or a row of a batch, ended with an error: what its answer said is in the ledger, and an order that is as it
   * was wanted is not said to differ.
   */
  failed({ name }: Runner, { details, message, outcome }: SwapctlError): void {
    if (this.#isWritable) this.afterStep(() => this.#checkSettled(name));
    const { order, problem } = (details ?? {}) as { readonly order?: string; readonly problem?: string };
    if (outcome === 'refused' && JSON.stringify(details ?? '').includes('"id":'))
      throw this.fail('unknown', `${name} names an entry to settle after: ${message}`);
    const truth = this.orders.get(order ?? '');
    if (problem === undefined || truth?.post.process !== name) return;
    const { post, deposit } = truth;
    const job = this.jobs.get(this.intents.get(post.intent)?.job ?? '');
    const isAsSent =
      job !== undefined &&
      otherThanAgreed(job, truth) === null &&
      post.body.includes(`"depositAmount":${deposit.amount},`);
    const isTrue = !this.liedAbout.has(truth.order) && !this.#oldNews.has(truth.order);
    const isTaken = [...this.settledByHand].some(
      (taken) => taken.includes(post.intent) || taken.includes(truth.order),
    );
    if (isAsSent && isTrue && !isTaken)
      throw this.fail('acknowledged', `${name} says of its own order: ${message}`);
  }

  /** What a process was answered is in the ledger, unless another one has claimed the entry since. */
  #checkSettled(process: string): void {
    for (const post of this.posts) {
      const intent = this.intents.get(post.intent);
      if (post.process !== process || post.fate === 'under way' || intent?.posts.at(-1) !== post) continue;
      if (intent.claimedBy.length > 0 || intent.outcome !== 'unknown') continue;
      const [row] = this.#disk.rows<{ reason: string | null }>(
        'select reason from intents where id = ?',
        intent.id,
      );
      if (post.fate === 'refused' || row?.reason === null)
        throw this.fail('settled', `${process} has ended, and the ledger has ${post.fate} as ${row?.reason}`);
    }
  }

  /**
   * A create with a key begins. What is returned checks the error with which it ends: as long as the outcome of the key is
   * unknown, also at another process, it says so.
   */
  begins(process: Runner, key: string | null): (error: SwapctlError) => void {
    const before = this.#unknownOf(process, key);
    return ({ code, outcome, message }) => {
      const isOpen = before !== null && before === this.#unknownOf(process, key);
      if (outcome !== 'unknown' && !EXCUSES.has(code) && (isOpen || message.includes('no order: unknown')))
        throw this.fail(
          'unknown',
          `${process.name} reports ${outcome} for ${key}, which is unknown: ${message}`,
        );
    };
  }

  /** The claim that left the outcome of a key unknown; null if there is none. */
  #unknownOf({ account }: Runner, wanted: string | null): string | null {
    const intent = [...this.intents.values()].find(
      ({ key, account: of, outcome }) =>
        wanted !== null && key === wanted && of === account.owner.account && outcome === 'unknown',
    );
    return intent === undefined ? null : `${intent.id} ${intent.claims}`;
  }

  /** The service has answered a request, which may have made an order. */
  delivered(process: Runner, post: Post | null, answer: Answer): void {
    if (answer.status === 200 && answer.text.includes('"newRefundAddress"'))
      this.refunds.set(process, answer.text);
    else if (post === null) this.orders.get(orderIn(answer.text))?.reported.add(statusIn(answer.text));
    if (post === null || answer.status !== 201) return;
    const order = orderFrom(answer.text, post, this.#scheduler.now, this.#pace);
    if (this.orders.has(order.order)) throw this.fail('service', `order ${order.order} was made twice`);
    this.orders.set(order.order, order);
  }

  /** An answer about an order arrives, as it was on the way. */
  #described(process: Runner, { status, text }: Pick<Answer, 'status' | 'text'>): void {
    const truth = this.orders.get(orderIn(text));
    if (truth === undefined || status !== 200 || !text.endsWith('}')) return;
    const described = orderFrom(text, truth.post, this.#scheduler.now, this.#pace);
    if (otherThanTrue(described, truth) === null) this.#misled.delete(truth.order);
    else this.#misled.set(truth.order, { process, at: this.#scheduler.now });
  }

  /** A watch shows a swap: never as fundable if the last answer about it, which also another process may have, was wrong. */
  watched({ name }: Runner, { order, fundable }: ShownSwap): void {
    const { process, at = 0 } = this.#misled.get(order ?? '') ?? {};
    if (fundable && this.#isExact && process?.isAlive === true && this.#scheduler.now - at > MAX_ACTING_MS)
      throw this.fail('fundable', `${name} is shown ${order} as fundable, unlike ${process.name}`);
  }

  /** An earlier answer comes again: if it is of the same order, no one can tell that it is old. */
  repeated(text: string): void {
    this.#oldNews.add(orderIn(text));
  }

  /** People have sent a deposit. */
  funded(order: string, amount: string): void {
    const truth = this.orders.get(order);
    if (truth === undefined) return;
    truth.paid.push(amount);
    truth.begunAt = Math.min(truth.begunAt, this.#scheduler.now);
  }

  /** A swap is shown to somebody: what is called fundable must be what was agreed, new, and in time. */
  shown(process: Runner, swap: ShownSwap, maxAgeMs = 0): void {
    if (process.isAlive && swap.fundable) this.afterStep(() => this.#checkShown(process, swap, maxAgeMs));
  }

  #checkShown(process: Runner, swap: ShownSwap, maxAgeMs: number): void {
    const [row] = this.#disk.rows<{ request: string; seen_at: number | null }>(
      'select request, seen_at from intents where order_number = ?',
      swap.order ?? '',
    );
    const truth = this.orders.get(swap.order ?? '');
    // Nothing was agreed about an order that the ledger does not have, so no one can tell a lie about it.
    if (row === undefined && truth !== undefined) return;
    const agreed = this.jobs.get(this.intents.get(truth?.post.intent ?? '')?.job ?? '');
    // An order whose number could not be recorded, and which was taken up later, comes without its request.
    const job = row?.request === 'null' ? undefined : agreed;
    const isOldNews = this.#oldNews.has(swap.order ?? '');
    // By a clock that was set back, what is old may look new, but not as seen in the future.
    const isAhead = (row?.seen_at ?? 0) > process.now() + MAX_AHEAD_MS;
    const tolerance = isAhead ? MAX_AHEAD_MS : Number.POSITIVE_INFINITY;
    const since = isOldNews
      ? 0
      : this.#scheduler.now - MAX_LATE_MS - maxAgeMs - Math.max(0, Math.min(this.setBack, tolerance));
    const problem = shownProblem(swap, truth, job, since);
    const isLate = this.#isPunctual && (truth?.windowEndsAt ?? 0) + MAX_SHOWING_MS < this.#scheduler.now;
    if (isLate) throw this.fail('fundable', `${process.name} is shown ${swap.order} after its window`);
    if (problem !== null)
      throw this.fail('fundable', `${process.name} is shown ${swap.order} as fundable, ${problem}`);
  }

  /** Whether a text has a secret, or any signature. */
  hasSecret(text: string): boolean {
    const isKnown = this.#service.accounts.some(({ credentials }) => text.includes(credentials.secret));
    return isKnown || text.includes(SEED_PHRASE) || /(?<![0-9a-f])[0-9a-f]{128}/i.test(text);
  }

  /** A process has text for people, a log or a file. */
  refuseSecrets(process: Runner, text: string): void {
    if (this.hasSecret(text))
      throw this.fail('secrets', `${process.name} shows a secret: ${text.slice(0, 80)}`);
  }

  fatesOf(process: Runner): readonly Fate[] {
    return this.posts.filter((post) => post.process === process.name).map(({ fate }) => fate);
  }

  /** A create ended with an order. */
  acknowledged(process: Runner, order: string | null, isRecorded: boolean): void {
    const fates = this.fatesOf(process);
    if (fates.some((fate) => fate !== 'answered'))
      throw this.fail('unknown', `${process.name} reports order ${order}, and its create is ${fates}`);
    const truth = this.orders.get(order ?? '');
    const own = this.posts.findLast((post) => post.process === process.name);
    if (truth !== undefined && truth.post.process !== process.name && !this.#isTwin(truth, own))
      throw this.fail('acknowledged', `${process.name} reports ${order}, which ${truth.post.process} made`);
    if (!isRecorded || order === null) return;
    this.afterStep(() => {
      const recorded = `select id from intents where order_number = ? and outcome = 'created'`;
      const rows = this.#disk.rows<{ id: string }>(recorded, order);
      if (!rows.some(({ id }) => own === undefined || id === own.intent))
        throw this.fail('acknowledged', `order ${order} is not in the ledger as that of its create`);
      this.recorded.add(order);
    });
  }

  /** A create, or a row of a batch, ended with an error whose outcome says what became of it. */
  refused(process: Runner, outcome: string, fates: readonly Fate[], words: string): void {
    const isOpen = fates.some((fate) => fate !== 'refused' && fate !== 'not sent');
    if (isOpen && outcome !== 'unknown' && outcome !== 'done')
      throw this.fail('unknown', `${process.name} reports ${outcome}, and its create is ${fates}: ${words}`);
  }

  /** Something ended with an error, or null, that must end so, or with a failure of the world; what must be refused claims nothing. */
  ended({ name }: Runner, end: string, error: SwapctlError | null): void {
    const wanted = new RegExp(`^(${end})`);
    const words = error === null ? '' : `${error.code} ${error.message} ${error.hint ?? ''}`;
    if (error !== null && (FAILURES.has(error.code) || words.includes('The service answered '))) return;
    const hasClaimed = [...this.intents.values()].some(({ claimedBy }) => claimedBy.includes(name));
    if (!wanted.test(words) || (hasClaimed && !wanted.test('')))
      throw this.fail('mistake', `${name} ends with "${words}" and not ${end}; it claims: ${hasClaimed}`);
  }

  /** A row of a list is refused: never for what the world did. */
  blamed({ name }: Runner, { code, message }: SwapctlError): void {
    if (FAILURES.has(code)) throw this.fail('list', `${name} refuses a row with ${code}: ${message}`);
  }

  /** Checks everything after a step, in which all promises have gone as far as they can. */
  step(): void {
    if (this.#disk.isDirty) this.readLedger();
    for (const check of this.#checks.splice(0)) check();
  }

  /** Reads what the processes have committed since the last call. */
  readLedger(): void {
    const touched = new Set<string>();
    for (const { kind, id, old, new: now } of this.#disk.changes()) {
      if (kind === 'event' && old === 'none' && isListenedTo(this.#disk, id))
        throw this.fail('delivery', `event ${id} is not queued, though somebody listens`);
      if (kind === 'event') this.#written(id);
      if (kind === 'stop') this.policy.stopped(now !== null);
      else if (kind === 'policy') {
        // The policy is of the first account.
        if (id === this.#service.accounts[0].owner.account) this.policy.replaced();
      } else if (kind === 'refund') this.refunds.recorded(this.#disk.lastWriter?.name ?? '', id, old, now);
      else if (kind === 'link') this.#passed(id, now ?? '');
      else if (kind === 'order') checkLinked(this.#disk, id, this.fail);
      else if (kind === 'budget') this.#budgets.changed(id, old, now ?? '');
      else if (kind === 'delivery') this.onDelivery(id, old, now);
      else touched.add(kind === 'event' ? (now ?? '') : id);
      if (kind === 'intent' && !this.intents.has(id)) this.#learn(id, now ?? '');
      if (kind === 'outcome') this.#outcome(id, old ?? '', now ?? '');
    }
    for (const id of touched) checkEntry(this.#disk, id, this.fail);
  }

  /** A process writes events of its own key pair alone, and calls a create of another process lost only once that has given up. */
  #written(id: string): void {
    const writer = this.#disk.lastWriter;
    if (writer === null || writer.name === ANYONE) return;
    const [event] = this.#disk.rows<
      Record<'account' | 'intent' | 'body' | 'outcome', string> & Record<'isUnknown' | 'age', number>
    >(
      `select events.account, intent_id as intent, type = 'create.unknown' as isUnknown, at - requested_at as age,
         body, outcome from events join intents on intents.id = intent_id where events.id = ?`,
      id,
    );
    if (event === undefined) return;
    const { account, intent, isUnknown, age, body, outcome } = event;
    const { swap }: { swap?: ShownSwap & { paymentUri: string | null } } = JSON.parse(body).data;
    if (swap !== undefined && outcome !== 'created' && (swap.fundable || swap.paymentUri !== null))
      throw this.fail('fundable', `event ${id} shows ${swap.order} of an ${outcome} create as fundable`);
    if (swap?.fundable === true) this.#checkShown(writer, swap, 0);
    if (account !== writer.account.owner.account)
      throw this.fail('events', `${writer.name} writes event ${id} of another key pair`);
    const isUnderWay = this.intents
      .get(intent)
      ?.posts.some(({ process, fate }) => process !== writer.name && fate === 'under way');
    if (isUnknown === 1 && isUnderWay === true && age < MAX_REQUEST_MS)
      throw this.fail('events', `${writer.name} reports ${intent} as lost, which is under way`);
  }

  /** A refund address passes the policy of an account. */
  #passed(account: string, link: string): void {
    const writer = this.#disk.lastWriter;
    const { data } = JSON.parse(link) as { data: RefundLink };
    this.refunds.passed(writer?.name ?? '', data.order, data.refundAddress);
    if (account === this.#service.accounts[0].owner.account)
      this.policy.passed(writer, data, this.orders.get(data.order));
  }

  /** Set by the receiver of events. */
  onDelivery: (id: string, old: string | null, now: string | null) => void = () => undefined;

  #learn(id: string, outcome: string): void {
    this.intents.set(id, {
      id,
      ...this.#labelled(id),
      outcome,
      claims: 0,
      claimedAt: 0,
      claimedBy: [],
      posts: [],
    });
  }

  /** Key and labels of an entry; another attempt with the key may bring other labels. */
  #labelled(id: string): Pick<Intent, 'account' | 'key' | 'job' | 'team'> {
    const [row] = this.#disk.rows<{ account: string; idempotency_key: string | null; labels: string | null }>(
      'select account, idempotency_key, labels from intents where id = ?',
      id,
    );
    const { job = null, team = null } = JSON.parse(row?.labels ?? '{}') as { job?: string; team?: string };
    return { account: row?.account ?? '', key: row?.idempotency_key ?? null, job, team };
  }

  #outcome(id: string, old: string, now: string): void {
    const intent = this.intents.get(id);
    if (intent === undefined) return;
    intent.outcome = now;
    // What has changed then is its order number.
    if (old === now) return void this.#numbered.add(id);
    const change = `${intent.job ?? id} goes from ${old} to ${now}`;
    if (now === 'unknown') {
      Object.assign(intent, this.#labelled(id));
      intent.claims += 1;
      intent.claimedAt = this.#scheduler.now;
      intent.claimedBy.push(this.#disk.lastWriter?.name ?? '');
      // The policy is of the first account.
      const isGuarded = intent.account === this.#service.accounts[0].owner.account;
      this.policy.claimed(id, isGuarded ? this.#disk.lastWriter : null);
    }
    // A person may dismiss a create that is still on its way; the order that it is answered with is recorded.
    const isLate =
      old === 'dismissed' &&
      now === 'created' &&
      this.#disk.lastWriter?.name === intent.posts.at(-1)?.process;
    if (old === 'created' || (old === 'dismissed' && !isLate)) throw this.fail('settled', change);
    if (old !== 'unknown' && !isLate) return;
    const madeNoOrder = ({ fate }: Post) => fate === 'refused' || fate === 'not sent';
    const hasNone = now === 'refused' || now === 'not-sent';
    const fate = (hasNone ? this.#postOf(intent, madeNoOrder) : intent.posts.at(-1))?.fate ?? 'not sent';
    if (hasNone && fate !== 'refused' && fate !== 'not sent')
      throw this.fail('unknown', `${change}, though its create is ${fate}`);
    if (now === 'dismissed' && this.settledByHand.get(id) !== null) throw this.fail('unknown', change);
    if (now === 'created') this.#created(intent, change);
  }

  #created(intent: Intent, change: string): void {
    const [row] = this.#disk.rows<{ order_number: string; refund_address: string | null }>(
      'select order_number, refund_address from intents where id = ?',
      intent.id,
    );
    const order = row?.order_number ?? '';
    if (row?.refund_address === null && contentOf(this.#disk, intent.id).request.refundAddress !== null)
      throw this.fail('refund', `${change} with order ${order}, whose refund address is lost`);
    const truth = this.orders.get(order);
    if (truth === undefined)
      throw this.fail('acknowledged', `${change} with order ${order}, which does not exist`);
    this.#postOf(intent, (post) => post === truth.post);
    this.settled.push({ order, account: intent.account });
    const isOwn = truth.post.intent === intent.id || this.settledByHand.get(intent.id) === order;
    if (!isOwn && !this.#isTwin(truth, intent.posts.at(-1)))
      throw this.fail('acknowledged', `${change} with order ${order}, which another create made`);
    if (this.#isPinned && intent.claimedAt - truth.madeAt > MAX_OLDER_MS)
      throw this.fail('owner', `${change} with the older order ${order}, for which the owner has not signed`);
  }

  /**
   * The last create of an entry that fits. Equal creates of one process at the same time may be of each other's entries:
   * then the two are exchanged, or the other entry has none yet.
   */
  #postOf(intent: Intent, fits: (post: Post) => boolean): Post | undefined {
    const own = intent.posts.at(-1);
    if (own !== undefined && fits(own)) return own;
    const isEqual = (post: Post) =>
      own === undefined
        ? claimOf(intent.claimedBy, post.process) >= 0 && isRequest(this.#disk, intent.id, post)
        : post !== own && post.process === own.process && post.body === own.body;
    const other = this.posts.find((post) => isEqual(post) && fits(post));
    const theirs = this.intents.get(other?.intent ?? '');
    if (other === undefined || theirs === undefined) return own;
    theirs.posts.splice(theirs.posts.indexOf(other), 1, ...(own === undefined ? [] : [own]));
    if (own === undefined) {
      theirs.claimedBy.push(...intent.claimedBy.splice(claimOf(intent.claimedBy, other.process), 1));
      intent.posts.push(other);
    } else {
      intent.posts.splice(-1, 1, other);
      own.intent = theirs.id;
    }
    other.intent = intent.id;
    return other;
  }

  /** Whether an earlier answer to the very same create came in place of a create's own: no client can tell. */
  #isTwin({ order, post }: TrueOrder, own: Post | undefined): boolean {
    return this.#oldNews.has(order) && post.body === own?.body;
  }

  /** The first invariant that does not hold; it stays, whatever the product makes of the error. */
  violation: Violation | null = null;

  readonly fail = (rule: string, what: string): Violation => {
    this.violation ??= new Violation(rule, what);
    return this.violation;
  };
}
