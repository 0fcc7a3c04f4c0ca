import { InterruptedError } from '../../../src/base/errors.ts';
import { GoneBack, type Prompter } from '../../../src/cli/terminal/questions.ts';
import type { ApiRequest, Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import { openSqliteInMemory } from '../../../src/core/database/sqlite/sqlite.ts';
import { type Ledger, openLedger } from '../../../src/core/ledger/ledger.ts';
import { parsePolicy } from '../../../src/core/swap/policy/policy.ts';
import type { Coin } from '../../../src/core/swap/swap.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { type DialogOutcome, dialogProblem, type Happening, type Order } from '../model/dialogs.ts';
import { mounts } from '../stand-ins/open.ts';
import { APPROVER, policyText } from '../world/approver.ts';
import { CTRL_C, DIALOGS, type Dialog, ENTER, ESC, ORDER, OWN_SECRET, type Price } from '../world/dialogs.ts';
import { Reused } from '../world/reused.ts';
import type { Program } from '../world/world.ts';
import { answerOf, clientFor } from './client.ts';
import { runCommandLine } from './command-line.ts';
import type { Errand } from './desk.ts';
import { loosened } from './loosen.ts';
import { edited } from './misinform.ts';

const HOUR_MS = 3_600_000;

/** Worlds that share the command lines. */
const SHARES = 8;

/** Somebody runs command lines, most of them at a terminal, and answers what is asked. */
export const holdDialogs: Errand = async ({ program }) => {
  const { plan } = program.world;
  const share = Math.floor(plan.seed / 15) % SHARES;
  const ledger = await emptyLedger();
  for (const [index, dialogs] of DIALOGS.entries()) {
    if (index % SHARES !== share) continue;
    let order: Order | null = null;
    for (const dialog of dialogs) order = await runDialog({ program, ledger, dialog, order });
  }
  if (share !== 2) return;
  ledger.reused.empty();
  const looser = await loosened(program, ledger.ledger);
  if (looser !== null) throw program.world.model.fail('owner', looser);
};

let kept: { readonly reused: Reused; readonly path: string } | null = null;

/** A ledger without entries, which the model of the world knows nothing of. */
async function emptyLedger(): Promise<{ readonly ledger: Ledger; readonly reused: Reused }> {
  kept ??= { reused: new Reused(), path: '/simulated/seat' };
  const { reused, path } = kept;
  reused.empty();
  mounts.set(path, (migrations, options) => openSqliteInMemory(reused.memory, migrations, options));
  return { ledger: await openLedger(path), reused };
}

interface DialogRun {
  readonly program: Program;
  readonly ledger: Awaited<ReturnType<typeof emptyLedger>>;
  readonly dialog: Dialog;
  /** The order before. */
  readonly order: Order | null;
}

/** Runs a command line, and perhaps once more for each of its questions, with Ctrl-C at it. Returns its order. */
async function runDialog(given: DialogRun): Promise<Order | null> {
  const { dialog } = given;
  const { order, questions } = await run(given);
  for (let before = 0; dialog.isCutShort && before < questions; before += 1) {
    const answers = [...dialog.answers.slice(0, before), CTRL_C];
    await run({ ...given, dialog: { ...dialog, answers, creates: 0, updates: 0, exitCode: 130 } });
  }
  return order ?? given.order;
}

async function run({ program, ledger, dialog, order: before }: DialogRun) {
  const { process, world } = program;
  const happenings: Happening[] = [];
  const written = { screen: '' };
  const happen = (happening: WithoutPlace) =>
    void happenings.push({ ...happening, at: written.screen.length } as Happening);
  if (dialog.after > 0) await process.pause(dialog.after * 60_000);
  const person = personOf(dialog, happen, (text) => {
    written.screen += text;
  });
  const made = () => happenings.flatMap((each) => (each.kind === 'created' ? [each.order] : []))[0] ?? null;
  const ports = portsFor(program, ledger, dialog, happen);
  if (dialog.isForgotten) ledger.reused.empty();
  if (dialog.isApproved) await requireApproval(program, ledger.ledger);
  const { secret } = process.account.credentials;
  const args = dialog.args.map((word) =>
    word.replace(ORDER, before?.number ?? '').replace(OWN_SECRET, secret),
  );
  world.setClocks(dialog.hoursAhead * HOUR_MS, false);
  const printed = await runCommandLine({ ...program, ports }, args, {
    ports,
    ...(dialog.at === 'pipe' ? {} : { prompter: person.prompter }),
    isRedirected: dialog.at === 'redirected',
    input: dialog.input,
    onWrite: (stream, text) => {
      const error = stream === 'stdout' && made() !== null ? failureOf(dialog) : null;
      if (error === null) written.screen += text;
      return error;
    },
  });
  world.setClocks(-dialog.hoursAhead * HOUR_MS, false);
  ledger.reused.keeper.exec('drop trigger if exists no_more_room');
  const order = made();
  const { owner } = process.account;
  const entry = order === null ? null : await ledger.ledger.byOrder(owner, order.number);
  // A ledger that is full has nothing of the answer.
  const isFull = dialog.breaks.includes('ledger full');
  const newest = isFull ? (await ledger.ledger.unsettled(owner))[0] : null;
  const outcome: DialogOutcome = {
    happenings,
    screen: written.screen,
    ...printed,
    odd: person.odd(),
    recorded: entry?.outcome ?? newest?.outcome ?? null,
    before,
    place: {
      profile: owner.profile,
      environment: owner.environment,
      host: new URL(process.account.baseUrl).host,
    },
  };
  const problem = dialogProblem(dialog, outcome);
  if (problem !== null)
    throw world.model.fail(
      'person',
      `${args.join(' ')}, ${dialog.answers.join(', ')}: ${problem}\n${outcome.screen}`,
    );
  return { order, questions: happenings.filter(({ kind }) => kind === 'asked').length };
}

/** From now on, every create needs an approval. */
async function requireApproval({ ports, process }: Program, { guards }: Ledger): Promise<void> {
  const approve = { coin: 'BTC', above: '0.0001' };
  const verdict = parsePolicy(policyText({ caps: [], count: null, approve }));
  if (!verdict.ok) throw new TypeError(`A policy of the world: ${JSON.stringify(verdict.problems)}`);
  await guards.set(
    process.account.owner,
    { policy: verdict.policy, before: null, signer: APPROVER },
    ports.now(),
  );
}

async function grantAll({ approvals }: Ledger, now: number): Promise<void> {
  for (const approval of await approvals.list(null, now))
    if (approval.state === 'pending') await approvals.grant(approval, APPROVER, now);
}

type WithoutPlace = Happening extends infer H ? (H extends Happening ? Omit<H, 'at'> : never) : never;

function failureOf({ breaks }: Dialog): Error | null {
  if (breaks.includes('output breaks')) throw new TypeError('No such screen.');
  const code = breaks.includes('output full') ? 'ENOSPC' : breaks.includes('output closed') ? 'EPIPE' : null;
  return code === null ? null : Object.assign(new Error(code), { code });
}

/** One who answers questions with a script. */
function personOf(dialog: Dialog, happen: (happening: WithoutPlace) => void, write: (text: string) => void) {
  let left = dialog.answers;
  let ahead = dialog.ahead;
  let odd: string | null = null;
  const ask = (
    text: string,
    { fresh, back }: { readonly fresh: boolean; readonly back: boolean },
  ): string => {
    write(`? ${text} `);
    happen({ kind: 'asked', text });
    for (;;) {
      if (fresh) ahead = [];
      const isEarly = ahead.length > 0;
      const [answer, ...rest] = isEarly ? ahead : left;
      if (isEarly) ahead = rest;
      else left = rest;
      if (answer === undefined) {
        odd = `it asks ${text}`;
        throw new InterruptedError('SIGINT');
      }
      happen({ kind: 'answered', text: isEarly ? `early ${answer}` : answer });
      if (answer === CTRL_C) throw new InterruptedError('SIGINT');
      if (answer === ENTER) write('\n');
      if (answer !== ESC) return answer;
      if (back) throw new GoneBack();
    }
  };
  const prompter: Prompter = {
    select: async ({ message, choices, default: usual, back = false }) => {
      const answer = ask(message, { fresh: false, back });
      const found = choices.find(({ name }) => name.includes(answer));
      const [first] = choices;
      const chosen = answer === ENTER ? (choices.find(({ value }) => value === usual) ?? first) : found;
      if (chosen === undefined) throw new TypeError(`No choice has ${answer}.`);
      return chosen.value;
    },
    search: async ({ message, source, back = false }) => {
      const answer = ask(message, { fresh: false, back });
      const [first] = await source(answer === ENTER ? '' : answer);
      if (first === undefined) throw new TypeError(`No choice has ${answer}.`);
      write(`${first.short ?? first.name}\n`);
      return first.value;
    },
    input: async ({ message, default: usual = '', validate, inPlace, fresh = false, back = false }) => {
      for (;;) {
        const answer = ask(message, { fresh, back });
        const text = answer === ENTER ? usual : answer;
        const verdict = (await validate?.(text)) ?? true;
        write(`${inPlace?.() ?? text}\n`);
        if (verdict === true) return text;
        write(`> ${verdict}\n`);
      }
    },
    password: async ({ message }) => ask(message, { fresh: false, back: false }),
    confirm: async ({ message, default: usual, back = false }) => {
      const answer = ask(message, { fresh: true, back });
      return answer === ENTER ? usual : /^y/i.test(answer);
    },
  };
  const unused = () => (left.length > 0 ? `it never asks for ${left.join(', ')}` : null);
  return { prompter, odd: () => odd ?? unused() };
}

/** The ports of a command line, whose service says what its case says. */
function portsFor(
  program: Program,
  { ledger, reused }: DialogRun['ledger'],
  dialog: Dialog,
  happen: (happening: WithoutPlace) => void,
): Ports {
  const { ports, process } = program;
  const stop = new AbortController();
  const deadline = ports.monotonic() + dialog.timeout;
  const priced = pricing(dialog);
  const transport: Transport = async (request) => {
    const { endpoint } = request;
    const isCreate = endpoint === 'create-transaction';
    if (isCreate || endpoint === 'update-refund-address')
      happen({ kind: 'sent', endpoint, text: request.body ?? '' });
    if (isCreate && dialog.takes > 0) {
      await process.pause(Math.min(dialog.takes, request.timeoutMs ?? dialog.takes));
      if ((request.timeoutMs ?? dialog.takes) < dialog.takes)
        throw new TransportError('timeout', true, 'ETIMEDOUT');
    }
    if (dialog.isUnreached && endpoint === 'get-transaction')
      throw new TransportError('unreachable', false, 'ECONNREFUSED');
    const answered = await answerOf(program, served(request, dialog));
    const [own = '', theirs = ''] = dialog.renamed ?? [];
    const text =
      dialog.renamed === null ? answered.text : answered.text.replaceAll(`"${theirs}"`, `"${own}"`);
    const good = answered.status < 300;
    const { answer, price } = good ? priced(request, text) : { answer: text, price: null };
    if (price !== null) happen({ kind: 'priced', price });
    if (good && isCreate) {
      happen({ kind: 'created', order: orderIn(answer) });
      if (dialog.breaks.includes('ledger full')) reused.keeper.exec(NO_MORE_ROOM);
    }
    if (dialog.isStopped && endpoint === 'get-transaction') stop.abort(new InterruptedError('SIGINT'));
    return { ...answered, text: answer };
  };
  const sleep = async (milliseconds: number, stopped?: AbortSignal) => {
    stop.signal.throwIfAborted();
    await ports.sleep(milliseconds, stopped);
    if (dialog.isApproved) await grantAll(ledger, ports.now());
  };
  const coinList = async () => {
    const list = await ports.coinList();
    return { ...list, coins: dialog.isUnlisted ? [] : list.coins.map((coin) => renamedCoin(coin, dialog)) };
  };
  return {
    ...ports,
    coinList,
    pairCoins: async () => (await coinList()).coins,
    signal: stop.signal,
    sleep,
    deadline: () => deadline,
    ledger: async () => ledger,
    service: async () => {
      const service = await ports.service();
      const client = clientFor({ ...ports, signal: stop.signal, sleep }, service, { transport, deadline });
      return {
        ...service,
        client,
        ...(dialog.breaks.includes('comparison breaks') ? { depositWindow: broken } : {}),
      };
    },
  };
}

/** A coin whose network has another name. */
function renamedCoin(coin: Coin, { renamed }: Dialog): Coin {
  if (renamed === null) return coin;
  const [own, theirs] = renamed;
  const named = <T extends { readonly network: string }>(each: T) =>
    each.network === theirs ? { ...each, network: own } : each;
  return { ...coin, deposit: coin.deposit.map(named), receive: coin.receive.map(named) };
}

/** SQL after which no entry can be changed. */
const NO_MORE_ROOM = `create trigger no_more_room before update on intents
  begin select raise(abort, 'no more room'); end`;

function broken(): never {
  throw new TypeError('A bug.');
}

/** The request as the service gets it. */
function served(given: ApiRequest, { served: amount, renamed }: Dialog): ApiRequest {
  const [own = '', theirs = ''] = renamed ?? [];
  const request =
    renamed === null ? given : (JSON.parse(JSON.stringify(given).replaceAll(own, theirs)) as ApiRequest);
  if (amount === null) return request;
  const { body, query } = request;
  if (body !== undefined)
    return { ...request, body: body.replace(/("depositAmount":)[^,}]+/, `$1${amount}`) };
  return query?.['amount'] === undefined ? request : { ...request, query: { ...query, amount } };
}

