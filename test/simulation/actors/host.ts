import { PassThrough } from 'node:stream';
import { type Message, messageProblem } from '../model/agents.ts';
import type { Args } from '../world/agents.ts';
import type { Program } from '../world/world.ts';
import { type Printed, runCommandLine } from './command-line.ts';

const META = 'io.modelcontextprotocol/';
const INFO = { name: 'hostile', version: '1' };

/** How a host is started. */
export interface HostOptions {
  readonly revision: '2026-07-28' | '2025-11-25';
  /** Words after `swapctl mcp`. */
  readonly args: readonly string[];
  readonly secret?: string | undefined;
  /** Fixed at the start in revision 2025-11-25. */
  readonly hasForms: boolean;
}

/** A host that writes its messages itself, and does as it likes with what it is given. */
export class Host {
  /** In revision 2025-11-25 a form comes as a request of the server. */
  readonly isOld: boolean;
  readonly hasForms: boolean;
  readonly #program: Program;
  readonly #stdin = new PassThrough();
  readonly #waiting = new Map<number, (answer: Message) => void>();
  /** Answers for which nothing waits: to calls that were cancelled, or whose form came first. */
  readonly #early = new Map<number, Message>();
  readonly #ended: Promise<Printed>;
  #form: Message | null = null;
  #rest = '';
  #last = 0;

  private constructor(program: Program, { args, revision, hasForms, secret }: HostOptions) {
    this.hasForms = hasForms;
    this.#program = program;
    this.isOld = revision === '2025-11-25';
    const talk = { stdin: this.#stdin, onOutput: (text: string) => this.#read(text) };
    this.#ended = runCommandLine(program, ['mcp', ...args], {
      isLive: true,
      secret,
      talk,
      ports: program.ports,
    });
  }

  static async start(program: Program, options: HostOptions): Promise<Host> {
    const host = new Host(program, options);
    if (!host.isOld) return host;
    const capabilities = options.hasForms ? { elicitation: { form: {} } } : {};
    await host.request('initialize', { protocolVersion: options.revision, capabilities, clientInfo: INFO });
    host.#write({ method: 'notifications/initialized', params: {} });
    return host;
  }

  /** Calls a tool; `more` is what revision 2026-07-28 has beside the arguments. */
  call(name: string, args: Args, hasForms: boolean, more: Args = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args, ...more }, hasForms);
  }

  request(method: string, params: Args, hasForms = false): Promise<Message> {
    this.#last += 1;
    return this.#answerTo(this.#last, {
      id: this.#last,
      method,
      params: { ...params, ...this.#meta(hasForms) },
    });
  }

  /** Answers the form that the server shows, whose call then ends. */
  answerForm(answers: unknown): Promise<Message> {
    const form = this.#form;
    this.#form = null;
    const [result] = Object.values(Object(answers));
    return this.#answerTo(this.#last, { id: form?.id, result: result ?? {} });
  }

  /** Gives up on the last call. */
  cancel(): void {
    this.#waiting.delete(this.#last);
    this.#write({
      method: 'notifications/cancelled',
      params: { requestId: this.#last, ...this.#meta(false) },
    });
  }

  /** Closes standard input. */
  async end(): Promise<Printed> {
    this.#stdin.end();
    return this.#ended;
  }

  #answerTo(id: number, message: object): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#write(message);
      const known = this.#early.get(id);
      if (known !== undefined) this.#resolve(id, known);
      this.#ended.then(({ exitCode, stderr }) => {
        if (!this.#waiting.has(id)) return;
        reject(
          this.#program.world.model.fail(
            'agents',
            `the server ends with ${exitCode} before it answers ${JSON.stringify(message)}: ${stderr}`,
          ),
        );
      }, reject);
    });
  }

  #meta(hasForms: boolean): object {
    if (this.isOld) return {};
    const capabilities = hasForms ? { elicitation: { form: {} } } : {};
    const version = { [`${META}protocolVersion`]: '2026-07-28', [`${META}clientInfo`]: INFO };
    return { _meta: { ...version, [`${META}clientCapabilities`]: capabilities } };
  }

  #write(message: object): void {
    this.#stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#got(JSON.parse(line));
  }

  #got(message: Message): void {
    const { world, process } = this.#program;
    const problem = messageProblem(message);
    if (problem !== null) world.tell(JSON.stringify(message));
    if (problem !== null) world.model.fail('agents', `an answer to ${process.name} ${problem}`);
    if (message.method === undefined) this.#resolve(message.id ?? 0, message);
    else {
      this.#form = message;
      const params = message.params as unknown as { message: string };
      const result = { inputRequests: { payoutAddress: { params } }, requestState: '' };
      this.#resolve(this.#last, { result });
    }
  }

  #resolve(id: number, message: Message): void {
    const resolve = this.#waiting.get(id);
    if (resolve === undefined) this.#early.set(id, message);
    this.#waiting.delete(id);
    resolve?.(message);
  }
}
