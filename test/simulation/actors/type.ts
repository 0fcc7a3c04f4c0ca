import { attempt, StorageError, SwapctlError } from '../../../src/base/errors.ts';
import type { Transport } from '../../../src/core/client/transport.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { createWithoutLedger } from '../../../src/library/create.ts';
import type { LedgerCalls } from '../../../src/library/ledger-client.ts';
import { BUDGET } from '../model/budget.ts';
import { PAYEES } from '../world/coins.ts';
import typedLists from '../world/lists.json' with { type: 'json' };
import misuses from '../world/misuses.json' with { type: 'json' };
import {
  DIGITS,
  EXPORTS,
  FORMULAS,
  LONG_LIST,
  MARK,
  RECIPIENTS,
  TEXT_FIELDS,
  TRANSACTIONS,
} from '../world/typed.ts';
import type { Program } from '../world/world.ts';
import { answerOf, clientFor } from './client.ts';
import { type Printed, runCommandLine, type Typed } from './command-line.ts';
import type { Errand } from './desk.ts';
import { libraryOf } from './library.ts';

const CREATE = ['create', 'BTC', 'ETH', '0.1', '-a', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '--yes'];
/** Between two command lines, whose requests would else be more than the budget. */
const PAUSE_MS = 10_000;
/** Rows that a list tries, one after the other and at the same time, before it ends. */
const MAX_TRIES = 9;
const LIMITED_ROWS = 6;
/** Rows of one amount share a price for less. */
const MAX_SHARED_MS = 16_000;

/** A script runs lists and exports, and its output is judged by what happened to the swaps. */
export const type: Errand = async ({ program }) => {
  const script = new Script(program);
  for (const scene of [
    ...[lists, failing, limited, fallen, unreadable, damaged, fields, secrets],
    ...[
      spreadsheet,
      tickets,
      watched,
      overtaken,
      closed,
      exported,
      strange,
      imported,
      profiles,
      snoozed,
      overdue,
      recipients,
      misused,
    ],
  ])
    await scene(script);
};

class Script {
  readonly program: Program;
  readonly #says = new Map<string, (text: string) => string>();

  constructor(program: Program) {
    this.program = program;
  }

