import { StorageError, SwapctlError } from '../../../src/base/errors.ts';
import { createClient } from '../../../src/core/client/client.ts';
import type { Ports } from '../../../src/core/swaps/ports.ts';
import { BUDGET } from '../model/budget.ts';
import { FORMULAS, LISTS, LONG_LIST, MARK, STATES, type StateOfSwap, TRANSACTIONS } from '../world/typed.ts';
import type { Program } from '../world/world.ts';
import { type Printed, runCommandLine, type Typed } from './command-line.ts';
import type { Errand } from './desk.ts';

const CREATE = ['create', 'BTC', 'ETH', '0.1', '-a', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '--yes'];
/** Rows that a list tries, one after the other and at the same time, before it ends. */
const MAX_TRIES = 9;
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const REFUND = 'tb1q2dq5u3zzfav84u9qzemxp5ajsrd22966wa3y99';

/** A script runs commands about swaps in every state, and its output is judged by what happened to them. */
export const type: Errand = async ({ program }) => {
  const script = new Script(program);
  await attention(script);
  // The requests of commands that follow at once would be more than the budget.
  script.pauseMs = 10_000;
  for (const scene of [lists, failing, keys, unreadable, mismatched, secrets, spreadsheet, tickets, profiles])
    await scene(script);
};

class Script {
  readonly program: Program;
  /** Before each command line. */
  pauseMs = 1;
  readonly #says = new Map<string, (text: string) => string>();

  constructor(program: Program) {
    this.program = program;
  }