/** The answers of the service with the prices of a case. */
function pricing({ wanted, prices, pays, edits, later, served: amount }: Dialog) {
  let asked = 0;
  let last: Price | null = null;
  // An answer that is read and written again has no more digits than a double.
  const hasOther = prices.length > 0 || pays !== null || amount !== null || Object.keys(edits).length > 0;
  return ({ endpoint, query }: ApiRequest, text: string) => {
    if (endpoint === 'exchange-coin' && query?.['amount'] === wanted?.amount) {
      const price = prices[Math.min(asked, prices.length - 1)];
      asked += 1;
      const quoted = { ...quotedIn(text), ...(wanted?.side === 'deposit' ? { deposit: wanted.amount } : {}) };
      last = { ...quoted, ...(price === undefined ? {} : price) };
      if (wanted?.side === 'deposit') last = { ...last, deposit: wanted.amount };
      if (price === undefined) return { answer: text, price: last };
      const exchangeRate = (Number(last.receive) / Number(last.deposit)).toFixed(18);
      const changes = { amount: last.deposit, receive: last.receive, exchangeRate };
      const bounds = amount === null ? {} : { minAmount: '0', maxAmount: '0' };
      return { answer: edited(text, { ...changes, ...bounds }), price: last };
    }
    if (endpoint === 'create-transaction' && hasOther) {
      const paid = pays ?? (prices.length === 0 ? null : (last?.receive ?? null));
      const known: Record<string, string> = paid === null ? {} : { 'pairs.receive.coin.value': paid };
      if (amount !== null && wanted !== null) known['pairs.deposit.coin.value'] = wanted.amount;
      return { answer: edited(text, { ...known, ...edits }), price: null };
    }
    const isLater = endpoint === 'get-transaction' && Object.keys(later).length > 0;
    return { answer: isLater ? edited(text, later) : text, price: null };
  };
}

/** Reads a number of an answer as it is written. */
function numberIn(text: string, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? '';
}

function quotedIn(text: string): Price {
  return {
    deposit: numberIn(text, /"amount":"?([0-9.]+)/),
    receive: numberIn(text, /"receive":"?([0-9.]+)/),
  };
}

function orderIn(text: string): Order {
  const { orderNumber, pairs } = JSON.parse(text);
  const { address, memo } = pairs.deposit;
  const [, deposit = '', receive = ''] = /"deposit":(.*)"receive":(.*)/s.exec(text) ?? [];
  const [amount, pays] = [deposit, receive].map((side) => numberIn(side, /"value":([0-9.]+)/));
  return { number: orderNumber, address, memo: memo ?? '', amount: amount ?? '', pays: pays ?? '' };
}