  /** Runs a command line, which must end with an exit code, and show nothing that cannot be seen. */
  async run(args: readonly string[], exitCode = 0, typed: Typed = {}): Promise<Printed> {
    await this.program.process.pause(PAUSE_MS);
    const printed = await runCommandLine(this.program, args, { ports: this.#ports(), ...typed });
    if (printed.exitCode !== exitCode) throw this.fail(`\`${args.join(' ')}\` ends with ${wordsOf(printed)}`);
    const text = `${printed.stdout}${printed.stderr}`;
    const hidden =
      /(?![\n\t])[\p{Cc}\p{Cf}]/u.exec(text.replaceAll('\r\n', '\n')) ?? /\\u00|\\[bfnrt]/.exec(text);
    if (hidden !== null)
      throw this.fail(
        `\`${args.join(' ')}\` prints ${JSON.stringify(text.slice(hidden.index - 40, hidden.index + 40))}`,
      );
    return printed;
  }

  async json<T>(args: readonly string[], exitCode = 0, typed: Typed = {}): Promise<T> {
    return JSON.parse((await this.run([...args, '--json'], exitCode, typed)).stdout) as T;
  }

  /** Creates a swap, and returns its order. */
  async created(args: readonly string[] = []): Promise<string> {
    return (await this.json<{ readonly order: string }>([...CREATE, ...args])).order;
  }

  /** Somebody pays what the order asks for. */
  async pay(order: string): Promise<void> {
    const { model, service } = this.program.world;
    await service.operator.orders.deposit(order, '0.1');
    model.funded(order, '0.1');
  }

  /** From now on, the service says something else of an order. */
  says(order: string, change: (text: string) => string): void {
    this.#says.set(order, change);
  }

  /** The service tells the truth again. */
  believe(): void {
    this.#says.clear();
  }

  /** Creates that were sent so far. */
  get sent(): number {
    return this.program.world.model.posts.length;
  }

  fail(words: string) {
    return this.program.world.model.fail('typed', words);
  }

  /** The ports of the program, with the changed answers of {@link says}. */
  #ports(): Ports {
    const { ports } = this.program;
    const transport: Transport = async (request) => {
      const answer = await answerOf(this.program, request);
      const change = this.#says.get(request.query?.['id'] ?? '');
      return change === undefined ? answer : { ...answer, text: change(answer.text) };
    };
    return {
      ...ports,
      service: async () => {
        const service = await ports.service();
        const { transaction } = clientFor(ports, service, { transport });
        return { ...service, client: { ...service.client, transaction } };
      },
    };
  }
}

function wordsOf({ exitCode, stdout, stderr }: Printed): string {
  return `${exitCode}: ${stdout} ${stderr}`;
}

const LIMIT = ['--budget', `${BUDGET.requests}/${BUDGET.durationMs / 1000}s`];

/** A list on standard input sends as many creates as it says; none where any part of it is wrong. */
async function lists(script: Script): Promise<void> {
  for (const { input, flags = [], sends } of typedLists) {
    const before = script.sent;
    await script.run(['batch', '-', '--yes', ...flags, ...LIMIT], sends === 0 ? 2 : 0, { input });
    if (script.sent !== before + sends)
      throw script.fail(`${script.sent - before} are sent of the list ${input}`);
  }
}

/** The ports of a program that reaches its service in another way. */
function reaching({ ports }: Program, transport: Transport): Ports {
  const service = async () => {
    const found = await ports.service();
    return { ...found, client: clientFor(ports, found, { transport }) };
  };
  return { ...ports, service };
}

/** A list ends once its creates fail in the same way, again and again. */
async function failing(script: Script): Promise<void> {
  const { ports } = script.program;
  let tries = 0;
  const fail = (error: SwapctlError) => () => {
    tries += 1;
    return Promise.reject(error);
  };
  const service = async () => {
    const found = await ports.service();
    const create = fail(new SwapctlError('outcome_unknown', 'No answer.', { outcome: 'unknown' }));
    return { ...found, client: { ...found.client, create } };
  };
  const ledger = async () => ({
    ...(await ports.ledger()),
    claim: fail(new StorageError('The ledger is locked.')),
  });
  for (const [exitCode, failingPorts] of [
    [7, { ...ports, service }],
    [11, { ...ports, ledger }],
  ] as const) {
    tries = 0;
    const input = LONG_LIST.replaceAll('0.4', `0.${exitCode}`);
    await script.run(['batch', '-', '--yes', ...LIMIT], exitCode, { input, ports: failingPorts });
    if (tries > MAX_TRIES) throw script.fail(`a list whose creates fail tries ${tries} times`);
  }
}

/** A row is priced when its turn has come: soon after the prices have fallen, no create is sent any more. */
async function fallen(script: Script): Promise<void> {
  const { ports, process, transport: send } = script.program;
  const { receive } = await script.json<{ readonly receive: string }>(['quote', 'BTC', 'ETH', '0.6']);
  const least = (Number(receive) * 0.9).toFixed(8);
  for (const [amounts, flags, column] of [
    ['0.5', [], ''],
    ['0.6', ['--tolerance', '50%'], `,${least}`],
  ] as const) {
    let fallenAt = Number.POSITIVE_INFINITY;
    const transport: Transport = async (request) => {
      const age = ports.now() - fallenAt;
      if (request.endpoint === 'create-transaction') {
        if (age > MAX_SHARED_MS) throw script.fail(`a row is sent ${age} ms after its price has fallen`);
        fallenAt = Math.min(fallenAt, ports.now());
      }
      const answer = await send(request);
      const isLower = request.endpoint === 'exchange-coin' && age > 0;
      const lower = (_: string, name: string, value: string) => `${name}${(Number(value) * 0.8).toFixed(8)}`;
      return isLower ? { ...answer, text: answer.text.replace(/("receive":)([0-9.]+)/, lower) } : answer;
    };
    await process.pause(60_000);
    const rows = LONG_LIST.replaceAll('0.4', amounts).replaceAll('\n', `${column}\n`) + column;
    const input = column === '' ? rows : rows.replace(column, ',minReceive');
    const typed = { input, ports: reaching(script.program, transport) };
    await script.run(['batch', '-', '--yes', ...flags, ...LIMIT], 5, typed);
  }
}

/** Once the service refuses a request of a list for a minute, the other rows wait, whenever they hear of it. */
async function limited(script: Script): Promise<void> {
  const { ports, process, transport: send } = script.program;
  for (let afterMs = 1; afterMs <= MAX_TRIES; afterMs += 1) {
    await process.pause(60_000);
    let [requests, refusedAt] = [0, Number.POSITIVE_INFINITY];
    const transport: Transport = async (request) => {
      requests += 1;
      const age = ports.now() - refusedAt;
      // What has its token is sent.
      if (age > 1_000 && age < 60_000)
        throw script.fail(`a list sends ${request.endpoint} ${age} ms after it was refused for a minute`);
      // The first one after the review: all rows begin.
      if (requests !== LIMITED_ROWS + 1) return send(request);
      await process.pause(afterMs);
      refusedAt = ports.now();
      return { status: 429, text: '{"statusCode":429,"message":"Slow"}', headers: {}, retryAfter: '60' };
    };
    const rows = LONG_LIST.split('\n').slice(0, LIMITED_ROWS + 1);
    const input = rows.join('\n').replaceAll('0.4', `0.1${afterMs}`);
    await script.run(['batch', '-', '--yes', ...LIMIT], 0, {
      input,
      ports: reaching(script.program, transport),
    });
  }
}

interface Status {
  readonly status: string;
}

interface Shown {
  readonly order: string;
  readonly fundable: boolean;
  readonly paymentUri: string | null;
}

/** Without its ledger, nothing can be compared with what was agreed. */
async function unreadable(script: Script): Promise<void> {
  const order = await script.created();
  const { ports } = script.program;
  const ledger = () => Promise.reject(new StorageError('The database is gone.'));
  if (!(await script.json<Shown>(['status', order])).fundable) throw script.fail(`${order} is not fundable`);
  const { stdout, stderr } = await script.run(['status', order, '--json'], 0, {
    ports: { ...ports, ledger },
  });
  const { fundable, paymentUri } = JSON.parse(stdout) as Shown;
  if (fundable || paymentUri !== null || !/Do not fund it until the ledger can be read/.test(stderr))
    throw script.fail(`${order} is fundable without a ledger, with: ${stderr}`);
}

/** The key of an entry that cannot be read is not free, be it of an earlier key pair of the profile. */
async function damaged(script: Script): Promise<void> {
  const { world, process } = script.program;
  const key = ['--idempotency-key', 'damaged'];
  const order = await script.created(key);
  const { onDamaged } = world;
  world.onDamaged = () => undefined;
  const before = script.sent;
  const store = (account: string, labels: string) =>
    world.disk.corrupt(
      `update intents set account = ?, labels = nullif(?, '') where order_number = ?`,
      ...[account, labels, order],
    );
  const { account } = process.account.owner;
  store(`${account} before`, '[]');
  await script.run([...CREATE, ...key], 11);
  store(account, '');
  world.onDamaged = onDamaged;
  if (script.sent !== before) throw script.fail(`the key of ${order}, which cannot be read, is used again`);
}

/** What a body names is seen as it is, and texts of digits stay texts. */
async function fields(script: Script): Promise<void> {
  const given = [...TEXT_FIELDS, 'depositAmount'].flatMap((name) => ['-f', `${name}=${DIGITS}`]);
  const { stdout } = await script.run(['api', 'create-transaction', ...given, '--dry-run', '--json']);
  const lost = [...TEXT_FIELDS, 'depositAmount'].find(
    (name) => !stdout.includes(`"${name}":${name === 'depositAmount' ? DIGITS : `"${DIGITS}"`}`),
  );
  if (lost !== undefined) throw script.fail(`${lost} is sent as another value: ${stdout}`);
  const input = `{"depositCoin":"BTC","${MARK}\\u001b":{"a\\nb":1}}`;
  await script.run(['api', 'create-transaction', '--input', '-', '--dry-run', '--json'], 0, { input });
}

/** A watch goes on after polls that fail. */
async function watched(script: Script): Promise<void> {
  const { program } = script;
  const order = await script.created();
  const began = program.ports.now();
  let isPaid = false;
  const ports = reaching(program, async (request) => {
    const age = program.ports.now() - began;
    if (age > 20_000 && age < 80_000) throw new TransportError('unreachable', false, 'ECONNREFUSED');
    if (age > 80_000 && !isPaid) await script.pay(order);
    isPaid ||= age > 80_000;
    return program.transport(request);
  });
  const { stdout } = await script.run(['status', order, '--watch', '--json', '--timeout', '1h'], 0, {
    ports,
  });
  if (!/"final":\s*true/.test(stdout)) throw script.fail(`a watch of ${order} ends with ${stdout}`);
}

/** The ledger has what the poll that was written last has seen, although another one ended before it. */
async function overtaken(script: Script): Promise<void> {
  const { program } = script;
  const order = await script.created();
  await script.run(['status', order]);
  let isFirst = true;
  const ports = reaching(program, async (request) => {
    const answer = await program.transport(request);
    if (!isFirst) return answer;
    isFirst = false;
    await script.pay(order);
    await script.run(['status', order], 0, { ports });
    return answer;
  });
  const shown = await script.json<Status>(['status', order], 0, { ports });
  const kept = await script.json<{ readonly swap: Status }>(['history', 'show', order]);
  if (kept.swap.status !== shown.status)
    throw script.fail(`${order} is ${kept.swap.status} in the ledger, and was last seen as ${shown.status}`);
}

/** Calls of the library that take their time. */
const CALLS: readonly ((library: LedgerCalls, order: string) => Promise<unknown>)[] = [
  (library) =>
    library.create({ from: { coin: 'BTC' }, to: { coin: 'ETH' }, amount: '0.1', address: PAYEES.ETH[0] }),
  (library, order) => library.status(order),
  (library, order) => library.waitFor(order),
  (library, order) => library.setRefundAddress(order, 'nowhere'),
  (library, order) => library.find(order),
  (library) => library.open(),
  (library) => library.follow(() => undefined, { name: 'closed' }),
  (library) => library.resolve('none', { dismissed: true }),
];

/** A client of the library is closed when its calls have ended. */
async function closed(script: Script): Promise<void> {
  const order = await script.created();
  for (const [index, call] of CALLS.entries()) {
    const library = libraryOf(script.program);
    let isOver = false;
    await script.program.process.pause(PAUSE_MS);
    const ended = attempt(() => call(library, order)).finally(() => {
      isOver = true;
    });
    await library.close();
    if (!isOver) throw script.fail(`a client is closed during call ${index}`);
    await ended;
  }
}

/** What no call of the library takes is refused, in its words, before anything is sent. */
async function misused(script: Script): Promise<void> {
  const library = libraryOf(script.program) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  const { posts } = script.program.world.model;
  const before = posts.length;
  for (const { call, args, says } of misuses) {
    const given = args.map((each) => (each === '<handler>' ? () => undefined : each));
    const ended = await attempt(async () => library[call]?.(...given));
    const words = ended instanceof SwapctlError ? `${ended.exitCode} ${ended.message}` : 'nothing';
    if (!words.startsWith('2 ') || !words.includes(says) || posts.length > before)
      throw script.fail(`${call}(${JSON.stringify(args)}) ends with ${words}`);
  }
}

/** An export with a limit has as many of its first swaps. */
async function exported(script: Script): Promise<void> {
  const orders: string[] = [];
  for (const number of ['1', '2', '3']) orders.push(await script.created(['--label', `export=${number}`]));
  for (const order of orders) await script.pay(order);
  await script.program.process.pause(1_800_000);
  await script.run(['status', ...orders]);
  for (const [flags, swap] of EXPORTS) {
    const swapsOf = async (limit: readonly string[]) =>
      (await script.run(['history', ...flags, ...limit])).stdout.match(swap) ?? [];
    const all = await swapsOf([]);
    if (all.length < 3) throw script.fail(`${flags} exports ${all}`);
    for (const most of [1, 2, all.length]) {
      const some = await swapsOf(['--limit', `${most}`]);
      if (some.join() !== all.slice(0, most).join())
        throw script.fail(`${flags} --limit ${most}: ${some} of ${all}`);
    }
  }
}

/** Times of an order that a service may leave out. */
const TIMES = [/"never":null/g, /"createdAt":"[^"]*"/g, /"(?:createdAt|start)":"[^"]*"/g];

/** An order that the ledger does not have is compared with what {@link failing} left, whenever it was made. */
async function strange(script: Script): Promise<void> {
  const { program } = script;
  const ports = reaching(program, (request) => answerOf(program, request));
  for (const times of TIMES) {
    const request = { from: { coin: 'BTC' }, to: { coin: 'ETH' }, amount: '0.1', address: PAYEES.ETH[1] };
    const { order } = await createWithoutLedger(ports, request);
    script.says(order, (text) => text.replace(times, (given) => given.replace(/:.*/, ':null')));
    const { fundable } = await script.json<Shown>(['status', order]);
    if (fundable) throw script.fail(`${order}, which a lost create may have made, is fundable`);
  }
  script.believe();
}

/** The order of a create whose answer was lost is imported with what was agreed, and takes a turn in the budget. */
async function imported(script: Script): Promise<void> {
  const { program } = script;
  const { model, disk } = program.world;
  const ports = reaching(program, async (request) => {
    const answer = await program.transport(request);
    if (request.endpoint !== 'create-transaction') return answer;
    throw new TransportError('broken', true, 'ECONNRESET');
  });
  const other = CREATE.map((word) => (word === '0.1' ? '0.13' : word));
  await script.run(other, 7, { ports });
  const order = [...model.orders.keys()].at(-1) ?? '';
  script.says(order, (text) => text.replaceAll(PAYEES.ETH[0], PAYEES.ETH[1]));
  // What was taken before has come back.
  await program.process.pause(60_000);
  await script.run(['history', 'import', '-'], 0, { input: order });
  const [{ taken } = { taken: 0 }] = disk.rows<{ readonly taken: number }>(
    "select sum(json_extract(value, '$[1]')) as taken from budgets, json_each(state, '$.taken') where account = ?",
    program.process.account.owner.account,
  );
  if (taken !== 1) throw script.fail(`an import of ${order} takes ${taken} turns`);
  const { fundable } = await script.json<Shown>(['status', order]);
  if (fundable) throw script.fail(`${order}, which pays elsewhere, is fundable once it is imported`);
  script.believe();
}

/** A note hides a swap from what needs attention until its time, unless the swap is named, or noted again. */
async function snoozed(script: Script): Promise<void> {
  const { process, world } = script.program;
  const order = await script.created();
  await script.pay(order);
  await world.service.operator.orders.move(order, 'freeze');
  await script.run(['status', order]);
  const note = (...until: string[]) => script.run(['history', 'note', order, 'asked', ...until]);
  const shown: boolean[] = [];
  // What {@link failing} left needs attention as well.
  const look = async (...named: string[]) => {
    const { stdout } = await script.run(['status', ...named, '--attention', '--max-age', '1d'], 8);
    shown.push(stdout.includes(order));
  };
  await look();
  await note('--until', '10m');
  for (const named of [[], [order]]) await look(...named);
  await process.pause(600_000);
  await look();
  await note('--until', '10m');
  await note();
  await look();
  if (shown.join() !== 'true,false,true,true,true') throw script.fail(`notes hide ${order}: ${shown}`);
}

const DAY_MS = 86_400_000;
/** An order whose window has passed counts for a day, and with a late deposit for as long as any other one. */
async function overdue(script: Script): Promise<void> {
  const { ports, process } = script.program;
  const rule = '{"cap":{"coin":"BTC","amount":"0.15","per":"3d","by":"label:late"}}';
  await setPolicy(script, rule);
  const [paid, unpaid] = [
    await script.created(['--label', 'late=paid']),
    await script.created(['--label', 'late=unpaid']),
  ];
  await process.pause(7_200_000);
  await script.pay(paid);
  await script.run(['status', paid, unpaid]);
  const check = (late: string, days: number, exitCode: number) => {
    const later = { ...ports, now: () => ports.now() + days * DAY_MS };
    const args = ['policy', 'check', ...CREATE.slice(1, -1), '--label', `late=${late}`];
    return script.run(args, exitCode, { ports: later });
  };
  await check('unpaid', 0, 12);
  await check('unpaid', 1, 0);
  await check('paid', 1, 12);
  await check('paid', 3, 0);
}

/** A policy that only allows recipients which were paid before in the coin of their side. */
async function recipients(script: Script): Promise<void> {
  await setPolicy(script, '{"payout":{"seen":1}}');
  for (const [exitCode, args] of RECIPIENTS) await script.run(['create', ...args, '--yes'], exitCode);
}

async function setPolicy(script: Script, rule: string): Promise<void> {
  await script.run(['policy', 'set', '-', '--yes'], 0, { input: `{"version":1,"rules":[${rule}]}` });
}

/** The secret of the profile is no label. */
async function secrets(script: Script): Promise<void> {
  const { secret } = script.program.process.account.credentials;
  const before = script.sent;
  for (const text of [secret, `key ${secret}.`]) await script.run([...CREATE, '--label', `note=${text}`], 2);
  if (script.sent !== before) throw script.fail('a swap is created with the secret in its labels');
}

/** No cell of CSV is a formula. */
async function spreadsheet(script: Script): Promise<void> {
  for (const text of FORMULAS) await script.created(['--label', `note=${text}`]);
  const { stdout } = await script.run(['history', '--csv']);
  const cells = stdout.match(/"(?:[^"]|"")*"|[^",\r\n]+/g) ?? [];
  const formula = cells.find((cell) => /^"?\s*[=+\-@|%＝＋－＠]/.test(cell));
  if (formula !== undefined) throw script.fail(`a cell of CSV is ${formula}`);
}

