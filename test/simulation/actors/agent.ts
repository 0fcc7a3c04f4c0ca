import { SwapctlError } from '../../../src/base/errors.ts';
import type { ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import {
  createdProblem,
  endOf,
  type Message,
  outcomeOf,
  type Place,
  reviewIn,
  reviewProblem,
  sentProblem,
} from '../model/agents.ts';
import {
  AGENT_POLICY,
  type AgentCreate,
  type AgentRefund,
  APPROVED_REFUNDS,
  type Args,
  CREATES,
  callsWith,
  FILLER,
  GUARDED_REFUNDS,
  HOSTILE,
  LARGE,
  LOWERED,
  MADE_UP_KEY,
  type NextCall,
  PAYEES_ONLY,
  PLAIN_SECRET,
  READS,
  REFUNDS,
  SANDBOX_CREATES,
  USUAL,
  USUAL_CREATES,
} from '../world/agents.ts';
import type { Program } from '../world/world.ts';
import { clientFor } from './client.ts';
import type { Errand } from './desk.ts';
import { Host, type HostOptions } from './host.ts';

/** What the hosts of a world do to its service, and see of it. */
interface Wire {
  /** How many times the true payout is quoted. */
  shown: number;
  /** The next create arrives, and its answer does not. */
  isLost: boolean;
  /** The order of which the service speaks to the agent, as it does in prices and names; null for none. */
  hostile: string | null;
  readonly requests: ApiRequest[];
}

/** A host with a server, in a process of its own. */
interface Session {
  readonly program: Program;
  readonly host: Host;
  readonly wire: Wire;
  readonly place: Place;
  /** Confirmations of a server that has ended, of a host without forms and with them. */
  readonly ended: readonly string[];
}

/** How many worlds share the cases; in the last of them hosts speak the older revision. */
const SHARES = CREATES.length + 1;

/** Agents ask for swaps and refunds, with hosts that may be confused or hostile; this account has a policy, or not. */
export const agent: Errand = async ({ program }) => {
  const { world, process } = program;
  const [first] = world.service.accounts;
  const share = (Math.floor(world.plan.seed / 15) + 2) % SHARES;
  const named = ['-p', process.account.owner.profile];
  const both = [...named, '--allow', 'create,refund'];
  const creates = CREATES[share];
  const isGuarded = process.account === first;
  const inSession: InSession = (args, work, { hasForms = false, secret } = {}) =>
    session(
      program,
      { args, hasForms, secret, revision: creates === undefined ? '2025-11-25' : '2026-07-28' },
      work,
    );
  if (!isGuarded) {
    await inSession([], onSandbox);
    await inSession(both, withoutPolicy);
  } else if (creates === undefined) {
    for (const hasForms of [false, true])
      await inSession(both, (own) => tryAll(own, USUAL_CREATES), { hasForms });
    await inSession([...both, '--debug'], refundAndRead);
  } else {
    const ended: string[] = [];
    await inSession(both, async ({ host }) => {
      const args = { ...USUAL, idempotencyKey: MADE_UP_KEY };
      for (const hasForms of [false, true]) ended.push(idIn(await host.call('create_swap', args, hasForms)));
    });
    await inSession(both, (own) => tryAll({ ...own, ended }, creates));
    if (share === 0) await inSession(named, (own) => hasTools(own, []));
    else if (share === 1) {
      await inSession([...named, '--allow', 'create'], (own) => hasTools(own, ['create_swap']));
      await inSession([...named, '--allow', 'refund'], (own) => hasTools(own, ['set_refund_address']));
      await inSession(both, tellSecret, { secret: PLAIN_SECRET });
    } else await inSession([...both, '--debug'], refundAndRead);
  }
};

/** Runs a server with arguments, and a host that does some work with it. */
type InSession = (
  args: readonly string[],
  work: (session: Session) => Promise<void>,
  more?: { readonly hasForms?: boolean; readonly secret?: string },
) => Promise<void>;

/** Runs a server, and a host with it, to their end. */
async function session(
  { world, process }: Program,
  options: HostOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { account, machine } = process;
  const isSandbox = !options.args.includes('-p');
  const ended = await world.run(
    'mcp',
    machine,
    async (own) => {
      const wire: Wire = { shown: 1, isLost: false, hostile: null, requests: [] };
      const host = await Host.start({ ...own, ports: portsOn(own, wire) }, options);
      const place: Place = {
        environment: isSandbox ? 'sandbox' : 'live',
        host: new URL(account.baseUrl).host,
        flag: isSandbox ? '--sandbox' : `-p ${account.owner.profile}`,
      };
      await work({ program: own, host, wire, place, ended: [] });
      const { exitCode, stderr } = await host.end();
      const isClean = !/[^\P{C}\n]/u.test(stderr);
      if (exitCode !== 0 || !isClean)
        throw world.model.fail('agents', `mcp ends with ${exitCode}: ${stderr}`);
    },
    { account },
  );
  if (ended.kind === 'failed') throw world.model.fail('agents', `mcp ends with ${ended.error.message}`);
}

/** The ports of a program whose service does what a wire says. */
function portsOn({ ports, process, transport }: Program, wire: Wire): Ports {
  const carry: Transport = async (request) => {
    wire.requests.push(request);
    if (wire.hostile !== null && request.endpoint === 'exchange-coin') {
      const text = JSON.stringify({ statusCode: 422, message: HOSTILE, error: HOSTILE });
      return { status: 422, text, headers: {}, retryAfter: null };
    }
    const answer = await transport(request);
    if (wire.isLost && request.endpoint === 'create-transaction') {
      wire.isLost = false;
      throw new TransportError('timeout', true, 'ETIMEDOUT');
    }
    const isHostile = wire.hostile !== null && answer.text.includes(wire.hostile);
    return isHostile ? { ...answer, text: hostileText(answer.text) } : answer;
  };
  const service = async () => {
    const found = await ports.service();
    const client = clientFor(ports, process.account, { transport: carry });
    const quote: typeof client.quote = async (request) => {
      const { amount, receive, ...rest } = await client.quote(request);
      const times = (text: string, by: number) => (by === 1 ? text : (Number(text) * by).toFixed(6));
      const isReceive = request.lastSource === 'receive';
      return {
        ...rest,
        amount: isReceive ? times(amount, 1 / wire.shown) : amount,
        receive: isReceive ? receive : times(receive, wire.shown),
      };
    };
    return { ...found, client: { ...client, quote } };
  };
  const coinList = async () => {
    const list = await ports.coinList();
    return wire.hostile !== null ? { ...list, coins: [...list.coins, evilCoin(list.coins)] } : list;
  };
  return { ...ports, service, coinList };
}

/** An answer of the service in whose texts it speaks to the agent. */
function hostileText(text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>;
  for (const key of ['message', 'txId', 'createdAt']) if (key in body) body[key] = HOSTILE;
  const pairs = body['pairs'] as { receive: Record<string, unknown> } | undefined;
  if (pairs !== undefined) Object.assign(pairs.receive, { address: HOSTILE, memo: HOSTILE });
  return JSON.stringify(body);
}

function evilCoin(coins: readonly Coin[]): Coin {
  const [coin] = coins;
  if (coin === undefined) throw new TypeError('No coins.');
  const networks = coin.deposit.map((each) => ({ ...each, name: HOSTILE }));
  return { ...coin, code: 'EVIL', name: HOSTILE.slice(0, 50), deposit: networks, receive: networks };
}

/** What a host keeps of an answer: the state of a form, or an id. */
function idIn({ result = {} }: Message): string {
  const { id = '' } = (result.structuredContent?.['approval'] ?? {}) as { readonly id?: string };
  return result.requestState ?? id;
}

const CHANGES = ['create-transaction', 'update-refund-address'];

/** Requests that change something at the service. */
function changesOf({ requests }: Wire): readonly ApiRequest[] {
  return requests.filter(({ endpoint }) => CHANGES.includes(endpoint));
}

/** The tools that change something are those that were allowed, and no others can be called. */
async function hasTools({ program, host, wire }: Session, allowed: readonly string[]): Promise<void> {
  const { model } = program.world;
  const { tools } = (await host.request('tools/list', {})).result as { tools: readonly { name: string }[] };
  const names = tools.map(({ name }) => name);
  for (const [name, args] of [
    ['create_swap', { ...USUAL, idempotencyKey: 'tools' }],
    ['set_refund_address', { order: 'QQQQQQ', address: USUAL.refundAddress }],
    ['sandbox_deposit', { order: 'QQQQQQ' }],
    ['sandbox_advance', { duration: '1s' }],
  ] as const) {
    if (allowed.includes(name) !== names.includes(name))
      throw model.fail('agents', `${name} is among the tools, or is not: ${names}`);
    if (allowed.includes(name)) continue;
    const answer = await host.call(name, args, true);
    if (answer.error === undefined) throw model.fail('agents', `${name} can be called`);
  }
  if (changesOf(wire).length > 0) throw model.fail('agents', 'a tool that is not allowed sends something');
}

/** A price comes from the profile that was named, or from the sandbox. */
async function quotes({ program, host, place }: Session): Promise<void> {
  const answer = await host.call('quote', { from: 'ETH', to: 'XRP', amount: '1' }, false);
  const { environment } = answer.result?.structuredContent ?? {};
  if (environment !== place.environment)
    throw program.world.model.fail(
      'agents',
      `a price comes from ${environment} in place of ${place.environment}`,
    );
}

/** No profile is named: whatever is stored, it is the sandbox, without a policy. */
async function onSandbox(own: Session): Promise<void> {
  await quotes(own);
  await hasTools(own, ['create_swap', 'set_refund_address', 'sandbox_deposit', 'sandbox_advance']);
  await tryAll(own, SANDBOX_CREATES);
}

/** A live profile without a policy: an agent can change nothing. */
async function withoutPolicy(own: Session): Promise<void> {
  await quotes(own);
  const { host, program, wire } = own;
  for (const hasForms of [false, true])
    for (const [name, args] of [
      ['create_swap', { ...USUAL, idempotencyKey: 'live' }],
      [
        'set_refund_address',
        { order: [...program.world.model.orders.keys()][0], address: USUAL.refundAddress },
      ],
    ] as const) {
      const answer = await host.call(name, args, hasForms);
      const { code, message = '' } = outcomeOf(answer) ?? {};
      if (code !== 'policy_refused' || !/has no policy/.test(message) || changesOf(wire).length > 0)
        throw program.world.model.fail('agents', `${name} without a policy: ${JSON.stringify(answer)}`);
    }
}

/** Creates, one after the other: in revision 2025-11-25, a host shows forms or not from its start. */
async function tryAll(own: Session, creates: readonly AgentCreate[]): Promise<void> {
  const { isOld, hasForms } = own.host;
  for (const each of creates) if (!isOld || each.hasForms === hasForms) await tryCreate(own, each);
}

/** One create, from its first call to its last. */
async function tryCreate(own: Session, wanted: AgentCreate): Promise<void> {
  const { program, host, wire, place } = own;
  const { what, hasForms, ends } = wanted;
  const { model } = program.world;
  const args: Args = { idempotencyKey: what.replaceAll(' ', '-'), ...wanted.args };
  const fail = (words: string) => model.fail('agents', `${what}: ${words}`);
  const sentBefore = changesOf(wire).length;
  const checked = (answer: Message) => {
    const deposits = [...model.orders.values()].map(({ deposit }) => deposit.address);
    const problem = createdProblem(answer, deposits.filter(isText), place);
    if (problem !== null) throw fail(problem);
    return answer;
  };
  const other = wanted.hasOther
    ? idIn(await host.call('create_swap', { ...USUAL, idempotencyKey: 'other' }, hasForms))
    : '';
  wire.shown = wanted.shown;
  const first = checked(await host.call('create_swap', args, hasForms));
  wire.shown = 1;
  if (endOf(first) !== wanted.first) throw fail(`the first call is answered with ${JSON.stringify(first)}`);
  const review = reviewIn(first);
  const missing = review === '' ? null : reviewProblem(review, args, place);
  if (missing !== null) throw fail(missing);
  await program.process.pause(wanted.pause * 1000);
  const undo = await meanwhile(own, wanted);
  wire.isLost = wanted.isLost;
  const held = { id: idIn(first), other, ended: own.ended[hasForms ? 1 : 0] ?? '' };
  const send = (call: NextCall) => nextCall(own, { ...args, ...call.args }, hasForms, call);
  const answers: Message[] = [first];
  const calls = wanted.next(held);
  if (wanted.isCancelled) {
    const answer = Promise.all(calls.map(send));
    host.cancel();
    await Promise.race([answer, program.process.pause(60_000)]);
  } else if (wanted.areAtOnce) answers.push(...(await Promise.all(calls.map(send))).map(checked));
  else for (const call of calls) answers.push(checked(await send(call)));
  await undo();
  const sent = changesOf(wire).slice(sentBefore);
  if (wanted.isCancelled ? sent.length > wanted.sent : sent.length !== wanted.sent)
    throw fail(
      `${sent.length} creates are sent in place of ${wanted.sent}: ${JSON.stringify(answers.at(-1))}`,
    );
  const [last] = answers.slice(-1);
  if (last !== undefined && ends !== 'any' && endOf(last) !== ends)
    throw fail(`it ends with ${JSON.stringify(last)} and not ${ends}`);
  if (!wanted.says.test(JSON.stringify(last)))
    throw fail(`it does not say ${wanted.says}: ${JSON.stringify(last)}`);
  if (last !== undefined) checkOutcome(last, wanted, fail);
  for (const { body = '' } of sent) {
    const problem = sentProblem(body, review, args);
    if (problem !== null) throw fail(problem);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Outcomes of what changed nothing at the service. */
const NOTHING: readonly string[] = ['nothing-sent', 'refused'];

/** A refusal says what became of the create. */
function checkOutcome(last: Message, { isLost, sent }: AgentCreate, fail: (words: string) => Error): void {
  const outcome = outcomeOf(last);
  const due = isLost ? ['unknown'] : NOTHING;
  if (outcome !== null && (sent === 0 || isLost) && !due.includes(outcome.outcome))
    throw fail(`the outcome is said to be ${outcome.outcome}: ${outcome.message}`);
}

function nextCall(
  { host }: Session,
  args: Args,
  hasForms: boolean,
  { state, answers }: NextCall,
): Promise<Message> {
  if (host.isOld && state !== undefined) return host.answerForm(answers);
  const more = state === undefined ? {} : { requestState: state };
  const inputResponses = answers === undefined ? {} : { inputResponses: answers };
  return host.call('create_swap', args, hasForms, { ...more, ...inputResponses });
}

/** What people do between two calls; returns what undoes it. */
async function meanwhile(
  { program }: Session,
  { meanwhile: what }: AgentCreate,
): Promise<() => Promise<void>> {
  const { programs, model } = program.world;
  if (what === 'approve') await programs.approve(program, model.policy, () => true);
  if (what === 'stop') await programs.stopOrResume(program, true);
  if (what === 'lower the limits') await programs.setPolicy(program, LOWERED);
  return async () => {
    if (what === 'stop') await programs.stopOrResume(program, false);
    if (what === 'lower the limits') await programs.setPolicy(program, AGENT_POLICY);
  };
}

/** The order of a create that goes well. */
async function createdBy({ host, program }: Session, wanted: Args): Promise<string> {
  const { programs, model } = program.world;
  const create = { ...wanted, idempotencyKey: `refund-${model.posts.length}` };
  const first = await host.call('create_swap', create, false);
  await programs.approve(program, model.policy, () => true);
  const { result } = await host.call('create_swap', { ...create, approval: idIn(first) }, false);
  const order = String(result?.structuredContent?.['order'] ?? '');
  if (order === '') throw model.fail('agents', `no order for a refund: ${JSON.stringify(result)}`);
  return order;
}

/** Refund addresses, one after the other; then the service speaks to the agent. */
async function refundAndRead(own: Session): Promise<void> {
  const order = await createdBy(own, USUAL);
  const held = { id: '' };
  for (const refund of [...REFUNDS, ...GUARDED_REFUNDS]) await tryRefund(own, refund, order, held);
  const large = await createdBy(own, LARGE);
  for (const refund of APPROVED_REFUNDS) await tryRefund(own, refund, large, held);
  await readHostile(own, order);
}

/** One refund address, of which `held` keeps the approval. */
async function tryRefund(
  { program, host, wire }: Session,
  { what, args, before, ends, isApproved = false }: AgentRefund,
  order: string,
  held: { id: string },
): Promise<void> {
  const { process, world } = program;
  const { programs, model } = world;
  if (before === 'approve') await programs.approve(program, model.policy, () => true);
  if (before === 'stop') await programs.stopOrResume(program, true);
  if (before === 'name the payees') await programs.setPolicy(program, PAYEES_ONLY);
  const given: Args = { order, ...args, ...(isApproved ? { approval: held.id } : {}) };
  model.refunds.begins(process, String(given['order']), String(given['address']));
  const already = changesOf(wire).length;
  const answer = await host.call('set_refund_address', given, true);
  if (before === 'stop') await programs.stopOrResume(program, false);
  if (before === 'name the payees') await programs.setPolicy(program, AGENT_POLICY);
  const refusal = outcomeOf(answer);
  const end = endOf(answer);
  if (end === 'set') {
    model.afterStep(() => model.refunds.ended(process, null));
    await process.pause(1);
  }
  if (end !== 'set')
    model.refunds.ended(process, new SwapctlError('policy_refused', '', { outcome: 'nothing-sent' }));
  if (end === 'asked') held.id = idIn(answer);
  const sent = changesOf(wire).length - already;
  const isTold = refusal === null || NOTHING.includes(refusal.outcome);
  if (end !== ends || sent !== (ends === 'set' ? 1 : 0) || !isTold)
    throw model.fail('agents', `${what}: ${sent} are sent, and the answer is ${JSON.stringify(answer)}`);
}

/** A service that speaks to the agent. */
async function readHostile({ program, host, wire }: Session, order: string): Promise<void> {
  const { model } = program.world;
  wire.hostile = order;
  const definitions = [await host.request('tools/list', {})];
  if (!host.isOld) definitions.push(await host.request('server/discover', {}));
  if (JSON.stringify(definitions).includes(FILLER))
    throw model.fail('agents', 'the service speaks in a definition');
  let repeated = 0;
  for (const [tool, args] of READS) {
    const own = 'order' in args ? { ...args, order } : args;
    if (tool === 'set_refund_address') model.refunds.begins(program.process, order, String(args['address']));
    const answer = await host.call(tool, own, false);
    if (JSON.stringify(answer).includes('SYSTEM') || JSON.stringify(answer).includes('left out'))
      repeated += 1;
  }
  wire.hostile = null;
  // The ledger has the last answer.
  await host.call('swap_status', { order }, false);
  if (repeated < 4) throw model.fail('agents', `a hostile service is heard ${repeated} times only`);
}

/** An agent has the secret, and gives it away in each argument. */
async function tellSecret({ program, host, wire }: Session): Promise<void> {
  const { world } = program;
  for (const [tool, args] of callsWith(PLAIN_SECRET)) {
    const answer = await host.call(tool, args, false);
    const isSaid = JSON.stringify(answer).includes(PLAIN_SECRET);
    const isSent = JSON.stringify(wire.requests).includes(PLAIN_SECRET);
    if (isSaid || isSent)
      throw world.model.fail('agents', `the secret is ${isSaid ? 'repeated' : 'sent'} by ${tool}`);
  }
  if (changesOf(wire).length > 0) throw world.model.fail('agents', 'a request with the secret is sent');
}