  /** Runs a command line, which must end with an exit code, and show nothing that cannot be seen. */
  async run(args: readonly string[], exitCode = 0, typed: Typed = {}): Promise<Printed> {
    await this.program.process.pause(this.pauseMs);
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

  /** Makes a create whose outcome stays unknown, and returns the id of its entry. */
  async lost(): Promise<string> {
    const ports = this.#ports();
    const service = async () => {
      const found = await ports.service();
      const create = () =>
        Promise.reject(new SwapctlError('outcome_unknown', 'No answer.', { outcome: 'unknown' }));
      return { ...found, client: { ...found.client, create } };
    };
    await this.run(CREATE, 7, { ports: { ...ports, service } });
    const [entry] = await this.json<readonly { readonly id: string }[]>(['history', '-L', '1']);
    return entry?.id ?? '';
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

  /** The ports of the program, to which the service says what it is told to say. */
  #ports(): Ports {
    const { ports, process, world } = this.program;
    return {
      ...ports,
      service: async () => {
        const service = await ports.service();
        const { now, monotonic, sleep, random, signal } = ports;
        const { baseUrl, credentials } = service;
        const lying = createClient({
          ...{ baseUrl, credentials, signal, now, monotonic, sleep, random, timeoutMs: 30_000 },
          transport: async (request) => {
            const { status, text, headers } = await world.service.handle(request, process.account);
            const change = this.#says.get(request.query?.['id'] ?? '') ?? ((same: string) => same);
            return { status, text: change(text), headers, retryAfter: headers['retry-after'] ?? null };
          },
        });
        return { ...service, client: { ...service.client, transaction: lying.transaction } };
      },
    };
  }
}

function wordsOf({ exitCode, stdout, stderr }: Printed): string {
  return `${exitCode}: ${stdout} ${stderr}`;
}

/** What needs a person is listed, and nothing else. */
async function attention(script: Script): Promise<void> {
  await script.run(LIST);
  const orders = new Map<string, StateOfSwap>();
  const { operator } = script.program.world.service;
  let age = 200;
  for (const state of [...STATES].sort((a, b) => ageOf(b) - ageOf(a))) {
    await script.program.process.pause((age - ageOf(state)) * 60_000);
    age = ageOf(state);
    const order = await script.created(state.hasRefundAddress === true ? ['--refund-address', REFUND] : []);
    orders.set(order, state);
    if (state.deposit === 'at once') await script.pay(order);
    for (const move of state.moves ?? []) await operator.orders.move(order, move);
    if (state.says !== undefined) script.says(order, state.says);
  }
  for (const [order, { deposit }] of orders) if (deposit === 'at the end') await script.pay(order);
  const lost = await script.lost();
  await judge(script, orders, lost);
  // What has ended is known by then.
  await judge(script, orders, lost);
  script.believe();
  for (const [order, { says }] of orders) if (says !== undefined) await script.run(['status', order]);
}

const LIMIT = ['--budget', `${BUDGET.requests}/${BUDGET.durationMs / 1000}s`];
const LIST = ['status', '--attention', '--max-age', '0s', ...LIMIT];

async function judge(script: Script, orders: ReadonlyMap<string, StateOfSwap>, lost: string): Promise<void> {
  const found = await script.json<readonly { readonly order: string | null; readonly id: string }[]>(LIST, 8);
  const listed = new Set(found.map(({ order, id }) => order ?? id));
  for (const [order, { name, needs }] of orders)
    if (listed.has(order) !== needs)
      throw script.fail(`a swap that is ${name} is ${needs ? 'not ' : ''}listed`);
  if (!listed.has(lost)) throw script.fail('a create of unknown outcome is not listed');
}

function ageOf({ age = 0 }: StateOfSwap): number {
  return age;
}

/** A list of which any part is wrong sends nothing. */
async function lists(script: Script): Promise<void> {
  for (const { input, flags = [], sends } of LISTS) {
    const before = script.sent;
    await script.run(['batch', '-', '--yes', ...flags, ...LIMIT], sends === 0 ? 2 : 0, { input });
    if (script.sent !== before + sends)
      throw script.fail(`${script.sent - before} are sent of the list ${input}`);
  }
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

interface Shown {
  readonly order: string;
  readonly fundable: boolean;
}

/** A key returns its swap, and only as what is known of it now. */
async function keys(script: Script): Promise<void> {
  const keyed = ['--idempotency-key', 'typed'];
  const order = await script.created(keyed);
  const before = script.sent;
  const again = async (words: RegExp | null, fundable: boolean) => {
    const { stdout, stderr } = await script.run([...CREATE, ...keyed, '--json']);
    const shown = JSON.parse(stdout) as Shown;
    if (script.sent !== before || shown.order !== order)
      throw script.fail(`a key returns ${shown.order} for ${order}`);
    if (shown.fundable !== fundable || words?.test(stderr) === false)
      throw script.fail(`the swap of a key is ${fundable ? 'not ' : ''}fundable, with: ${stderr}`);
  };
  await again(null, true);
  script.says(order, () => '{');
  await again(/could not be polled/, false);
  script.believe();
  await script.pay(order);
  await script.program.world.service.operator.orders.move(order, 'succeed');
  await again(/do not fund it/, false);
}

/** Without its ledger, nothing can be compared with what was agreed. */
async function unreadable(script: Script): Promise<void> {
  const order = await script.created();
  const { ports } = script.program;
  const ledger = () => Promise.reject(new StorageError('The database is gone.'));
  const { stdout, stderr } = await script.run(['status', order, '--json'], 0, {
    ports: { ...ports, ledger },
  });
  if ((JSON.parse(stdout) as Shown).fundable || !/Do not fund it/.test(stderr))
    throw script.fail(`${order} is fundable without a ledger, with: ${stderr}`);
}

/** An order that did not match its request is never fundable, and it is said why. */
async function mismatched(script: Script): Promise<void> {
  const { ports } = script.program;
  const service = async () => {
    const found = await ports.service();
    const create: typeof found.client.create = async (...request) => {
      const { value, ...answer } = await found.client.create(...request);
      return { ...answer, value: { ...value, receive: { ...value.receive, address: OTHER } } };
    };
    return { ...found, client: { ...found.client, create } };
  };
  await script.run(CREATE, 7, { ports: { ...ports, service } });
  const [{ order } = { order: '' }] = await script.json<readonly Shown[]>(['history', '-L', '1']);
  const { stdout, stderr } = await script.run(['status', order, '--json']);
  if ((JSON.parse(stdout) as Shown).fundable || !/did not match the request/.test(stderr))
    throw script.fail(`${order}, which is not what was requested, is shown as ${stdout} with: ${stderr}`);
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
      const renamed = { ...own, owner: { ...own.owner, profile } };
      const mixed = [{ account: renamed, service: script.program.ports.service }];
      const { stderr } = await script.run(['status', order, '--json'], 4, { others: mixed });
      if (!/with another key pair/.test(stderr))
        throw script.fail(`${order} of an earlier ${profile}: ${stderr}`);
    },
    { account },
  );
}