/** What a service says stays in the code spans of a ticket. */
async function tickets(script: Script): Promise<void> {
  const order = await script.created();
  await script.pay(order);
  for (const said of TRANSACTIONS) {
    script.says(order, (text) => text.replace(/"txId":"[0-9a-f]+"/, `"txId":${JSON.stringify(said)}`));
    for (const args of [
      ['status', order],
      ['status', order, '--json'],
      ['history', '--csv'],
      ['history', '--json'],
    ])
      await script.run(args);
    const { stdout } = await script.run(['history', 'support', order]);
    for (const line of stdout.split('\n'))
      if (line.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '').includes(MARK))
        throw script.fail(`a ticket has ${line}`);
  }
  script.believe();
  await script.run(['status', order]);
}

/** Each order is polled with its own key pair, or with none. */
async function profiles(script: Script): Promise<void> {
  const { process, world } = script.program;
  const [own, account = own] = world.service.accounts;
  const { profile } = account.owner;
  await world.run(
    'other',
    process.machine,
    async (other) => {
      const created = await runCommandLine(other, [...CREATE, '--json']);
      const { order } = JSON.parse(created.stdout) as Shown;
      const others = [{ account, service: other.ports.service }];
      const seen = await script.json<Shown & { readonly profile: string }>(['status', order], 0, { others });
      if (seen.order !== order || seen.profile !== profile)
        throw script.fail(`${order} of ${profile} is shown as ${JSON.stringify(seen)}`);
      // Its answer goes to another key pair, which has agreed nothing.
      const { ports } = script.program;
      const swap = await libraryOf({
        ...script.program,
        ports: { ...ports, service: other.ports.service },
      }).status(order);
      if (swap.fundable) throw script.fail(`${order} of ${profile} is fundable for another key pair`);
      const renamed = { ...own, owner: { ...own.owner, profile } };
      const mixed = [{ account: renamed, service: script.program.ports.service }];
      const { stderr } = await script.run(['status', order, '--json'], 4, { others: mixed });
      if (!/with another key pair/.test(stderr))
        throw script.fail(`${order} of an earlier ${profile}: ${stderr}`);
    },
    { account },
  );
}
